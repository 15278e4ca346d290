// One stream to pieces of chunks, cut where a record ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "leitong/input.h"
#include "records/byte_stream.h"
#include "records/input.h"

namespace leitong::records {

// Bytes behind the last piece that may be read by parsers working 16 or 64 bytes at a time.
inline constexpr std::size_t slack = 64;

// The text of a Reject for a record that is longer than the limit.
[[nodiscard]] std::string too_long(std::uint64_t limit);

// Appends a piece that stands for one bad record.
void add_reject_piece(Chunk& chunk, std::uint32_t source, Format format, std::uint64_t offset, std::string reason);
// Room for so many bytes, and slack.
void reserve_bytes(Chunk& chunk, std::size_t size);
// Where the next piece will begin.
[[nodiscard]] std::size_t next_begin(const Chunk& chunk);

class Chunker {
 public:
  // `start`: offset of the stream's first byte in the unpacked source.
  Chunker(std::unique_ptr<ByteStream> stream, Format format, const InputOptions& options, std::uint32_t source, std::uint64_t start);
  // Appends pieces until the chunk holds `target` bytes (false) or the stream is used up (true). Holds at most max_document_bytes and a
  // little in memory between calls. Where it cuts depends on the bytes and on `target` only, never on how they arrive.
  bool fill(Chunk& chunk, std::size_t target);
  [[nodiscard]] std::uint64_t packed() const { return stream_->packed(); }

 private:
  bool step(Chunk& chunk, std::size_t target);
  std::size_t load(Chunk& chunk, std::size_t have, std::size_t want);
  std::size_t whole_records(std::string_view bytes) const;
  [[nodiscard]] bool returns_end_lines() const;
  std::size_t behind_line_end(std::string_view bytes);
  void skip_line(Chunk& chunk);
  void give_up_record(Chunk& chunk, std::size_t held);
  void add_piece(Chunk& chunk, std::size_t size);
  void add_reject(Chunk& chunk, std::string reason);
  void add_fault(Chunk& chunk);
  bool find_header(std::string_view bytes, Chunk::Piece& piece);

  std::unique_ptr<ByteStream> stream_;
  Format format_;
  bool named_columns_;
  std::size_t limit_;
  std::uint32_t source_;
  std::uint64_t offset_;     // of the next byte to be put into a piece
  std::vector<char> carry_;  // read, but not a whole record yet
  std::vector<std::string> header_;
  bool header_pending_;
  bool ended_ = false;         // the stream is
  bool skipping_ = false;      // in a record that is too long, up to its line end
  bool after_return_ = false;  // of which the return was seen, and perhaps a line feed follows
  bool done_ = false;
};

}  // namespace leitong::records
