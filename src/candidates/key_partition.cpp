#include "candidates/key_partition.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "hamming/threads.h"

namespace leitong::candidates {
namespace {

constexpr unsigned most_bucket_bits = 12;         // more streams than that cost more than they save
constexpr std::size_t rows_per_bucket = 4096;     // 32 KiB of entries
constexpr std::size_t rows_per_thread = 1 << 15;  // fewer are not worth a thread
constexpr std::uint32_t scramble = 0x9E3779B1U;   // odd, so that the product is one-to-one: keys that differ only in low bits spread too

KeyedPosition keyed(std::uint32_t key, std::size_t position) { return std::uint64_t{key * scramble} << 32U | position; }

unsigned bits_for(std::size_t rows) { return std::min(most_bucket_bits, static_cast<unsigned>(std::bit_width(rows / rows_per_bucket))); }

}  // namespace

KeyPartition::KeyPartition(std::size_t rows, unsigned threads)
    : threads_(static_cast<unsigned>(std::clamp<std::size_t>(rows / rows_per_thread, 1, std::max(threads, 1U)))),
      bucket_bits_(bits_for(rows)),
      entries_(rows),
      begins_((std::size_t{1} << bucket_bits_) + 1),
      counts_(threads_, std::vector<std::size_t>(std::size_t{1} << bucket_bits_)) {}

void KeyPartition::build(std::span<const std::uint32_t> keys) {
  const std::size_t rows = keys.size(), count = begins_.size() - 1;
  // With no bucket bits any legal shift does: the mask leaves 0.
  const unsigned shift = bucket_bits_ == 0 ? 63 : 64 - bucket_bits_;
  const std::uint64_t mask = count - 1;
  hamming::in_shares(threads_, rows, [&](unsigned thread, std::size_t first, std::size_t last) {
    auto& counts = counts_[thread];
    std::fill(counts.begin(), counts.end(), 0);
    for (std::size_t i = first; i < last; ++i) ++counts[keyed(keys[i], 0) >> shift & mask];
  });
  std::size_t at = 0;
  for (std::size_t b = 0; b < count; ++b) {
    begins_[b] = at;
    for (auto& counts : counts_) at += std::exchange(counts[b], at);
  }
  begins_[count] = at;
  hamming::in_shares(threads_, rows, [&](unsigned thread, std::size_t first, std::size_t last) {
    // Four places are taken before four entries are written, as in hamming/table.cpp.
    constexpr std::size_t group = 4;
    std::size_t* const next = counts_[thread].data();
    KeyedPosition* const entries = entries_.data();
    std::size_t i = first;
    for (; i + group <= last; i += group) {
      KeyedPosition entry[group];
      std::size_t place[group];
      for (std::size_t j = 0; j < group; ++j) {
        entry[j] = keyed(keys[i + j], i + j);
        place[j] = next[entry[j] >> shift & mask]++;
      }
      for (std::size_t j = 0; j < group; ++j) entries[place[j]] = entry[j];
    }
    for (; i < last; ++i) {
      const KeyedPosition entry = keyed(keys[i], i);
      entries[next[entry >> shift & mask]++] = entry;
    }
  });
}

std::span<KeyedPosition> KeyPartition::bucket(std::size_t b) {
  return std::span(entries_).subspan(begins_[b], begins_[b + 1] - begins_[b]);
}

std::size_t GroupFinder::gather(std::span<KeyedPosition> bucket, unsigned bucket_bits) {
  if (bucket.size() < 2) return 0;
  // Sixteen bits an entry: one entry in sixteen takes part in the sort without need. At most 2^20 bits, which stay in the cache.
  const unsigned bits = std::clamp(static_cast<unsigned>(std::bit_width(bucket.size() - 1)) + 4, 6U, std::min(20U, 32 - bucket_bits));
  seen_.assign(std::size_t{1} << (bits - 6), 0);
  repeated_.assign(std::size_t{1} << (bits - 6), 0);
  const unsigned shift = 64 - bits;
  for (const KeyedPosition entry : bucket) {
    const std::uint64_t slot = entry << bucket_bits >> shift, bit = std::uint64_t{1} << (slot % 64);
    repeated_[slot / 64] |= seen_[slot / 64] & bit;
    seen_[slot / 64] |= bit;
  }
  std::size_t kept = 0;
  bool one_key = true;
  for (const KeyedPosition entry : bucket) {
    const std::uint64_t slot = entry << bucket_bits >> shift;
    const bool repeated = (repeated_[slot / 64] >> (slot % 64) & 1U) != 0;
    bucket[kept] = repeated ? entry : bucket[kept];  // no branch: which entries repeat cannot be foretold
    kept += repeated ? 1 : 0;
  }
  for (std::size_t i = 1; i < kept; ++i) one_key = one_key && bucket[i] >> 32U == bucket[0] >> 32U;
  // Positions are ascending already; only different keys need a sort.
  if (!one_key) std::sort(bucket.begin(), bucket.begin() + static_cast<std::ptrdiff_t>(kept));
  return kept;
}

}  // namespace leitong::candidates
