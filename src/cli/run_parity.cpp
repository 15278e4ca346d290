// leitong parity: stored fingerprints to the profile that gives them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "leitong/fingerprint.h"
#include "leitong/parity.h"
#include "leitong/records.h"

namespace leitong::cli {
namespace {

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
  std::string out;
  for (const std::string& part : parts) (out += out.empty() ? "" : between) += part;
  return out;
}

std::string json_strings(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(json_string(text));
  return "[" + joined(quoted, ",") + "]";
}

std::string json_of(const FormParity& form) {
  return fmt::format("{{\"form\":{},\"matches\":{},\"comparable_mismatches\":{},\"mean_distance\":{},\"mismatches\":[{}]}}",
                     json_string(written_form_name(form.form)), form.matches, form.near,
                     form.near == 0 ? "null" : fmt::format("{}", form.mean_distance), joined(form.mismatches, ","));
}

std::string json_of(const ProfileParity& one) {
  std::vector<std::string> forms;
  for (const FormParity& form : one.forms) forms.push_back(json_of(form));
  return fmt::format(
      "{{\"profile\":{},\"profile_id\":{},\"data\":{},\"bits\":{},\"missing_there\":{},\"missing_here\":{},\"rounded\":{},\"forms\":[{}]}}",
      json_string(one.profile.name), json_string(one.profile_id), json_string(one.data), one.profile.bits, one.missing_there,
      one.missing_here, one.rounded, joined(forms, ","));
}

void show_json(const ParityResult& result, Output& output) {
  std::vector<std::string> profiles, fits, not_tried;
  for (const ProfileParity& one : result.profiles) profiles.push_back(json_of(one));
  for (const auto& fit : result.fits) {
    const ProfileParity& one = result.profiles[fit.profile];
    fits.push_back(fmt::format("{{\"profile\":{},\"profile_id\":{},\"data\":{},\"bits\":{},\"form\":{}}}", json_string(one.profile.name),
                               json_string(one.profile_id), json_string(one.data), one.profile.bits,
                               json_string(written_form_name(fit.form))));
  }
  for (const auto& one : result.not_tried)
    not_tried.push_back(fmt::format("{{\"profile\":{},\"reason\":{}}}", json_string(one.profile), json_string(one.reason)));
  output.write(
      fmt::format("{{\"compared\":{},\"bad_records\":{},\"missing\":{},\"unreadable\":{},\"unreadable_ids\":[{}],\"fits\":[{}],"
                  "\"profiles\":[{}],\"not_tried\":[{}],\"advice\":{}}}\n",
                  result.compared, result.records.rejected, result.missing, result.unreadable, joined(result.unreadable_ids, ","),
                  joined(fits, ","), joined(profiles, ","), joined(not_tried, ","), json_strings(result.advice)));
}

std::string name_of(const ProfileParity& one) {
  return one.data.empty() ? one.profile.name : fmt::format("{} ({})", one.profile.name, one.data);
}

// The best form, and every other that has all records.
void show_rows(const ParityResult& result, const ProfileParity& one, std::size_t width, Output& output) {
  for (const FormParity& form : one.forms) {
    const bool first = &form == &one.forms.front();
    if (!first && form.matches < result.compared) break;
    // Without a match, a form is only named if the distances speak for it.
    const bool nothing = form.matches == 0 && form.near == 0;
    output.write(fmt::format("{:<{}}  {:>4}  {:<36}  {:>16}  {:>8}  {}\n", name_of(one), width, one.profile.bits,
                             nothing ? "none" : written_form_name(form.form),
                             fmt::format("{} of {}", human_count(form.matches), human_count(result.compared)),
                             form.near == 0 ? "-" : fmt::format("{:.1f}", form.mean_distance),
                             form.mismatches.empty() ? "-" : harmless(joined(form.mismatches, ", "))));
  }
}

void show_table(const ParityResult& result, Output& output) {
  std::size_t width = 7;
  for (const ProfileParity& one : result.profiles) width = std::max(width, name_of(one).size());
  output.write(fmt::format("{:<{}}  {:>4}  {:<36}  {:>16}  {:>8}  {}\n", "profile", width, "bits", "written as", "matches", "distance",
                           "first mismatches"));
  for (const ProfileParity& one : result.profiles) show_rows(result, one, width, output);
  output.write("\n");
  for (const auto& one : result.not_tried) output.write(harmless(fmt::format("not tried: {}: {}\n", one.profile, one.reason)));
  if (result.missing > 0) output.write(fmt::format("records without a stored fingerprint: {}\n", human_count(result.missing)));
  for (const std::string& sentence : result.advice) output.write(harmless(sentence) + "\n");
}

// How new texts are fingerprinted in the form of the store.
std::string command_of(const ProfileParity& one, WrittenForm form) {
  using enum WrittenForm;
  const bool bits = form == bits_most_first || form == bits_least_first;
  const bool least_first = writes_least_bit_first(one.profile.program);
  const bool reverse = bits ? (form == bits_least_first) != least_first : form >= reversed_hex;
  const char* format = bits                                          ? "bits"
                       : form == hex || form == reversed_hex         ? "hex"
                       : form == decimal || form == reversed_decimal ? "decimal"
                                                                     : "signed";
  std::string command = "leitong fingerprint INPUT... --profile " + one.profile.name;
  if (one.profile.bits != load_profile(one.profile.name).bits) command += fmt::format(" --bits {}", one.profile.bits);
  if (!one.data.empty() && one.data != "ik" && one.data != "hanlp") command += " --data " + one.data;
  if (!one.profile.idf_file.empty()) command += " --idf " + one.profile.idf_file;
  if (!one.profile.stop_words.empty()) command += " --stop-words " + one.profile.stop_words;
  return command + " --format " + format + (reverse ? " --reverse-bits" : "");
}

int run_parity(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  ParityOptions options;
  options.input = s.input;
  options.input.paths = invocation.operands;
  options.fingerprint_field = s.parity.fingerprint_field;
  options.idf_file = s.profile.idf_file;
  options.stop_words = s.profile.words.stop_words;
  if (!s.profile.name.empty()) options.profile = load_profile(s.profile.name);
  ProgressLine line(!s.face.quiet);
  options.job = line.watch(s.job);
  const ParityResult result = parity(options);
  line.erase();
  for (const ProfileParity& one : result.profiles)
    for (const std::string& warning : profile_warnings(one.profile)) print_note(warning);
  if (result.records.rejected > 0 && !s.face.quiet)
    print_note(fmt::format("{} of {} records were bad and are not compared (--strict names the first one)",
                           human_count(result.records.rejected), human_count(result.records.records)));
  if (s.face.json) {
    show_json(result, output);
  } else {
    show_table(result, output);
  }
  for (const ParityResult::Fit& fit : result.fits) {
    const ProfileParity& one = result.profiles[fit.profile];
    if (!s.face.json && one.profile.words != WordKind::tokens) output.write("so: " + harmless(command_of(one, fit.form)) + "\n");
  }
  return result.fits.empty() ? 1 : 0;
}

constexpr std::array own_flags{
    Flag{.name = "fp-field",
         .argument = "PATH",
         .kind = Kind::text,
         .fallback = "fp",
         .help = "Field of the stored fingerprint: a dotted path (JSON Lines) or a column name (CSV, TSV)",
         .group = Group::input,
         .before = "include",
         .aliases = "fingerprint-field",
         .set = [](Settings& s, const Value& v) { s.parity.fingerprint_field = v.text; },
         .example = "some.path",
         .took = [](const Settings& s) { return s.parity.fingerprint_field == "some.path"; }},
};

}  // namespace

constexpr CommandInfo parity_command{
    .command = cmd_parity,
    .name = "parity",
    .purpose = "Find the profile that gives the fingerprints that a Java program has stored",
    .usage = "INPUT... [--text-field PATH] [--fp-field PATH] [--idf FILE --stop-words FILE] [FLAG...]",
    .description =
        "Each record has a text and the fingerprint that is stored for it. All Java profiles of all compiled dictionaries (leitong "
        "data), "
        "java-hanlp-tfidf if --idf is given, and the profile of --profile are computed and compared with the stored value in every "
        "written form: bits in either order, hexadecimal, decimal, Java's signed numbers, and null. Prints a row for each profile, "
        "with "
        "the form that fits best, the mean distance of what does not match and its first ids, and then what it means: which profile "
        "fits, or what to look at.",
    .examples =
        "leitong parity sample.jsonl --text-field content --fp-field simhash\n"
        "leitong parity sample.csv --idf idf.txt --stop-words stopwords.txt --json",
    .exit_codes = "0 a profile fits: all values are its fingerprints\n1 none fits\n2 error\n130 stopped by a signal",
    .least = 1,
    .most = ~0U,
    .operands = "files",
    .own_flags = own_flags,
    .run = run_parity};

}  // namespace leitong::cli
