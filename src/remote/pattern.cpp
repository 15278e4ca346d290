#include "remote/pattern.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "leitong/error.h"

namespace leitong::remote {
namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& what) {
  throw Error(ErrorCode::usage, fmt::format("pattern \"{}\": {}", text, what));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The part of a text that has not been matched yet; it is consumed from the left or from the right.
class Rest {
 public:
  Rest(std::string_view text, bool from_left) : text_(text), left_(from_left) {}

  bool skip(std::string_view literal) {
    if (!(left_ ? text_.starts_with(literal) : text_.ends_with(literal))) return false;
    (void)take(literal.size());
    return true;
  }
  std::string_view take(std::size_t size) {
    size = std::min(size, text_.size());
    const std::string_view taken = left_ ? text_.substr(0, size) : text_.substr(text_.size() - size);
    if (left_) {
      text_.remove_prefix(size);
    } else {
      text_.remove_suffix(size);
    }
    return taken;
  }
  // The number of characters before the next `literal`; npos if there is none.
  [[nodiscard]] std::size_t until(std::string_view literal) const {
    const std::size_t at = left_ ? text_.find(literal) : text_.rfind(literal);
    return at == std::string_view::npos || left_ ? at : text_.size() - at - literal.size();
  }
  [[nodiscard]] std::size_t digits(std::size_t most) const {
    std::size_t count = 0;
    while (count < std::min(most, text_.size()) && is_digit(left_ ? text_[count] : text_[text_.size() - 1 - count])) ++count;
    return count;
  }
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  bool left_;
};

}  // namespace

Pattern::Pattern(std::string_view text) : text_(text) {
  constexpr std::array<std::pair<std::string_view, Field>, 4> fields = {
      {{"position", Field::position}, {"block", Field::block}, {"id", Field::id}, {"fingerprint", Field::fingerprint}}};
  const auto literal = [&](char c) {
    if (parts_.empty() || parts_.back().field != Field::literal) parts_.push_back({Field::literal, ""});
    parts_.back().literal += c;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '{' && c != '}') {
      literal(c);
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == c) {
      literal(c);
      ++i;
      continue;
    }
    const std::size_t end = c == '{' ? text.find_first_of("{}", i + 1) : std::string_view::npos;
    if (end == std::string_view::npos || text[end] == '{') {
      refuse(text, fmt::format("a '{}' without its partner; \"{}{}\" stands for the character itself", c, c, c));
    }
    const std::string_view name = text.substr(i + 1, end - i - 1);
    const auto known = std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.first == name; });
    if (known == fields.end()) {
      refuse(text, fmt::format("there is no field \"{}\": the fields are {{position}}, {{block}}, {{id}} and {{fingerprint}}", name));
    }
    if (has(known->second)) refuse(text, fmt::format("{{{}}} stands in it twice", name));
    parts_.push_back({known->second, ""});
    i = end;
  }
  // Of adjacent fields one must have a form that shows where it ends; only a position does.
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    const auto bare = [&](std::size_t at) { return at < parts_.size() && parts_[at].field != Field::literal; };
    const auto open = [&](std::size_t at) { return bare(at) && parts_[at].field != Field::position; };
    if ((open(i - 1) && open(i)) || (bare(i - 1) && bare(i) && bare(i + 1))) {
      refuse(text, "nothing tells where one field ends and the next begins: put a character between them");
    }
  }
}

bool Pattern::has(Field field) const {
  return std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) { return part.field == field; });
}
bool Pattern::has_position() const { return has(Field::position); }
bool Pattern::has_block() const { return has(Field::block); }
bool Pattern::has_id() const { return has(Field::id); }
bool Pattern::has_fingerprint() const { return has(Field::fingerprint); }

void Pattern::append(const PatternFields& fields, std::string& out) const {
  for (const Part& part : parts_) {
    switch (part.field) {
      case Field::literal:
        out += part.literal;
        break;
      case Field::position:
        out += fields.position;
        break;
      case Field::block:
        out += fields.block;
        break;
      case Field::id:
        out += fields.id;
        break;
      case Field::fingerprint:
        out += fields.fingerprint;
        break;
    }
  }
}

std::optional<PatternFields> Pattern::match(std::string_view text) const {
  PatternFields found;
  const auto of = [&](Field field) -> std::string_view& {
    return field == Field::position ? found.position : field == Field::block ? found.block : found.fingerprint;
  };
  const auto size = static_cast<std::ptrdiff_t>(parts_.size());
  // Matches parts from `begin` on in direction `step` up to the id or the end. Returns the index at which it stopped; empty if the text
  // does not match.
  const auto walk = [&](Rest& rest, std::ptrdiff_t begin, std::ptrdiff_t step) -> std::optional<std::ptrdiff_t> {
    const auto part = [&](std::ptrdiff_t at) { return at >= 0 && at < size ? &parts_[static_cast<std::size_t>(at)] : nullptr; };
    const auto is_field = [&](std::ptrdiff_t at) { return part(at) != nullptr && part(at)->field != Field::literal; };
    std::ptrdiff_t at = begin;
    for (; part(at) != nullptr && part(at)->field != Field::id; at += step) {
      if (!is_field(at)) {
        if (!rest.skip(part(at)->literal)) return std::nullopt;
        continue;
      }
      if (part(at)->field == Field::position) {
        const std::size_t digits = rest.digits(is_field(at - 1) || is_field(at + 1) ? 1 : 2);
        if (digits == 0) return std::nullopt;
        found.position = rest.take(digits);
        continue;
      }
      // The field extends to the next literal or the end. If a position follows directly, it is the last digit of that.
      const std::ptrdiff_t behind = is_field(at + step) ? at + 2 * step : at + step;
      const std::size_t end = part(behind) != nullptr ? rest.until(part(behind)->literal) : rest.text().size();
      const std::size_t digits = is_field(at + step) ? 1 : 0;
      if (end == std::string_view::npos || end < digits) return std::nullopt;
      of(part(at)->field) = rest.take(end - digits);
    }
    return at;
  };
  Rest left(text, true);
  const auto stop = walk(left, 0, 1);
  if (!stop) return std::nullopt;
  if (*stop == size) return left.text().empty() ? std::optional(found) : std::nullopt;
  Rest right(left.text(), false);
  if (!walk(right, size - 1, -1)) return std::nullopt;
  found.id = right.text();
  return found;
}

}  // namespace leitong::remote
