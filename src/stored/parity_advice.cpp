#include "stored/parity_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace leitong::stored {
namespace {

using Sentences = std::vector<std::string>;

constexpr std::uint64_t small_sample = 20;
// Fingerprints of unrelated texts differ in half of their bits; those of one text under two dictionaries in far fewer.
constexpr double related_share = 0.35;

// "--profile java-ik --bits 32 --data ik-shop"
std::string flags_of(const ProfileParity& one) {
  std::string flags = "--profile " + one.profile.name;
  if (one.profile.program != Program::leitong && one.profile.bits != 64) flags += fmt::format(" --bits {}", one.profile.bits);
  const bool usual = one.data.empty() || one.data == "ik" || one.data == "hanlp" || one.data == "jieba";
  return usual ? flags : flags + " --data " + one.data;
}

void say_fits(const ParityResult& result, Sentences& out) {
  std::set<std::size_t> profiles;
  for (const auto& fit : result.fits) {
    profiles.insert(fit.profile);
    const ProfileParity& one = result.profiles[fit.profile];
    out.push_back(fmt::format("{} fits: all {} stored values are its {} bits, written as {}", flags_of(one), result.compared,
                              one.profile.bits, written_form_name(fit.form)));
  }
  if (profiles.size() > 1)
    out.emplace_back(
        "More than one profile fits, and this sample cannot tell them apart; java-hanlp-length and java-hanlp-length-short differ only in "
        "short texts, so add some of a few words, and an empty one; 64 and 128 bits may give the same number, so add some long ones");
  if (result.fits.size() > profiles.size())
    out.emplace_back("More than one form fits; signed and unsigned numbers differ only where the highest bit is set");
  if (result.compared < small_sample)
    out.push_back(
        fmt::format("A sample of {} is small: before a store is taken over, compare some hundred, short and long ones", result.compared));
  const bool java =
      std::any_of(profiles.begin(), profiles.end(), [&](std::size_t i) { return result.profiles[i].profile.program != Program::leitong; });
  if (java)
    out.emplace_back("-k is inclusive in Leitong: what a program finds with distance < 3 is found with -k 2, and distance <= 3 with -k 3");
}

void say_missing(const ParityResult& result, const ProfileParity& best, Sentences& out) {
  if (best.missing_there > 0)
    out.push_back(
        fmt::format("Texts without a stored fingerprint, but with one by {1}: {0}. A service with the rule for short texts "
                    "(java-hanlp-length-short), or texts that it never saw",
                    best.missing_there, best.profile.name));
  if (best.missing_here > 0)
    out.push_back(
        fmt::format("Texts with a stored fingerprint, but none by {1}: {0}. Perhaps the program lacks the rule for short texts "
                    "(java-hanlp-length), or the field holds the text cut short",
                    best.missing_here, best.profile.name));
  if (result.unreadable > 0)
    out.push_back(
        fmt::format("Stored values that are a fingerprint in no form: {}, the first of {}: not 0 and 1, hexadecimal or decimal digits, "
                    "or numbers with a fraction or an exponent, which have lost digits",
                    result.unreadable, result.unreadable_ids.front()));
}

// What differs, if most of it is the same program.
void say_near(const ProfileParity& best, Sentences& out) {
  const bool ik = best.profile.words == WordKind::ik;
  out.push_back(fmt::format(
      "Its own dictionary is the first thing to look at: {}; another version of the dictionary changes words too. Compile what the program "
      "loads with `leitong data add {} SOURCE --name NAME` and run parity again: all compiled dictionaries are tried",
      ik ? "ext_dict and ext_stopwords in IKAnalyzer.cfg.xml"
         : "CustomDictionary files and inserted words, edited stop words, the configuration in hanlp.properties",
      ik ? "ik" : "hanlp"));
  if (best.profile.program == Program::java_001b)
    out.emplace_back("java-hanlp-tfidf also depends on every value of --idf and every word of --stop-words: use the program's own files");
  out.emplace_back("The texts may differ from those that were fingerprinted: HTML, line ends, titles joined to bodies, later edits");
}

void say_nothing_fits(const ParityResult& result, const ProfileParity& best, Sentences& out) {
  out.emplace_back("No profile fits: where the values can be compared, they differ in about half of the bits, as unrelated ones do");
  out.emplace_back(
      "Is the field the text that was fingerprinted (--text-field), and the other the fingerprint (--fp-field)? Programs that hash or "
      "weigh words in another way are no profile yet");
  say_missing(result, best, out);
}

void say_best(const ParityResult& result, Sentences& out) {
  const ProfileParity& best = result.profiles.front();
  const FormParity& form = best.best();
  const bool related = form.near > 0 && form.mean_distance < related_share * best.profile.bits;
  if (form.matches <= result.missing && !related && best.rounded == 0) return say_nothing_fits(result, best, out);
  out.push_back(fmt::format("No profile fits all. The best is {}, {} bits written as {}: {} of {} ({:.1f} %)", flags_of(best),
                            best.profile.bits, written_form_name(form.form), form.matches, result.compared,
                            100.0 * static_cast<double>(form.matches) / static_cast<double>(result.compared)));
  if (best.rounded > 0) {
    out.push_back(
        fmt::format("Stored numbers that equal its own but for their last digits: {}. Something on the way (JavaScript, a spreadsheet, "
                    "a column of doubles) kept 53 bits of 64; export them as strings",
                    best.rounded));
  } else if (related) {
    out.push_back(
        fmt::format("The others that can be compared ({}) differ by {:.1f} of {} bits on average, and unrelated ones would by half: the "
                    "program is probably "
                    "this one, with other words",
                    form.near, form.mean_distance, best.profile.bits));
  }
  say_missing(result, best, out);
  if (best.profile.program != Program::leitong && form.near > 0 && best.rounded == 0) say_near(best, out);
}

}  // namespace

std::vector<std::string> parity_advice(const ParityResult& result) {
  Sentences out;
  if (!result.fits.empty()) {
    say_fits(result, out);
  } else {
    say_best(result, out);
  }
  return out;
}

}  // namespace leitong::stored
