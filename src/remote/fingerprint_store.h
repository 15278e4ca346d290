// FingerprintStore: 64-bit fingerprints under ids on a server. This interface is what Redis and search servers have in common, and all that
// the collection uses of them.
//
// An id has one fingerprint. put() is idempotent: rows may be put again, because an answer was lost or a job runs a second time, without
// being doubled. Once put() has returned, its rows are found by every client (after refresh(), if the server makes rows visible later). If
// put() throws, some of its rows may be stored; putting all of them again repairs this.
//
// Threads: an object may be used by one thread at a time; any number of processes may use a server. If two of them put different
// fingerprints under one id at the same moment, one of the two is stored.
// Errors: Error(io), or Refusal if another attempt cannot succeed; they name the server, the command and a remedy. Error(usage) for
// operations that the layout does not support.
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
  std::optional<std::uint64_t> rows;  // empty: the server can only tell after a pass over all rows
  std::uint64_t bytes = 0;            // of memory (Redis: of the whole server) or of disk (search server: of the index)
  std::string server;                 // "Redis 7.0.15, 3 masters"
};

// The position at which the next step of a scan continues. It remains valid in other connections and processes. Empty: the end.
using ScanPlace = std::string;

class FingerprintStore {
 public:
  FingerprintStore() = default;
  virtual ~FingerprintStore() = default;
  FingerprintStore(const FingerprintStore&) = delete;
  FingerprintStore& operator=(const FingerprintStore&) = delete;

  [[nodiscard]] virtual unsigned largest_k() const = 0;  // blocks - 1
  // Whether get() and erase() are possible. The layout of another program may not lead from an id to its fingerprint.
  [[nodiscard]] virtual bool knows_ids() const { return true; }
  // If several rows have the same id, the last one counts. Needs a few round trips for any number of rows; callers pass some thousands at a
  // time.
  virtual void put(std::span<const FingerprintRow> rows) = 0;
  virtual std::uint64_t erase(std::span<const std::string_view> ids) = 0;  // returns how many existed
  [[nodiscard]] virtual std::vector<std::optional<std::uint64_t>> get(std::span<const std::string_view> ids) = 0;
  // The rows within k <= largest_k() bits of each query, ordered by distance, then id.
  [[nodiscard]] virtual std::vector<std::vector<FoundRow>> find(std::span<const std::uint64_t> queries, unsigned k) = 0;
  // Reservations, for writers that add a fingerprint only if nothing near it is stored. While a writer holds the reservation of a
  // fingerprint, no other writer can reserve one within largest_k() bits. Reservations expire a few seconds after reserve() or keep().
  // reserve() returns which were granted; earlier ones must have been released. keep() and release() return for which of them no other
  // writer has held the reservation in the meantime. Writers that do not reserve are not held back.
  [[nodiscard]] virtual std::vector<bool> reserve(std::span<const std::uint64_t> fingerprints) { return all_of(fingerprints); }
  [[nodiscard]] virtual std::vector<bool> keep(std::span<const std::uint64_t> fingerprints) { return all_of(fingerprints); }
  [[nodiscard]] virtual std::vector<bool> release(std::span<const std::uint64_t> fingerprints) { return all_of(fingerprints); }
  // Visits some thousand rows from `place` on (empty: from the beginning), in the server's order. Rows that exist from the first step to
  // the last are visited at least once. A row may be visited more than once, also in different steps.
  virtual ScanPlace scan(const ScanPlace& place, const std::function<void(const FingerprintRow&)>& visit) = 0;
  [[nodiscard]] virtual StoreSize size() = 0;
  virtual void refresh() = 0;  // makes everything put so far visible to find()
  virtual void compact() = 0;  // brings the store to the state that is smallest and fastest to read
  // Reads everything, and compares data that is stored twice. Error(format) names the first contradiction.
  virtual void check() = 0;

 private:
  [[nodiscard]] static std::vector<bool> all_of(std::span<const std::uint64_t> fingerprints) {  // for stores without other writers
    return std::vector<bool>(fingerprints.size(), true);
  }
};

// The lifetime of a reservation: longer than putting a batch takes, but short enough to wait for after a writer was killed.
inline constexpr std::chrono::milliseconds reservation_time{5'000};

// A layout that agrees with the stored data.
struct LayoutReading {
  std::string layout;  // as JSON
  WrittenForm written = WrittenForm::bits_most_first;
};

// A text stored beside a fingerprint; the fingerprint may have been made from it.
struct StoredText {
  std::string field, id, text;
};

// The result of inspecting another program's store.
struct Inspection {
  std::string layout;  // as JSON; empty: no layout agrees with the data
  // All layouts that agree with the data as well as `layout`, which is the first. The layout with the bits in reverse order always does,
  // because it has the same blocks.
  std::vector<LayoutReading> readings;
  std::vector<StoredText> texts;      // from the sample
  std::vector<std::string> evidence;  // sentences without a full stop: what was sampled, what agrees with it and how often
  std::vector<std::string> doubts;    // what the sample cannot show: the order of bits, or whether positions matter
};

// A server at an address, which may or may not hold a store made by Leitong.
class StoreServer {
 public:
  StoreServer() = default;
  virtual ~StoreServer() = default;
  StoreServer(const StoreServer&) = delete;
  StoreServer& operator=(const StoreServer&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;             // the address without secrets, for messages
  [[nodiscard]] virtual std::optional<std::string> record() = 0;  // what make() or adopt() has stored here
  [[nodiscard]] virtual bool empty() = 0;                         // whether nothing is stored under the prefix, or the index does not exist
  [[nodiscard]] virtual std::string layout_of(std::string_view named,
                                              unsigned k) const = 0;  // a preset's name or JSON: as JSON, for k. Error(usage)
  // Both store the record; of several clients that try at once, one succeeds. make() prepares an empty place, and throws Error(usage) if it
  // is not empty. adopt() takes over what is stored, and throws Error(usage) if there is a record already.
  virtual void make(const std::string& record, const std::string& layout) = 0;
  virtual void adopt(const std::string& record, const std::string& layout) = 0;
  [[nodiscard]] virtual Inspection inspect(std::size_t sample) = 0;
  // `layout`: JSON from the record. `number_ids`: ids are decimal numbers below 2^64, which a layout may store in fewer bytes.
  [[nodiscard]] virtual std::unique_ptr<FingerprintStore> open(const std::string& layout, bool number_ids) = 0;
};

}  // namespace leitong::remote
