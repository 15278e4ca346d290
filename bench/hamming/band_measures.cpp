// The candidate stage's band join on sketches of random bits, beside std::sort of its keys and the k = 3 join of as many fingerprints.
#include <algorithm>
#include <numeric>

#include "candidates/band_join.h"
#include "leitong/hamming.h"
#include "settings.h"

namespace bench_hamming {
namespace {

constexpr unsigned words = 5;            // 320 bits
constexpr unsigned most_distance = 120;  // what the stage lets pass
constexpr unsigned planted_flips = 60;
constexpr unsigned agreeing_percent = 20;  // of the bands of a planted pair

// Sketches of which every tenth is near an earlier one: some of its bands agree, and its bits differ in few places.
class Sketches {
 public:
  explicit Sketches(std::size_t rows) : bits_(rows * words), keys_of_(rows) {
    Random random(5);
    for (auto& word : bits_) word = random.next();
    std::iota(keys_of_.begin(), keys_of_.end(), 0U);
    for (std::size_t i = 10; i < rows; i += 10) {
      const auto from = static_cast<std::uint32_t>(random.below(i / 10) * 10 + 1 + random.below(9));  // never itself a copy
      keys_of_[i] = from;
      std::copy_n(&bits_[std::size_t{from} * words], words, &bits_[i * words]);
      for (unsigned f = 0; f < planted_flips; ++f) bits_[i * words + random.below(words)] ^= std::uint64_t{1} << random.below(64);
    }
  }
  [[nodiscard]] std::uint32_t key(unsigned band, std::uint32_t row) const {
    const std::uint32_t of = agrees(band, row) ? keys_of_[row] : row;
    return static_cast<std::uint32_t>(Random::mix(std::uint64_t{band} << 32 | of) >> 32);
  }
  // Whether a copy has the band of its original.
  [[nodiscard]] bool agrees(unsigned band, std::uint32_t row) const {
    return keys_of_[row] != row && Random::mix(std::uint64_t{row} << 32 | band) % 100 < agreeing_percent;
  }
  [[nodiscard]] std::uint32_t original(std::uint32_t row) const { return keys_of_[row]; }
  [[nodiscard]] const Values& bits() const { return bits_; }

 private:
  Values bits_;
  std::vector<std::uint32_t> keys_of_;
};

struct BandRun {
  Samples join{}, keys{}, sort{};
  std::uint64_t candidates = 0;
  bool all_found = true;
};

BandRun run_bands(const Settings& s, const Sketches& sketches) {
  BandRun run;
  const auto rows = static_cast<std::uint32_t>(s.set.rows);
  std::vector<std::uint32_t> active(rows);
  std::iota(active.begin(), active.end(), 0U);
  std::vector<std::vector<std::uint32_t>> made;  // of some bands, to be sorted afterwards
  leitong::candidates::BandInput input;
  input.rows = rows;
  input.bands = s.bands;
  input.active = active;
  input.bits = sketches.bits();
  input.words = words;
  input.max_distance = most_distance;
  input.keys = [&](unsigned band, std::span<std::uint32_t> keys) {
    run.keys.take([&] {
      for (std::uint32_t row = 0; row < rows; ++row) keys[row] = sketches.key(band, row);
    });
    if (band < 3) made.emplace_back(keys.begin(), keys.end());
  };
  std::vector<bool> found(rows);
  std::vector<std::uint8_t> bounded;
  run.join.take([&] {
    leitong::candidates::band_join(
        input,
        [&](std::span<const leitong::candidates::Candidate> candidates) {
          run.candidates += candidates.size();
          for (const auto& c : candidates)
            if (sketches.original(c.b) == c.a) found[c.b] = true;
        },
        bounded);
  });
  for (auto& keys : made) run.sort.take([&] { std::ranges::sort(keys); });
  for (std::uint32_t row = 0; row < rows; ++row)
    for (unsigned band = 0; band < s.bands && run.all_found && !found[row]; ++band) run.all_found = !sketches.agrees(band, row);
  return run;
}

}  // namespace

void measure_bands(const Settings& s) {
  const Values values = make_rows(s.set);
  Samples sort, join;
  for (int round = 0; round < s.rounds; ++round) {
    sort_rows(values, 1, sort);
    std::uint64_t pairs = 0;
    join.take(
        [&] { leitong::hamming_self_join(values, {.k = 3}, [&](std::span<const leitong::HammingPair> batch) { pairs += batch.size(); }); });
  }
  const auto rows = static_cast<double>(s.set.rows);
  const BandRun run = run_bands(s, Sketches(s.set.rows));
  const double keys = std::accumulate(run.keys.wall.begin(), run.keys.wall.end(), 0.0);
  const double band = (run.join.median() - keys) / s.bands, join_ratio = join.median() / sort.median();
  Record record = s.record("bands");
  record.add("bands", s.bands).add_times("leitong's band join", run.join, rows).add("key_seconds", keys).add("seconds_a_band", band);
  record.add("ns_a_row_and_band", band / rows * 1e9).add("sort_seconds_of_a_bands_keys", run.sort.median());
  record.add("ratio", band / run.sort.median()).add("ratio_to", "std::sort of a band's keys");
  record.add("k3_join_ns", join.median() / rows * 1e9)
      .add("k3_join_ratio", join_ratio)
      .add("times_k3_join_ratio", band / run.sort.median() / join_ratio);
  record.add("times_k3_join_seconds", (run.join.median() - keys) / join.median()).add("candidates", run.candidates);
  record.add_check("every planted pair that agrees in a band was given", run.all_found).write(s.json);
}

}  // namespace bench_hamming
