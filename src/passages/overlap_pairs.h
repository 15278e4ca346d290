// The pairs of an overlap on disk: added as they are found, given back by record of B and then of A.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "storage/external_sort.h"
#include "storage/scratch_file.h"

namespace leitong::passages {

struct OverlapPair {
  struct Text {
    std::uint64_t record = 0, line = 0, offset = 0, length = 0;
    std::uint32_t source = 0, tokens = 0, covered = 0;  // covered: tokens in the spans
    std::string id;                                     // a JSON value; empty: none
  };
  struct Span {
    std::uint32_t a_from = 0, a_to = 0;     // characters
    std::uint32_t b_token = 0, tokens = 0;  // its first token in b, and their number
  };
  Text a, b;
  bool bounded = false;
  std::vector<Span> spans;  // by b_token

  [[nodiscard]] double contained() const { return b.tokens == 0 ? 0 : static_cast<double>(b.covered) / b.tokens; }
  [[nodiscard]] double of_a() const { return a.tokens == 0 ? 0 : static_cast<double>(a.covered) / a.tokens; }
};

class OverlapPairs {
 public:
  // `directory` exists. `memory` in bytes, for sorting.
  OverlapPairs(const std::string& directory, std::uint64_t memory);
  // Pairs of one record of B must come in the order of the records of A.
  void add(const OverlapPair& pair);
  // The next one; false: that was all. Ends adding.
  bool next(OverlapPair& pair);
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  void read(std::uint64_t offset);

  storage::ScratchFile file_;
  storage::ExternalSort sort_;
  std::vector<std::byte> buffer_;
  std::span<const storage::SortRecord> batch_;
  std::uint64_t size_ = 0;
};

}  // namespace leitong::passages
