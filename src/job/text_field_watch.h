// Is the text where --text-field says? A wrong name makes every record a bad one: that is seen after the first thousand, not after hours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "records/input.h"

namespace leitong::job {

class TextFieldWatch {
 public:
  // Once a chunk, in order. Throws Error(format) with the fields that were seen once a thousand records had no text and none had one.
  void add(const records::Input& input, const records::Parsed& parsed);
  // After all: the same error for inputs of fewer records, none of them good, most for that reason.
  void finish(const records::Input& input) const;
  // One sentence, without a full stop, for each of several text fields that no record has.
  [[nodiscard]] std::vector<std::string> sentences(const records::Input& input) const;

 private:
  [[noreturn]] void refuse(const records::Input& input) const;

  std::uint64_t good_ = 0, without_ = 0, otherwise_bad_ = 0;
  std::uint64_t fields_ = 0;        // bit i: the i-th text field was in some record
  std::uint32_t source_ = 0;        // of the first record without a text
  std::string reason_;              // of that record
  std::vector<std::string> names_;  // of the fields that records without a text have
};

}  // namespace leitong::job
