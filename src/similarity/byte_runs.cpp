#include "similarity/byte_runs.h"

#include <algorithm>
#include <cstddef>

namespace leitong::similarity {
namespace {

std::uint32_t changed_tokens(const TokenRun& run) { return std::max(run.a_end - run.a_begin, run.b_end - run.b_begin); }

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Number of equal bytes at the beginnings, cut at a character.
std::size_t common_head(std::string_view x, std::string_view y) {
  const std::size_t limit = std::min(x.size(), y.size());
  std::size_t n = 0;
  while (n < limit && x[n] == y[n]) ++n;
  while (n > 0 && ((n < x.size() && is_continuation(x[n])) || (n < y.size() && is_continuation(y[n])))) --n;
  return n;
}

std::size_t common_tail(std::string_view x, std::string_view y) {
  const std::size_t limit = std::min(x.size(), y.size());
  std::size_t n = 0;
  while (n < limit && x[x.size() - 1 - n] == y[y.size() - 1 - n]) ++n;
  while (n > 0 && is_continuation(x[x.size() - n])) --n;
  return n;
}

// One text's part of a change: from the end of the token before to the beginning of the token after, and where its own tokens lie.
struct Gap {
  std::uint32_t begin, end;               // of the whole gap
  std::uint32_t first_token, last_token;  // bytes of the changed tokens; first_token > last_token: none
  [[nodiscard]] bool bare() const { return first_token > last_token; }
  [[nodiscard]] std::uint32_t head_end() const { return bare() ? end : first_token; }
  [[nodiscard]] std::uint32_t tail_begin() const { return bare() ? begin : last_token; }
};

// A token's bytes never begin before the end of the token before it (one character may make two tokens).
class Positions {
 public:
  Positions(std::span<const text::Range> tokens, std::size_t size) : tokens_(tokens), size_(static_cast<std::uint32_t>(size)) {}
  [[nodiscard]] std::uint32_t begin(std::uint32_t i) const {
    if (i >= tokens_.size()) return size_;
    return i == 0 ? tokens_[0].begin : std::max(tokens_[i].begin, tokens_[i - 1].end);
  }
  [[nodiscard]] std::uint32_t end(std::uint32_t i) const { return std::max(tokens_[i].end, begin(i)); }
  [[nodiscard]] Gap gap(std::uint32_t first, std::uint32_t past) const {
    const std::uint32_t left = first == 0 ? 0 : end(first - 1);
    const std::uint32_t right = std::max(left, begin(past));
    if (first == past) return {left, right, 1, 0};
    return {left, right, begin(first), std::min(right, end(past - 1))};
  }

 private:
  std::span<const text::Range> tokens_;
  std::uint32_t size_;
};

class Writer {
 public:
  // What follows the last run up to (a_end, b_end).
  void add(bool same, std::uint32_t a_end, std::uint32_t b_end) {
    if (a_end == a_ && b_end == b_) return;
    if (!runs.empty() && runs.back().same == same) {
      runs.back().a_end = a_end;
      runs.back().b_end = b_end;
    } else {
      runs.push_back({same, a_, a_end, b_, b_end});
    }
    a_ = a_end;
    b_ = b_end;
  }
  std::vector<DiffRun> runs;

 private:
  std::uint32_t a_ = 0, b_ = 0;
};

void add_change(std::string_view a, const Gap& x, std::string_view b, const Gap& y, Writer& out) {
  const std::size_t head = common_head(a.substr(x.begin, x.head_end() - x.begin), b.substr(y.begin, y.head_end() - y.begin));
  const auto a_from = static_cast<std::uint32_t>(x.begin + head);
  const auto b_from = static_cast<std::uint32_t>(y.begin + head);
  const std::uint32_t a_tail = std::max(a_from, x.tail_begin());
  const std::uint32_t b_tail = std::max(b_from, y.tail_begin());
  const std::size_t tail = common_tail(a.substr(a_tail, x.end - a_tail), b.substr(b_tail, y.end - b_tail));
  out.add(true, a_from, b_from);
  out.add(false, static_cast<std::uint32_t>(x.end - tail), static_cast<std::uint32_t>(y.end - tail));
}

}  // namespace

std::vector<TokenRun> without_islands(const std::vector<TokenRun>& runs) {
  std::vector<TokenRun> kept;
  kept.reserve(runs.size());
  for (const TokenRun& run : runs) {
    kept.push_back(run);
    while (kept.size() >= 3 && !kept.back().same) {
      const TokenRun& island = kept[kept.size() - 2];
      TokenRun& before = kept[kept.size() - 3];
      const std::uint32_t length = island.a_end - island.a_begin;
      if (2 * length > std::min(changed_tokens(before), changed_tokens(kept.back()))) break;
      before.a_end = kept.back().a_end;
      before.b_end = kept.back().b_end;
      kept.resize(kept.size() - 2);
    }
  }
  return kept;
}

std::vector<DiffRun> byte_runs(std::string_view a, std::span<const text::Range> a_tokens, std::string_view b,
                               std::span<const text::Range> b_tokens, std::span<const TokenRun> runs) {
  const Positions in_a(a_tokens, a.size());
  const Positions in_b(b_tokens, b.size());
  Writer out;
  for (const TokenRun& run : runs) {
    if (run.same) continue;
    add_change(a, in_a.gap(run.a_begin, run.a_end), b, in_b.gap(run.b_begin, run.b_end), out);
  }
  if (runs.empty()) add_change(a, in_a.gap(0, 0), b, in_b.gap(0, 0), out);  // no tokens at all: all separators
  out.add(true, static_cast<std::uint32_t>(a.size()), static_cast<std::uint32_t>(b.size()));
  return std::move(out.runs);
}

}  // namespace leitong::similarity
