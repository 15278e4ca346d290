// What a person should know of the inputs: which could not be read to their end, and which results of earlier runs were left out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "records/input.h"

namespace leitong::corpus {

class InputNotes {
 public:
  // Once a chunk, in order.
  void add(const records::Input& input, const records::Parsed& parsed);
  // One sentence each, without a full stop; at most a few of a kind.
  [[nodiscard]] std::vector<std::string> sentences(const records::Input& input) const;
  // Bad records by source; shorter than the list of sources if the last have none.
  [[nodiscard]] const std::vector<std::uint64_t>& rejected() const { return rejected_; }

 private:
  std::vector<std::uint64_t> good_, rejected_;  // by source
  std::vector<std::string> broken_;             // sentences
  std::uint64_t more_broken_ = 0;
};

}  // namespace leitong::corpus
