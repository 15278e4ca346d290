#include "data_sets.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fstream>
#include <stdexcept>

namespace bench_hamming {
namespace {

constexpr std::array<const char*, 5> kinds = {"uniform", "skewed", "skewed-distinct", "flooded", "clustered"};
constexpr std::uint64_t below_top = 0x0000ffffffffffffU;

class Maker {
 public:
  Maker(const DataSet& set, std::uint64_t stream) : set_(set), random_(Random::mix(set.seed) ^ stream) {
    Random fixed(Random::mix(set.seed + 1));  // of the data set, not of the stream: queries share them with the rows
    for (auto& top : tops_) top = fixed.next() << 48;
    for (auto& word : one_) word = fixed.next();
    balls_ = std::max<std::size_t>(set.rows / 10, 1);
  }

  // Row `i` of the kind, without neighbours of its own making (except in balls).
  void fresh(std::size_t i, std::uint64_t* row) {
    if (set_.kind == "clustered") return in_ball(i % balls_, row);
    for (unsigned w = 0; w < set_.words; ++w) row[w] = random_.next();
  }
  void near(const std::uint64_t* from, std::uint64_t* row, unsigned most_flips) {
    std::copy(from, from + set_.words, row);
    for (auto flips = random_.below(most_flips + 1U); flips > 0; --flips) {
      const auto bit = random_.below(64U * set_.words);
      row[bit / 64] ^= std::uint64_t{1} << (bit % 64);
    }
  }
  // What makes the kind uneven. The top 16 bits are those of the last word.
  void shape(std::uint64_t* row) {
    std::uint64_t& top = row[set_.words - 1];
    if (set_.kind == "flooded") top = (top & below_top) | tops_[0];
    if (!set_.kind.starts_with("skewed")) return;
    const auto dice = random_.below(100);
    if (dice < 30) top = (top & below_top) | tops_[random_.below(tops_.size())];
    if (dice == 30 && set_.kind == "skewed") std::copy_n(one_.begin(), set_.words, row);
  }
  Random& random() { return random_; }

 private:
  void in_ball(std::size_t ball, std::uint64_t* row) {
    std::array<std::uint64_t, 4> centre{};
    for (unsigned w = 0; w < set_.words; ++w) centre[w] = Random::mix(Random::mix(set_.seed + 2) + ball * 4 + w);
    near(centre.data(), row, 2);
  }

  const DataSet& set_;
  Random random_;
  std::array<std::uint64_t, 1000> tops_{};
  std::array<std::uint64_t, 4> one_{};
  std::size_t balls_ = 1;
};

}  // namespace

bool is_kind(const std::string& kind) { return std::ranges::find(kinds, kind) != kinds.end(); }

Values make_rows(const DataSet& set) {
  Maker maker(set, 0);
  Values values(set.rows * set.words);
  for (std::size_t i = 0; i < set.rows; ++i) maker.fresh(i, &values[i * set.words]);
  if (set.kind == "clustered") return values;
  for (std::size_t i = 10; i < set.rows; i += 10) maker.near(&values[maker.random().below(i) * set.words], &values[i * set.words], set.k);
  if (set.kind == "uniform") return values;
  for (std::size_t i = 0; i < set.rows; ++i) maker.shape(&values[i * set.words]);
  return values;
}

Values make_queries(const DataSet& set, std::span<const std::uint64_t> rows, std::size_t count) {
  Maker maker(set, 0x5eed);
  Values queries(count * set.words);
  for (std::size_t q = 0; q < count; ++q) {
    std::uint64_t* const query = &queries[q * set.words];
    if (q % 2 == 1) {
      maker.near(&rows[maker.random().below(set.rows) * set.words], query, set.k);
      continue;
    }
    maker.fresh(maker.random().below(set.rows), query);
    maker.shape(query);
  }
  return queries;
}

void write_words(const std::string& path, std::span<const std::uint64_t> words) {
  static_assert(std::endian::native == std::endian::little, "raw files are little-endian");
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size_bytes()));
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path);
}

}  // namespace bench_hamming
