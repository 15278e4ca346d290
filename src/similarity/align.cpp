// Alignment of two token sequences.
//
// A range is first stripped of its equal ends. What is left is cut at a middle of a shortest edit path (Myers 1986, linear memory) as long
// as that costs at most `difference_limit` differences from both sides; else at the tokens that occur exactly once on each side, in their
// longest common order (patience); else at the furthest point that was reached. All ranges draw on one allowance of steps, linear in the
// input; when half of it is used up, the limit falls; when all is, what is left becomes coarse replacements.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "similarity/measures.h"

namespace leitong::similarity {
namespace {

using Sequence = std::span<const std::uint64_t>;
constexpr std::int64_t difference_limit = 1024;
constexpr std::int64_t late_difference_limit = 128;  // when half of the allowance is gone
constexpr std::uint64_t steps_per_token = 512;
constexpr std::uint64_t least_steps = 4'000'000;

struct Box {  // a[a_begin, a_end) against b[b_begin, b_end)
  std::int64_t a_begin, a_end, b_begin, b_end;
  std::int64_t without_anchors = 0;  // size of the surrounding box in which no unique common token was found: not worth another look yet
  [[nodiscard]] std::int64_t rows() const { return a_end - a_begin; }
  [[nodiscard]] std::int64_t columns() const { return b_end - b_begin; }
  [[nodiscard]] std::int64_t size() const { return rows() + columns(); }
};

struct Match {
  std::int64_t a, b, length;
};

struct Point {
  std::int64_t a, b;
};

class Aligner {
 public:
  Aligner(Sequence a, Sequence b)
      : a_(a), b_(b), half_(least_steps + steps_per_token / 2 * (static_cast<std::uint64_t>(a.size()) + b.size())), allowance_(2 * half_) {}

  std::vector<TokenRun> run();

 private:
  struct Middle {
    enum class Kind { exact, furthest } kind;
    Point point;
  };
  // Furthest-reaching rows on the diagonals of a box, from one of its corners.
  struct Front {
    std::vector<std::int64_t> rows;
    std::int64_t centre = 0;
    void reset(std::int64_t reach) {
      centre = reach + 2;
      rows.assign(static_cast<std::size_t>(2 * centre + 1), -1);
    }
    [[nodiscard]] std::int64_t& at(std::int64_t diagonal) { return rows[static_cast<std::size_t>(diagonal + centre)]; }
  };

  void align_box(Box box);
  Box strip_ends(Box box);
  void split(const Box& box);
  Middle middle(const Box& box);
  bool advance_forward(const Box& box, std::int64_t d, Point& meeting);
  bool advance_backward(const Box& box, std::int64_t d, Point& meeting);
  Point furthest(const Box& box, std::int64_t d);
  std::vector<Match> unique_anchors(const Box& box);
  void push_anchored(const Box& box, const std::vector<Match>& anchors);
  void spend(std::uint64_t steps) { allowance_ -= std::min(allowance_, steps); }
  [[nodiscard]] bool equal(std::int64_t i, std::int64_t j) const {
    return a_[static_cast<std::size_t>(i)] == b_[static_cast<std::size_t>(j)];
  }

  Sequence a_, b_;
  std::uint64_t half_, allowance_;
  std::vector<Box> todo_;  // a stack: the leftmost box on top
  std::vector<Match> matches_;
  Front forward_, backward_;
};

Box Aligner::strip_ends(Box box) {
  const Box before = box;
  while (box.a_begin < box.a_end && box.b_begin < box.b_end && equal(box.a_begin, box.b_begin)) ++box.a_begin, ++box.b_begin;
  while (box.a_begin < box.a_end && box.b_begin < box.b_end && equal(box.a_end - 1, box.b_end - 1)) --box.a_end, --box.b_end;
  spend(static_cast<std::uint64_t>(before.rows() - box.rows()));
  return box;
}

void Aligner::align_box(Box box) {
  const Box inner = strip_ends(box);
  if (inner.a_begin > box.a_begin) matches_.push_back({box.a_begin, box.b_begin, inner.a_begin - box.a_begin});
  if (inner.a_end < box.a_end) {  // waits on the stack until everything left of it is done
    todo_.push_back({inner.a_end, box.a_end, inner.b_end, box.b_end});
  }
  if (inner.rows() == 0 || inner.columns() == 0 || allowance_ == 0) return;
  split(inner);
}

void Aligner::split(const Box& box) {
  const Middle cut = middle(box);
  std::int64_t without_anchors = box.without_anchors;
  if (cut.kind == Middle::Kind::furthest && (without_anchors == 0 || box.size() <= without_anchors / 2)) {
    const std::vector<Match> anchors = unique_anchors(box);
    if (!anchors.empty()) return push_anchored(box, anchors);
    without_anchors = box.size();
  }
  const Point p = cut.point;
  const bool progress = (p.a > box.a_begin || p.b > box.b_begin) && (p.a < box.a_end || p.b < box.b_end);
  if (!progress) return;  // nothing in common
  todo_.push_back({p.a, box.a_end, p.b, box.b_end, without_anchors});
  todo_.push_back({box.a_begin, p.a, box.b_begin, p.b, without_anchors});
}

// One round of the forward search; true if it meets the backward front, at `meeting`. Diagonal = column - row, counted from the box's first
// corner.
bool Aligner::advance_forward(const Box& box, std::int64_t d, Point& meeting) {
  const std::int64_t n = box.rows();
  const std::int64_t m = box.columns();
  const std::int64_t goal = m - n;
  for (std::int64_t k = -d; k <= d; k += 2) {
    if (k < -n || k > m) continue;
    std::int64_t x = 0;
    if (d != 0) x = (k == -d || (k != d && forward_.at(k + 1) + 1 > forward_.at(k - 1))) ? forward_.at(k + 1) + 1 : forward_.at(k - 1);
    x = std::min({x, n, m - k});
    if (x < 0) x = 0;
    const std::int64_t start = x;
    while (x < n && x + k < m && equal(box.a_begin + x, box.b_begin + x + k)) ++x;
    spend(static_cast<std::uint64_t>(x - start) + 1);
    forward_.at(k) = x;
    const std::int64_t back = k - goal;  // this diagonal, counted from the other corner
    if (((goal & 1) != 0) && back >= -(d - 1) && back <= d - 1 && x + backward_.at(back) >= n) {
      meeting = {box.a_begin + x, box.b_begin + x + k};
      return true;
    }
  }
  return false;
}

// The same from the last corner: rows are counted back from the end, and so are diagonals: cell (n - x, m - x + k).
bool Aligner::advance_backward(const Box& box, std::int64_t d, Point& meeting) {
  const std::int64_t n = box.rows();
  const std::int64_t m = box.columns();
  const std::int64_t goal = m - n;
  for (std::int64_t k = -d; k <= d; k += 2) {
    if (k > n || k < -m) continue;
    std::int64_t x = 0;
    if (d != 0) x = (k == d || (k != -d && backward_.at(k - 1) + 1 > backward_.at(k + 1))) ? backward_.at(k - 1) + 1 : backward_.at(k + 1);
    x = std::min({x, n, m + k});
    if (x < 0) x = 0;
    const std::int64_t start = x;
    while (x < n && x - k < m && equal(box.a_end - 1 - x, box.b_end - 1 - x + k)) ++x;
    spend(static_cast<std::uint64_t>(x - start) + 1);
    backward_.at(k) = x;
    const std::int64_t ahead = k + goal;
    if (((goal & 1) == 0) && ahead >= -d && ahead <= d && x + forward_.at(ahead) >= n) {
      meeting = {box.a_end - x, box.b_end - x + k};
      return true;
    }
  }
  return false;
}

Point Aligner::furthest(const Box& box, std::int64_t d) {
  Point best{box.a_begin, box.b_begin};
  std::int64_t gain = 0;
  for (std::int64_t k = -d; k <= d; k += 2) {
    if (k < -box.rows() || k > box.columns()) continue;
    const std::int64_t x = forward_.at(k);
    if (2 * x + k > gain) {
      gain = 2 * x + k;
      best = {box.a_begin + x, box.b_begin + x + k};
    }
  }
  return best;
}

Aligner::Middle Aligner::middle(const Box& box) {
  const std::int64_t limit = allowance_ > half_ ? difference_limit : late_difference_limit;
  const std::int64_t reach = std::min(limit, (box.rows() + box.columns() + 1) / 2);  // the fronts meet by then
  forward_.reset(reach);
  backward_.reset(reach);
  Point meeting{};
  for (std::int64_t d = 0;; ++d) {
    if (advance_forward(box, d, meeting) || advance_backward(box, d, meeting)) return {Middle::Kind::exact, meeting};
    if (d == limit || allowance_ == 0) return {Middle::Kind::furthest, furthest(box, d)};
  }
}

// Tokens that stand exactly once in each side of the box, those in the longest common order.
std::vector<Match> Aligner::unique_anchors(const Box& box) {
  struct Occurrence {
    std::uint64_t token;
    std::int64_t position;
    bool in_b;
  };
  std::vector<Occurrence> all;
  all.reserve(static_cast<std::size_t>(box.rows() + box.columns()));
  for (std::int64_t i = box.a_begin; i < box.a_end; ++i) all.push_back({a_[static_cast<std::size_t>(i)], i, false});
  for (std::int64_t j = box.b_begin; j < box.b_end; ++j) all.push_back({b_[static_cast<std::size_t>(j)], j, true});
  spend(16 * all.size());
  std::stable_sort(all.begin(), all.end(), [](const Occurrence& x, const Occurrence& y) { return x.token < y.token; });
  std::vector<Match> shared;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i + 1;
    while (end < all.size() && all[end].token == all[i].token) ++end;
    if (end == i + 2 && !all[i].in_b && all[i + 1].in_b) shared.push_back({all[i].position, all[i + 1].position, 1});
    i = end;
  }
  std::sort(shared.begin(), shared.end(), [](const Match& x, const Match& y) { return x.a < y.a; });
  std::vector<std::size_t> tails;  // tails[l]: the match that ends the best increasing sequence of length l + 1
  std::vector<std::size_t> previous(shared.size());
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const auto at =
        std::lower_bound(tails.begin(), tails.end(), shared[i].b, [&](std::size_t t, std::int64_t b) { return shared[t].b < b; });
    previous[i] = at == tails.begin() ? i : *(at - 1);
    if (at == tails.end()) {
      tails.push_back(i);
    } else {
      *at = i;
    }
  }
  std::vector<Match> anchors(tails.size());
  std::size_t from = tails.empty() ? 0 : tails.back();
  for (std::size_t l = anchors.size(); l-- > 0; from = previous[from]) anchors[l] = shared[from];
  return anchors;
}

void Aligner::push_anchored(const Box& box, const std::vector<Match>& anchors) {
  std::int64_t a_end = box.a_end;
  std::int64_t b_end = box.b_end;
  for (auto anchor = anchors.rbegin(); anchor != anchors.rend(); ++anchor) {  // a box begins with its anchor, which strip_ends will match
    todo_.push_back({anchor->a, a_end, anchor->b, b_end});
    a_end = anchor->a;
    b_end = anchor->b;
  }
  todo_.push_back({box.a_begin, a_end, box.b_begin, b_end});
}

std::vector<TokenRun> runs_of(const std::vector<Match>& matches, std::size_t a_size, std::size_t b_size) {
  std::vector<TokenRun> runs;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  const auto changed_until = [&](std::uint32_t a_to, std::uint32_t b_to) {
    if (a_to > a || b_to > b) runs.push_back({false, a, a_to, b, b_to});
  };
  for (const Match& match : matches) {
    const auto at_a = static_cast<std::uint32_t>(match.a);
    const auto at_b = static_cast<std::uint32_t>(match.b);
    changed_until(at_a, at_b);
    a = at_a + static_cast<std::uint32_t>(match.length);
    b = at_b + static_cast<std::uint32_t>(match.length);
    if (!runs.empty() && runs.back().same && runs.back().a_end == at_a && runs.back().b_end == at_b) {
      runs.back().a_end = a;
      runs.back().b_end = b;
    } else {
      runs.push_back({true, at_a, a, at_b, b});
    }
  }
  changed_until(static_cast<std::uint32_t>(a_size), static_cast<std::uint32_t>(b_size));
  return runs;
}

std::vector<TokenRun> Aligner::run() {
  todo_.push_back({0, static_cast<std::int64_t>(a_.size()), 0, static_cast<std::int64_t>(b_.size())});
  while (!todo_.empty()) {
    const Box box = todo_.back();
    todo_.pop_back();
    align_box(box);
  }
  return runs_of(matches_, a_.size(), b_.size());
}

}  // namespace

std::vector<TokenRun> align(Sequence a, Sequence b) { return Aligner(a, b).run(); }

}  // namespace leitong::similarity
