// The commands that say something of each record: fingerprint, segment, normalize.
#include "cli/run_records.h"

#include <fmt/format.h>

#include <array>

#include "cli/commands.h"
#include "cli/named_choices.h"
#include "cli/progress.h"
#include "leitong/error.h"
#include "leitong/fingerprint.h"
#include "leitong/java.h"
#include "leitong/segment.h"

namespace leitong::cli {
namespace {

void append_id(const RecordView& record, std::string& out) {
  out += "{\"id\":";
  out += record.id.empty() ? "null" : record.id;  // a JSON value already
}

std::string written(const Fingerprint& fingerprint, const RecordSettings& s, Program program) {
  if (s.format == FingerprintFormat::bits) return to_bits(fingerprint, writes_least_bit_first(program) != s.reverse_bits);
  const Fingerprint number = s.reverse_bits ? reversed(fingerprint) : fingerprint;
  if (s.format == FingerprintFormat::decimal) return to_decimal(number);
  return s.format == FingerprintFormat::signed_decimal ? to_signed_decimal(number) : to_hex(number);
}

RecordWorker fingerprint_worker(const RecordSettings& s, const Profile& profile) {
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

RecordWorker segment_worker(const RecordSettings& s, const Profile& profile) {
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

RecordWorker normalize_worker(const RecordSettings& s, const Profile& profile) {
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

int run_fingerprint(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  const Profile profile = effective_profile(s.profile);
  (void)profile_id(profile);  // refuses contradictions before any input is read
  if (s.record.blocks && !writes_least_bit_first(profile.program))
    throw Error(ErrorCode::usage, "--blocks: only the profiles java-ik and java-hanlp have search blocks");
  return run_on_records(
      invocation, profile_warnings(profile), [&] { return s.record.trace ? trace_worker(profile) : fingerprint_worker(s.record, profile); },
      output);
}

int run_segment(const Invocation& invocation, Output& output) {
  const Profile profile = effective_profile(invocation.settings.profile);
  return run_on_records(invocation, profile_warnings(profile), [&] { return segment_worker(invocation.settings.record, profile); }, output);
}

int run_normalize(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  const Profile profile = effective_profile(s.profile);
  if (s.record.full_width && s.record.half_width)
    throw Error(ErrorCode::usage, "--full-width and --half-width contradict each other: give one of them");
  return run_on_records(invocation, profile_warnings(profile), [&] { return normalize_worker(s.record, profile); }, output);
}

constexpr std::array fingerprint_flags{
    Flag{.name = "input-format",
         .argument = "NAME",
         .kind = Kind::choice,
         .fallback = "auto",
         .help = "What the inputs are; --format of the other commands",
         .group = Group::input,
         .before = "encoding",
         .choices = "auto jsonl csv tsv text lines html parquet arrow warc",
         .set = [](Settings& s, const Value& v) { s.input.format = v.text; },
         .example = "csv",
         .took = [](const Settings& s) { return s.input.format == "csv"; }},
    Flag{.name = "format",
         .argument = "FORM",
         .kind = Kind::choice,
         .fallback = "hex",
         .help =
             "How fingerprints are written: hex, decimal, signed (as Java's int and long), or bits in the order of the profile's program: "
             "java-ik and java-hanlp begin with the least significant, all others with the most significant. What the inputs are "
             "says --input-format here",
         .group = Group::output,
         .choices = "hex bits decimal signed",
         .set = [](Settings& s, const Value& v) { s.record.format = fingerprint_format(v.text); },
         .example = "decimal",
         .took = [](const Settings& s) { return s.record.format == FingerprintFormat::decimal; }},
    Flag{.name = "reverse-bits",
         .help = "Write the bits in the other order, and numbers of the bits in the other order",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.record.reverse_bits = v.on; },
         .took = [](const Settings& s) { return s.record.reverse_bits; }},
    Flag{.name = "blocks",
         .argument = "D",
         .kind = Kind::number,
         .help = "Add the search blocks that java-ik's and java-hanlp's subByDistance makes for distance D",
         .group = Group::output,
         .high = 127,
         .set = [](Settings& s, const Value& v) { s.record.blocks = static_cast<std::int32_t>(v.number); },
         .example = "7",
         .took = [](const Settings& s) { return s.record.blocks == 7; }},
    Flag{.name = "trace",
         .help = "Print the five steps instead: segment, hash, weigh, merge, reduce",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.record.trace = v.on; },
         .took = [](const Settings& s) { return s.record.trace; }},
};

constexpr std::array segment_flags{
    Flag{.name = "pos",
         .help =
             "Print each word with its tag, [\"word\", \"tag\"]: HanLP's nature, IKAnalyzer's type, or what jieba's dictionary says of the "
             "word (nothing of a word that it lacks)",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.record.pos = v.on; },
         .took = [](const Settings& s) { return s.record.pos; }},
};

constexpr std::array normalize_flags{
    Flag{.name = "full-width",
         .help = "Turn ASCII characters and spaces into full-width ones",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.record.full_width = v.on; },
         .took = [](const Settings& s) { return s.record.full_width; }},
    Flag{.name = "half-width",
         .help = "Turn full-width characters and spaces into ASCII ones",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.record.half_width = v.on; },
         .took = [](const Settings& s) { return s.record.half_width; }},
    Flag{.name = "simplified",
         .help = "Turn traditional Chinese characters into simplified ones, one for one",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.record.simplified = v.on; },
         .took = [](const Settings& s) { return s.record.simplified; }},
};

}  // namespace

int end_of_records(const Counts& counts, const FaceSettings& face) {
  if (counts.records == 0) {
    print_note("the inputs hold no record");
  } else if (counts.rejected > 0 && (!face.quiet || counts.rejected == counts.records)) {
    print_note(fmt::format("{} of {} records were bad and have no line; --text-field says where a text is", human_count(counts.rejected),
                           human_count(counts.records)));
  }
  return counts.records == counts.rejected ? 1 : 0;
}

int run_on_records(const Invocation& invocation, const std::vector<std::string>& notes, const std::function<RecordWorker()>& make_worker,
                   Output& output) {
  const Settings& s = invocation.settings;
  InputOptions input = s.input;
  input.paths = invocation.operands;
  // Where the lines themselves go to the terminal, a progress line would only be in their way.
  ProgressLine line(!s.face.quiet && !is_terminal(1));
  const JobOptions job = line.watch(s.job);
  for (const std::string& sentence : notes) job.note(sentence);
  const Counts counts =
      map_records(input, job, command_info(invocation.command).name, make_worker, [&](std::string_view lines) { output.write(lines); });
  line.erase();
  return end_of_records(counts, s.face);
}

constexpr CommandInfo fingerprint_command{
    .command = cmd_fingerprint,
    .name = "fingerprint",
    .purpose = "Print the fingerprint of each record as JSON Lines",
    .usage = "INPUT... [--profile P] [FLAG...]",
    .description =
        "Prints {\"id\",\"fp\",\"features\"} for each good record, in input order. fp is hexadecimal, most significant "
        "bit first (--format has others), or null for a text without features; features is their number; id is null if the "
        "record has none. Fingerprints may be compared only if they were made with the same profile id (leitong profiles). "
        "The profiles java-* give exactly what the Java programs of the articles give; docs/migrating-from-java.md says which.",
    .examples =
        "leitong fingerprint articles.jsonl > articles.fp.jsonl\n"
        "leitong fingerprint articles.jsonl --profile java-hanlp --format bits\n"
        "leitong fingerprint new.jsonl --profile java-hanlp-tfidf --idf idf.txt --stop-words stop.txt --format signed\n"
        "leitong fingerprint - --lines --trace --profile jieba <<< '雷同文本'",
    .exit_codes = exits_of_records,
    .least = 1,
    .most = ~0U,
    .operands = "files",
    .own_flags = fingerprint_flags,
    .run = run_fingerprint};

constexpr CommandInfo segment_command{
    .command = cmd_segment,
    .name = "segment",
    .purpose = "Print the words of each record as JSON Lines",
    .usage = "INPUT... [--profile P | --words SEGMENTER] [--pos] [FLAG...]",
    .description =
        "Prints {\"id\",\"tokens\"} for each good record, in input order: all words that the profile's segmenter cuts the text "
        "into, stop words and punctuation included. The profile jieba cuts as the Python package jieba 0.42.1 does, java-hanlp "
        "as HanLP portable-1.8.1, java-ik as IKAnalyzer 3.2.8. HanLP and IKAnalyzer need their dictionaries once: leitong data.",
    .examples =
        "leitong segment news.jsonl --profile jieba\n"
        "leitong segment news.jsonl --profile java-hanlp --pos\n"
        "leitong segment - --lines --profile jieba --words jieba-search < titles.txt",
    .exit_codes = exits_of_records,
    .least = 1,
    .most = ~0U,
    .operands = "files",
    .own_flags = segment_flags,
    .run = run_segment};

constexpr CommandInfo normalize_command{
    .command = cmd_normalize,
    .name = "normalize",
    .purpose = "Print the normal form of each record's text as JSON Lines",
    .usage = "INPUT... [--full-width|--half-width] [--simplified] [FLAG...]",
    .description =
        "Prints {\"id\",\"text\"} for each good record, in input order. Without a flag: the text as the profile has it before it "
        "is cut, which is NFKC_Casefold of Unicode 15.0, and for java-hanlp-length and java-hanlp-tfidf the cleaning of article "
        "001. With flags: those steps only, width before simplification.",
    .examples =
        "leitong normalize news.jsonl --half-width --simplified\n"
        "leitong normalize news.jsonl --profile java-hanlp-length",
    .exit_codes = exits_of_records,
    .least = 1,
    .most = ~0U,
    .operands = "files",
    .own_flags = normalize_flags,
    .run = run_normalize};

}  // namespace leitong::cli
