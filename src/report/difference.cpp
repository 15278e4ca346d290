#include "report/difference.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

#include "report/html.h"
#include "report/numbers.h"

namespace leitong::report {
namespace {

constexpr std::size_t context = 70;         // letters that stay on each side of a fold
constexpr std::size_t least_folded = 60;    // fewer are not worth a fold
constexpr std::size_t first_context = 200;  // of two equal texts more is shown

class Rows {
 public:
  // `longest_change`: of each side, in bytes.
  Rows(std::string& out, Folded folded, bool in_one_cell, std::size_t longest_change)
      : out_(out), folded_(folded), in_one_cell_(in_one_cell), longest_change_(longest_change) {}
  void add_same(std::string_view a, std::string_view b) {
    append_text(left_, a);
    append_text(right_, b);
  }
  void add_change(std::string_view a, std::string_view b) {
    changed_ = true;
    mark(left_, "del", a);
    mark(right_, "ins", b);
  }
  void fold(std::size_t characters, std::string_view a, std::string_view b) {
    finish_row();
    const std::string_view element = folded_ == Folded::hidden ? "button" : "span";
    out_.append("<div class=\"fold\"><").append(element).append(">⋯ ").append(count_text(characters)).append(" equal characters ⋯</");
    out_.append(element).append("></div>\n");
    if (folded_ == Folded::left_out) return;
    const bool once = in_one_cell_ && a == b;
    for (const auto& [side, text] : {std::pair(once ? "a b" : "a", a), std::pair("b", once ? std::string_view() : b)}) {
      if (once && text.empty()) continue;
      out_.append("<div class=\"cell ").append(side).append(" level folded\" dir=\"auto\" hidden>");
      append_text(out_, text);
      out_ += "</div>\n";
    }
  }
  void say_what_follows(std::size_t differences, std::size_t characters) {
    finish_row();
    out_.append("<div class=\"fold\"><span>⋯ ").append(counted(differences, "more difference", "more differences"));
    out_.append(" in ").append(count_text(characters)).append(" characters ⋯</span></div>\n");
  }
  [[nodiscard]] std::size_t waiting() const { return left_.size() + right_.size(); }
  void finish_row() {
    if (left_.empty() && right_.empty()) return;
    const bool once = in_one_cell_ && !changed_ && left_ == right_;
    cell(once ? "a b" : "a", left_);
    if (once)
      right_.clear();
    else
      cell("b", right_);
    changed_ = false;
  }

 private:
  void mark(std::string& side, std::string_view element, std::string_view text) const {
    if (text.empty()) return;
    side.append("<").append(element).append(">");
    if (text.size() <= longest_change_) {
      append_text(side, text, true);
    } else {
      const std::size_t head = word_end(text, longest_change_ / 3 * 2), tail = word_begin(text, text.size() - longest_change_ / 3);
      append_text(side, text.substr(0, head), true);
      side.append(" <span class=\"ctl\">⋯ ").append(count_text(letter_count(text.substr(head, tail - head)))).append(" letters ⋯</span> ");
      append_text(side, text.substr(tail), true);
    }
    side.append("</").append(element).append(">");
  }
  void cell(std::string_view side, std::string& content) {
    out_.append("<div class=\"cell ").append(side).append(!changed_ ? " level" : content.empty() ? " none" : "").append("\" dir=\"auto\">");
    out_.append(content).append("</div>\n");
    content.clear();
  }
  std::string& out_;
  Folded folded_;
  bool in_one_cell_;
  std::size_t longest_change_;
  std::string left_, right_;
  bool changed_ = false;  // in the row that is being made
};

// White space at the beginning, after a fold, would only push the text down.
std::string_view without_margin(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string_view::npos ? text : text.substr(begin);
}

void add_same(Rows& rows, std::string_view a, std::string_view b, std::size_t head) {
  const std::size_t letters = std::min(letter_count(a), letter_count(b));
  const std::size_t a_end = cut_after(a, head);
  const std::size_t b_end = cut_after(b, head);
  const std::size_t a_again = cut_before(a, context);
  const std::size_t b_again = cut_before(b, context);
  if (letters < head + context + least_folded || a_end >= a_again || b_end >= b_again) return rows.add_same(a, b);
  const std::size_t folded = letter_count(a.substr(a_end, a_again - a_end));
  if (folded == 0) return rows.add_same(a, b);
  rows.add_same(a.substr(0, a_end), b.substr(0, b_end));
  rows.fold(folded, a.substr(a_end, a_again - a_end), b.substr(b_end, b_again - b_end));
  rows.add_same(without_margin(a.substr(a_again)), without_margin(b.substr(b_again)));
}

std::string_view part(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  const std::size_t from = std::min<std::size_t>(begin, text.size());
  return text.substr(from, std::min<std::size_t>(std::max(begin, end), text.size()) - from);
}

bool is_same(const DiffRun& run) { return run.same; }

void append_rows(std::string& out, std::string_view a, std::string_view b, std::span<const DiffRun> diff, Rows& rows, std::size_t most) {
  const bool equal = std::ranges::all_of(diff, is_same);
  if (diff.empty()) rows.add_same(a, b);
  for (std::size_t i = 0; i < diff.size(); ++i) {
    const DiffRun& run = diff[i];
    if (out.size() + rows.waiting() >= most) {
      const auto more = std::ranges::count_if(diff.subspan(i), std::not_fn(is_same));
      if (more > 0)
        return rows.say_what_follows(static_cast<std::size_t>(more), letter_count(a.substr(std::min<std::size_t>(run.a_begin, a.size()))));
    }
    const std::string_view left = part(a, run.a_begin, run.a_end);
    const std::string_view right = part(b, run.b_begin, run.b_end);
    if (run.same) {
      add_same(rows, left, right, equal ? first_context : context);
    } else {
      rows.add_change(left, right);
    }
  }
  rows.finish_row();
}

}  // namespace

void append_difference(std::string& out, std::string_view a, std::string_view b, std::span<const DiffRun> diff, Folded folded,
                       std::size_t room) {
  constexpr std::size_t everything = ~std::size_t{0};
  const std::size_t begin = out.size();
  const bool hidden = folded == Folded::hidden;
  Rows whole(out, folded, hidden, everything);
  append_rows(out, a, b, diff, whole, everything);
  if (out.size() - begin <= room) return;
  out.resize(begin);
  Rows bounded(out, Folded::left_out, hidden, room / 4);
  append_rows(out, a, b, diff, bounded, begin + room / 4 * 3);
}

std::span<const DiffRun> without_open_end(std::span<const DiffRun> diff) {
  std::size_t size = diff.size();
  while (size > 0 && !diff[size - 1].same) --size;
  return size > 0 ? diff.first(size) : diff;
}

}  // namespace leitong::report
