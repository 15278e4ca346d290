// The parts of an index, oldest first, and how new ones are merged into them. A part's erased ids hide rows of the parts before it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "hamming/index_erased.h"
#include "hamming/index_log.h"
#include "hamming/index_run.h"

namespace leitong::hamming {

struct IndexPart {
  std::shared_ptr<const Run> run;       // may be null: no rows
  std::shared_ptr<const IdSet> erased;  // may be null: none
  [[nodiscard]] std::uint64_t rows() const { return run ? run->rows() : 0; }
  [[nodiscard]] std::uint64_t size() const { return rows() + (erased ? erased->size() : 0); }
};

// What readers read. Only the log grows, and says itself how far it may be read.
struct IndexSnapshot {
  std::vector<IndexPart> parts;
  std::shared_ptr<IndexLog> log;
};

// Rows and erased ids that are not yet a part; the erased ones hide only what is in parts.
struct IndexChange {
  RunRows rows;
  std::vector<std::uint64_t> erased;
};

// Adds a change as the newest part, or merges it with the newest parts, so that every part is several times as large as the next.
void push_change(std::vector<IndexPart>& parts, IndexChange change, const RunShape& shape);
// Merges all parts; without a change of what is found. Several remain only where one run cannot hold the rows.
void merge_all(std::vector<IndexPart>& parts, IndexChange change, const RunShape& shape);

}  // namespace leitong::hamming
