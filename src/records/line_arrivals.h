// Standard input line by line as it comes, for who waits for an answer before the next line is written.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "leitong/input.h"
#include "records/byte_stream.h"
#include "records/input.h"

namespace leitong::records {

class LineArrivals {
 public:
  // Error(usage) unless standard input is the only one and its format is JSON Lines (also for auto) or lines.
  LineArrivals(const InputOptions& options, const std::atomic<bool>* stop);
  // Waits for a line and gives it alone, so that answers to good and bad ones are in their order. False: there are no more.
  bool next(Chunk& chunk);
  [[nodiscard]] Format format() const { return format_; }

 private:
  void read();
  [[nodiscard]] std::size_t line_length();
  void add_line(Chunk& chunk, std::size_t size);

  Format format_;
  std::unique_ptr<FileStream> stream_;
  std::size_t limit_;
  std::string held_;          // read, and not given yet
  std::size_t searched_ = 0;  // bytes of `held_` that have no line end
  std::uint64_t offset_ = 0;  // of `held_`
  bool ended_ = false;
  bool skipping_ = false;  // in a line that is too long
};

}  // namespace leitong::records
