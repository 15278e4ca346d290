#include "report/difference.h"

#include <algorithm>
#include <cstddef>
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
  Rows(std::string& out, Folded folded) : out_(out), folded_(folded) {}
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
    for (const auto& [side, text] : {std::pair("a", a), std::pair("b", b)}) {
      out_.append("<div class=\"cell ").append(side).append(" level folded\" dir=\"auto\" hidden>");
      append_text(out_, text);
      out_ += "</div>\n";
    }
  }
  void finish_row() {
    if (left_.empty() && right_.empty()) return;
    cell("a", left_);
    cell("b", right_);
    changed_ = false;
  }

 private:
  static void mark(std::string& side, std::string_view element, std::string_view text) {
    if (text.empty()) return;
    side.append("<").append(element).append(">");
    append_text(side, text, true);
    side.append("</").append(element).append(">");
  }
  void cell(std::string_view side, std::string& content) {
    out_.append("<div class=\"cell ").append(side).append(!changed_ ? " level" : content.empty() ? " none" : "").append("\" dir=\"auto\">");
    out_.append(content).append("</div>\n");
    content.clear();
  }
  std::string& out_;
  Folded folded_;
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

}  // namespace

void append_difference(std::string& out, std::string_view a, std::string_view b, std::span<const DiffRun> diff, Folded folded) {
  Rows rows(out, folded);
  const bool equal = std::all_of(diff.begin(), diff.end(), [](const DiffRun& run) { return run.same; });
  if (diff.empty()) rows.add_same(a, b);
  for (const DiffRun& run : diff) {
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

}  // namespace leitong::report
