#include "records/archive_chunker.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "records/chunker.h"

namespace leitong::records {
namespace {

constexpr std::uint32_t most_records = 4096;            // of a piece, taken or passed by
constexpr std::uint64_t room_for_header = 64ULL << 10;  // of HTTP, beside the longest document

warc::ReadBytes reader_of(ByteStream& stream) {
  return [&stream](char* out, std::size_t size) { return stream.read(out, size); };
}

}  // namespace

warc::ArchiveLimits archive_limits(const InputOptions& options) {
  warc::ArchiveLimits limits;
  limits.block = std::clamp<std::uint64_t>(options.max_document_bytes, 1, std::uint64_t{1} << 40) + room_for_header;
  limits.expansion = options.max_expansion;
  return limits;
}

ArchiveChunker::ArchiveChunker(std::unique_ptr<ByteStream> file, const InputOptions& options, std::uint32_t source)
    : file_(std::move(file)), source_(source), limit_(options.max_document_bytes), reader_(reader_of(*file_), 0, archive_limits(options)) {}

bool ArchiveChunker::fill(Chunk& chunk, std::size_t target) {
  Chunk::Piece piece;
  piece.source = source_;
  piece.format = Format::warc;
  piece.begin = piece.end = next_begin(chunk);
  bool ended = false;
  while (!ended && piece.end < target && piece.records < most_records && piece.entries.size() < most_records) {
    const warc::ArchiveReader::Finding found = reader_.next();
    ended = found.found == warc::ArchiveReader::Found::end;
    if (!ended) add(chunk, piece, found);
  }
  if (ended && !file_->fault().empty()) add_reject(piece, file_->fault(), file_->packed(), true);
  reserve_bytes(chunk, piece.end);
  std::memset(chunk.bytes.data() + piece.end, 0, slack);
  if (piece.records > 0 || !piece.entries.empty()) chunk.pieces.push_back(std::move(piece));
  return ended;
}

void ArchiveChunker::add(Chunk& chunk, Chunk::Piece& piece, const warc::ArchiveReader::Finding& found) const {
  if (found.found == warc::ArchiveReader::Found::damage) return add_reject(piece, found.reason, found.offset, found.last);
  if (const std::optional<warc::Kind> kind = warc::kind_of_header(found.record)) {
    piece.passed_by.count(*kind);
    ++piece.records;
    return;
  }
  if (found.found == warc::ArchiveReader::Found::too_long) {
    add_reject(piece, too_long(limit_), found.offset, false);
    ++piece.records;
    return;
  }
  const warc::ArchiveRecord& record = found.record;
  Chunk::ArchiveEntry entry;
  entry.begin = piece.end;
  entry.header = entry.begin + record.header.size();
  entry.end = entry.header + record.block.size();
  entry.place = record.place;
  entry.line = piece.records++;
  entry.form = record.form;
  entry.cut = record.cut;
  // Header and block stand together in the reader's memory.
  reserve_bytes(chunk, entry.end);
  std::memcpy(chunk.bytes.data() + entry.begin, record.header.data(), entry.end - entry.begin);
  piece.end = entry.end;
  piece.entries.push_back(std::move(entry));
}

void ArchiveChunker::add_reject(Chunk::Piece& piece, std::string reason, std::uint64_t offset, bool whole) const {
  Chunk::ArchiveEntry entry;
  entry.begin = entry.header = entry.end = piece.end;
  entry.place.offset = offset;
  entry.line = piece.records;
  entry.reject = std::move(reason);
  entry.whole = whole;
  piece.entries.push_back(std::move(entry));
}

}  // namespace leitong::records
