// The joins of leitong/hamming.h: which engine does them, and what is made of the pairs.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "hamming/bit_order.h"
#include "hamming/classes.h"
#include "hamming/general_join.h"
#include "hamming/half_join.h"
#include "hamming/half_tables.h"
#include "hamming/hamming.h"
#include "hamming/plan.h"
#include "leitong/error.h"

namespace leitong::hamming {
namespace {

using Values = std::span<const std::uint64_t>;

constexpr std::uint64_t few_rows = 1024;  // below, a look at the data costs more than it saves

void check(Values left, Values right, const HammingJoinOptions& options) {
  check_rows(left.size(), options.words);
  check_rows(right.size(), options.words);
  check_rows(left.size() + right.size(), options.words);
  if (options.words == 1 && options.k > 12) {
    throw Error(ErrorCode::usage, "a join of 64-bit fingerprints within " + std::to_string(options.k) +
                                      " bits is out of range; use k from 0 to 12, or fingerprints of 128 or 256 bits");
  }
}

bool by_halves(std::uint64_t rows, const HammingJoinOptions& options) { return options.k <= most_half_k && rows >= few_rows; }

// The word that tells rows apart best.
std::pair<unsigned, ChosenOrder> choose_word(Values values, unsigned words) {
  std::pair<unsigned, ChosenOrder> best{0, choose_bit_order(values, words, 0)};
  for (unsigned w = 1; w < words; ++w) {
    ChosenOrder order = choose_bit_order(values, words, w);
    if (order.spread.agreement < best.second.spread.agreement) best = {w, std::move(order)};
  }
  return best;
}

// By halves of one word: rows within k bits are within k bits there. Of wider rows the few pairs found are compared in full.
void join_words(const Kernels& kernels, Values left, Values right, unsigned word, const ChosenOrder& order,
                const HammingJoinOptions& options, const HammingPairSink& sink) {
  const unsigned words = options.words;
  if (words == 1) return half_join(kernels, WordColumn(left), WordColumn(right), order, options, sink);
  const Values other = right.empty() ? left : right;
  std::vector<HammingPair> near;
  half_join(kernels, {left, words, word}, {right, words, word}, order, options, [&](std::span<const HammingPair> pairs) {
    near.clear();
    for (HammingPair pair : pairs) {
      pair.distance = distance(left.data() + std::size_t{pair.a} * words, other.data() + std::size_t{pair.b} * words, words);
      if (pair.distance <= options.k) near.push_back(pair);
    }
    if (!near.empty()) sink(near);
  });
}

// The general join of two sides, or of one with itself if `right` is empty: rows are numbered through, so two sides are copied together.
void join_whole(const Kernels& kernels, Values left, Values right, const HammingJoinOptions& options, const HammingPairSink& sink) {
  if (right.empty()) return general_join(kernels, left, 0, options, sink);
  std::vector<std::uint64_t> both(left.begin(), left.end());
  both.insert(both.end(), right.begin(), right.end());
  general_join(kernels, both, static_cast<std::uint32_t>(left.size() / options.words), options, sink);
}

// The general join in a budget: chunks of rows, each with itself and with every other. Time grows with the number of chunks, and pairs
// inside a chunk are found again, and dropped, with every other.
void join_chunks(const Kernels& kernels, Values left, Values right, const HammingJoinOptions& options, const HammingPairSink& sink) {
  const std::size_t words = options.words, row_bytes = general_join_bytes(1, options.words) + 8 * words;
  const std::size_t chunk = std::max<std::size_t>(options.memory / row_bytes / 2, 65536) * words;
  const auto part = [&](Values side, std::size_t first) { return side.subspan(first, std::min(chunk, side.size() - first)); };
  const auto join = [&](Values a, std::size_t first_a, Values b, std::size_t first_b) {
    join_whole(kernels, a, b, options, [&](std::span<const HammingPair> pairs) {
      std::vector<HammingPair> moved(pairs.begin(), pairs.end());
      for (HammingPair& pair : moved) {
        pair.a += static_cast<std::uint32_t>(first_a / words);
        pair.b += static_cast<std::uint32_t>(first_b / words);
      }
      sink(moved);
    });
  };
  const bool self = right.empty();
  for (std::size_t a = 0; a < left.size(); a += chunk) {
    if (self) join(part(left, a), a, {}, a);
    for (std::size_t b = self ? a + chunk : 0; b < (self ? left : right).size(); b += chunk) {
      join(part(left, a), a, part(self ? left : right, b), b);
    }
  }
}

}  // namespace

void join(const Kernels& kernels, Values left, Values right, const HammingJoinOptions& given, const HammingPairSink& sink) {
  check(left, right, given);
  HammingJoinOptions options = given;
  options.threads = std::max(1U, options.threads);
  if (left.size() + right.size() < 2 * options.words) return;
  const std::uint64_t rows = (left.size() + right.size()) / options.words;
  if (by_halves(rows, options)) {
    const auto [word, order] = choose_word(left.size() >= right.size() ? left : right, options.words);
    if (halves_pay(rows, order.spread)) return join_words(kernels, left, right, word, order, options, sink);
  }
  const std::uint64_t copied = right.empty() ? 0 : rows * 8 * options.words;
  if (options.memory != 0 && general_join_bytes(rows, options.words) + copied > options.memory) {
    return join_chunks(kernels, left, right, options, sink);
  }
  join_whole(kernels, left, right, options, sink);
}

namespace {

// So many equal pairs for each row, and rows are joined by classes.
constexpr double many_equal_rows = 1;

bool many_equal(Values values, unsigned words) {
  return equal_pairs_estimate(values, words) > many_equal_rows * static_cast<double>(values.size() / words);
}

std::uint64_t rows_in(const HammingClasses& classes, std::uint32_t c) { return classes.starts[c + 1] - classes.starts[c]; }

// Gives all pairs of the rows of two classes, a batch at a time.
class ClassPairs {
 public:
  explicit ClassPairs(const HammingPairSink& sink) : sink_(sink) {}

  void give(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right, std::uint32_t distance) {
    for (const std::uint32_t a : left) {
      for (const std::uint32_t b : right) {
        batch_.push_back({a, b, distance});
        if (batch_.size() == batch_size) flush();
      }
    }
  }
  void flush() {
    if (!batch_.empty()) sink_(batch_);
    batch_.clear();
  }

 private:
  static constexpr std::size_t batch_size = 8192;
  const HammingPairSink& sink_;
  std::vector<HammingPair> batch_;
};

// Roots are the smallest rows of their trees.
class Forest {
 public:
  explicit Forest(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0U); }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    if (a != b) parent_[std::max(a, b)] = std::min(a, b);
  }
  std::uint32_t root(std::uint32_t row) {
    while (parent_[row] != row) row = parent_[row] = parent_[parent_[row]];
    return row;
  }
  std::vector<std::uint32_t> labels() && {
    for (std::uint32_t row = 0; row < parent_.size(); ++row) parent_[row] = parent_[parent_[row]];  // ascending: parents are done before
    return std::move(parent_);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace
}  // namespace leitong::hamming

namespace leitong {

using hamming::Values;

void hamming_self_join(Values values, const HammingJoinOptions& options, const HammingPairSink& sink) {
  hamming::join(hamming::kernels(), values, {}, options, sink);
}

void hamming_join(Values left, Values right, const HammingJoinOptions& options, const HammingPairSink& sink) {
  hamming::check(left, right, options);
  if (left.empty() || right.empty()) return;
  if (!hamming::many_equal(left, options.words) && !hamming::many_equal(right, options.words)) {
    return hamming::join(hamming::kernels(), left, right, options, sink);
  }
  const HammingClasses a = hamming_classes(left, options.words), b = hamming_classes(right, options.words);
  hamming::ClassPairs pairs(sink);
  hamming::join(hamming::kernels(), a.values, b.values, options, [&](std::span<const HammingPair> batch) {
    for (const HammingPair& pair : batch) pairs.give(a.rows_of(pair.a), b.rows_of(pair.b), pair.distance);
  });
  pairs.flush();
}

std::uint64_t hamming_count(Values values, const HammingJoinOptions& options) {
  hamming::check(values, {}, options);
  std::uint64_t count = 0;
  if (!hamming::many_equal(values, options.words)) {
    hamming_self_join(values, options, [&](std::span<const HammingPair> pairs) { count += pairs.size(); });
    return count;
  }
  const HammingClasses classes = hamming_classes(values, options.words);
  for (std::uint32_t c = 0; c < classes.classes(); ++c) count += hamming::rows_in(classes, c) * (hamming::rows_in(classes, c) - 1) / 2;
  hamming_self_join(classes.values, options, [&](std::span<const HammingPair> pairs) {
    for (const HammingPair& pair : pairs) count += hamming::rows_in(classes, pair.a) * hamming::rows_in(classes, pair.b);
  });
  return count;
}

std::uint64_t hamming_count(Values left, Values right, const HammingJoinOptions& options) {
  hamming::check(left, right, options);
  if (left.empty() || right.empty()) return 0;
  std::uint64_t count = 0;
  if (!hamming::many_equal(left, options.words) && !hamming::many_equal(right, options.words)) {
    hamming::join(hamming::kernels(), left, right, options, [&](std::span<const HammingPair> pairs) { count += pairs.size(); });
    return count;
  }
  const HammingClasses a = hamming_classes(left, options.words), b = hamming_classes(right, options.words);
  hamming::join(hamming::kernels(), a.values, b.values, options, [&](std::span<const HammingPair> pairs) {
    for (const HammingPair& pair : pairs) count += hamming::rows_in(a, pair.a) * hamming::rows_in(b, pair.b);
  });
  return count;
}

std::vector<std::uint32_t> hamming_clusters(Values values, const HammingJoinOptions& options) {
  hamming::check(values, {}, options);
  const auto labels_of = [&](Values rows) {
    hamming::Forest forest(rows.size() / options.words);
    hamming_self_join(rows, options, [&](std::span<const HammingPair> pairs) {
      for (const HammingPair& pair : pairs) forest.unite(pair.a, pair.b);
    });
    return std::move(forest).labels();
  };
  if (!hamming::many_equal(values, options.words)) return labels_of(values);
  const HammingClasses classes = hamming_classes(values, options.words);
  const std::vector<std::uint32_t> of_class = labels_of(classes.values);
  std::vector<std::uint32_t> smallest(classes.classes(), ~0U), labels(values.size() / options.words);
  for (std::uint32_t c = 0; c < classes.classes(); ++c) {
    smallest[of_class[c]] = std::min(smallest[of_class[c]], classes.rows[classes.starts[c]]);
  }
  for (std::uint32_t c = 0; c < classes.classes(); ++c) {
    for (const std::uint32_t row : classes.rows_of(c)) labels[row] = smallest[of_class[c]];
  }
  return labels;
}

std::string hamming_join_plan(std::uint64_t rows, const HammingJoinOptions& options) {
  hamming::check({}, {}, options);
  if (hamming::by_halves(rows, options)) {
    return std::to_string(hamming::half_tables(options.k).size()) + " tables by halves, about " +
           std::to_string(static_cast<std::uint64_t>(hamming::half_join_cost(rows, options.k))) + " ns a row, " +
           std::to_string(hamming::half_join_bytes(rows, options.threads)) + " bytes";
  }
  hamming::Frame frame;
  frame.limit = static_cast<int>(options.k);
  for (unsigned w = 0; w < options.words; ++w) frame.usable.word[w] = ~std::uint64_t{0};
  const hamming::Plan plan = hamming::make_plan(frame, rows, options.words);
  const std::string cost = std::to_string(static_cast<std::uint64_t>(plan.cost / static_cast<double>(std::max<std::uint64_t>(rows, 1))));
  if (plan.blocks.empty()) return "a scan of all pairs, about " + cost + " ns a row";
  std::string text;
  for (const hamming::Block& block : plan.blocks) {
    text += (text.empty() ? "" : " + ") + std::to_string(block.span) + " bits within " + std::to_string(block.threshold);
  }
  return std::to_string(plan.blocks.size()) + " tables (" + text + "), about " + cost + " ns a row";
}

}  // namespace leitong
