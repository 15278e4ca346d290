// Collection A of an overlap, read through and held against a part of B.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "leitong/overlap.h"
#include "passages/overlap_pairs.h"
#include "passages/overlap_side.h"
#include "passages/overlap_tiles.h"

namespace leitong::passages {

class OverlapSearch {
 public:
  // `directory`, `memory`: for what is sorted on disk.
  OverlapSearch(const OverlapOptions& options, OverlapSide& a, outputs::OutputFile& rejected, OverlapPairs& pairs,
                const std::string& directory, std::uint64_t memory);

  // Reads A once and adds the pairs. Parts of B in their order.
  void run(const OverlapTile& tile);

  // How often each common gram of B was met in A.
  [[nodiscard]] const std::vector<std::uint64_t>& met() const { return met_; }
  // Adds what is to be said of A, and gives the number of records that hold something, by source. Once.
  std::vector<std::uint64_t> finish(OverlapCounts& counts);

 private:
  struct Found {
    std::uint32_t record = 0, text = 0;  // in Parsed::records; in the tile
    std::uint32_t tokens = 0, covered_a = 0, covered_b = 0;
    std::uint32_t spans = 0;
    bool bounded = false;
  };
  struct Item {
    records::Chunk chunk;
    records::Parsed parsed;
    std::uint64_t tokens = 0, bytes = 0;
    std::vector<Found> found;
    std::vector<OverlapPair::Span> spans;
  };
  struct Worker {
    TokenHasher hasher;
    std::vector<std::uint64_t> tokens;
  };

  void search(Item& item, Worker& worker, similarity::RunFinder& finder) const;
  void add_found(const std::span<const similarity::TextRuns>& texts, const records::Record& record, std::uint32_t index, Item& item,
                 Worker& worker) const;
  void commit(const Item& item, const OverlapTile& tile, OverlapSide::Reading& reading);

  OverlapSide& a_;
  outputs::OutputFile& rejected_;
  OverlapPairs& pairs_;
  job::Job job_;
  std::vector<Worker> workers_;
  storage::ExternalSort holding_;
  std::vector<std::uint64_t> met_;
  std::uint64_t readings_ = 0, records_ = 0, rejected_count_ = 0, bytes_ = 0, tokens_ = 0, bounded_ = 0;
};

}  // namespace leitong::passages
