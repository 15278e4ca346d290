// Takes a sample that is spread over all inputs of a job, and writes it as files to a directory, so that the job can be run on them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "leitong/input.h"
#include "records/input.h"
#include "records/walk.h"

namespace leitong::deduplication {

// The sample consists of units that lie far apart. A unit is a part of a file of lines, or a few small files that follow each other. A
// compressed file and standard input can only be read from the beginning; there a unit is a part of the decompressed bytes.
// Rows of a Parquet or Arrow file are written as JSON Lines, and count as their share of the file.
class InputSample {
 public:
  static constexpr std::uint64_t unit_bytes = 256 << 10;

  // Writes a sample of about `bytes` bytes (as the inputs stand on disk) to `directory`. Standard input is read for it.
  InputSample(const InputOptions& input, std::string directory, std::uint64_t bytes);

  [[nodiscard]] InputOptions input() const;                                 // the sample as an input
  [[nodiscard]] std::uint64_t total_bytes() const { return total_bytes_; }  // of the inputs, as far as known
  [[nodiscard]] std::uint64_t sampled_bytes() const { return sampled_bytes_; }
  [[nodiscard]] std::uint64_t spool_bytes() const { return spool_bytes_; }  // size of the spool of the sampled part
  [[nodiscard]] bool open_ended() const { return open_ended_; }             // standard input has more than the sample
  // Bytes of text, estimated, of the longest input file that is one document; 0 if all are shorter than a unit.
  [[nodiscard]] std::uint64_t longest_document() const { return longest_document_; }
  // The unit of a record of the sample, given its source and its offset in that source.
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
  std::uint64_t take_rows(const records::Entry& entry, std::uint64_t offset, std::uint64_t wanted);

  InputOptions options_;
  std::string directory_, format_;
  std::vector<records::Entry> entries_;
  std::vector<std::uint32_t> units_;  // for each file of the sample
  std::uint32_t unit_ = 0;
  std::size_t unused_ = 0;  // index of the first entry that was not taken whole
  std::uint64_t total_bytes_ = 0, sampled_bytes_ = 0, spool_bytes_ = 0, longest_document_ = 0;
  double long_files_ = 0.5;  // the share of a long file that is due to be taken
  bool open_ended_ = false;
};

}  // namespace leitong::deduplication
