// Checks that the fields named by --text-field exist. A wrong name makes every record bad; this reports it after the first thousand
// records.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "records/input.h"

namespace leitong::job {

class TextFieldWatch {
 public:
  // Call once for each chunk, in order. Throws Error(format), and names the fields seen, if none of the first thousand records has a text.
  void add(const records::Input& input, const records::Parsed& parsed);
  // Call after the last chunk. Throws the same error for inputs of fewer records if none is good and most are bad for that reason.
  void finish(const records::Input& input) const;
  // If there are several text fields: one sentence, without a full stop, for each that no record has.
  [[nodiscard]] std::vector<std::string> sentences(const records::Input& input) const;

 private:
  [[noreturn]] void refuse(const records::Input& input) const;

  std::uint64_t good_ = 0, without_ = 0, otherwise_bad_ = 0;
  std::uint64_t fields_ = 0;        // bit i: some record has the i-th text field
  std::uint32_t source_ = 0;        // of the first record without a text
  std::string reason_;              // of that record
  std::vector<std::string> names_;  // of the fields of records without a text
};

}  // namespace leitong::job
