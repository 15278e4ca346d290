// What the report needs, collected while the outputs are written.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "corpus/sketch_file.h"
#include "corpus/stages.h"
#include "report/report.h"

namespace leitong::corpus {

// One row of the cluster file.
struct ClusterRow {
  std::uint32_t row = 0, kept = 0, cluster = 0;
  float similarity = 0;
  std::uint16_t distance = no_distance;
  PairKind kind = PairKind::equal;
};

class ReportData {
 public:
  // `rows`: the cluster file, ascending by row. Chooses which clusters and pairs will be shown.
  ReportData(const SketchSet& set, const StageMetadata& metadata, const std::vector<ClusterRow>& rows, std::uint32_t giant_cluster);

  // Whether the text of this row will be shown: then give it, in any order.
  [[nodiscard]] bool wants(std::uint32_t row) const { return wanted_.contains(row); }
  void text(std::uint32_t row, std::string_view text);
  // Called for every row of the collection, in order.
  void count(std::uint32_t row, std::string_view id, std::uint64_t record, std::size_t file, std::uint32_t source, std::uint64_t length,
             bool removed);

  [[nodiscard]] report::Report finish();

 private:
  struct Shown {
    std::string id, source, text;
    std::uint64_t record = 0, length = 0;
    bool cut = false;
  };
  [[nodiscard]] std::vector<report::Source> by_input(const std::vector<report::Source>& sources) const;
  void choose_samples(const std::vector<ClusterRow>& rows);
  void choose_clusters(const std::vector<ClusterRow>& rows);
  [[nodiscard]] report::Member member(const ClusterRow& row) const;

  const SketchSet& set_;
  report::Report report_;
  std::uint32_t giant_cluster_;
  std::unordered_map<std::uint32_t, Shown> shown_;  // id, source and length are kept of these rows
  std::unordered_map<std::uint32_t, bool> wanted_;  // and of these also the text
  std::vector<ClusterRow> samples_;
  std::vector<std::vector<ClusterRow>> largest_;
  std::vector<std::uint64_t> largest_sizes_;
  std::vector<std::vector<report::Source>> sources_;  // by file and source
};

}  // namespace leitong::corpus
