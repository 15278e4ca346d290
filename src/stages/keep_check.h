// Warns of --keep rules that match no record. A misspelt field or value would otherwise have no effect, and nobody would notice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/keep.h"
#include "sketches/sketch_file.h"

namespace leitong::stages {

class KeepCheck {
 public:
  // `keep`: a policy that has already been parsed without error.
  KeepCheck(const std::string& keep, const sketches::SketchSet& set);
  // False once every rule has matched some record; add() need not be called any more.
  [[nodiscard]] bool is_open() const { return !rules_.empty(); }
  // Adds the record of a row of `file`, given by its source and its packed fields.
  void add(std::size_t file, std::uint32_t source, std::string_view packed_fields);
  // One sentence for each rule that matches no record.
  [[nodiscard]] std::vector<std::string> sentences() const;

 private:
  struct Rule {
    std::string text;
    cluster::KeepPolicy policy;  // with this rule only
    // For each file the columns of the rule's fields: nearly always one.
    std::vector<std::vector<std::size_t>> columns;
    bool has_field = false;  // some record has one of them
  };
  const sketches::SketchSet& set_;
  std::vector<Rule> rules_;  // rules on fields that have not matched yet
};

}  // namespace leitong::stages
