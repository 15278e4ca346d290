// Times the exact self-join beside std::sort of the same array, in one run. See README.md beside this file.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "leitong/error.h"
#include "leitong/hamming.h"

namespace {

using Clock = std::chrono::steady_clock;
using Values = std::vector<std::uint64_t>;

// Wall and processor time since construction. On a busy machine only the second means something.
class Stopwatch {
 public:
  [[nodiscard]] double wall() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  [[nodiscard]] double processor() const { return static_cast<double>(std::clock() - clock_) / CLOCKS_PER_SEC; }

 private:
  Clock::time_point start_ = Clock::now();
  std::clock_t clock_ = std::clock();
};

struct Time {
  double wall = 1e300, processor = 1e300;
  void take_better(const Stopwatch& watch) {
    wall = std::min(wall, watch.wall());
    processor = std::min(processor, watch.processor());
  }
};

struct Setting {
  std::string data = "uniform";
  std::size_t n = 1'000'000;
  leitong::HammingJoinOptions options{};
  int repeats = 3;
  std::uint64_t seed = 1;
};

void flip(Values& values, std::size_t row, unsigned words, unsigned bits, std::mt19937_64& random) {
  for (unsigned b = 0; b < bits; ++b) values[row * words + random() % words] ^= std::uint64_t{1} << (random() % 64);
}

// A tenth of the rows are neighbours, within k bits, of another row.
void plant(Values& values, const Setting& s, std::mt19937_64& random) {
  const unsigned words = s.options.words;
  for (std::size_t i = 10; i < s.n; i += 10) {
    const std::size_t from = random() % i;
    for (unsigned w = 0; w < words; ++w) values[i * words + w] = values[from * words + w];
    flip(values, i, words, static_cast<unsigned>(random() % (s.options.k + 1)), random);
  }
}

Values generate(const Setting& s) {
  std::mt19937_64 random(s.seed);
  const unsigned words = s.options.words;
  Values values(s.n * words);
  for (auto& v : values) v = random();
  if (s.data == "clustered") {  // balls of about 10 rows, centre to row 2 bits
    const std::size_t centres = s.n / 10 + 1;
    for (std::size_t i = centres; i < s.n; ++i) {
      const std::size_t from = random() % centres;
      for (unsigned w = 0; w < words; ++w) values[i * words + w] = values[from * words + w];
      flip(values, i, words, 2, random);
    }
    return values;
  }
  plant(values, s, random);
  for (std::size_t i = 0; i < s.n; ++i) {
    std::uint64_t& first = values[i * words];
    if (s.data == "skewed" && i % 10 < 3) first = (first & 0xffffffffffffU) | (random() % 1000) << 48;  // 30 % share 1,000 values
    if (s.data == "flooded") first &= 0xffffffffffffU;                                                  // all share the top 16 bits
  }
  return values;
}

struct Result {
  std::uint64_t count = 0, checksum = 0;
  bool operator==(const Result&) const = default;
};

void add(Result& result, std::uint32_t a, std::uint32_t b, std::uint32_t distance) {
  std::uint64_t x = (std::uint64_t{a} << 32 | b) * 0x9e3779b97f4a7c15U + distance;
  x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9U;
  result.checksum += x ^ (x >> 32);
  ++result.count;
}

Result brute_force(const Values& values, const Setting& s) {
  Result result;
  const unsigned words = s.options.words;
  for (std::uint32_t a = 0; a < s.n; ++a) {
    for (std::uint32_t b = a + 1; b < s.n; ++b) {
      unsigned bits = 0;
      for (unsigned w = 0; w < words; ++w) bits += static_cast<unsigned>(std::popcount(values[a * words + w] ^ values[b * words + w]));
      if (bits <= s.options.k) add(result, a, b, bits);
    }
  }
  return result;
}

// std::sort of the same rows, as arrays of words.
template <std::size_t Words>
void sort_once(const Values& values, Time& time) {
  struct Row {
    std::uint64_t word[Words];
    bool operator<(const Row& other) const { return std::lexicographical_compare(word, word + Words, other.word, other.word + Words); }
  };
  std::vector<Row> rows(values.size() / Words);
  std::memcpy(rows.data(), values.data(), values.size() * sizeof(std::uint64_t));
  const Stopwatch watch;
  std::sort(rows.begin(), rows.end());
  time.take_better(watch);
}

void time_sort(const Values& values, unsigned words, Time& time) {
  if (words == 2) return sort_once<2>(values, time);
  if (words == 4) return sort_once<4>(values, time);
  Values copy = values;
  const Stopwatch watch;
  std::sort(copy.begin(), copy.end());
  time.take_better(watch);
}

int run(const Setting& s) {
  const Values values = generate(s);
  Time join, sort;
  Result result;
  for (int r = 0; r < s.repeats; ++r) {
    time_sort(values, s.options.words, sort);
    Result got;
    const Stopwatch watch;
    leitong::hamming_self_join(values, s.options, [&](std::span<const leitong::HammingPair> batch) {
      for (const auto& p : batch) add(got, p.a, p.b, p.distance);
    });
    join.take_better(watch);
    result = got;
  }
  const char* oracle = "-";
  if (s.n <= 20000) oracle = brute_force(values, s) == result ? "equal" : "DIFFERENT";
  const double rows = static_cast<double>(std::max<std::size_t>(s.n, 1));
  std::printf("%-10s n=%zu bits=%u k=%u threads=%u  join %.4f s (cpu %.4f)  %.1f ns/row  sort %.4f s (cpu %.4f)  ratio %.2f (cpu %.2f)  ",
              s.data.c_str(), s.n, 64 * s.options.words, s.options.k, s.options.threads, join.wall, join.processor, join.wall / rows * 1e9,
              sort.wall, sort.processor, join.wall / sort.wall, join.processor / sort.processor);
  std::printf("pairs %llu  oracle %s\n", static_cast<unsigned long long>(result.count), oracle);
  std::fflush(stdout);
  return std::strcmp(oracle, "DIFFERENT") == 0 ? 1 : 0;
}

int usage() {
  std::fprintf(
      stderr,
      "join_bench [--data uniform|skewed|clustered|flooded] [--n ROWS] [--words 1|2|4] [--k K] [--threads T] [--repeats R] [--seed S]\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  Setting s;
  std::map<std::string, std::string> flags;
  for (int i = 1; i + 1 < argc; i += 2) flags[argv[i]] = argv[i + 1];
  if (argc % 2 == 0) return usage();
  for (const auto& [name, value] : flags) {
    const auto number = std::strtoull(value.c_str(), nullptr, 10);
    if (name == "--data")
      s.data = value;
    else if (name == "--n")
      s.n = number;
    else if (name == "--words")
      s.options.words = static_cast<unsigned>(number);
    else if (name == "--k")
      s.options.k = static_cast<unsigned>(number);
    else if (name == "--threads")
      s.options.threads = static_cast<unsigned>(number);
    else if (name == "--repeats")
      s.repeats = static_cast<int>(number);
    else if (name == "--seed")
      s.seed = number;
    else
      return usage();
  }
  if (s.data != "uniform" && s.data != "skewed" && s.data != "clustered" && s.data != "flooded") return usage();
  try {
    return run(s);
  } catch (const leitong::Error& error) {
    std::fprintf(stderr, "join_bench: %s\n", error.what());
    return 2;
  }
}
