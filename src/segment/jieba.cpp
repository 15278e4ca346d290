#include "segment/jieba.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "leitong/error.h"
#include "segment/cutter.h"
#include "segment/python_text.h"

namespace leitong::segment {
namespace {

constexpr std::uint64_t max_frequency = std::uint64_t{1} << 53;

void check_size(std::string_view text) {
  if (text.size() >= std::uint64_t{1} << 32) throw Error(ErrorCode::limit, "a text of 4 GiB or more cannot be cut into words; split it");
}

std::u32string decode_word(std::string_view word) {
  std::u32string points;
  if (!decode_strict(word, points) || points.empty())
    throw Error(ErrorCode::usage, "a word for the dictionary must be UTF-8 and not empty");
  return points;
}

bool all_in(std::string_view field, char first, char last) {
  return !field.empty() && std::all_of(field.begin(), field.end(), [&](char c) { return c >= first && c <= last; });
}

struct UserLine {
  std::string_view word, frequency, tag;
};

// What '^(.+?)( [0-9]+)?( [a-z]+)?$' finds: the shortest word, so fields are taken from the end while something is left for the word.
UserLine split_user_line(std::string_view line) {
  UserLine out;
  const auto take = [&](char first, char last, std::string_view& field) {
    const std::size_t space = line.rfind(' ');
    if (space == std::string_view::npos || space == 0 || !all_in(line.substr(space + 1), first, last)) return;
    field = line.substr(space + 1);
    line = line.substr(0, space);
  };
  take('a', 'z', out.tag);
  take('0', '9', out.frequency);
  out.word = line;
  return out;
}

std::uint64_t parse_frequency(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() ? value : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

Jieba::Jieba(std::shared_ptr<const JiebaData> data) : data_(std::move(data)), scores_(data_->logs().size() + 1) {
  set_total(data_->total());
  classify_bytes();
  load_user_words(data_->user_words(), "the data file's user words");
  for (std::string_view rest = data_->deleted_words(); !rest.empty();) del_word(take_line(rest));
}

void Jieba::classify_bytes() {
  for (unsigned c = 0; c < 128; ++c) {
    const std::uint64_t marks = data_->ascii_marks()[c >> 6] | user_.ascii_marks()[c >> 6];
    const ByteClass unmarked = is_ascii_alnum(c) ? ByteClass::letter : ByteClass::plain;
    classes_[c] = !is_block_ascii(c) ? ByteClass::other : (marks >> (c & 63) & 1) != 0 ? ByteClass::mark : unmarked;
  }
  std::fill(classes_.begin() + 0xE4, classes_.begin() + 0xEA, ByteClass::han);  // first bytes of U+4000..9FFF
}

void Jieba::set_total(std::uint64_t total) {
  total_ = total;
  log_total_ = std::log(static_cast<double>(total));
  const auto logs = data_->logs();
  for (std::size_t rank = 0; rank < logs.size(); ++rank) scores_[rank] = logs[rank] - log_total_;
  scores_[0] = -std::numeric_limits<double>::infinity();
  scores_.back() = 0.0 - log_total_;
}

std::optional<std::uint64_t> Jieba::frequency(std::u32string_view word) const {
  const UserWords::Word* user = user_.empty() ? nullptr : user_.find(word);
  if (user != nullptr && user->set) return user->frequency;
  std::uint32_t at = 0;
  bool known = !word.empty();
  for (std::size_t i = 0; known && i < word.size(); ++i) {
    const Label label = data_->label(word[i]);
    const std::uint32_t next = i == 0 ? label : base_of(data_->words()[at]) + label;
    known = label != 0 && check_of(data_->words()[next]) == (i == 0 ? root_parent : at);
    at = next;
  }
  if (known) return data_->frequencies()[value_of(data_->words()[at])];
  return user != nullptr ? std::optional<std::uint64_t>(0) : std::nullopt;
}

void Jieba::add_word(std::string_view word, std::optional<std::uint64_t> frequency, const std::string& tag) {
  const std::u32string points = decode_word(word);
  const std::uint64_t value = frequency ? *frequency : suggest_frequency(word);
  if (value > max_frequency || total_ + value > std::uint64_t{1} << 62) {
    throw Error(ErrorCode::limit, "the frequency of '" + std::string(word) + "' is too large; use at most 2^53");
  }
  user_.set(points, value, tag);
  classify_bytes();
  set_total(total_ + value);  // jieba never subtracts what the word had before
}

std::uint64_t Jieba::suggest_frequency(std::string_view word, bool tune) {
  const std::u32string points = decode_word(word);
  const double total = static_cast<double>(total_);
  double product = 1;
  Tokens tokens;
  cut(word, false, tokens);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    product *= static_cast<double>(frequency(decode_word(tokens.view(word, i))).value_or(1)) / total;
  const std::uint64_t result = std::max(static_cast<std::uint64_t>(product * total) + 1, frequency(points).value_or(1));
  if (tune) add_word(word, result);
  return result;
}

std::uint64_t Jieba::suggest_frequency(std::span<const std::string_view> parts, bool tune) {
  const double total = static_cast<double>(total_);
  double product = 1;
  std::string word;
  for (const std::string_view part : parts) {
    word += part;
    product *= static_cast<double>(frequency(decode_word(part)).value_or(1)) / total;
  }
  const std::uint64_t result = std::min(static_cast<std::uint64_t>(product * total), frequency(decode_word(word)).value_or(0));
  if (tune) add_word(word, result);
  return result;
}

void Jieba::load_user_words(std::string_view content, const std::string& name) {
  constexpr std::string_view byte_order_mark_utf8 = "\xEF\xBB\xBF";
  for (std::size_t number = 1; !content.empty(); ++number) {
    std::string_view line = strip_ascii(take_line(content));
    const std::string place = name + ":" + std::to_string(number) + ": ";
    std::u32string points;
    if (!decode_strict(line, points)) throw Error(ErrorCode::format, place + "not UTF-8; convert the file");
    while (line.substr(0, 3) == byte_order_mark_utf8) line.remove_prefix(3);
    if (line.empty()) continue;
    const UserLine fields = split_user_line(line);
    const std::optional<std::uint64_t> frequency =
        fields.frequency.empty() ? std::nullopt : std::optional<std::uint64_t>(parse_frequency(fields.frequency));
    if (frequency.value_or(0) > max_frequency) throw Error(ErrorCode::limit, place + "the frequency is too large; use at most 2^53");
    add_word(fields.word, frequency, std::string(fields.tag));
  }
}

void Jieba::cut(std::string_view text, bool hmm, Tokens& out) const {
  check_size(text);
  Cutter(*this, text, out).run(hmm ? Cutter::Mode::hmm : Cutter::Mode::plain);
}

void Jieba::cut_all(std::string_view text, Tokens& out) const {
  check_size(text);
  Cutter(*this, text, out).run(Cutter::Mode::all);
}

void Jieba::cut_for_search(std::string_view text, bool hmm, Tokens& out) const {
  check_size(text);
  Cutter cutter(*this, text, out);
  cutter.run(hmm ? Cutter::Mode::hmm : Cutter::Mode::plain);
  cutter.refine_for_search();
}

std::string_view Jieba::tag(std::string_view word) const {
  std::u32string points;
  if (!user_.empty() && decode_strict(word, points)) {
    const UserWords::Word* found = user_.find(points);
    if (found != nullptr && !found->tag.empty()) return found->tag;
  }
  return data_->tag(word);
}

}  // namespace leitong::segment
