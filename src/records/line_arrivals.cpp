#include "records/line_arrivals.h"

#include <algorithm>
#include <cstring>

#include "leitong/error.h"
#include "records/chunker.h"
#include "records/format.h"
#include "records/unpack.h"

namespace leitong::records {
namespace {

constexpr std::size_t at_once = std::size_t{1} << 16;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

LineArrivals::LineArrivals(const InputOptions& options, const std::atomic<bool>* stop)
    : format_(parse_format(options.format).value_or(Format::jsonl)),
      limit_(static_cast<std::size_t>(std::clamp<std::uint64_t>(options.max_document_bytes, 1, std::uint64_t{1} << 40))) {
  if (options.paths != std::vector<std::string>{"-"} || (format_ != Format::jsonl && format_ != Format::lines))
    throw Error(ErrorCode::usage, "only standard input can be read line by line as it comes, as JSON Lines or --format lines");
  std::string error;
  stream_ = open_file("-", true, error, stop);
}

bool LineArrivals::next(Chunk& chunk) {
  while (true) {
    if (const std::size_t size = line_length(); size != 0) {
      add_line(chunk, size);
      return true;
    }
    if (held_.size() > limit_ + 2) {
      add_reject_piece(chunk, 0, format_, offset_, too_long(limit_));
      offset_ += held_.size();
      held_.clear();
      searched_ = 0;
      skipping_ = true;
      return true;
    }
    if (ended_) break;
    read();
  }
  if (stream_->fault().empty()) return false;
  add_reject_piece(chunk, 0, format_, offset_, stream_->fault());
  chunk.pieces.back().whole = true;
  stream_ = std::make_unique<FileStream>(-1);  // told once
  return true;
}

void LineArrivals::read() {
  const std::size_t before = held_.size();
  const bool first = offset_ == 0 && before == 0;
  held_.resize(before + at_once);
  const std::size_t got = stream_->read_some(held_.data() + before, at_once);
  held_.resize(before + got);
  ended_ = got == 0;
  if (first && detect_compression(held_) != Compression::none)
    throw Error(ErrorCode::usage, "standard input is packed: unpack it first, what is read line by line as it comes is plain");
  if (first && held_.starts_with(byte_order_mark)) {
    held_.erase(0, byte_order_mark.size());
    offset_ = byte_order_mark.size();
  }
  if (skipping_) {
    const std::size_t end = held_.find('\n');
    const std::size_t skipped = end == std::string::npos ? held_.size() : end + 1;
    skipping_ = end == std::string::npos;
    offset_ += skipped;
    held_.erase(0, skipped);
  }
}

// Of the first line, with its end; 0: it is not whole yet.
std::size_t LineArrivals::line_length() {
  const std::size_t end = held_.find('\n', searched_);
  if (end != std::string::npos) return end + 1;
  searched_ = held_.size();
  return ended_ && stream_->fault().empty() ? held_.size() : 0;
}

void LineArrivals::add_line(Chunk& chunk, std::size_t size) {
  Chunk::Piece piece;
  piece.format = format_;
  piece.offset = offset_;
  piece.end = size;
  chunk.bytes.assign(size + slack, 0);
  std::memcpy(chunk.bytes.data(), held_.data(), size);
  chunk.pieces.push_back(std::move(piece));
  chunk.packed_bytes = size;
  offset_ += size;
  held_.erase(0, size);
  searched_ = 0;
}

}  // namespace leitong::records
