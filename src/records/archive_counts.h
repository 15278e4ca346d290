// Records of archives by what they are, those that are passed by too.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "warc/page.h"

namespace leitong::records {

struct ArchiveCounts {
  std::array<std::uint64_t, warc::kinds> of{};
  std::uint64_t truncated = 0;  // of the texts that are taken

  void count(warc::Kind kind) { ++of[static_cast<std::size_t>(kind)]; }
  void add(const ArchiveCounts& other);
  // For a person, without a full stop; empty if there are none.
  [[nodiscard]] std::string sentence() const;
};

}  // namespace leitong::records
