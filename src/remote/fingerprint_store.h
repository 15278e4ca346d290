// FingerprintStore: 64-bit fingerprints under ids, on a server. What Redis and search servers have in common, and all that the collection
// knows of them.
//
// An id stands for one fingerprint. put() is idempotent: what is put again, because an answer was lost or a job runs a second time, is
// neither doubled nor lost, and what put() has returned from is found by everyone (after refresh(), where a server makes rows visible
// later). When put() throws, each row of it is there or not; putting all of them again repairs it.
//
// Threads: an object belongs to one thread at a time; any number of processes may use a server. Two that put different fingerprints under
// one id at the same moment: one of the two stays.
// Errors: Error(io), and Refusal where trying again is of no use, with server, command and remedy. Error(usage) for what a layout cannot
// do.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/fingerprint.h"

namespace leitong::remote {

struct FingerprintRow {
  std::string_view id;
  std::uint64_t fingerprint = 0;
};

struct FoundRow {
  std::string id;
  std::uint64_t fingerprint = 0;
  unsigned distance = 0;
  friend bool operator==(const FoundRow&, const FoundRow&) = default;
};

struct StoreSize {
  std::optional<std::uint64_t> rows;  // none: only a pass over everything would tell
  std::uint64_t bytes = 0;            // of memory (Redis: of the whole server) or of disk (of the index)
  std::string server;                 // "Redis 7.0.15, 3 masters"
};

// A step of a scan: where the next one goes on, in a form that outlives the connection and the process; empty: that was the end.
using ScanPlace = std::string;

class FingerprintStore {
 public:
  FingerprintStore() = default;
  virtual ~FingerprintStore() = default;
  FingerprintStore(const FingerprintStore&) = delete;
  FingerprintStore& operator=(const FingerprintStore&) = delete;

  [[nodiscard]] virtual unsigned largest_k() const = 0;  // blocks - 1
  // get() and erase() are possible; a foreign layout may have no way from an id to its fingerprint.
  [[nodiscard]] virtual bool knows_ids() const { return true; }
  // If several rows have one id, the last of them counts. A few round trips, whatever the number of rows; callers hand over some thousands
  // at a time.
  virtual void put(std::span<const FingerprintRow> rows) = 0;
  virtual std::uint64_t erase(std::span<const std::string_view> ids) = 0;  // how many were there
  [[nodiscard]] virtual std::vector<std::optional<std::uint64_t>> get(std::span<const std::string_view> ids) = 0;
  // What is within k <= largest_k() bits of each query, by distance, then id.
  [[nodiscard]] virtual std::vector<std::vector<FoundRow>> find(std::span<const std::uint64_t> queries, unsigned k) = 0;
  // For who adds only what nothing is near to: while the right to a fingerprint is held nobody else has it to one within largest_k() bits.
  // A right ends by itself some seconds after reserve() or keep(). reserve(): which rights are now ours; all of the last time must have
  // been released. keep(), release(): for which of these nobody else had it in the meantime. Only those who ask for rights are kept apart.
  [[nodiscard]] virtual std::vector<bool> reserve(std::span<const std::uint64_t> fingerprints) { return all_of(fingerprints); }
  [[nodiscard]] virtual std::vector<bool> keep(std::span<const std::uint64_t> fingerprints) { return all_of(fingerprints); }
  [[nodiscard]] virtual std::vector<bool> release(std::span<const std::uint64_t> fingerprints) { return all_of(fingerprints); }
  // Some thousand rows from `place` on (empty: from the beginning), in the server's order. Rows that are there from the first step to the
  // last are visited at least once; a row may be visited more than once, in different steps, too.
  virtual ScanPlace scan(const ScanPlace& place, const std::function<void(const FingerprintRow&)>& visit) = 0;
  [[nodiscard]] virtual StoreSize size() = 0;
  virtual void refresh() = 0;  // everything put so far is found
  virtual void compact() = 0;  // the smallest and fastest state to read
  // Reads everything and compares what is stored twice. Error(format) names the first thing that is wrong.
  virtual void check() = 0;

 private:
  [[nodiscard]] static std::vector<bool> all_of(std::span<const std::uint64_t> fingerprints) {  // nobody else is there
    return std::vector<bool>(fingerprints.size(), true);
  }
};

// Of rights. Longer than a batch takes to be put, and not so long that one would not wait for a writer that was killed.
inline constexpr std::chrono::milliseconds reservation_time{5'000};

// A layout that fits what is stored.
struct LayoutReading {
  std::string layout;  // as JSON
  WrittenForm written = WrittenForm::bits_most_first;
};

// A text beside a stored fingerprint, which may be the one that it was made of.
struct StoredText {
  std::string field, id, text;
};

// What a foreign store was taken for, and why.
struct Inspection {
  std::string layout;  // as JSON; empty: none fits
  // All that fit as well as `layout`, which is the first. A fingerprint and its mirror image always do: blocks are blocks in both.
  std::vector<LayoutReading> readings;
  std::vector<StoredText> texts;      // of the sample
  std::vector<std::string> evidence;  // sentences without a full stop: what was sampled, what fits it, how often
  std::vector<std::string> doubts;    // what the sample cannot tell: the order of bits, whether positions matter
};

// A server at an address, with or without a store of ours.
class StoreServer {
 public:
  StoreServer() = default;
  virtual ~StoreServer() = default;
  StoreServer(const StoreServer&) = delete;
  StoreServer& operator=(const StoreServer&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;             // the address without secrets, for messages
  [[nodiscard]] virtual std::optional<std::string> record() = 0;  // what make() or adopt() left here
  [[nodiscard]] virtual bool empty() = 0;                         // nothing under this prefix, or no such index
  [[nodiscard]] virtual std::string layout_of(std::string_view named,
                                              unsigned k) const = 0;  // a preset's name or JSON: as JSON, for k. Error(usage)
  // Leaves the record. Of several that do it at once one succeeds. make() prepares an empty place (Error(usage) if it is not), adopt()
  // takes what is there (Error(usage) if there is a record already).
  virtual void make(const std::string& record, const std::string& layout) = 0;
  virtual void adopt(const std::string& record, const std::string& layout) = 0;
  [[nodiscard]] virtual Inspection inspect(std::size_t sample) = 0;
  // `layout` as JSON, from the record. `number_ids`: ids are decimal numbers below 2^64, which a layout may pack.
  [[nodiscard]] virtual std::unique_ptr<FingerprintStore> open(const std::string& layout, bool number_ids) = 0;
};

}  // namespace leitong::remote
