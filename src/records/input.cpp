#include "records/input.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <mutex>
#include <optional>
#include <utility>

#include "leitong/error.h"
#include "leitong/file_name.h"
#include "records/archive_chunker.h"
#include "records/chunker.h"
#include "records/column_file.h"
#include "records/columns.h"
#include "records/encoding.h"
#include "records/format.h"
#include "records/line_arrivals.h"
#include "records/parser.h"
#include "records/spool.h"
#include "records/unpack.h"
#include "records/walk.h"
#include "storage/temporary_directory.h"

namespace leitong::records {
namespace {

constexpr std::size_t sniff = 8192;
constexpr std::size_t zstd_sniff = std::size_t{160} << 10;  // which gives a block of 128 KiB at once
constexpr std::size_t archive_head = 2048;                  // an ARC line
constexpr std::size_t max_pieces = 4096;                    // of a chunk: empty files have no bytes to fill it with
constexpr std::uint32_t max_rows = 65536;                   // of a table, in a chunk
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// What is wrong with the bytes, rather than with the disk or the call.
bool is_of_content(const Error& error) {
  return error.code() == ErrorCode::format || error.code() == ErrorCode::limit || error.code() == ErrorCode::unsupported;
}

// The message without the name that it begins with: whoever shows it names the source.
std::string reason_of(const Error& error, const std::string& path) {
  std::string_view message = error.what();
  if (message.starts_with(path + ": ")) message.remove_prefix(path.size() + 2);
  return std::string(message);
}

}  // namespace

std::vector<std::string> text_fields_of(const InputOptions& options) {
  if (!options.html_field.empty()) return {options.html_field};
  std::vector<std::string> names{options.text_field};
  names.insert(names.end(), options.more_text_fields.begin(), options.more_text_fields.end());
  return names;
}

struct Input::Impl {
  Impl(const InputOptions& input_options, std::string spool_file, const std::atomic<bool>* stop_flag, std::size_t chunk_bytes)
      : options(input_options),
        stop(stop_flag),
        format(parse_format(input_options.format)),
        encoding(parse_encoding(input_options.encoding)),
        spool_base(std::move(spool_file)),
        target(std::max<std::size_t>(chunk_bytes, 1)),
        parser(input_options),
        column_check(parser.wanted(), text_fields_of(input_options).size(), input_options.need_text),
        entries(expand_paths(input_options, &findings)) {
    for (const Entry& entry : entries) {
      sources.push_back({entry.path,
                         entry.table ? Format::memory : format.value_or(detect_format(entry.path, entry.spooled, {})),
                         Compression::none,
                         entry.size,
                         entry.modified,
                         {},
                         {}});
      total += entry.size;
    }
  }

  bool next(Chunk& chunk);
  bool next_arrived(Chunk& chunk);
  void open(Chunk& chunk);
  [[nodiscard]] bool is_archive(const Entry& entry, HeadStream& file) const;
  void open_archive(std::unique_ptr<ByteStream> file, Compression compression);
  void open_table(std::shared_ptr<const ColumnSource> source);
  std::optional<Format> columns_of(const Entry& entry, std::string_view head) const;
  std::shared_ptr<const ColumnSource> open_columns(const Entry& entry, std::unique_ptr<HeadStream> stream, Compression compression);
  std::string begin_spool();
  void end_spool();
  bool add_rows(Chunk& chunk);
  std::unique_ptr<ByteStream> as_utf8(std::unique_ptr<HeadStream> stream);
  void set_encoding(Encoding taken);
  void set_source(std::size_t index, Format known, Compression compression);
  void close();

  InputOptions options;
  const std::atomic<bool>* stop;
  std::optional<Format> format;         // none: to be detected
  std::optional<std::string> encoding;  // none: to be detected
  std::string spool_base;
  std::size_t target;
  Parser parser;
  ColumnCheck column_check;
  Findings findings;
  std::vector<Entry> entries;
  mutable std::mutex mutex;  // for sources: parse never looks at it, but the caller may while next runs
  std::vector<Source> sources;
  std::uint64_t total = 0;

  std::size_t current = 0;  // entry
  std::unique_ptr<Chunker> chunker;
  std::unique_ptr<ArchiveChunker> archive;    // in place of a chunker
  std::unique_ptr<ByteStream> table_bytes;    // of a table that is read as it comes
  std::shared_ptr<const ColumnSource> table;  // in place of a chunker, with its reader
  std::unique_ptr<ColumnReader> rows;
  std::uint64_t row = 0;                       // the next
  const DetectingStream* detecting = nullptr;  // in the chunker, if the encoding may still come to light
  std::unique_ptr<LineArrivals> arrivals;      // in place of chunkers
  std::unique_ptr<SpoolWriter> spool;
  std::size_t spools = 0;
  std::optional<storage::TemporaryDirectory> unkept;  // spools of tables that nobody wants kept, but that cannot be read as they come
  std::atomic<std::uint64_t> spooled{0};              // by finished spools
  std::uint64_t packed = 0;                           // of the current source, already counted in a chunk
  std::uint64_t sequence = 0;
};

bool Input::Impl::next(Chunk& chunk) {
  chunk.pieces.clear();
  chunk.packed_bytes = 0;
  if (options.as_it_comes) return next_arrived(chunk);
  while (current < entries.size() && next_begin(chunk) < target && chunk.pieces.size() < max_pieces) {
    if (!chunker && !rows && !archive) open(chunk);
    if (rows) {
      if (add_rows(chunk)) break;
      close();
      continue;
    }
    const std::size_t pieces = chunk.pieces.size();
    const bool used_up = chunker ? chunker->fill(chunk, target) : !archive || archive->fill(chunk, target);
    if (detecting != nullptr && !detecting->taken().name.empty()) set_encoding(detecting->taken());
    for (std::size_t i = pieces; i < chunk.pieces.size(); ++i) chunk.pieces[i].encoding = sources[current].encoding;
    if (chunker || archive) {
      const std::uint64_t now = chunker ? chunker->packed() : archive->packed();
      chunk.packed_bytes += now - packed;
      packed = now;
    }
    if (!used_up) break;
    close();
  }
  if (chunk.pieces.empty()) return false;
  chunk.sequence = sequence++;
  return true;
}

bool Input::Impl::next_arrived(Chunk& chunk) {
  if (!arrivals) {
    arrivals = std::make_unique<LineArrivals>(options, stop);
    set_source(0, arrivals->format(), Compression::none);
  }
  if (!arrivals->next(chunk)) return false;
  chunk.sequence = sequence++;
  return true;
}

// As many rows as a chunk has bytes for; false: there are no more.
bool Input::Impl::add_rows(Chunk& chunk) {
  std::shared_ptr<const ColumnBatch> batch;
  try {
    batch = rows->next(max_rows, target);
  } catch (const Error& error) {
    if (!is_of_content(error)) throw;
    add_reject_piece(chunk, static_cast<std::uint32_t>(current), sources[current].format, row, reason_of(error, entries[current].path));
    chunk.pieces.back().whole = true;
  }
  const std::uint64_t now = rows->taken();
  chunk.packed_bytes += now - std::exchange(packed, now);
  if (batch == nullptr) return false;
  Chunk::Piece piece;
  piece.source = static_cast<std::uint32_t>(current);
  piece.format = sources[current].format;
  piece.offset = batch->first_row();
  row = batch->first_row() + batch->rows();
  piece.begin = piece.end = next_begin(chunk);
  piece.batch = std::move(batch);
  chunk.pieces.push_back(std::move(piece));
  return true;
}

void Input::Impl::open_table(std::shared_ptr<const ColumnSource> source) {
  rows = source->read(parser.wanted());
  column_check.check(entries[current].path, *source, rows->types());
  table = std::move(source);
  packed = row = 0;
}

// Makes `chunker` or `rows`, or leaves both null and a reject in the chunk.
void Input::Impl::open(Chunk& chunk) {
  const Entry& entry = entries[current];
  if (entry.table) return open_table(entry.table);
  const auto source = static_cast<std::uint32_t>(current);
  const auto reject = [&](std::string reason, bool whole = false) {
    add_reject_piece(chunk, source, sources[current].format, 0, std::move(reason));
    chunk.pieces.back().whole = whole;
  };
  if (!entry.error.empty()) return reject(entry.error, true);
  std::string error;
  std::unique_ptr<FileStream> file = open_file(entry.path, !entry.in_directory, error, stop);
  if (!file) {
    if (!entry.in_directory) throw Error(ErrorCode::io, fmt::format("{}: {}", entry.path, error));
    return reject(error, true);
  }
  auto packed_head = std::make_unique<HeadStream>(std::move(file));
  const Compression compression = detect_compression(packed_head->peek(4));
  if (is_archive(entry, *packed_head)) return open_archive(std::move(packed_head), compression);
  const bool columns_here = columns_of(entry, packed_head->peek(column_file_head)).has_value();
  std::string foreign = columns_here ? "" : foreign_format(entry.path, packed_head->peek(foreign_head), !format);
  if (!foreign.empty() && compression == Compression::none) return reject(std::move(foreign), true);
  if (std::string no_archive = contradicts_name(entry.path, compression); !no_archive.empty()) return reject(std::move(no_archive), true);
  auto unpacked = std::make_unique<HeadStream>(unpack(std::move(packed_head), compression, options.max_expansion));
  if (const auto columns = columns_of(entry, unpacked->peek(column_file_head))) {
    set_source(current, *columns, compression);
    std::shared_ptr<const ColumnSource> opened;
    try {
      opened = open_columns(entry, std::move(unpacked), compression);
    } catch (const Error& broken) {
      if (!is_of_content(broken)) throw;
      return reject(reason_of(broken, entry.path), true);
    }
    return open_table(std::move(opened));
  }
  foreign = foreign_format(entry.path, unpacked->peek(foreign_head), !format);
  if (!foreign.empty()) return reject(std::move(foreign), true);
  std::unique_ptr<ByteStream> stream = as_utf8(std::move(unpacked));
  if (entry.spooled && !spool_base.empty()) {
    begin_spool();
    stream = std::make_unique<SpoolingStream>(std::move(stream), *spool);
  }
  auto head = std::make_unique<HeadStream>(std::move(stream));
  const std::string_view start = head->peek(sniff);
  const std::uint64_t mark = start.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  const Format known = format.value_or(detect_format(entry.path, entry.spooled, start.substr(mark)));
  set_source(current, known, compression);
  std::string refused = refuse(known, start.substr(mark), !format, entry.in_directory);
  if (!refused.empty()) {
    detecting = nullptr;
    return reject(std::move(refused));
  }
  char skipped[3];
  static_cast<void>(head->read(skipped, mark));
  packed = 0;
  chunker = std::make_unique<Chunker>(std::move(head), known, options, source, mark);
}

// WARC or ARC, packed or not: said so, by name, or by the first bytes.
bool Input::Impl::is_archive(const Entry& entry, HeadStream& file) const {
  if (format) return *format == Format::warc;
  std::string name = entry.path;
  if (name.ends_with(".lz4")) name.resize(name.size() - 4);
  std::string_view head = file.peek(sniff);
  if (detect_compression(head) == Compression::zstd) head = file.peek(zstd_sniff);
  if (warc::dictionary_frame(head) || format_of_name(name) == Format::warc) return !head.empty() && !column_format(head);
  const Compression packing = detect_compression(head);
  if (packing == Compression::none) return begins_archive(head);
  HeadStream unpacked(unpack(std::make_unique<MemoryStream>(head), packing, options.max_expansion));
  return begins_archive(unpacked.peek(archive_head));
}

// Its bytes are kept as they come, packed ones too: records are found in them by where they are packed.
void Input::Impl::open_archive(std::unique_ptr<ByteStream> file, Compression compression) {
  set_source(current, Format::warc, compression);
  if (entries[current].spooled && !spool_base.empty()) {
    begin_spool();
    file = std::make_unique<SpoolingStream>(std::move(file), *spool);
  }
  packed = 0;
  archive = std::make_unique<ArchiveChunker>(std::move(file), options, static_cast<std::uint32_t>(current));
}

// The format of a source of columns; none: it is one of bytes.
std::optional<Format> Input::Impl::columns_of(const Entry& entry, std::string_view head) const {
  if (format) return is_columnar(*format) ? format : std::nullopt;
  if (const auto known = column_format(head)) return known;
  const auto named = format_of_name(entry.path);
  return named && is_columnar(*named) ? named : std::nullopt;
}

// What can be read only once is read as it comes if it can be, else from a copy of the whole.
std::shared_ptr<const ColumnSource> Input::Impl::open_columns(const Entry& entry, std::unique_ptr<HeadStream> stream,
                                                              Compression compression) {
  if (!entry.spooled && compression == Compression::none) return open_column_file(entry.path, entry.path);
  if (!entry.spooled && is_spool(entry.path)) return open_spooled_columns(entry.path, entry.path);
  if (!entry.spooled) throw Error(ErrorCode::unsupported, "is packed as a whole, so that no part of it can be found: unpack it first");
  if (is_arrow_stream(stream->peek(column_file_head))) {
    table_bytes = std::move(stream);
    if (!spool_base.empty()) {
      begin_spool();
      table_bytes = std::make_unique<SpoolingStream>(std::move(table_bytes), *spool);
    }
    return open_arriving_columns(*table_bytes, entry.path);
  }
  const std::string path = begin_spool();
  std::vector<char> block(spool_frame);
  for (std::size_t got = block.size(); got == block.size();) {
    got = stream->read(block.data(), block.size());
    spool->append({block.data(), got});
  }
  end_spool();
  if (!stream->fault().empty()) throw Error(ErrorCode::format, stream->fault());
  return open_spooled_columns(path, entry.path);
}

// The source's bytes, whatever they mean, in UTF-8.
std::unique_ptr<ByteStream> Input::Impl::as_utf8(std::unique_ptr<HeadStream> stream) {
  const std::string_view head = stream->peek(sniff);
  if (std::optional<Encoding> known = encoding_of_head(encoding, head)) {
    std::unique_ptr<ByteStream> converted = convert(std::move(stream), known->name);
    set_encoding(std::move(*known));
    return converted;
  }
  const Entry& entry = entries[current];
  const bool page = format.value_or(detect_format(entry.path, entry.spooled, head)) == Format::html;
  auto found = std::make_unique<DetectingStream>(std::move(stream), page ? declared_encoding(head) : "", page);
  detecting = found.get();
  return found;
}

void Input::Impl::set_encoding(Encoding taken) {
  const std::lock_guard lock(mutex);
  sources[current].encoding = std::move(taken.name);
  sources[current].encoding_from = sources[current].encoding.empty() ? "" : std::move(taken.from);
}

// Size and time as they are now that it is read: what Reread will compare with.
void Input::Impl::set_source(std::size_t index, Format known, Compression compression) {
  const std::lock_guard lock(mutex);
  Source& source = sources[index];
  source.format = known;
  source.compression = entries[index].spooled && known != Format::warc ? Compression::none : compression;
  if (!entries[index].spooled) stat_file(entries[index].path, source.size, source.modified);
}

void Input::Impl::close() {
  detecting = nullptr;
  chunker.reset();
  archive.reset();
  rows.reset();
  table.reset();
  table_bytes.reset();
  if (spool) end_spool();
  ++current;
}

// Returns its path.
std::string Input::Impl::begin_spool() {
  if (spool_base.empty() && !unkept) unkept.emplace();
  std::string path = spool_path(spool_base.empty() ? *unkept / "spool" : spool_base, spools++);
  spool = std::make_unique<SpoolWriter>(path);
  return path;
}

void Input::Impl::end_spool() {
  spool->finish();
  if (!spool_base.empty()) spooled += spool->written();
  const std::lock_guard lock(mutex);
  spool.reset();
}

Input::Input(const InputOptions& options, std::string spool, const std::atomic<bool>* stop, std::size_t chunk_bytes)
    : impl_(std::make_unique<Impl>(options, std::move(spool), stop, chunk_bytes)) {}
Input::~Input() = default;

bool Input::next(Chunk& chunk) { return impl_->next(chunk); }

void Input::parse(const Chunk& chunk, Parsed& out) const {
  impl_->parser.parse(chunk, [this](std::uint32_t source) { return impl_->entries[source].path; }, out);
}

std::vector<Source> Input::sources() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->sources;
}

const std::string& Input::source_path(std::uint32_t source) const { return impl_->entries[source].path; }

const std::vector<std::string>& Input::with_results() const { return impl_->findings.with_results; }

const std::vector<std::pair<std::string, std::string>>& Input::named_twice() const { return impl_->findings.named_twice; }

const InputOptions& Input::options() const { return impl_->options; }

std::uint64_t Input::total_bytes() const { return impl_->total; }

std::uint64_t Input::spooled_bytes() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->spooled + (impl_->spool ? impl_->spool->written() : 0);
}

}  // namespace leitong::records
