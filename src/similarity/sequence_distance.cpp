// Longest common subsequence and edit distance of sequences of tokens or characters.
//
// Two methods, both exact. Near-equal sequences: furthest-reaching points on diagonals (Myers 1986, Ukkonen 1985), O(n + m + d²). When that
// has taken more steps than it is worth: 64 rows at a time in one word (Hyyrö 2004 for the subsequence, Myers 1999 for the distance), a
// strip of 64 rows after another over the columns of the band around the diagonal, O((n / 64)·min(m, 2·bound + 64)). Random, periodic and
// constant sequences, which ruin the first, cost the second no more than any other.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <numeric>
#include <utility>

#include "similarity/measures.h"

namespace leitong::similarity {
namespace {

template <typename Symbol>
using Sequence = std::span<const Symbol>;
constexpr std::size_t strip_rows = 64;
// Words of 64 table cells that one exact measure may cost: about a second.
constexpr std::uint64_t table_words = 400'000'000;
constexpr std::uint64_t least_bound = 1000;

template <typename Symbol>
void strip_common_ends(Sequence<Symbol>& a, Sequence<Symbol>& b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t head = 0;
  while (head < shorter && a[head] == b[head]) ++head;
  a = a.subspan(head);
  b = b.subspan(head);
  std::size_t tail = 0;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  a = a.first(a.size() - tail);
  b = b.first(b.size() - tail);
}

// Work that the diagonal method may do before the bit-parallel one takes over: about the latter's cost.
std::uint64_t diagonal_budget(std::uint64_t a, std::uint64_t b, std::uint64_t bound) {
  const std::uint64_t columns = std::min(std::max(a, b), 2 * bound + strip_rows);
  return 4 * (a + b) + (std::min(a, b) / strip_rows + 1) * columns / 4;  // a step here costs several there
}

// Furthest rows reached on each diagonal; index = diagonal + centre. Nothing reached: far below zero, so that +1 keeps it invalid.
constexpr std::int64_t unreached = -(std::int64_t{1} << 40);

template <typename Symbol>
struct Diagonals {
  Sequence<Symbol> a, b;
  std::uint64_t work = 0;

  // Follows equal tokens from row x of the diagonal (column = row + diagonal).
  std::int64_t slide(std::int64_t x, std::int64_t diagonal) {
    const auto n = static_cast<std::int64_t>(a.size());
    const auto m = static_cast<std::int64_t>(b.size());
    const std::int64_t start = x;
    const std::int64_t end = std::min(n, m - diagonal);
    while (x < end && a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(x + diagonal)]) ++x;
    work += static_cast<std::uint64_t>(x - start) + 1;
    return x;
  }
};

enum class Outcome { found, beyond_bound, gave_up };
struct Result {
  Outcome outcome;
  std::uint64_t value = 0;
};

// Number of insertions and deletions, with substitutions if asked for (they count one).
template <typename Symbol>
Result diagonal_distance(Sequence<Symbol> a, Sequence<Symbol> b, std::uint64_t bound, bool substitutions) {
  const auto n = static_cast<std::int64_t>(a.size());
  const auto m = static_cast<std::int64_t>(b.size());
  const std::int64_t goal = m - n;
  const std::uint64_t budget = diagonal_budget(a.size(), b.size(), bound);
  Diagonals<Symbol> path{a, b};
  std::vector<std::int64_t> now(3, unreached);  // diagonals -1..1, grown by one on both sides each round
  std::vector<std::int64_t> next;
  for (std::int64_t d = 0;; ++d) {
    next.assign(static_cast<std::size_t>(2 * d + 3), unreached);
    const std::int64_t lowest = std::max(-d, -n);
    const std::int64_t highest = std::min(d, m);
    for (std::int64_t k = lowest; k <= highest; ++k) {
      std::int64_t x = 0;
      if (d != 0) {
        const auto at = static_cast<std::size_t>(k + d);  // of diagonal k in `now`, whose centre is d (its last round reached d - 1)
        const std::int64_t deleted = at + 1 < now.size() ? now[at + 1] + 1 : unreached;  // from diagonal k + 1
        const std::int64_t inserted = at >= 1 ? now[at - 1] : unreached;                 // from diagonal k - 1
        x = std::max(deleted, inserted);
        if (substitutions && at < now.size()) x = std::max(x, now[at] + 1);
        x = std::min({x, n, m - k});  // a step over the edge stays on it: the cell is then reached more cheaply, never falsely
        if (x < 0 || x + k < 0) continue;
      }
      x = path.slide(x, k);
      next[static_cast<std::size_t>(k + d + 1)] = x;
      if (k == goal && x == n) return {Outcome::found, static_cast<std::uint64_t>(d)};
    }
    if (static_cast<std::uint64_t>(d) >= bound) return {Outcome::beyond_bound};
    if (path.work + static_cast<std::uint64_t>(d) > budget) return {Outcome::gave_up};
    std::swap(now, next);
  }
}

// Tokens as small numbers: position in the sorted distinct tokens of the rows; a column's token that no row holds has number `count`.
struct Numbered {
  std::vector<std::uint32_t> rows, columns;
  std::uint32_t count = 0;
};

template <typename Symbol>
Numbered number_tokens(Sequence<Symbol> rows, Sequence<Symbol> columns) {
  std::vector<Symbol> distinct(rows.begin(), rows.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  Numbered numbered;
  numbered.count = static_cast<std::uint32_t>(distinct.size());
  const auto number = [&](Symbol token) {
    const auto at = std::lower_bound(distinct.begin(), distinct.end(), token);
    return at != distinct.end() && *at == token ? static_cast<std::uint32_t>(at - distinct.begin()) : numbered.count;
  };
  numbered.rows.resize(rows.size());
  numbered.columns.resize(columns.size());
  std::transform(rows.begin(), rows.end(), numbered.rows.begin(), number);
  std::transform(columns.begin(), columns.end(), numbered.columns.begin(), number);
  return numbered;
}

// Characters are few enough for a table, which is quicker than sorting unless the text is short.
Numbered number_characters(Sequence<char32_t> rows, Sequence<char32_t> columns) {
  if (rows.size() < 4096) return number_tokens(rows, columns);
  constexpr std::uint32_t unseen = 0xffffffffU;
  std::vector<std::uint32_t> number_of(static_cast<std::size_t>(*std::max_element(rows.begin(), rows.end())) + 1, unseen);
  Numbered numbered;
  numbered.rows.reserve(rows.size());
  for (const char32_t c : rows) {
    if (number_of[c] == unseen) number_of[c] = numbered.count++;
    numbered.rows.push_back(number_of[c]);
  }
  numbered.columns.reserve(columns.size());
  for (const char32_t c : columns)
    numbered.columns.push_back(c < number_of.size() ? std::min(number_of[c], numbered.count) : numbered.count);
  return numbered;
}

Numbered number_symbols(Sequence<std::uint64_t> rows, Sequence<std::uint64_t> columns) { return number_tokens(rows, columns); }
Numbered number_symbols(Sequence<char32_t> rows, Sequence<char32_t> columns) { return number_characters(rows, columns); }

// Drops what occurs on one side only: it is no part of any common subsequence. Returns the number of dropped tokens.
std::uint64_t drop_unshared(Numbered& tokens) {
  std::vector<bool> shared(tokens.count + 1, false);
  for (const std::uint32_t token : tokens.columns) shared[token] = true;
  const std::size_t before = tokens.rows.size() + tokens.columns.size();
  std::erase_if(tokens.rows, [&](std::uint32_t token) { return !shared[token]; });
  std::erase_if(tokens.columns, [&](std::uint32_t token) { return token == tokens.count; });
  return before - tokens.rows.size() - tokens.columns.size();
}

// The columns of the band |row - column| <= bound that a strip of rows needs. What lies outside keeps the value of walking straight along
// the band's edge, which is the value of a real (if poor) path; so a result is never too good, and exact if the best path keeps inside.
struct Band {
  std::size_t begin = 0, end = 0;
};

Band band_of(std::size_t row, std::size_t height, std::size_t columns, std::uint64_t bound) {
  const std::size_t reach = static_cast<std::size_t>(std::min<std::uint64_t>(bound, columns + row + height));
  return {std::min(columns, row > reach ? row - reach : 0), std::min(columns, row + height + reach)};
}

class StripMasks {
 public:
  explicit StripMasks(const Numbered& tokens) : tokens_(tokens), masks_(tokens.count + 1, 0) {}
  void set(std::size_t row, std::size_t height) {
    for (std::size_t i = 0; i < height; ++i) masks_[tokens_.rows[row + i]] |= std::uint64_t{1} << i;
  }
  void clear(std::size_t row, std::size_t height) {
    for (std::size_t i = 0; i < height; ++i) masks_[tokens_.rows[row + i]] = 0;
  }
  [[nodiscard]] std::uint64_t of_column(std::size_t column) const { return masks_[tokens_.columns[column]]; }

 private:
  const Numbered& tokens_;
  std::vector<std::uint64_t> masks_;
};

std::uint64_t strip_lcs(const Numbered& tokens, std::uint64_t bound) {
  const std::size_t rows = tokens.rows.size();
  const std::size_t columns = tokens.columns.size();
  std::vector<std::uint8_t> step(columns, 0);  // growth of the length from column j - 1 to j on the last row done
  StripMasks masks(tokens);
  std::uint64_t passed = 0;  // length at the band's left edge
  std::size_t left = 0;
  for (std::size_t row = 0; row < rows; row += strip_rows) {
    const std::size_t height = std::min(strip_rows, rows - row);
    const Band band = band_of(row, height, columns, bound);
    for (; left < band.begin; ++left) passed += step[left];
    masks.set(row, height);
    std::uint64_t flat = ~std::uint64_t{0};  // bit i: the length does not grow from row i - 1 to i
    for (std::size_t j = band.begin; j < band.end; ++j) {
      const std::uint64_t match = masks.of_column(j);
      const std::uint64_t met = flat & match;
      const std::uint64_t partial = flat + met;
      const std::uint64_t sum = partial + step[j];
      step[j] = static_cast<std::uint8_t>(static_cast<unsigned>(partial < flat) | static_cast<unsigned>(sum < partial));
      flat = sum | (flat & ~match);
    }
    masks.clear(row, height);
  }
  return std::accumulate(step.begin() + static_cast<std::ptrdiff_t>(left), step.end(), passed);
}

std::uint64_t strip_edit_distance(const Numbered& tokens, std::uint64_t bound) {
  const std::size_t rows = tokens.rows.size();
  const std::size_t columns = tokens.columns.size();
  std::vector<std::int8_t> step(columns, 1);  // growth of the distance from column j - 1 to j on the last row done
  StripMasks masks(tokens);
  std::int64_t passed = 0;  // distance at the band's left edge
  std::size_t left = 0;
  for (std::size_t row = 0; row < rows; row += strip_rows) {
    const std::size_t height = std::min(strip_rows, rows - row);
    const Band band = band_of(row, height, columns, bound);
    for (; left < band.begin; ++left) passed += step[left];
    passed += static_cast<std::int64_t>(height);
    masks.set(row, height);
    std::uint64_t up = ~std::uint64_t{0};  // bit i: +1 from row i - 1 to i
    std::uint64_t down = 0;                // bit i: -1
    for (std::size_t j = band.begin; j < band.end; ++j) {
      const auto in_up = static_cast<std::uint64_t>(step[j] > 0);
      const auto in_down = static_cast<std::uint64_t>(step[j] < 0);
      std::uint64_t match = masks.of_column(j);
      const std::uint64_t vertical = match | down;
      match |= in_down;
      const std::uint64_t diagonal = (((match & up) + up) ^ up) | match;
      std::uint64_t right_up = down | ~(diagonal | up);
      std::uint64_t right_down = up & diagonal;
      step[j] =
          static_cast<std::int8_t>(static_cast<int>((right_up >> (height - 1)) & 1) - static_cast<int>((right_down >> (height - 1)) & 1));
      right_up = (right_up << 1) | in_up;
      right_down = (right_down << 1) | in_down;
      up = right_down | ~(vertical | right_up);
      down = right_up & vertical;
    }
    masks.clear(row, height);
  }
  const std::int64_t distance = std::accumulate(step.begin() + static_cast<std::ptrdiff_t>(left), step.end(), passed);
  return static_cast<std::uint64_t>(distance);
}

// Runs `distance_within(band)` with growing bands until the answer lies inside its band, and so is exact.
template <typename Function>
std::optional<std::uint64_t> widen(std::uint64_t bound, std::uint64_t least, const Function& distance_within) {
  if (least > bound) return std::nullopt;
  for (std::uint64_t band = std::max<std::uint64_t>(least, 256);; band *= 4) {
    const std::uint64_t width = std::min(band, bound);
    const std::uint64_t distance = distance_within(width);
    if (distance <= width) return distance;
    if (width == bound) return std::nullopt;
  }
}

std::uint64_t length_gap(std::uint64_t a, std::uint64_t b) { return std::max(a, b) - std::min(a, b); }

// Insertions and deletions that lead from a to b.
std::optional<std::uint64_t> indel_distance(Sequence<std::uint64_t> a, Sequence<std::uint64_t> b, std::uint64_t bound) {
  strip_common_ends(a, b);
  bound = std::min<std::uint64_t>(bound, a.size() + b.size());
  if (length_gap(a.size(), b.size()) > bound) return std::nullopt;
  if (a.empty() || b.empty()) return a.size() + b.size();
  const Result quick = diagonal_distance(a, b, bound, false);
  if (quick.outcome == Outcome::found) return quick.value;
  if (quick.outcome == Outcome::beyond_bound) return std::nullopt;
  if (a.size() > b.size()) std::swap(a, b);
  Numbered tokens = number_tokens(a, b);
  const std::uint64_t dropped = drop_unshared(tokens);
  if (dropped > bound) return std::nullopt;
  const std::uint64_t total = tokens.rows.size() + tokens.columns.size();
  const std::uint64_t gap = std::max(tokens.rows.size(), tokens.columns.size()) - std::min(tokens.rows.size(), tokens.columns.size());
  const auto rest = widen(bound - dropped, gap, [&](std::uint64_t band) { return total - 2 * strip_lcs(tokens, band); });
  if (!rest) return std::nullopt;
  return *rest + dropped;
}

template <typename Symbol>
std::optional<std::uint32_t> bounded_edit_distance(Sequence<Symbol> a, Sequence<Symbol> b, std::uint32_t wanted) {
  strip_common_ends(a, b);
  const std::uint64_t bound = std::min<std::uint64_t>(wanted, std::max(a.size(), b.size()));
  if (length_gap(a.size(), b.size()) > bound) return std::nullopt;
  if (a.empty() || b.empty()) return static_cast<std::uint32_t>(std::max(a.size(), b.size()));
  const Result quick = diagonal_distance(a, b, bound, true);
  if (quick.outcome == Outcome::found) return static_cast<std::uint32_t>(quick.value);
  if (quick.outcome == Outcome::beyond_bound) return std::nullopt;
  if (a.size() > b.size()) std::swap(a, b);
  const Numbered tokens = number_symbols(a, b);
  const auto distance = widen(bound, length_gap(a.size(), b.size()), [&](std::uint64_t band) { return strip_edit_distance(tokens, band); });
  if (!distance) return std::nullopt;
  return static_cast<std::uint32_t>(*distance);
}

}  // namespace

std::uint32_t affordable_bound(std::size_t a, std::size_t b) {
  const std::uint64_t strips = std::min(a, b) / strip_rows + 1;
  const std::uint64_t columns = table_words / strips;
  if (columns >= std::max(a, b)) return 0xffffffffU;
  return static_cast<std::uint32_t>(std::max(least_bound, columns / 2));
}

std::optional<std::uint32_t> lcs_length(Sequence<std::uint64_t> a, Sequence<std::uint64_t> b, std::uint32_t bound) {
  const auto differences = indel_distance(a, b, bound);
  if (!differences) return std::nullopt;
  return static_cast<std::uint32_t>((a.size() + b.size() - *differences) / 2);
}

std::optional<std::uint32_t> edit_distance(Sequence<std::uint64_t> a, Sequence<std::uint64_t> b, std::uint32_t bound) {
  return bounded_edit_distance(a, b, bound);
}

std::optional<std::uint32_t> edit_distance(Sequence<char32_t> a, Sequence<char32_t> b, std::uint32_t bound) {
  return bounded_edit_distance(a, b, bound);
}

}  // namespace leitong::similarity
