// A name and a seed -> rows to join or to look up, the same on every machine, and raw files of them that programs in any language read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bench_hamming {

using Values = std::vector<std::uint64_t>;  // rows × words, least significant word first

struct DataSet {
  // uniform: random; every tenth row is at most k flips away from an earlier one. The next three start from that:
  // skewed: 30 % of the rows share 1,000 values of the top 16 bits, and 1 % of all are one value. skewed-distinct: without the one value.
  // flooded: all share the top 16 bits. clustered: balls of ten, each row at most two flips from its centre.
  std::string kind = "uniform";
  std::size_t rows = 1'000'000;
  unsigned words = 1;
  unsigned k = 3;
  std::uint64_t seed = 1;
};

[[nodiscard]] bool is_kind(const std::string& kind);
[[nodiscard]] Values make_rows(const DataSet& set);
// Half are at most k flips away from a row, half are fresh rows of the same kind.
[[nodiscard]] Values make_queries(const DataSet& set, std::span<const std::uint64_t> rows, std::size_t count);

// Little-endian words, nothing else. Throws std::runtime_error.
void write_words(const std::string& path, std::span<const std::uint64_t> words);

// SplitMix64 (Steele, Lea, Flood 2014): one multiplication chain a number, so that 8 GB are made in seconds.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15U); }
  std::uint64_t below(std::uint64_t n) { return ((next() >> 32) * n) >> 32; }  // n below 2^32
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace bench_hamming
