#include "corpus/input_notes.h"

#include <fmt/format.h>

namespace leitong::corpus {
namespace {

constexpr std::size_t most_sentences = 10;

void count(std::vector<std::uint64_t>& counts, std::uint32_t source) {
  if (source >= counts.size()) counts.resize(source + 1, 0);
  ++counts[source];
}

std::string read_before(std::uint64_t records) {
  if (records == 0) return "nothing of it was read";
  return records == 1 ? "one record before that was read" : fmt::format("{} records before that were read", records);
}

}  // namespace

void InputNotes::add(const records::Input& input, const records::Parsed& parsed) {
  for (const records::Record& record : parsed.records) count(good_, record.source);
  for (const records::Reject& reject : parsed.rejects) {
    count(rejected_, reject.source);
    if (!reject.whole) continue;
    if (broken_.size() == most_sentences) {
      ++more_broken_;
      continue;
    }
    const std::uint64_t before = reject.source < good_.size() ? good_[reject.source] : 0;  // a source ends with its break
    const std::string& path = input.source_path(reject.source);
    broken_.push_back(fmt::format("{}: {}; {}", path == "-" ? "standard input" : path, reject.reason, read_before(before)));
  }
}

std::vector<std::string> InputNotes::sentences(const records::Input& input) const {
  std::vector<std::string> all = broken_;
  if (more_broken_ > 0)
    all.push_back(fmt::format("{} more inputs could not be read to their end; rejected.jsonl lists them", more_broken_));
  const std::vector<std::string>& left_out = input.with_results();
  for (std::size_t i = 0; i < left_out.size() && i < most_sentences; ++i)
    all.push_back(fmt::format("{}: holds results of Leitong; they were not read as input", left_out[i]));
  if (left_out.size() > most_sentences)
    all.push_back(
        fmt::format("{} more directories with results of Leitong were met; they were not read as input", left_out.size() - most_sentences));
  return all;
}

}  // namespace leitong::corpus
