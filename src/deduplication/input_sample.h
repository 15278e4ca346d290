// A sample of the inputs of a job, spread over all of them, as files of a directory that a job can be run on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "leitong/input.h"
#include "records/input.h"
#include "records/walk.h"

namespace leitong::deduplication {

// The sample consists of units that lie far apart: a stretch of a file of lines, or some small files that follow each other. Of a
// compressed file and of standard input only the beginning can be read; there a unit is a stretch of what was unpacked.
class InputSample {
 public:
  static constexpr std::uint64_t unit_bytes = 256 << 10;

  // Samples about `bytes` bytes of the inputs as they stand on disk into `directory`; standard input is read for it.
  InputSample(const InputOptions& input, std::string directory, std::uint64_t bytes);

  [[nodiscard]] InputOptions input() const;                                 // of the sample
  [[nodiscard]] std::uint64_t total_bytes() const { return total_bytes_; }  // of the inputs, as far as known
  [[nodiscard]] std::uint64_t sampled_bytes() const { return sampled_bytes_; }
  [[nodiscard]] std::uint64_t spool_bytes() const { return spool_bytes_; }  // what the spool of the sampled part would take
  [[nodiscard]] bool open_ended() const { return open_ended_; }             // standard input goes on behind the sample
  // Of the files that are one document, if that is long; bytes of text, about.
  [[nodiscard]] std::uint64_t longest_document() const { return longest_document_; }
  // The unit of a record of the sample: by the number of its source and its offset there.
  [[nodiscard]] std::uint64_t unit_of(std::uint32_t source, std::uint64_t offset) const {
    return std::uint64_t{units_[source]} << 32 | offset / (4 * unit_bytes);
  }

 private:
  struct Kind {
    records::Format format = records::Format::text;
    bool packed = false;
  };
  [[nodiscard]] Kind kind_of(const records::Entry& entry) const;
  void find_longest();
  void take_stream(const records::Entry& entry, std::uint64_t bytes);
  void take_unit(std::size_t entry, std::uint64_t offset, std::uint64_t bytes);
  std::uint64_t take_file(std::size_t entry, std::uint64_t offset, std::uint64_t wanted, std::uint64_t bytes);
  void write(const std::string& path, std::string_view content);

  InputOptions options_;
  std::string directory_, format_;
  std::vector<records::Entry> entries_;
  std::vector<std::uint32_t> units_;  // by file of the sample
  std::uint32_t unit_ = 0;
  std::size_t unused_ = 0;  // entries before this one were sampled whole
  std::uint64_t total_bytes_ = 0, sampled_bytes_ = 0, spool_bytes_ = 0, longest_document_ = 0;
  double long_files_ = 0.5;  // of those that were hit, what is due
  bool open_ended_ = false;
};

}  // namespace leitong::deduplication
