// Writes bad records as JSON Lines {"source","line","offset","record","reason"}. The file appears when it is complete, or not at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "outputs/output_file.h"

namespace leitong::outputs {

class RejectFile {
 public:
  explicit RejectFile(const std::string& path);  // if the path is empty, nothing is written
  // `line` within the source, from 1; `offset` within it, in bytes; `record` over all inputs, from 0.
  void add(std::string_view source, std::uint64_t line, std::uint64_t offset, std::uint64_t record, std::string_view reason);
  void finish();

 private:
  std::optional<OutputFile> file_;
};

}  // namespace leitong::outputs
