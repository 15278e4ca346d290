// The records of all clusters with their names: first cluster by cluster, then row by row with the name of the kept record. Memory is
// bounded: names beyond a part of the budget are kept in a scratch file, and both orders are made by a sort that spills to disk.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "storage/external_sort.h"
#include "storage/scratch_file.h"

namespace leitong::stages {

// The data by which the outputs name a record.
struct RecordName {
  std::string id = {};   // a JSON value; empty: the record has no id
  std::string url = {};  // of a record of an archive
  std::uint64_t record = 0;
  std::uint32_t file = 0, source = 0;  // index of the sketch file, and of the source within it
};

class ClusterMembers {
 public:
  // Names of scratch files begin with `scratch`; `memory` is the budget in bytes.
  ClusterMembers(std::string scratch, std::uint64_t memory);

  // Step 1: add every row of every cluster in ascending order, with its cluster, whether it is the kept one, and its name.
  void add(std::uint32_t row, std::uint32_t cluster, bool kept, const RecordName& name);

  // Step 2, once: read all clusters in ascending order. Throws Error(format) if a cluster does not have exactly one kept row.
  class Cluster {
   public:
    std::uint32_t number = 0, kept_row = 0;
    std::uint64_t size = 0;
    [[nodiscard]] const RecordName& kept() const { return members_->name(kept_); }
    [[nodiscard]] const RecordName& name(std::uint64_t member) const;  // members ascend by row; valid until the next call
    [[nodiscard]] std::uint32_t row(std::uint64_t member) const;

   private:
    friend class ClusterMembers;
    ClusterMembers* members_ = nullptr;
    std::uint64_t begin_ = 0, kept_ = 0;
  };
  void for_each_cluster(const std::function<void(const Cluster&)>& visit);

  // Step 3: read all rows again, in ascending order.
  struct Place {
    std::uint32_t size = 0;  // of its cluster
    std::uint64_t kept = 0;  // the argument of name() for its kept record
  };
  [[nodiscard]] Place next_row();
  [[nodiscard]] const RecordName& name(std::uint64_t place);  // valid until the next call

 private:
  [[nodiscard]] std::unique_ptr<storage::ExternalSort> sort(const char* name) const;
  [[nodiscard]] Cluster cluster_at(std::uint64_t begin);

  std::string scratch_;
  std::uint64_t memory_;
  storage::ScratchFile names_;  // for each name: its fixed fields and the length of its id, then the id
  std::unique_ptr<storage::ExternalSort> by_cluster_, by_row_;
  std::optional<storage::ScratchArray<storage::SortRecord>> order_;  // by cluster, then row
  std::span<const storage::SortRecord> batch_;                       // of by_row_
  RecordName name_;
  std::uint64_t name_at_ = ~0ULL;
};

}  // namespace leitong::stages
