// Collects the data of the report while the outputs are written.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/report.h"
#include "sketches/sketch_file.h"
#include "stages/cluster_members.h"
#include "stages/stages.h"

namespace leitong::stages {

// One row of the cluster file.
struct ClusterRow {
  std::uint32_t row = 0, kept = 0, cluster = 0;
  float similarity = 0;
  std::uint16_t distance = no_distance;
  PairKind kind = PairKind::equal;
};

class ReportData {
 public:
  ReportData(const sketches::SketchSet& set, const StageMetadata& metadata, std::uint32_t giant_cluster);

  // Step 1: add every row of the cluster file and every cluster, both in ascending order. The rows to be shown are chosen from these.
  void add(const ClusterRow& row);
  void add(const ClusterMembers::Cluster& cluster);
  void choose();

  // Whether the text of this row will be shown; the caller must then pass it to text(), in any order.
  [[nodiscard]] bool wants(std::uint32_t row) const { return wanted_.contains(row); }
  void text(std::uint32_t row, std::string_view text);
  // Must be called for every row of the collection in order. `clustered`: null if the row is in no cluster.
  void count(std::uint32_t row, std::string_view id, std::uint64_t record, std::size_t file, std::uint32_t source, std::uint64_t length,
             const ClusterRow* clustered);
  // Must be called for each removed input record whose kept record is from that source of an old sketch file.
  void count_for_old(std::size_t file, std::uint32_t source) { ++sources_[file][source].removed; }

  [[nodiscard]] report::Report finish();

 private:
  struct Shown {
    report::Member member;
    std::string text;
    std::string whole;  // text of a sampled pair, unless it is long
    bool cut = false;
  };
  struct Largest {
    std::uint32_t cluster = 0;
    std::uint64_t size = 0;
    std::vector<std::uint32_t> rows;  // the kept one, then the first of the others
  };

  [[nodiscard]] std::vector<report::Source> rows_of(std::size_t begin, std::size_t end) const;
  [[nodiscard]] std::uint32_t excerpt_row(const Largest& large) const;
  void explain_sample(const ClusterRow& row, const Shown& removed, const Shown& kept, report::Sample& sample) const;

  const sketches::SketchSet& set_;
  bool can_explain_ = false;  // features can be computed without a key or dictionary
  report::Report report_;
  std::uint32_t giant_cluster_;
  std::unordered_map<std::uint32_t, Shown> shown_;                // rows whose id, source and length are kept
  std::unordered_map<std::uint32_t, bool> wanted_;                // rows whose text is kept, too
  std::map<std::uint16_t, std::vector<ClusterRow>> by_distance_;  // rows from which samples are chosen
  std::vector<ClusterRow> samples_;
  std::map<std::uint64_t, std::uint64_t> cluster_sizes_;  // size -> clusters
  std::vector<Largest> largest_;                          // descending by size, then ascending by number
  std::vector<std::vector<report::Source>> sources_;      // by file and source
};

}  // namespace leitong::stages
