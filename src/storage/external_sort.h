// External sort: any number of small fixed-size records, sorted in a bounded amount of memory; what does not fit is spilled to a directory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "storage/vfs.h"

namespace leitong::storage {

// Sorts pairs (high, low) ascending, equal ones dropped if `unique`.
struct SortRecord {
  std::uint64_t high = 0, low = 0;
  friend auto operator<=>(const SortRecord&, const SortRecord&) = default;
};

class ExternalSort {
 public:
  // `directory` is created when first needed and removed at destruction. `memory` in bytes, at least 1 MiB.
  ExternalSort(Vfs& vfs, std::string directory, std::uint64_t memory, bool unique);
  ~ExternalSort();
  void add(std::span<const SortRecord> records);  // not thread-safe
  // Ends adding. Gives the records in order, a batch a call, valid until the next one; empty at the end.
  [[nodiscard]] std::span<const SortRecord> next();
  // All that next() would give.
  void drain(const std::function<void(std::span<const SortRecord>)>& sink);
  [[nodiscard]] std::uint64_t spilled_bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong::storage
