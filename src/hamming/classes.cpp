// Equal rows: distinct fingerprints and the rows that share each.
#include "hamming/classes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "hamming/table.h"
#include "leitong/error.h"
#include "leitong/hamming.h"

namespace leitong::hamming {
namespace {

constexpr unsigned part_bits = 9;
constexpr std::uint32_t none = ~0U;
constexpr std::size_t block_size = 512;
constexpr std::uint32_t most_probes = 256;  // of a slot: more, and somebody chose the rows so; they are sorted instead

// Spreads rows that share bits over the parts and slots. Of one word it is a bijection: equal keys are equal rows.
std::uint64_t mixed(std::uint64_t x) {
  x *= 0x9e3779b97f4a7c15U;
  return x ^ x >> 32;
}
std::uint64_t key_of(const std::uint64_t* row, unsigned words) {
  std::uint64_t key = mixed(row[0]);
  for (unsigned w = 1; w < words; ++w) key = mixed(std::rotl(key, 23) + row[w]);
  return key;
}

// Gathers the classes of one part of the rows after the other.
class Gather {
 public:
  Gather(std::span<const std::uint64_t> values, unsigned words, HammingClasses& out) : values_(values), words_(words), out_(out) {
    const std::size_t n = values.size() / words;
    out_.values.reserve(values.size());
    out_.starts.reserve(n + 1);
    out_.rows.reserve(n);
    out_.starts.push_back(0);
  }

  void add_part(const std::uint64_t* keys, const std::uint32_t* rows, std::uint32_t n) {
    const std::size_t before = out_.classes();
    classes_.resize(n);
    number(keys, rows, n, before);
    // Rows of a class beside each other, in their order.
    auto first = static_cast<std::uint32_t>(out_.rows.size());
    cursors_.assign(out_.starts.begin() + static_cast<std::ptrdiff_t>(before) + 1, out_.starts.end());
    for (std::size_t c = 0; c < cursors_.size(); ++c) {
      first += std::exchange(cursors_[c], first);
      out_.starts[before + 1 + c] = first;
    }
    out_.rows.resize(first);
    for (std::uint32_t i = 0; i < n; ++i) out_.rows[cursors_[classes_[i]]++] = rows[i];
  }

 private:
  // The class of each row; starts get the sizes for now.
  void number(const std::uint64_t* keys, const std::uint32_t* rows, std::uint32_t n, std::size_t before) {
    if (number_by_slots(keys, rows, n, before)) return;
    out_.starts.resize(before + 1);
    out_.values.resize(before * words_);
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    const auto row = [&](std::uint32_t i) { return values_.subspan(std::size_t{rows[i]} * words_, words_); };
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
      return std::lexicographical_compare(row(i).begin(), row(i).end(), row(j).begin(), row(j).end());
    });
    for (std::uint32_t at = 0; at < n; ++at) {
      if (at == 0 || !std::ranges::equal(row(order[at]), row(order[at - 1]))) open_class(rows[order[at]]);
      classes_[order[at]] = static_cast<std::uint32_t>(out_.classes() - before - 1);
      ++out_.starts.back();
    }
  }

  // By a table of slots. False: some row is too far from its slot.
  bool number_by_slots(const std::uint64_t* keys, const std::uint32_t* rows, std::uint32_t n, std::size_t before) {
    const unsigned bits = static_cast<unsigned>(std::bit_width(n)) + 1;
    slots_.assign(std::size_t{1} << bits, none);
    const std::size_t mask = slots_.size() - 1;
    for (std::uint32_t i = 0; i < n; ++i) {
      std::size_t slot = (keys[i] * 0xbf58476d1ce4e5b9U >> (64 - bits)) & mask;
      std::uint32_t probes = 0;
      while (slots_[slot] != none && !same(keys, rows, slots_[slot], i)) {
        if (++probes > most_probes) return false;
        slot = (slot + 1) & mask;
      }
      if (slots_[slot] == none) {
        slots_[slot] = i;
        classes_[i] = static_cast<std::uint32_t>(out_.classes() - before);
        open_class(rows[i]);
      } else {
        classes_[i] = classes_[slots_[slot]];
      }
      ++out_.starts[before + 1 + classes_[i]];
    }
    return true;
  }

  void open_class(std::uint32_t first_row) {
    const std::uint64_t* row = values_.data() + std::size_t{first_row} * words_;
    out_.values.insert(out_.values.end(), row, row + words_);
    out_.starts.push_back(0);
  }

  [[nodiscard]] bool same(const std::uint64_t* keys, const std::uint32_t* rows, std::uint32_t i, std::uint32_t j) const {
    if (keys[i] != keys[j]) return false;
    const auto* values = values_.data();
    return words_ == 1 || std::memcmp(values + std::size_t{rows[i]} * words_, values + std::size_t{rows[j]} * words_, 8 * words_) == 0;
  }

  std::span<const std::uint64_t> values_;
  unsigned words_;
  HammingClasses& out_;
  std::vector<std::uint32_t> slots_, classes_, cursors_;
};

// use(keys, number of the first row, n) for a block of rows after the other.
template <typename Use>
void each_block(std::span<const std::uint64_t> values, unsigned words, const Use& use) {
  std::array<std::uint64_t, block_size> keys;
  const std::size_t n = values.size() / words;
  for (std::size_t first = 0; first < n; first += block_size) {
    const std::size_t count = std::min(block_size, n - first);
    for (std::size_t i = 0; i < count; ++i) keys[i] = key_of(values.data() + (first + i) * words, words);
    use(keys.data(), static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count));
  }
}

}  // namespace

void check_rows(std::size_t size, unsigned words) {
  if (words != 1 && words != 2 && words != 4) {
    throw Error(ErrorCode::usage,
                "fingerprints of " + std::to_string(words) + " words cannot be joined; use 1, 2 or 4 words (64, 128 or 256 bits)");
  }
  if (size % words != 0) {
    throw Error(ErrorCode::usage,
                std::to_string(size) + " words are not a whole number of fingerprints of " + std::to_string(words) + " words");
  }
  if (size / words > 0xffffffffU) throw Error(ErrorCode::usage, "more than 4294967295 fingerprints in one join; split the collection");
}

double equal_pairs_estimate(std::span<const std::uint64_t> values, unsigned words) {
  const std::size_t n = values.size() / words;
  const std::size_t count = std::min(n, static_cast<std::size_t>(8 * std::sqrt(static_cast<double>(n))));
  std::vector<std::uint64_t> sample;
  sample.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    // Evenly, but not at a fixed stride: data may have a period.
    const std::size_t width = n / count;
    sample.push_back(key_of(values.data() + (width * i + (i * 0x9e3779b97f4a7c15U >> 32) % width) * words, words));
  }
  std::sort(sample.begin(), sample.end());
  double pairs = 0, run = 0;
  for (std::size_t i = 1; i < count; ++i) {
    run = sample[i] == sample[i - 1] ? run + 1 : 0;
    pairs += run;
  }
  const double scale = count == 0 ? 0 : static_cast<double>(n) / static_cast<double>(count);
  return pairs * scale * scale;
}

}  // namespace leitong::hamming

namespace leitong {

HammingClasses hamming_classes(std::span<const std::uint64_t> values, unsigned words) {
  using namespace hamming;
  check_rows(values.size(), words);
  const Digit digit{0, 64 - part_bits, (1U << part_bits) - 1};
  std::vector<std::uint32_t> ends(std::size_t{1} << part_bits);
  each_block(values, words, [&](const std::uint64_t* keys, std::uint32_t, std::uint32_t n) {
    count_digits({keys, nullptr, n, 0}, 1, digit, ends.data());
  });
  std::uint32_t sum = 0;
  for (std::uint32_t& end : ends) sum += std::exchange(end, sum);
  Buffer<std::uint64_t> part_keys;
  Buffer<std::uint32_t> part_rows;
  part_keys.reserve(sum);
  part_rows.reserve(sum);
  each_block(values, words, [&](const std::uint64_t* keys, std::uint32_t first, std::uint32_t n) {
    scatter({keys, nullptr, n, first}, 1, digit, ends.data(), part_keys.data(), part_rows.data());
  });
  HammingClasses out;
  Gather gather(values, words, out);
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    gather.add_part(part_keys.data() + begin, part_rows.data() + begin, end - begin);
    begin = end;
  }
  return out;
}

}  // namespace leitong
