// Holds features of earlier texts until the later texts with which they are compared have been read: in memory, or in files once the budget
// is used up.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "storage/scratch_file.h"

namespace leitong::stages {

// Thread-safe, but put() and done() may only be called by one thread at a time.
class WaitingFeatures {
 public:
  // `budget` in bytes, at least 1 MiB. Features beyond it are written to the files `path`.0, `path`.1, ...; each file is removed when none
  // of its features is needed any more.
  WaitingFeatures(std::uint64_t budget, std::string path);
  WaitingFeatures(const WaitingFeatures&) = delete;
  WaitingFeatures& operator=(const WaitingFeatures&) = delete;

  // `uses`: the number of times that done(row) will be called.
  void put(std::uint32_t row, std::span<const std::uint32_t> features, std::uint32_t uses);
  // The features of a row that was put, valid until its last done(row) or until `scratch` is used again.
  std::span<const std::uint32_t> get(std::uint32_t row, std::vector<std::uint32_t>& scratch);
  // Ends one use; after its last use the row is removed.
  void done(std::uint32_t row);

 private:
  static constexpr std::uint32_t in_memory = 0xffffffffU;
  struct Entry {
    std::vector<std::uint32_t> features;  // if segment is in_memory
    std::uint64_t begin = 0, size = 0;    // otherwise its place in the segment
    std::uint32_t uses = 0, segment = in_memory;
  };
  // A file, or, for the last segment, the buffer that will be written to a file.
  struct Segment {
    std::unique_ptr<storage::ScratchFile> file;
    std::uint64_t entries = 0;
  };
  void spill(Entry& entry, std::span<const std::uint32_t> features);

  std::uint64_t budget_, held_ = 0;
  std::string path_;
  std::mutex mutex_;
  std::unordered_map<std::uint32_t, Entry> entries_;
  std::vector<Segment> segments_;
  std::vector<std::uint32_t> last_segment_;
};

}  // namespace leitong::stages
