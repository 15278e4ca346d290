// Whether the rules of --keep say anything of the records at all: a misspelt field or value decides nothing, and nobody would see it.
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
  // `keep`: a policy that was good when it was used.
  KeepCheck(const std::string& keep, const sketches::SketchSet& set);
  // False once every rule was seen to fit some record: then add need not be called any more.
  [[nodiscard]] bool is_open() const { return !rules_.empty(); }
  // The record of a row of `file`, by its source and its packed fields.
  void add(std::size_t file, std::uint32_t source, std::string_view packed_fields);
  // One sentence for each rule that fits no record.
  [[nodiscard]] std::vector<std::string> sentences() const;

 private:
  struct Rule {
    std::string text;
    cluster::KeepPolicy policy;       // of this rule alone
    std::vector<std::size_t> column;  // by file: where its field stands
    bool has_field = false;           // some record has it
  };
  const sketches::SketchSet& set_;
  std::vector<Rule> rules_;  // with a field, and not seen to fit yet
};

}  // namespace leitong::stages
