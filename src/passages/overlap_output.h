// The pairs of an overlap to what a person and other programs read.
#pragma once

#include <string>
#include <vector>

#include "leitong/overlap.h"
#include "passages/overlap_matrix.h"
#include "passages/overlap_pairs.h"
#include "passages/overlap_side.h"
#include "report/overlap_page.h"

namespace leitong::passages {

// What was found beside the pairs.
struct OverlapFindings {
  std::vector<std::uint64_t> holding_of;    // records of A that hold something, by source
  std::vector<std::uint64_t> too_short_of;  // records of B, by source
  std::vector<report::OverlapPassage> passages;
};

class OverlapOutput {
 public:
  OverlapOutput(const OverlapOptions& options, const OverlapSide& a, const OverlapSide& b, OverlapFindings findings, OverlapCounts& counts)
      : options_(options), a_(a), b_(b), findings_(std::move(findings)), counts_(counts), matrix_(a, b, options.contained) {}

  // matches.jsonl, report.html, and last summary.json: the run is finished when it stands.
  void write(OverlapPairs& pairs);

 private:
  void write_matches(OverlapPairs& pairs);
  void write_report();
  void write_summary() const;
  [[nodiscard]] std::vector<report::OverlapPage::Pair> samples() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] std::string matrix_json() const;

  const OverlapOptions& options_;
  const OverlapSide &a_, &b_;
  OverlapFindings findings_;
  OverlapCounts& counts_;
  OverlapMatrix matrix_;
};

}  // namespace leitong::passages
