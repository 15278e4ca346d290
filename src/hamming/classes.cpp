// Equal rows: distinct fingerprints and the rows that share each.
#include "hamming/classes.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "hamming/scatter.h"
#include "hamming/table.h"
#include "leitong/hamming.h"

namespace leitong::hamming {
namespace {

constexpr unsigned kPartBits = 9;
constexpr std::uint32_t kNone = ~0U;
constexpr std::size_t kSample = 65536;

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

// The first row of each row's class, by a table of slots for one part at a time.
class FirstRows {
 public:
  FirstRows(const std::uint64_t* values, unsigned words, std::uint32_t* first) : values_(values), words_(words), first_(first) {}

  void add_part(const std::uint64_t* keys, const std::uint32_t* rows, std::uint32_t n) {
    const unsigned bits = static_cast<unsigned>(std::bit_width(n)) + 1;
    slots_.assign(std::size_t{1} << bits, kNone);
    const std::size_t mask = slots_.size() - 1;
    for (std::uint32_t i = 0; i < n; ++i) {
      std::size_t slot = (keys[i] * 0xbf58476d1ce4e5b9U >> (64 - bits)) & mask;
      while (slots_[slot] != kNone && !same(keys, rows, slots_[slot], i)) slot = (slot + 1) & mask;
      if (slots_[slot] == kNone) slots_[slot] = i;
      first_[rows[i]] = rows[slots_[slot]];
    }
  }

 private:
  [[nodiscard]] bool same(const std::uint64_t* keys, const std::uint32_t* rows, std::uint32_t i, std::uint32_t j) const {
    if (keys[i] != keys[j]) return false;
    return words_ == 1 || std::memcmp(values_ + std::size_t{rows[i]} * words_, values_ + std::size_t{rows[j]} * words_, 8 * words_) == 0;
  }

  const std::uint64_t* values_;
  unsigned words_;
  std::uint32_t* first_;
  std::vector<std::uint32_t> slots_;
};

void find_first_rows(std::span<const std::uint64_t> values, unsigned words, std::uint32_t n, std::uint32_t* first) {
  constexpr std::uint32_t kParts = 1U << kPartBits;
  Buffer<std::uint64_t> keys, part_keys;
  Buffer<std::uint32_t> part_rows;
  std::uint64_t* key = keys.reserve(n);
  for (std::uint32_t i = 0; i < n; ++i) key[i] = key_of(values.data() + std::size_t{i} * words, words);
  const BitField digit{64 - kPartBits, kPartBits};
  std::vector<std::uint32_t> ends(kParts);
  count_digit(key, n, digit, ends.data());
  std::uint32_t sum = 0;
  for (std::uint32_t& end : ends) sum += std::exchange(end, sum);
  scatter_rows(key, nullptr, 0, n, digit, ends.data(), part_keys.reserve(n), part_rows.reserve(n));
  FirstRows firsts(values.data(), words, first);
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    firsts.add_part(part_keys.data() + begin, part_rows.data() + begin, end - begin);
    begin = end;
  }
}

}  // namespace

double equal_pairs_estimate(std::span<const std::uint64_t> values, unsigned words) {
  const std::size_t n = values.size() / words, count = std::min(n, kSample);
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
  const auto n = static_cast<std::uint32_t>(values.size() / words);
  hamming::Buffer<std::uint32_t> first, number;
  hamming::find_first_rows(values, words, n, first.reserve(n));
  number.reserve(n);
  HammingClasses out;
  out.starts.push_back(0);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t f = first.data()[i];
    if (f == i) {
      number.data()[i] = static_cast<std::uint32_t>(out.classes());
      const auto row = values.subspan(std::size_t{i} * words, words);
      out.values.insert(out.values.end(), row.begin(), row.end());
      out.starts.push_back(0);
    }
    ++out.starts[number.data()[f] + 1U];
  }
  for (std::size_t c = 1; c < out.starts.size(); ++c) out.starts[c] += out.starts[c - 1];
  out.rows.resize(n);
  std::vector<std::uint32_t> cursors(out.starts.begin(), out.starts.end() - 1);
  for (std::uint32_t i = 0; i < n; ++i) out.rows[cursors[number.data()[first.data()[i]]]++] = i;
  return out;
}

}  // namespace leitong
