// Features of earlier texts, waiting for the later texts that they are to be compared with: in memory, or in files when the budget is met.
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

// Thread-safe; put and done are called by one thread at a time.
class WaitingFeatures {
 public:
  // `budget` in bytes, at least 1 MiB. What it cannot hold goes to the files `path`.0, `path`.1, ..., each of which is removed when nothing
  // in it is waited for any more.
  WaitingFeatures(std::uint64_t budget, std::string path);
  WaitingFeatures(const WaitingFeatures&) = delete;
  WaitingFeatures& operator=(const WaitingFeatures&) = delete;

  // `uses`: how many times done(row) will be called.
  void put(std::uint32_t row, std::span<const std::uint32_t> features, std::uint32_t uses);
  // The features of a row that was put, valid until its last done(row) or until `scratch` is used again.
  std::span<const std::uint32_t> get(std::uint32_t row, std::vector<std::uint32_t>& scratch);
  // Ends one use; a row is forgotten after its last.
  void done(std::uint32_t row);

 private:
  static constexpr std::uint32_t in_memory = 0xffffffffU;
  struct Entry {
    std::vector<std::uint32_t> features;  // if segment is in_memory
    std::uint64_t begin = 0, size = 0;    // else its place in the segment
    std::uint32_t uses = 0, segment = in_memory;
  };
  // A file, or (the last one) what will be written to it.
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
