#include "similarity/anchored_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "similarity/measures.h"

namespace leitong::similarity {
namespace {

constexpr std::array<std::size_t, 3> run_tokens = {32, 8, 3};
constexpr std::size_t exact_tokens = 512;    // a gap of so many on the longer side has its exact length at once
constexpr std::size_t part_tokens = 4096;    // what a gap without anchors is cut into
constexpr std::size_t most_runs = 1U << 16;  // of a gap and side that are looked at, about
constexpr std::uint32_t none = 0xffffffffU;

std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ x >> 32U) * 0xd6e8feb86659fd93U;
  x = (x ^ x >> 32U) * 0xd6e8feb86659fd93U;
  return x ^ x >> 32U;
}

// Visits the hash of every run of so many tokens, from left to right, while it rolls along.
template <typename Visit>
void for_each_run(std::span<const std::uint32_t> tokens, std::size_t length, const Visit& visit) {
  constexpr std::uint64_t base = 0x9e3779b97f4a7c15U;
  std::uint64_t leaving = 1, rolling = 0;
  for (std::size_t i = 0; i < length; ++i) leaving *= base;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    rolling = rolling * base + tokens[i] + 1;
    if (i >= length) rolling -= leaving * (std::uint64_t{tokens[i - length]} + 1);
    if (i + 1 >= length) visit(scrambled(rolling), static_cast<std::uint32_t>(i + 1 - length));
  }
}

// Sorts by hash. Hashes are spread evenly, so that each is put where it belongs at once, but for a few neighbours.
template <typename Run>
void sort_by_hash(std::vector<Run>& runs, std::vector<Run>& other) {
  const unsigned bits = std::max(1U, static_cast<unsigned>(std::bit_width(runs.size() / 2)));
  std::vector<std::uint32_t> begins((std::size_t{1} << bits) + 1, 0);
  for (const Run& run : runs) ++begins[(run.hash >> (64 - bits)) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  other.resize(runs.size());
  for (const Run& run : runs) other[begins[run.hash >> (64 - bits)]++] = run;
  std::size_t begin = 0;
  for (std::size_t bucket = 0; bucket + 1 < begins.size(); begin = begins[bucket++]) {
    const auto first = other.begin() + static_cast<std::ptrdiff_t>(begin), last = other.begin() + begins[bucket];
    if (last - first > 1) std::sort(first, last, [](const Run& x, const Run& y) { return x.hash < y.hash; });
  }
  runs.swap(other);
}

// The runs that are looked at, chosen by their hash so that both sides choose the same; those that stand once, by hash.
template <typename Run>
void find_runs(std::span<const std::uint32_t> tokens, std::size_t length, std::uint64_t share, std::vector<Run>& runs,
               std::vector<Run>& scratch) {
  runs.clear();
  for_each_run(tokens, length, [&](std::uint64_t hash, std::uint32_t at) {
    if (share == 1 || hash % share == 0) runs.push_back({hash, at});
  });
  sort_by_hash(runs, scratch);
  std::size_t kept = 0;
  for (std::size_t begin = 0, end = 0; begin < runs.size(); begin = end) {
    for (end = begin + 1; end < runs.size() && runs[end].hash == runs[begin].hash;) ++end;
    if (end - begin == 1) runs[kept++] = runs[begin];
  }
  runs.resize(kept);
}

}  // namespace

std::uint64_t AnchoredOrder::length(Tokens a, Tokens b) {
  length_ = 0;
  std::vector<Gap> gaps, rest;
  add_gap({a, b}, gaps);
  for (const std::size_t tokens : run_tokens) {
    rest.clear();
    for (const Gap& gap : gaps) cut(gap, tokens, rest);
    gaps.swap(rest);
  }
  for (const Gap& gap : gaps) add_in_parts(gap);
  return length_;
}

// Tokens of chosen anchors are equal and count; anchors may overlap, so each stands for its first token, and what follows is the next
// gap's common beginning.
void AnchoredOrder::cut(const Gap& gap, std::size_t tokens, std::vector<Gap>& rest) {
  check_stop();
  find_anchors(gap, tokens);
  keep_longest_chain();
  std::size_t a = 0, b = 0;
  for (const Anchor& anchor : anchors_) {
    if (anchor.a < a || anchor.b < b) continue;  // inside what the common beginning has taken
    add_gap({gap.a.subspan(a, anchor.a - a), gap.b.subspan(b, anchor.b - b)}, rest);
    for (a = anchor.a, b = anchor.b; a < gap.a.size() && b < gap.b.size() && gap.a[a] == gap.b[b]; ++a, ++b) ++length_;
  }
  add_gap({gap.a.subspan(a), gap.b.subspan(b)}, rest);
}

void AnchoredOrder::find_anchors(const Gap& gap, std::size_t tokens) {
  const std::uint64_t share = std::max<std::uint64_t>(1, std::max(gap.a.size(), gap.b.size()) / most_runs);
  find_runs(gap.a, tokens, share, runs_a_, sorted_);
  check_stop();
  find_runs(gap.b, tokens, share, runs_b_, sorted_);
  anchors_.clear();
  for (std::size_t i = 0, j = 0; i < runs_a_.size() && j < runs_b_.size();) {
    if (const Run &x = runs_a_[i], &y = runs_b_[j];
        x.hash == y.hash && std::ranges::equal(gap.a.subspan(x.at, tokens), gap.b.subspan(y.at, tokens)))
      anchors_.push_back({x.at, y.at});
    const std::uint64_t left = runs_a_[i].hash, right = runs_b_[j].hash;
    i += left <= right ? 1 : 0;
    j += right <= left ? 1 : 0;
  }
  std::sort(anchors_.begin(), anchors_.end(), [](const Anchor& x, const Anchor& y) { return x.a < y.a; });
}

void AnchoredOrder::keep_longest_chain() {
  ends_.clear();
  before_.assign(anchors_.size(), none);
  for (std::uint32_t i = 0; i < anchors_.size(); ++i) {
    const auto at = std::lower_bound(ends_.begin(), ends_.end(), anchors_[i].b,
                                     [&](std::uint32_t end, std::uint32_t b) { return anchors_[end].b < b; });
    if (at != ends_.begin()) before_[i] = *(at - 1);
    at == ends_.end() ? ends_.push_back(i) : void(*at = i);
  }
  if (ends_.empty()) return;
  std::size_t place = ends_.size();
  for (std::uint32_t i = ends_.back(); i != none; i = before_[i]) ends_[--place] = i;
  for (std::size_t i = 0; i < ends_.size(); ++i) anchors_[i] = anchors_[ends_[i]];
  anchors_.resize(ends_.size());
}

// What begins and ends alike is in some longest common subsequence.
void AnchoredOrder::add_gap(Gap gap, std::vector<Gap>& rest) {
  const auto heads = std::ranges::mismatch(gap.a, gap.b);
  const auto head = static_cast<std::size_t>(heads.in1 - gap.a.begin());
  gap = {gap.a.subspan(head), gap.b.subspan(head)};
  std::size_t tail = 0;
  for (const std::size_t most = std::min(gap.a.size(), gap.b.size());
       tail < most && gap.a[gap.a.size() - 1 - tail] == gap.b[gap.b.size() - 1 - tail];)
    ++tail;
  gap = {gap.a.first(gap.a.size() - tail), gap.b.first(gap.b.size() - tail)};
  length_ += head + tail;
  if (gap.a.empty() || gap.b.empty()) return;
  if (std::max(gap.a.size(), gap.b.size()) <= exact_tokens)
    add_exact(gap);
  else
    rest.push_back(gap);
}

void AnchoredOrder::add_in_parts(const Gap& gap) {
  const std::size_t parts = (std::max(gap.a.size(), gap.b.size()) + part_tokens - 1) / part_tokens;
  const auto part_of = [&](Tokens tokens, std::size_t i) {
    const std::size_t begin = tokens.size() * i / parts, end = tokens.size() * (i + 1) / parts;
    return tokens.subspan(begin, end - begin);
  };
  for (std::size_t i = 0; i < parts; ++i) add_exact({part_of(gap.a, i), part_of(gap.b, i)});
}

void AnchoredOrder::add_exact(const Gap& gap) {
  check_stop();
  wide_a_.assign(gap.a.begin(), gap.a.end());
  wide_b_.assign(gap.b.begin(), gap.b.end());
  const auto all = static_cast<std::uint32_t>(wide_a_.size() + wide_b_.size());
  length_ += lcs_length(wide_a_, wide_b_, all).value_or(0);
}

}  // namespace leitong::similarity
