// An index of fingerprints: who is within k bits of this one? Exact; grows and shrinks while it is read; saved to a file that is mapped.
//
// Shapes: a fingerprint is `words` 64-bit words, least significant word first; ids are any 64-bit numbers. Reading functions are const, may
// be called from any number of threads, and see the index as it was when they were called. They never wait for a writer longer than a
// pointer takes to be copied (under a mutex). One thread at a time may write. Errors: Error(usage) for a k, a width or a length out of
// range; Error(io) and Error(format) for files, the latter from reading functions, too, where a mapped file turns out to be damaged.
// Source: docs/hamming-index.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace leitong {

struct HammingMatch {
  std::uint64_t id;
  std::uint32_t distance;
  friend bool operator==(const HammingMatch&, const HammingMatch&) = default;
};

struct HammingIndexOptions {
  unsigned words = 1;    // 64-bit words a fingerprint: 1, 2 or 4
  unsigned k = 3;        // the largest radius that will usually be asked for; layouts are chosen for it. Larger ones are exact, too.
  unsigned threads = 1;  // for building and batches
};

// Matches of many queries: those of query i are matches[ends[i - 1]] … matches[ends[i]], by distance, then id.
struct HammingMatches {
  std::vector<HammingMatch> matches;
  std::vector<std::size_t> ends;
  [[nodiscard]] std::span<const HammingMatch> of(std::size_t query) const {
    const std::size_t first = query == 0 ? 0 : ends[query - 1];
    return std::span(matches).subspan(first, ends[query] - first);
  }
};

class HammingIndex {
 public:
  explicit HammingIndex(const HammingIndexOptions& options = {});
  // Of rows at once; ids may be empty: then rows are numbered from 0. Up to about 2.5 times the time of sorting them. At 64 bits 20 bytes a
  // row, 24 where ids do not lie within 2^32 of each other, and a directory of 0.6 MB or more; at 128 and 256 bits the rows, 8 bytes an id,
  // and 20 for each word that k calls for: one for every four bits.
  HammingIndex(std::span<const std::uint64_t> values, std::span<const std::uint64_t> ids, const HammingIndexOptions& options = {});
  ~HammingIndex();
  HammingIndex(HammingIndex&&) noexcept;
  HammingIndex& operator=(HammingIndex&&) noexcept;

  // Fingerprints within k bits of the query, by distance, then id. Any k: 64 bits are looked up to 12 and scanned above (plan() says so).
  [[nodiscard]] std::vector<HammingMatch> find(std::span<const std::uint64_t> query, unsigned k) const;
  [[nodiscard]] std::vector<HammingMatch> find(std::uint64_t query, unsigned k) const { return find(std::span(&query, 1), k); }
  // Several queries; several times as fast as one by one. `out` is overwritten, its memory kept.
  void find_batch(std::span<const std::uint64_t> queries, unsigned k, HammingMatches& out) const;
  // The `count` nearest, by distance, then id; fewer only if there are no more. Looked up within 3, 5, … bits as long as that is cheap;
  // where nothing is so near, as for most random values, all rows are compared once.
  [[nodiscard]] std::vector<HammingMatch> nearest(std::span<const std::uint64_t> query, std::size_t count) const;

  // Adds a fingerprint under an id, or several. An id may stand for several fingerprints: erase first to replace.
  // Amortised: rows are sorted again a few times (logarithm of size / 16,384 to the base 4). Merging is done in the caller's time.
  // If memory runs out (std::bad_alloc), more than 2,048 at once are added all or not at all; of fewer, those before the failure are.
  void add(std::uint64_t id, std::span<const std::uint64_t> value);
  void add(std::uint64_t id, std::uint64_t value) { add(id, std::span(&value, 1)); }
  void add(std::span<const std::uint64_t> ids, std::span<const std::uint64_t> values);
  // Nothing added under this id so far is found any more.
  void erase(std::uint64_t id);
  // Merges everything into one run without deleted rows: the fastest state to read. Until it is done, the old runs stand beside all rows
  // and ids, the new run and room to sort it: at 64 bits some 70 bytes a row in all, and 12 for each thread after the first.
  void compact();

  // Rows held, those that erase() hid included until they are merged away; and the memory, or mapped bytes, that they take.
  [[nodiscard]] std::uint64_t rows() const;
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] const HammingIndexOptions& options() const;
  // In words: how look-ups within k bits are done here, and the model's nanoseconds.
  [[nodiscard]] std::string plan(unsigned k) const;

  // Writes a compacted copy; the file appears whole or not at all (format: docs/file-format.md). The index itself is unchanged. Written
  // from where the index stands if it is compact; else a compacted copy is made in memory first.
  void save(const std::string& path) const;
  // Maps such a file: nothing is read but header, directories and the checksums of pages. Pages come as they are asked for, and are
  // compared with their checksums then: a damaged one is Error(format) of whoever comes upon it. The index may be added to in memory. The
  // file must not be cut short or written over while it is mapped (replacing it under its name, as save() does, is fine). `threads`: for
  // batches and merging, as in the options.
  [[nodiscard]] static HammingIndex map(const std::string& path, unsigned threads = 1);
  // Compares every byte of the file with its checksums. Error(format) names what is damaged.
  static void check(const std::string& path);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace leitong
