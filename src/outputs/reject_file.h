// Bad records as JSON Lines {"source","line","offset","record","reason"}: the file appears whole, or not at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "outputs/output_file.h"

namespace leitong::outputs {

class RejectFile {
 public:
  explicit RejectFile(const std::string& path);  // empty: nothing is written
  // `line` of the source from 1, `offset` in it in bytes, `record` of all inputs from 0.
  void add(std::string_view source, std::uint64_t line, std::uint64_t offset, std::uint64_t record, std::string_view reason);
  void finish();

 private:
  std::optional<OutputFile> file_;
};

}  // namespace leitong::outputs
