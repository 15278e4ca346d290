#include "job/input_notes.h"

#include <fmt/format.h>

#include <map>

#include "leitong/file_name.h"

namespace leitong::job {
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

std::string shown(const std::string& path) { return path == "-" ? "standard input" : shown_name(path); }

// One sentence on each encoding that was detected rather than given.
std::vector<std::string> on_encodings(const records::Input& input) {
  std::vector<std::string> list;
  std::map<std::string, std::uint64_t> more;
  for (const records::Source& source : input.sources()) {
    if (source.encoding.empty() || source.encoding_from.empty()) continue;
    if (list.size() < most_sentences)
      list.push_back(fmt::format("{}: read as {} ({})", shown(source.path), source.encoding, source.encoding_from));
    else
      ++more[source.encoding];
  }
  for (const auto& [encoding, count] : more)
    list.push_back(fmt::format("{} more inputs were read as {}; --encoding NAME says what all are", count, encoding));
  return list;
}

std::vector<std::string> on_second_names(const records::Input& input) {
  std::vector<std::string> list;
  const auto& twice = input.named_twice();
  for (std::size_t i = 0; i < twice.size() && i < most_sentences; ++i)
    list.push_back(twice[i].first == twice[i].second
                       ? fmt::format("{}: was given twice; it was read once", shown(twice[i].first))
                       : fmt::format("{}: is the same file as {}; it was read once", shown(twice[i].first), shown(twice[i].second)));
  if (twice.size() > most_sentences)
    list.push_back(fmt::format("{} more files were met a second time; they were read once", twice.size() - most_sentences));
  return list;
}

std::vector<std::string> on_results(const records::Input& input) {
  std::vector<std::string> list;
  const std::vector<std::string>& left_out = input.with_results();
  for (std::size_t i = 0; i < left_out.size() && i < most_sentences; ++i)
    list.push_back(fmt::format("{}: holds results of Leitong; they were not read as input", shown(left_out[i])));
  if (left_out.size() > most_sentences)
    list.push_back(
        fmt::format("{} more directories with results of Leitong were met; they were not read as input", left_out.size() - most_sentences));
  return list;
}

}  // namespace

void InputNotes::add(const records::Input& input, const records::Parsed& parsed) {
  for (const records::Record& record : parsed.records) count(good_, record.source);
  for (const records::Reject& reject : parsed.rejects) {
    count(rejected_, reject.source);
    if (!reject.whole) continue;
    const std::string& path = input.source_path(reject.source);
    unread_.push_back(path);
    if (broken_.size() == most_sentences) continue;
    const std::uint64_t before = reject.source < good_.size() ? good_[reject.source] : 0;  // nothing follows the error
    broken_.push_back(fmt::format("{}: {}; {}", shown(path), reject.reason, read_before(before)));
  }
  archive_.add(parsed.archive);
  text_field_.add(input, parsed);
  pages_ += parsed.pages;
  pages_fallen_back_ += parsed.pages_fallen_back;
}

std::vector<std::string> InputNotes::finish(const records::Input& input) const {
  text_field_.finish(input);
  std::vector<std::string> all = broken_;
  if (unread_.size() > broken_.size())
    all.push_back(fmt::format("{} more inputs could not be read to their end; rejected.jsonl lists them", unread_.size() - broken_.size()));
  const auto add = [&](std::vector<std::string> sentences) { all.insert(all.end(), sentences.begin(), sentences.end()); };
  add(on_encodings(input));
  if (std::string sentence = archive_.sentence(); !sentence.empty()) all.push_back(std::move(sentence));
  add(on_second_names(input));
  add(text_field_.sentences(input));
  if (pages_fallen_back_ > 0)
    all.push_back(fmt::format("{} of {} web pages had no main content that was found; what was taken instead, leitong extract says",
                              pages_fallen_back_, pages_));
  add(on_results(input));
  return all;
}

}  // namespace leitong::job
