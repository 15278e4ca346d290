// The commands that say something of each record: fingerprint, segment, normalize.
#include <fmt/format.h>

#include "cli/progress.h"
#include "cli/run.h"
#include "leitong/error.h"
#include "leitong/fingerprint.h"
#include "leitong/java.h"
#include "leitong/records.h"
#include "leitong/segment.h"

namespace leitong::cli {
namespace {

void append_id(const RecordView& record, std::string& out) {
  out += "{\"id\":";
  out += record.id.empty() ? "null" : record.id;  // a JSON value already
}

std::string written(const Fingerprint& fingerprint, const Settings& s, Program program) {
  if (s.fingerprint_format == FingerprintFormat::bits) return to_bits(fingerprint, writes_least_bit_first(program) != s.reverse_bits);
  const Fingerprint number = s.reverse_bits ? reversed(fingerprint) : fingerprint;
  if (s.fingerprint_format == FingerprintFormat::decimal) return to_decimal(number);
  return s.fingerprint_format == FingerprintFormat::signed_decimal ? to_signed_decimal(number) : to_hex(number);
}

RecordWorker fingerprint_worker(const Settings& s, const Profile& profile) {
  const auto fingerprinter = std::make_shared<Fingerprinter>(profile);
  return [&s, program = profile.program, fingerprinter](const RecordView& record, std::string& out) {
    const Fingerprinter::Result result = (*fingerprinter)(record.text);
    append_id(record, out);
    out += result.fingerprint ? ",\"fp\":\"" + written(*result.fingerprint, s, program) + "\"" : ",\"fp\":null";
    if (s.blocks) {
      out += ",\"blocks\":[";
      if (result.fingerprint)
        for (const std::string& block : java::sub_by_distance(*result.fingerprint, program, *s.blocks)) out += "\"" + block + "\",";
      if (out.back() == ',') out.pop_back();
      out += ']';
    }
    out += fmt::format(",\"features\":{}}}\n", result.features);
  };
}

std::string spaced_bits(const Fingerprint& fingerprint, bool least_first) {
  std::string out;
  for (const char bit : to_bits(fingerprint, least_first)) (out += out.empty() ? "" : " ") += bit;
  return out;
}

// Numbers bit by bit, in the order in which the fingerprint's bits are written.
template <typename Value>
std::string row(unsigned bits, bool least_first, Value value) {
  std::string out;
  for (unsigned i = 0; i < bits; ++i) out += fmt::format("{}{}", i == 0 ? "" : " ", value(least_first ? i : bits - 1 - i));
  return out;
}

RecordWorker trace_worker(const Profile& profile) {
  return [profile](const RecordView& record, std::string& out) {
    const Trace steps = trace(record.text, profile);
    const bool least_first = writes_least_bit_first(profile.program);
    const auto bit = [](const Fingerprint& f, unsigned i) { return (f.words[i / 64] >> (i % 64) & 1) != 0; };
    out += fmt::format("record {}\n1 segment  {}\n", record.id.empty() ? "without id" : std::string(record.id), harmless(steps.cut));
    for (const Trace::Feature& f : steps.features)
      out += fmt::format("           {}{}{} ({})\n", harmless(f.text), f.part_of_speech.empty() ? "" : "/", f.part_of_speech, f.weight);
    out += fmt::format("2 hash     {} bits, the {} significant first\n", profile.bits, least_first ? "least" : "most");
    for (const Trace::Feature& f : steps.features)
      out += fmt::format("           {}  {}\n", spaced_bits(f.hash, least_first), harmless(f.text));
    out += "3 weigh    + weight for 1, - weight for 0\n";
    for (const Trace::Feature& f : steps.features)
      out +=
          fmt::format("           {}  {}\n",
                      row(profile.bits, least_first, [&](unsigned i) { return bit(f.hash, i) ? f.weight : -f.weight; }), harmless(f.text));
    out += fmt::format("4 merge    {}\n", row(profile.bits, least_first, [&](unsigned i) { return steps.sums[i] + 0.0; }));
    out += steps.fingerprint
               ? fmt::format("5 reduce   {}  {}\n\n", spaced_bits(*steps.fingerprint, least_first), to_hex(*steps.fingerprint))
               : "5 reduce   no fingerprint\n\n";
  };
}

RecordWorker segment_worker(const Settings& s, const Profile& profile) {
  const auto segmenter = std::make_shared<Segmenter>(profile);
  return [&s, segmenter](const RecordView& record, std::string& out) {
    append_id(record, out);
    out += ",\"tokens\":[";
    const char* comma = "";
    for (const Word& word : (*segmenter)(record.text)) {
      out += comma;
      if (s.pos) out += '[';
      append_json_string(out, word.text);
      if (s.pos) append_json_string(out += ',', word.part_of_speech), out += ']';
      comma = ",";
    }
    out += "]}\n";
  };
}

RecordWorker normalize_worker(const Settings& s, const Profile& profile) {
  const Width width = s.half_width ? Width::half : s.full_width ? Width::full : Width::as_it_is;
  const bool any = s.half_width || s.full_width || s.simplified;
  // Without a flag: what the profile makes of the text before it cuts it; of the standard tokens that is the normal form.
  const bool of_words = !any && profile.words != WordKind::tokens;
  const auto segmenter = of_words ? std::make_shared<Segmenter>(profile) : nullptr;
  const Normalization steps{!any, width, any ? s.simplified : profile.fold_traditional};
  return [steps, segmenter](const RecordView& record, std::string& out) {
    append_id(record, out);
    out += ",\"text\":";
    if (segmenter) {
      (void)(*segmenter)(record.text);
      append_json_string(out, segmenter->cut_text());
    } else {
      append_json_string(out, normalize(record.text, steps));
    }
    out += "}\n";
  };
}

}  // namespace

int end_of_records(const Counts& counts, const Settings& settings) {
  if (counts.records == 0) {
    print_note("the inputs hold no record");
  } else if (counts.rejected > 0 && (!settings.quiet || counts.rejected == counts.records)) {
    print_note(fmt::format("{} of {} records were bad and have no line; --text-field says where a text is", human_count(counts.rejected),
                           human_count(counts.records)));
  }
  return counts.records == counts.rejected ? 1 : 0;
}

int run_records(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  const Profile profile = effective_profile(s);
  if (s.full_width && s.half_width) throw Error(ErrorCode::usage, "--full-width and --half-width contradict each other: give one of them");
  if (invocation.command == cmd_fingerprint) {
    (void)profile_id(profile);  // refuses contradictions before any input is read
    if (s.blocks && !writes_least_bit_first(profile.program))
      throw Error(ErrorCode::usage, "--blocks: only the profiles java-ik and java-hanlp have search blocks");
  }
  InputOptions input = s.input;
  input.paths = invocation.operands;
  // Where the lines themselves go to the terminal, a progress line would only be in their way.
  ProgressLine line(!s.quiet && !is_terminal(1));
  const JobOptions job = line.watch(s.job);
  for (const std::string& sentence : profile_warnings(profile)) job.note(sentence);
  const auto make_worker = [&]() -> RecordWorker {
    if (invocation.command == cmd_segment) return segment_worker(s, profile);
    if (invocation.command == cmd_normalize) return normalize_worker(s, profile);
    return s.trace ? trace_worker(profile) : fingerprint_worker(s, profile);
  };
  const Counts counts =
      map_records(input, job, command_info(invocation.command).name, make_worker, [&](std::string_view lines) { output.write(lines); });
  line.erase();
  return end_of_records(counts, s);
}

}  // namespace leitong::cli
