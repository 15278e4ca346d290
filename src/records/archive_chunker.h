// A WARC or ARC file to pieces of chunks: the records that may hold a text, as they stand. What they hold is for the parser.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "records/byte_stream.h"
#include "records/input.h"
#include "warc/archive_reader.h"

namespace leitong::records {

// What a reader of archives is to hold to.
[[nodiscard]] warc::ArchiveLimits archive_limits(const InputOptions& options);

class ArchiveChunker {
 public:
  // `file`: its bytes as they are stored.
  ArchiveChunker(std::unique_ptr<ByteStream> file, const InputOptions& options, std::uint32_t source);
  // As Chunker::fill; a piece has no bytes where its records hold no text.
  bool fill(Chunk& chunk, std::size_t target);
  [[nodiscard]] std::uint64_t packed() const { return file_->packed(); }

 private:
  void add(Chunk& chunk, Chunk::Piece& piece, const warc::ArchiveReader::Finding& found) const;
  void add_reject(Chunk::Piece& piece, std::string reason, std::uint64_t offset, bool whole) const;

  std::unique_ptr<ByteStream> file_;
  std::uint32_t source_;
  std::uint64_t limit_;
  warc::ArchiveReader reader_;
};

}  // namespace leitong::records
