// Texts -> what the candidate stage finds of the planted near-duplicates, what it nominates beside them, and what both cost.
//
//     bench_candidates PAIRS PLAN... < documents.jsonl
//
// Documents as bench/scale/generate writes them; PAIRS is its --pairs output. PLAN is BANDSxSLOTS, e.g. 80x4. One thread. The similarity of
// a planted pair is measured from its two texts (multiset Jaccard of unigrams and bigrams), not taken from the edit rate. Prints one JSON
// object a plan.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

#include "candidates/band_join.h"
#include "fingerprint/sketcher.h"
#include "stages/candidate_plan.h"

namespace {

using namespace leitong;

constexpr std::size_t sampled_pairs = 60'000;
constexpr std::array<double, 9> limits = {0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95, 1.0, 2.0};  // bins around .4, .5, ... .9; .975; 1

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Planted {
  std::uint32_t a = 0, b = 0;
  double similarity = 0;
};

struct Collection {
  std::vector<std::uint8_t> slots;
  std::vector<std::uint64_t> bits;
  std::vector<std::uint32_t> family;  // of each document: the number of its original, or its own
  std::vector<Planted> planted;
  double bytes = 0, seconds = 0;
  [[nodiscard]] std::size_t size() const { return family.size(); }
};

double jaccard(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::size_t common = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    common += a[i] == b[j] ? 1 : 0;
    const bool left = a[i] <= b[j], right = b[j] <= a[i];
    i += left ? 1 : 0, j += right ? 1 : 0;
  }
  return static_cast<double>(common) / static_cast<double>(a.size() + b.size() - common);
}

// Every n-th pair of the file, spread over all of it.
std::vector<Planted> read_pairs(const char* path) {
  std::ifstream file(path);
  std::vector<Planted> all, chosen;
  for (std::uint64_t a = 0, b = 0, percent = 0; file >> a >> b >> percent;)
    if (percent > 0) all.push_back({static_cast<std::uint32_t>(std::min(a, b)), static_cast<std::uint32_t>(std::max(a, b)), 0});
  const std::size_t step = std::max<std::size_t>(1, all.size() / sampled_pairs);
  for (std::size_t i = 0; i < all.size(); i += step) chosen.push_back(all[i]);
  return chosen;
}

Collection read_collection(const char* pairs) {
  Collection c;
  c.planted = read_pairs(pairs);
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> features;
  for (const Planted& pair : c.planted) features[pair.a], features[pair.b];
  fingerprint::Sketcher sketcher{Profile()};
  fingerprint::Sketch sketch;
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t text = line.find("\",\"text\":\""), of = line.find("-of-");
    const std::string_view body = std::string_view(line).substr(text + 10, line.size() - text - 12);
    const auto row = static_cast<std::uint32_t>(c.size());
    c.family.push_back(of < text ? static_cast<std::uint32_t>(std::strtoul(line.c_str() + of + 4, nullptr, 10)) : row);
    const double began = processor_seconds();
    sketcher(body, sketch);
    c.seconds += processor_seconds() - began;
    c.bytes += static_cast<double>(body.size());
    c.slots.insert(c.slots.end(), sketch.slots.begin(), sketch.slots.end());
    const auto bits = fingerprint::slot_bits(sketch.slots);
    c.bits.insert(c.bits.end(), bits.begin(), bits.end());
    if (const auto wanted = features.find(row); wanted != features.end()) {
      sketcher.extractor().keys(wanted->second);
      std::sort(wanted->second.begin(), wanted->second.end());
    }
  }
  for (Planted& pair : c.planted) pair.similarity = jaccard(features[pair.a], features[pair.b]);
  return c;
}

struct Found {
  std::uint64_t others = 0;           // pairs of two families, repeats of a pair in bands far apart included
  std::vector<std::uint8_t> planted;  // of the sampled pairs
  std::uint64_t bounded = 0;          // documents that met the bound
  double seconds = 0;
};

Found join(const Collection& c, const candidates::BandPlan& plan, unsigned max_distance) {
  std::vector<std::uint32_t> active(c.size());
  for (std::uint32_t i = 0; i < active.size(); ++i) active[i] = i;
  std::unordered_map<std::uint64_t, std::size_t> wanted;
  for (std::size_t i = 0; i < c.planted.size(); ++i) wanted[std::uint64_t{c.planted[i].a} << 32 | c.planted[i].b] = i;
  candidates::BandInput input;
  input.rows = c.size(), input.bands = plan.bands, input.active = active, input.bits = c.bits, input.max_distance = max_distance;
  input.keys = [&](unsigned band, std::span<std::uint32_t> keys) {
    for (std::size_t row = 0; row < keys.size(); ++row) {
      const std::uint8_t* at = c.slots.data() + row * fingerprint::slot_count + std::size_t{band} * plan.slots;
      std::uint64_t key = 0;
      for (unsigned i = 0; i < plan.slots; ++i) key = (key ^ (at[i] + 1U)) * 0x9e3779b97f4a7c15ULL + (key >> 29);
      keys[row] = static_cast<std::uint32_t>(key >> 32);
    }
  };
  Found found;
  found.planted.resize(c.planted.size());
  std::vector<std::uint8_t> bounded;
  const double began = processor_seconds();
  candidates::band_join(
      input,
      [&](std::span<const candidates::Candidate> pairs) {
        for (const auto& pair : pairs) {
          if (c.family[pair.a] != c.family[pair.b]) {
            ++found.others;
          } else if (const auto at = wanted.find(std::uint64_t{pair.a} << 32 | pair.b); at != wanted.end()) {
            found.planted[at->second] = 1;
          }
        }
      },
      bounded);
  found.seconds = processor_seconds() - began;
  found.bounded = static_cast<std::uint64_t>(std::count(bounded.begin(), bounded.end(), 1));
  return found;
}

std::string by_similarity(const Collection& c, const Found& found, const candidates::BandPlan& plan) {
  std::string out;
  for (std::size_t bin = 0; bin + 1 < limits.size(); ++bin) {
    std::uint64_t pairs = 0, hit = 0;
    double predicted = 0, similarity = 0;
    for (std::size_t i = 0; i < c.planted.size(); ++i) {
      const double s = c.planted[i].similarity;
      if (s < limits[bin] || s >= limits[bin + 1]) continue;
      ++pairs, hit += found.planted[i];
      similarity += s;
      predicted += candidates::predicted_recall(s, plan, stages::sketch_shape);
    }
    if (pairs == 0) continue;
    const auto n = static_cast<double>(pairs);
    out += fmt::format("{}{{\"similarity\":{:.3f},\"pairs\":{},\"recall\":{:.5f},\"predicted\":{:.5f}}}", out.empty() ? "" : ",",
                       similarity / n, pairs, static_cast<double>(hit) / n, predicted / n);
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: bench_candidates PAIRS BANDSxSLOTS... < documents.jsonl\n", stderr);
    return 2;
  }
  const Collection c = read_collection(argv[1]);
  const auto n = static_cast<double>(c.size());
  for (int i = 2; i < argc; ++i) {
    candidates::BandPlan plan;
    if (std::sscanf(argv[i], "%ux%u", &plan.bands, &plan.slots) != 2) return 2;
    const Found all = join(c, plan, fingerprint::slot_count), filtered = join(c, plan, stages::sketch_shape.max_distance);
    fmt::print(
        "{{\"documents\":{},\"bands\":{},\"slots\":{},\"sketch_microseconds\":{:.3f},\"sketch_megabytes_per_second\":{:.1f},"
        "\"join_microseconds\":{:.3f},\"nominated_other\":{:.4f},\"surviving_other\":{:.6f},\"bounded\":{},\"recall\":[{}]}}\n",
        c.size(), plan.bands, plan.slots, 1e6 * c.seconds / n, c.bytes / c.seconds / 1e6, 1e6 * filtered.seconds / n,
        static_cast<double>(all.others) / n, static_cast<double>(filtered.others) / n, filtered.bounded, by_similarity(c, filtered, plan));
    std::fflush(stdout);
  }
  return 0;
}
