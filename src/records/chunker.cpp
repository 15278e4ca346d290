#include "records/chunker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "records/csv.h"
#include "records/format.h"

namespace leitong::records {
namespace {

constexpr std::size_t skip_block = std::size_t{1} << 16;

std::string column_value(const CsvField& field) {
  if (!field.escaped) return std::string(field.raw);
  std::string value(field.raw.size(), '\0');
  value.resize(unescape_csv(field.raw, value.data()));
  return value;
}

}  // namespace

// Bytes grow by doubling and never shrink: a chunk that is used again and again is not cleared again and again.
void reserve_bytes(Chunk& chunk, std::size_t size) {
  if (chunk.bytes.size() < size + slack) chunk.bytes.resize(std::max(size + slack, std::min(chunk.bytes.size() * 2, size * 2)));
}

// Pieces have a zero byte between them, so that none runs into the next.
std::size_t next_begin(const Chunk& chunk) { return chunk.pieces.empty() ? 0 : chunk.pieces.back().end + 1; }

void add_reject_piece(Chunk& chunk, std::uint32_t source, Format format, std::uint64_t offset, std::string reason) {
  Chunk::Piece piece;
  piece.source = source;
  piece.format = format;
  piece.offset = offset;
  piece.begin = piece.end = next_begin(chunk);
  piece.reject = std::move(reason);
  reserve_bytes(chunk, piece.end);
  std::memset(chunk.bytes.data() + piece.end, 0, slack);
  chunk.pieces.push_back(std::move(piece));
}

std::string too_long(std::uint64_t limit) { return fmt::format("longer than {} bytes (limit --max-document)", limit); }

Chunker::Chunker(std::unique_ptr<ByteStream> stream, Format format, const InputOptions& options, std::uint32_t source, std::uint64_t start)
    : stream_(std::move(stream)),
      format_(format),
      named_columns_(options.header),
      limit_(static_cast<std::size_t>(std::clamp<std::uint64_t>(options.max_document_bytes, 1, std::uint64_t{1} << 40))),
      source_(source),
      offset_(start),
      header_pending_(is_table(format)) {}

bool Chunker::fill(Chunk& chunk, std::size_t target) {
  while (!done_) {
    if (next_begin(chunk) >= target || !step(chunk, target)) return false;
  }
  return true;
}

// False if the chunk has no room for the next record.
bool Chunker::step(Chunk& chunk, std::size_t target) {
  if (skipping_) {
    skip_line(chunk);
    return true;
  }
  const std::size_t begin = next_begin(chunk);
  std::size_t held = carry_.size();
  reserve_bytes(chunk, begin + held);
  if (held != 0) std::memcpy(chunk.bytes.data() + begin, carry_.data(), held);
  carry_.clear();
  std::size_t want = target - begin;
  std::size_t whole = 0;
  while (true) {
    held = load(chunk, held, want);
    whole = whole_records({chunk.bytes.data() + begin, held});
    if (whole != 0 || ended_) break;
    if (held > limit_ + 2) {
      give_up_record(chunk, held);
      return true;
    }
    if (begin != 0 || !chunk.pieces.empty()) {  // try again in an empty chunk
      carry_.assign(chunk.bytes.data() + begin, chunk.bytes.data() + begin + held);
      return false;
    }
    want = std::min(std::max(held * 2, target), limit_ + 3);
  }
  carry_.assign(chunk.bytes.data() + begin + whole, chunk.bytes.data() + begin + held);
  const bool broken = ended_ && !stream_->fault().empty();
  if (whole != 0 || (is_whole_file(format_) && !broken)) add_piece(chunk, whole);
  if (ended_ && (broken || carry_.empty())) {
    if (broken && !done_) add_fault(chunk);
    done_ = true;
  }
  return true;
}

std::size_t Chunker::load(Chunk& chunk, std::size_t have, std::size_t want) {
  if (have >= want || ended_) return have;
  const std::size_t begin = next_begin(chunk);
  reserve_bytes(chunk, begin + want);
  const std::size_t got = stream_->read(chunk.bytes.data() + begin + have, want - have);
  ended_ = got < want - have;
  return have + got;
}

// Length of the whole records at the start of `bytes`.
std::size_t Chunker::whole_records(std::string_view bytes) const {
  const bool complete = ended_ && stream_->fault().empty();
  if (complete) return bytes.size();
  if (is_whole_file(format_)) return 0;
  if (!is_table(format_)) return bytes.rfind('\n') + 1;  // npos + 1 is 0
  std::size_t end = 0;
  while (end < bytes.size()) {
    const CsvRow row = scan_csv_row(bytes.substr(end), false, delimiter_of(format_), limit_);
    if (row.state == CsvRow::State::incomplete) break;
    end += row.next;
  }
  return end;
}

void Chunker::give_up_record(Chunk& chunk, std::size_t held) {
  const bool header = header_pending_ && named_columns_;
  // A return in the last place is its end, with or without a line feed to come.
  after_return_ = returns_end_lines() && chunk.bytes[next_begin(chunk) + held - 1] == '\r';
  add_reject(chunk, (header ? "the header row is " : "") + too_long(limit_));
  offset_ += held;
  done_ = is_whole_file(format_) || header;
  skipping_ = !done_;
}

bool Chunker::returns_end_lines() const { return is_table(format_) && ends_at_return(delimiter_of(format_)); }

// Where the next line begins; npos: not in these bytes, as far as they tell.
std::size_t Chunker::behind_line_end(std::string_view bytes) {
  std::size_t at = bytes.find('\n');
  if (after_return_) {
    after_return_ = false;
    return at == 0 ? 1 : 0;
  }
  if (returns_end_lines()) at = std::min(at, bytes.substr(0, at).find('\r'));
  if (at == std::string_view::npos || bytes[at] == '\n') return at == std::string_view::npos ? at : at + 1;
  after_return_ = at + 1 == bytes.size() && !ended_;
  if (after_return_) return std::string_view::npos;
  return at + (bytes.substr(at + 1).starts_with('\n') ? 2 : 1);
}

void Chunker::skip_line(Chunk& chunk) {
  const std::size_t begin = next_begin(chunk);
  reserve_bytes(chunk, begin + skip_block);
  char* block = chunk.bytes.data() + begin;
  const std::size_t got = stream_->read(block, skip_block);
  ended_ = got < skip_block;
  if (const std::size_t next = behind_line_end({block, got}); next != std::string_view::npos) {
    carry_.assign(block + next, block + got);
    offset_ += next;
    skipping_ = false;
    return;
  }
  offset_ += got;
  if (!ended_) return;
  if (!stream_->fault().empty()) add_fault(chunk);
  done_ = true;
}

void Chunker::add_piece(Chunk& chunk, std::size_t size) {
  Chunk::Piece piece;
  piece.source = source_;
  piece.format = format_;
  piece.offset = offset_;
  piece.begin = next_begin(chunk);
  piece.end = piece.begin + size;
  if (header_pending_ && !find_header({chunk.bytes.data() + piece.begin, size}, piece)) {
    add_reject(chunk, "the header row has broken quotes or is too long");
    done_ = true;
    return;
  }
  piece.header = header_;
  offset_ += size;
  std::memset(chunk.bytes.data() + piece.end, 0, slack);
  chunk.pieces.push_back(std::move(piece));
}

void Chunker::add_reject(Chunk& chunk, std::string reason) { add_reject_piece(chunk, source_, format_, offset_, std::move(reason)); }

void Chunker::add_fault(Chunk& chunk) {
  add_reject(chunk, stream_->fault());
  chunk.pieces.back().whole = true;
}

// The first row that is not blank names the columns, or, without names, says how many there are. False: it should name them and is broken.
bool Chunker::find_header(std::string_view bytes, Chunk::Piece& piece) {
  const char delimiter = delimiter_of(format_);
  while (!bytes.empty()) {
    const CsvRow row = scan_csv_row(bytes, true, delimiter, limit_);
    const bool literal = row.state == CsvRow::State::bad_quotes && format_ == Format::tsv;
    const bool good = row.state == CsvRow::State::good || literal;
    if (!good && named_columns_) return false;
    if (good && row.length != 0) {
      std::vector<CsvField> fields;
      split_csv_row(bytes.substr(0, row.length), delimiter, !literal, fields);
      for (const CsvField& field : fields) header_.push_back(named_columns_ ? column_value(field) : std::to_string(header_.size()));
      piece.has_header = named_columns_;
      header_pending_ = false;
      return true;
    }
    bytes.remove_prefix(row.next);
  }
  return true;
}

}  // namespace leitong::records
