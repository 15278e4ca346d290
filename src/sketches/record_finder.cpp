#include "sketches/record_finder.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "job/plain_id.h"
#include "leitong/error.h"
#include "leitong/file_name.h"

namespace leitong::sketches {
namespace {

constexpr std::size_t most_choices = 10;

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// One name on its way through the records.
class Wanted {
 public:
  explicit Wanted(const std::string& name) : name_(name), shown_(shown_name(name)) {
    const std::size_t colon = name.rfind(':');
    source_ = name.substr(0, colon == std::string::npos ? 0 : colon);
    number_ = number_in(std::string_view(name).substr(colon == std::string::npos ? 0 : colon + 1));
  }

  void look(std::uint32_t row, std::uint64_t record, const std::string& source, std::string_view id) {
    if (is_called(id)) {
      if (++named_ == 1) by_id_ = row;
      if (choices_.size() < most_choices) choices_.push_back(fmt::format("{}:{}", shown_name(source), record));
    }
    if (number_ != record) return;
    if (source_.empty() || source_ == source || named_by(source_) == source)
      by_number_ = row;
    else
      elsewhere_ = shown_name(source);
  }

  [[nodiscard]] std::uint32_t row(std::uint64_t records) const {
    if (named_ == 1) return by_id_;
    if (named_ > 1) refuse_several();
    if (by_number_) return *by_number_;
    refuse_none(records);
  }

 private:
  [[nodiscard]] bool is_called(std::string_view id) const {
    if (id.empty()) return false;
    if (id == name_) return true;
    if (id.front() != '"' || id.size() < name_.size() + 2) return false;
    if (id.find('\\') == std::string_view::npos) return id.substr(1, id.size() - 2) == name_;
    const std::string plain = job::plain_id(id);
    return plain == name_ || plain == shown_;  // of a document that is a file, by the bytes of its name
  }

  [[noreturn]] void refuse_several() const {
    throw Error(ErrorCode::usage, fmt::format("\"{}\" is the id of {} records: name one of them by its source and number: {}{}", name_,
                                              named_, fmt::join(choices_, ", "), named_ > choices_.size() ? ", …" : ""));
  }

  [[noreturn]] void refuse_none(std::uint64_t records) const {
    if (!elsewhere_.empty())
      throw Error(ErrorCode::usage,
                  fmt::format("\"{}\": record {} is of {}: say {}:{}", name_, *number_, elsewhere_, elsewhere_, *number_));
    if (number_ && *number_ < records)
      throw Error(ErrorCode::usage,
                  fmt::format("\"{}\": record {} is a bad one that the run left out; its rejected.jsonl says why", name_, *number_));
    throw Error(
        ErrorCode::usage,
        fmt::format("no record of the run is called \"{}\": give an id as written in the input, or SOURCE:NUMBER or :NUMBER with the "
                    "record's number in removed.jsonl and clusters.jsonl",
                    name_));
  }

  const std::string& name_;
  std::string shown_, source_;
  std::optional<std::uint64_t> number_;
  std::uint64_t named_ = 0;
  std::uint32_t by_id_ = 0;
  std::vector<std::string> choices_;
  std::optional<std::uint32_t> by_number_;
  std::string elsewhere_;  // the source of the record with that number, if another was named
};

}  // namespace

std::vector<std::uint32_t> find_records(const SketchSet& set, const std::vector<std::string>& names,
                                        const std::function<void()>& before_block) {
  std::vector<Wanted> wanted;
  for (const std::string& name : names) wanted.emplace_back(name);
  set.for_each_block({SketchColumns::record, SketchColumns::source, SketchColumns::id},
                     [&](std::uint64_t first, const storage::Block& block) {
                       before_block();
                       const SketchSet::File& file = set.files()[set.file_of(first)];
                       const auto records = block.column<std::uint64_t>(SketchColumns::record);
                       const auto sources = block.column<std::uint32_t>(SketchColumns::source);
                       for (std::size_t i = 0; i < block.rows(); ++i)
                         for (Wanted& one : wanted)
                           one.look(static_cast<std::uint32_t>(first + i), file.first_record + records[i],
                                    file.metadata.sources.at(sources[i]).path, block.text(SketchColumns::id, i));
                     });
  const std::uint64_t records = set.files().back().first_record + set.files().back().metadata.records;
  std::vector<std::uint32_t> rows;
  for (const Wanted& one : wanted) rows.push_back(one.row(records));
  return rows;
}

}  // namespace leitong::sketches
