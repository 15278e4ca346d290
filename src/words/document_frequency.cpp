// Inputs to a table of inverse document frequencies.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "job/job.h"
#include "leitong/error.h"
#include "leitong/idf.h"
#include "leitong/records.h"
#include "leitong/segment.h"
#include "outputs/output_file.h"
#include "outputs/output_rule.h"
#include "records/json.h"
#include "text/unicode_tables.h"
#include "text/utf8.h"
#include "words/word_counts.h"

namespace leitong {
namespace {

constexpr std::array<IdfFormula, 6> formulas = {{
    {"standard", "log(N / (df + 1))", "the usual one; one more document than there is, against division by 0",
     [](double n, double df) { return std::log(n / (df + 1)); }},
    {"plain", "log(N / df)", "Spärck Jones, 1972", [](double n, double df) { return std::log(n / df); }},
    {"plus-one", "log(N / df) + 1", "scikit-learn with smooth_idf=False", [](double n, double df) { return std::log(n / df) + 1; }},
    {"add-one", "log((N + 1) / (df + 1)) + 1", "scikit-learn's default",
     [](double n, double df) { return std::log((n + 1) / (df + 1)) + 1; }},
    {"probabilistic", "log((N - df) / df)", "Robertson and Spärck Jones, 1976",
     [](double n, double df) { return std::log((n - df) / df); }},
    {"bm25", "log(1 + (N - df + 0.5) / (df + 0.5))", "Lucene's BM25",
     [](double n, double df) { return std::log(1 + (n - df + 0.5) / (df + 0.5)); }},
}};

// The words do not depend on how they are weighed, and a profile whose table is yet to be made must do.
Profile words_of(const Profile& given) {
  Profile profile = given;
  profile.weights = WeightKind::set;
  profile.idf_file.clear();
  profile.stop_words.clear();
  profile.word_weights.clear();
  return profile;
}

// A whole file takes the name at the end. What stands there before may be an older file, but never a device: /dev/null would be gone.
void check_table_name(const IdfOptions& options) {
  if (options.output.empty()) throw Error(ErrorCode::usage, "the idf table needs a file name");
  outputs::OutputRule rule;
  rule.reads(options.job.reads);
  rule.reads(options.input);
  rule.check(options.output, OutputForm::text);
}

enum class Kept { word, nothing, unwritable };

// Unicode's white space, and what Python's split() takes for some: readers of all kinds find two fields in a line.
bool is_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

Kept kept(std::string_view word) {
  bool says_something = false, unwritable = false;
  for (std::size_t at = 0; at < word.size();) {
    const text::Decoded c = text::decode_utf8(word, at);
    at += c.size;
    unwritable |= !c.valid || is_space(c.value);
    says_something |= c.valid && text::unicode::Properties(c.value).letter_or_digit();
  }
  if (!says_something) return Kept::nothing;
  return unwritable ? Kept::unwritable : Kept::word;
}

class TableWriter {
 public:
  TableWriter(const IdfOptions& options, IdfCounts& counts)
      : options_(options), formula_(find_idf_formula(options.formula)), counts_(counts), file_(options.output, true) {}

  void add(const words::CountedWord& word) {
    const Kept what = kept(word.word);
    if (what == Kept::nothing) return;
    if (word.documents < options_.least_documents) {
      ++counts_.rare;
      return;
    }
    if (what == Kept::unwritable) {
      ++counts_.unwritable;
      return;
    }
    double idf = formula_.value(static_cast<double>(counts_.documents), static_cast<double>(word.documents));
    if (idf < 0) idf = 0, ++counts_.raised;
    file_.buffer() += word.word;
    file_.buffer() += ' ';
    records::append_json_number(file_.buffer(), idf + 0.0);  // no -0
    file_.buffer() += '\n';
    ++counts_.words;
    file_.flush_if_full();
  }

  void finish() {
    if (counts_.words == 0)
      throw Error(ErrorCode::format, fmt::format("{}: not written: no word is in at least {} of the {} documents", options_.output,
                                                 options_.least_documents, counts_.documents));
    file_.finish();
  }

 private:
  const IdfOptions& options_;
  const IdfFormula& formula_;
  IdfCounts& counts_;
  outputs::OutputFile file_;
};

// Three quarters of the room for the tables; the rest is for sorting them out.
std::uint64_t table_memory(const job::Job& job) {
  constexpr std::uint64_t least = 256 << 10;
  return std::max(least, job.room() / 4 * 3 / job.threads());
}

void write_notes(const job::Job& job, const IdfCounts& counts) {
  if (counts.unwritable > 0)
    job.note(fmt::format("words with white space or half a character are left out, because a line has one word and one number: {}",
                         counts.unwritable));
  if (counts.raised > 0) job.note(fmt::format("words in so many documents that their idf would be negative have 0: {}", counts.raised));
}

}  // namespace

std::span<const IdfFormula> idf_formulas() { return formulas; }

const IdfFormula& find_idf_formula(std::string_view name) {
  std::string names;
  for (const IdfFormula& formula : formulas) {
    if (formula.name == name) return formula;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", formula.name);
  }
  throw Error(ErrorCode::usage, fmt::format("no idf formula \"{}\"; there are {}", name, names));
}

IdfCounts make_idf(const IdfOptions& options) {
  job::Job job(options.job, "idf");
  check_table_name(options);
  IdfCounts counts;
  TableWriter writer(options, counts);  // before the inputs are read: a folder that cannot be written to shows at once
  const Profile profile = words_of(options.profile);
  std::vector<std::shared_ptr<words::WordCounts>> tables;
  const auto make_worker = [&]() -> RecordWorker {
    const auto number = static_cast<unsigned>(tables.size());
    tables.push_back(std::make_shared<words::WordCounts>(storage::posix_vfs(), fmt::format("{}.words.{}.", options.output, number),
                                                         table_memory(job), number));
    return [segmenter = std::make_shared<Segmenter>(profile), table = tables.back()](const RecordView& record, std::string&) {
      table->start_document();
      for (const Word& word : (*segmenter)(record.text)) table->add(word.text);
    };
  };
  counts.records = map_records(options.input, options.job, "idf", make_worker, [](std::string_view) {});
  counts.documents = counts.records.records - counts.records.rejected;

  const std::size_t most = std::max<std::size_t>(1, static_cast<std::size_t>(job.room() / 4 / (64 << 10)) / tables.size());
  std::vector<std::unique_ptr<words::WordSource>> sources;
  for (const auto& table : tables)
    for (auto& source : table->sources(most)) sources.push_back(std::move(source));
  std::uint64_t merged = 0;
  words::merge_words(std::move(sources), [&](const words::CountedWord& word) {
    if (++merged % 65536 == 0) job.check_stop();
    writer.add(word);
  });
  writer.finish();
  write_notes(job, counts);
  return counts;
}

}  // namespace leitong
