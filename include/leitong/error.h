// Error: the one exception type that Leitong throws.
//
// A message names the file, the line or offset where there is one, and what to do about it. Messages end without a full stop.
#pragma once

#include <stdexcept>
#include <string>

namespace leitong {

enum class ErrorCode {
  usage,        // the caller asked for something that has no meaning (bad flag, unknown profile)
  io,           // the operating system refused to read or write
  format,       // bytes that are not what they should be (broken file, bad checksum, bad record under --strict)
  limit,        // a stated limit was met (compression ratio, document size, memory budget)
  unsupported,  // well-formed, but not something this build can do
  interrupted,  // the caller asked to stop
};

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace leitong
