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
  // Ends adding; gives all records in order, in batches. Once.
  void drain(const std::function<void(std::span<const SortRecord>)>& sink);
  [[nodiscard]] std::uint64_t spilled_bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong::storage
