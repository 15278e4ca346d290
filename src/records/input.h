// Files to records. Reading is cut in two so that many threads can share it: Input::next hands out chunks of raw bytes that end at a record
// boundary (one caller at a time, in input order), and parse turns a chunk into records (any thread, pure).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/input.h"
#include "leitong/output.h"
#include "leitong/page.h"
#include "records/archive_counts.h"
#include "warc/archive_reader.h"

namespace leitong::records {

class ColumnBatch;

// Numbers stand in sketch files.
enum class Format : std::uint8_t { jsonl, csv, tsv, text, lines, html, parquet, arrow, memory, warc };
using leitong::Compression;  // of what is read, too

// text_field and more_text_fields, or html_field where there is one.
[[nodiscard]] std::vector<std::string> text_fields_of(const InputOptions& options);

struct Source {
  std::string path;  // as given, or directory/relative for files found in a directory; "-" for standard input
  Format format = Format::jsonl;
  Compression compression = Compression::none;
  std::uint64_t size = 0;          // bytes on disk; 0 for standard input
  std::int64_t modified = 0;       // nanoseconds since the epoch; 0 for standard input
  std::string encoding = {};       // empty: UTF-8; else it is turned to UTF-8 while it is read, and offsets are of that
  std::string encoding_from = {};  // how it was found: "detected", "byte order mark", "declared in the page"; empty: it was asked for
};

// One good record. Views point into the chunk or the Parsed object and live as long as both.
struct Record {
  std::uint32_t index = 0;     // in the chunk, counting bad records too
  std::uint32_t source = 0;    // in Input::sources()
  std::uint64_t offset = 0;    // of the raw record in the unpacked source; of a table (columns.h) the number of the row
  std::uint64_t length = 0;    // of the raw record, without its line end; of a table 1
  std::uint32_t line = 0;      // 0-based line in the chunk's part of that source, all its pieces together (whole-file documents: 0)
  std::string_view raw;        // untouched; empty for a row of a table
  std::string_view id;         // a JSON value: "…" with quotes and escapes, or a number's digits; empty: the record has no id
  std::string_view text;       // UTF-8; of a page what InputOptions::extract takes of it
  std::string_view url, date;  // of a record of an archive, UTF-8; else empty
  std::vector<std::string_view> fields;  // values of InputOptions::fields as plain text, empty where missing
  const PageFacts* page = nullptr;       // of a page, if InputOptions::page_facts
};

struct Reject {
  std::uint32_t index = 0;  // in the chunk
  std::uint32_t source = 0;
  std::uint64_t offset = 0;
  std::uint32_t line = 0;  // 0-based, as in Record
  std::string reason;      // for a person: what is wrong, e.g. "broken JSON: ...", "no field \"text\"", "invalid UTF-8 at byte 17"
  bool whole = false;      // not one record is bad: nothing of the source could be read from here on
  bool no_text = false;    // the record is good but for its text: no wanted field is there, or one is not a string
};

struct Chunk {
  // A record of an archive as it stands, or what is damaged there.
  struct ArchiveEntry {
    std::size_t begin = 0, header = 0, end = 0;  // in bytes; the block begins at `header`
    warc::Place place;
    std::uint32_t line = 0;  // 0-based in the piece, counting every record of the archive
    warc::ArchiveRecord::Form form = warc::ArchiveRecord::Form::warc;
    bool cut = false;
    std::string reject;  // not empty: a bad record, and why
    bool whole = false;  // as in Reject
  };
  struct Piece {  // a stretch of one source: many lines, one whole file, or rows of a table
    std::uint32_t source = 0;
    Format format = Format::jsonl;
    bool has_header = false;            // csv, tsv: its first row is the header, not a record
    std::uint64_t offset = 0;           // of its first byte in the unpacked source
    std::size_t begin = 0, end = 0;     // in bytes
    std::vector<std::string> header;    // csv, tsv: column names
    std::string reject;                 // not empty: this piece could not be read (too long, broken archive): counts as one bad record
    bool whole = false;                 // as in Reject
    std::string encoding;               // as in Source, for messages
    std::vector<ArchiveEntry> entries;  // of Format::warc
    ArchiveCounts passed_by;            // of Format::warc: records that are not among the entries
    std::uint32_t records = 0;          // of Format::warc: all of them
    std::shared_ptr<const ColumnBatch> batch;  // not null: the piece is these rows, and has no bytes
  };
  std::uint64_t sequence = 0;  // 0, 1, 2, ...
  std::vector<Piece> pieces;
  std::vector<char> bytes;         // with 64 bytes of slack after the last piece (JsonFields reads past the end)
  std::uint64_t packed_bytes = 0;  // bytes of input that it took, for progress
};

// Records and rejects of one chunk, each in input order; `count` is the number of both together and `lines[i]` the number of lines
// of piece i, so that the caller can make record and line numbers of the whole input.
struct Parsed {
  std::vector<Record> records;
  std::vector<Reject> rejects;
  std::uint32_t count = 0;
  std::vector<std::uint32_t> lines;
  ArchiveCounts archive;
  std::uint32_t pages = 0;                       // records whose text was made of a web page ...
  std::uint32_t pages_fallen_back = 0;           // ... and those of them in which no main content was found
  std::uint64_t text_fields = 0;                 // bit i: the i-th wanted text field was in some record
  std::vector<std::string> field_names;          // that some of the records without a text have; dotted paths
  std::vector<std::unique_ptr<char[]>> storage;  // unescaped texts
  struct Scratch;                                // parser state, reused
  std::shared_ptr<Scratch> scratch;
};

class Input {
 public:
  // Expands directories (sorted by path, symbolic links not followed), detects format and compression.
  // `spool`: where standard input (or a pipe) is kept as zstd so that it can be read again; empty: not kept.
  // Throws Error(io) for a path that does not exist.
  // `stop`, if not null, ends a wait for input with Error(interrupted).
  // `chunk_bytes` decides where chunks are cut, never what the records are.
  Input(const InputOptions& options, std::string spool, const std::atomic<bool>* stop = nullptr,
        std::size_t chunk_bytes = std::size_t{1} << 20);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  // False at the end of the last source. Reuses chunk's buffers. About 1 MiB a chunk. Not thread-safe.
  bool next(Chunk& chunk);
  void parse(const Chunk& chunk, Parsed& out) const;
  [[nodiscard]] std::vector<Source> sources() const;                         // complete once next returned false
  [[nodiscard]] const std::string& source_path(std::uint32_t source) const;  // known from the start, for any thread
  [[nodiscard]] std::uint64_t total_bytes() const;                           // packed bytes of all sources that have a size
  [[nodiscard]] std::uint64_t spooled_bytes() const;
  // Directories whose results of earlier runs (or of this one) were left out.
  [[nodiscard]] const std::vector<std::string>& with_results() const;
  // Files that were named or found a second time, each with its first name. They are read once.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& named_twice() const;
  [[nodiscard]] const InputOptions& options() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Throws Error(io/format) unless the file is there with the size and time that the first reading saw.
void require_unchanged(const Source& source);
// Whether the source is a file whose bytes are those of the records, neither compressed nor in another encoding.
[[nodiscard]] bool is_plain_file(const Source& source);

// Reads single records again, by what the first reading said of them. Ascending (source, offset) is one sequential pass;
// going back is allowed and costs a seek (sources that are compressed or not UTF-8: reading from the start). Small skips are read over, not
// sought.
class Reread {
 public:
  Reread(const InputOptions& options, std::vector<Source> sources, std::string spool);
  ~Reread();
  Reread(const Reread&) = delete;
  Reread& operator=(const Reread&) = delete;
  // raw bytes of the record. Valid until the next call. Error(io/format) if the source has changed since (size or time differ, or it ends
  // early). Of a row of a table: the row as a JSON object.
  std::string_view raw(std::uint32_t source, std::uint64_t offset, std::uint64_t length);
  // raw, parsed again: text as the first reading gave it. Error(format) if the record is not good any more. `header` as in Chunk::Piece
  // is read by itself when needed.
  std::string_view text(std::uint32_t source, std::uint64_t offset, std::uint64_t length);
  // A record of an archive, parsed again. As text().
  const Record& archived(std::uint32_t source, std::uint64_t offset, std::uint64_t length);
  // Appends it as a record of a WARC file that is packed so, one member or frame for it: as it is stored, if it is stored so; else its
  // bytes packed anew. One of ARC, or one that was cut, becomes a valid record.
  void append_archived(std::uint32_t source, std::uint64_t offset, std::uint64_t length, Compression packing, std::string& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong::records
