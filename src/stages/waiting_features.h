// Holds features of earlier texts until the later texts with which they are compared have been read: in memory, or in files once the budget
// is used up.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
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

  // `uses`: the number of times that done() will be called with the place that this returns; then another text may get the place.
  [[nodiscard]] std::uint32_t put(std::span<const std::uint32_t> features, std::uint32_t uses);
  // The features that were put there, valid until the place's last done() or until `scratch` is used again.
  std::span<const std::uint32_t> get(std::uint32_t place, std::vector<std::uint32_t>& scratch);
  // Ends one use; after the last one the features are removed.
  void done(std::uint32_t place);

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
  std::vector<Entry> entries_;              // by place
  std::vector<std::uint32_t> free_places_;  // of entries_
  std::vector<Segment> segments_;
  std::vector<std::uint32_t> last_segment_;
};

}  // namespace leitong::stages
