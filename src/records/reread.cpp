// Records of an input read once more, by the places that the first reading told.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "leitong/error.h"
#include "records/archive_chunker.h"
#include "records/chunker.h"
#include "records/column_file.h"
#include "records/encoding.h"
#include "records/format.h"
#include "records/input.h"
#include "records/pack.h"
#include "records/parser.h"
#include "records/spool.h"
#include "records/unpack.h"
#include "records/walk.h"

namespace leitong::records {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 20;  // read ahead while going through
constexpr std::size_t far_block = std::size_t{1} << 16;   // read at once after a jump
constexpr std::uint64_t gap = std::uint64_t{1} << 20;     // a longer way is jumped, not read over

[[noreturn]] void was_not_kept(const Source& source) {
  throw Error(ErrorCode::unsupported, fmt::format("{}: can be read only once and was not kept", source.path));
}

[[noreturn]] void changed(const Source& source, std::string_view what) {
  throw Error(ErrorCode::format, fmt::format("{}: {}; it has changed since it was read first: run again", source.path, what));
}

// One source, from anywhere: by seeking where that is possible, by unpacking from the start where it is not.
class Opened {
 public:
  Opened(const Source& source, std::string spool, std::uint64_t max_expansion)
      : source_(source), spool_path_(std::move(spool)), max_expansion_(max_expansion) {
    open();
  }

  // The next byte to be read.
  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] bool can_seek() const { return file_ != nullptr || spool_ != nullptr; }
  // To `offset`, or for a source that is compressed or not UTF-8 to somewhere before it.
  void go_towards(std::uint64_t offset) {
    if (file_ != nullptr) file_->seek(offset);
    if (spool_ != nullptr) spool_->seek(offset);
    if (can_seek()) {
      position_ = offset;
    } else if (offset < position_) {
      open();
    }
  }
  std::size_t read(char* out, std::size_t size) {
    const std::size_t got = stream_->read(out, size);
    position_ += got;
    return got;
  }
  [[noreturn]] void ended() const { changed(source_, stream_->fault().empty() ? "it ends too early" : stream_->fault()); }

 private:
  void open() {
    position_ = 0;
    if (is_spooled(source_)) {
      if (spool_path_.empty()) was_not_kept(source_);
      auto spool = std::make_unique<SpoolReader>(spool_path_);
      spool_ = spool.get();
      stream_ = std::move(spool);
      return;
    }
    require_unchanged(source_);
    std::string error;
    std::unique_ptr<FileStream> file = open_file(source_.path, true, error);
    if (!file) throw Error(ErrorCode::io, fmt::format("{}: {}", source_.path, error));
    if (is_plain_file(source_)) file_ = file.get();
    stream_ = convert(unpack(std::move(file), source_.compression, max_expansion_), source_.encoding);
  }

  const Source& source_;
  std::string spool_path_;
  std::uint64_t max_expansion_;
  std::unique_ptr<ByteStream> stream_;
  FileStream* file_ = nullptr;    // stream_, if it is a plain file
  SpoolReader* spool_ = nullptr;  // stream_, if it is a spool
  std::uint64_t position_ = 0;
};

// Gives up its source so that a chunker can own "it".
class Borrowed final : public ByteStream {
 public:
  explicit Borrowed(Opened& inner) : inner_(inner) {}
  std::size_t read(char* out, std::size_t size) override { return inner_.read(out, size); }
  [[nodiscard]] std::uint64_t packed() const override { return 0; }

 private:
  Opened& inner_;
};

// Rows of a table, one at a time; near ones are looked up together.
class OpenedTable {
 public:
  OpenedTable(const Source& source, std::shared_ptr<const ColumnSource> table, const Parser& parser)
      : source_(source), parser_(parser), table_(std::move(table)) {}

  std::string_view text(std::uint64_t row) {
    if (!batch_ || row < batch_->first_row() || row >= batch_->first_row() + batch_->rows()) load(row);
    if (parsed_.scratch) parsed_.scratch->arena.clear(parsed_.storage);
    Record record;
    std::string reason;
    if (!parser_.parse_row(*batch_, values_, row - batch_->first_row(), parsed_, record, reason))
      throw Error(ErrorCode::format, fmt::format("{}: row {} is not good any more ({}): run again", source_.path, row, reason));
    return record.text;
  }
  std::string_view object(std::uint64_t row) {
    if (!objects_) objects_ = table_->objects();
    object_.clear();
    objects_->append(row, object_);
    return object_;
  }

 private:
  void load(std::uint64_t row) {
    if (!rows_) rows_ = table_->read(parser_.wanted());
    const std::uint64_t end = batch_ ? batch_->first_row() + batch_->rows() : 0;
    ahead_ = next_rows_ahead(ahead_, row, end);
    if (row != end || !batch_) rows_->seek(row);
    batch_ = rows_->next(ahead_, block_size);
    if (!batch_) throw Error(ErrorCode::format, fmt::format("{}: it has no row {}: run again", source_.path, row));
    batch_->read(values_);
  }

  const Source& source_;
  const Parser& parser_;
  std::shared_ptr<const ColumnSource> table_;
  std::unique_ptr<ColumnReader> rows_;
  std::shared_ptr<const ColumnBatch> batch_;
  std::uint32_t ahead_ = 0;
  ColumnValues values_;
  Parsed parsed_;
  std::unique_ptr<RowObjects> objects_;
  std::string object_;
};

// An archive as it is stored, from anywhere.
class StoredArchive {
 public:
  StoredArchive(const Source& source, const std::string& spool) {
    if (is_spooled(source)) {
      if (spool.empty()) was_not_kept(source);
      spool_ = std::make_unique<SpoolReader>(spool);
      return;
    }
    require_unchanged(source);
    std::string error;
    file_ = open_file(source.path, true, error);
    if (!file_) throw Error(ErrorCode::io, fmt::format("{}: {}", source.path, error));
  }
  void seek(std::uint64_t offset) { file_ ? file_->seek(offset) : spool_->seek(offset); }
  std::size_t read(char* out, std::size_t size) { return file_ ? file_->read(out, size) : spool_->read(out, size); }

 private:
  std::unique_ptr<FileStream> file_;
  std::unique_ptr<SpoolReader> spool_;
};

// Records of an archive, each by its place.
class OpenedArchive {
 public:
  OpenedArchive(const Source& source, const std::string& spool, const InputOptions& options, const Parser& parser)
      : source_(source), spool_(spool), limits_(archive_limits(options)), parser_(parser), stored_(source, spool) {}

  // The record as it is stored: packed, if it stands alone in a packed member.
  std::string_view raw(std::uint64_t offset, std::uint64_t length) {
    if (length > most_bytes()) ended();
    bytes_.resize(length);
    const bool in_stream = (offset & warc::Place::stream_bit) != 0;
    const std::size_t got = in_stream ? read_stream(offset & ~warc::Place::stream_bit) : read_stored(offset);
    if (got < length) ended();
    return bytes_;
  }
  const Record& record(std::uint64_t offset, std::uint64_t length) {
    const std::string_view stored = raw(offset, length);
    record_ = Record();
    std::string reason;
    with_record(stored, offset, [&](const warc::ArchiveRecord& archived) {
      if (!parser_.parse_archived(archived, parsed_, record_, reason)) not_good(offset, reason);
    });
    return record_;
  }
  void append(std::uint64_t offset, std::uint64_t length, Compression packing, std::string& out) {
    const std::string_view stored = raw(offset, length);
    const warc::Packing wanted = packing == Compression::gzip   ? warc::Packing::gzip
                                 : packing == Compression::zstd ? warc::Packing::zstd
                                                                : warc::Packing::none;
    with_record(stored, offset, [&](const warc::ArchiveRecord& archived) {
      const bool as_it_is = archived.form == warc::ArchiveRecord::Form::warc && !archived.cut;
      const bool alone = dictionary_.value_or("").empty();
      if (as_it_is && alone && wanted != warc::Packing::none && warc::packing_of(stored) == wanted)
        out += stored;
      else
        pack(warc::as_warc(archived), packing, out);
    });
  }

 private:
  // Calls `use` with the record in these bytes.
  template <typename Use>
  void with_record(std::string_view stored, std::uint64_t offset, const Use& use) {
    const auto packing = warc::packing_of(stored);
    if (packing == warc::Packing::zstd && !dictionary_) read_dictionary();
    warc::ArchiveReader reader(
        [rest = std::string_view(stored)](char* out, std::size_t size) mutable {
          const std::size_t part = std::min(size, rest.size());
          std::memcpy(out, rest.data(), part);
          rest.remove_prefix(part);
          return part;
        },
        0, limits_, dictionary_.value_or(""));
    const warc::ArchiveReader::Finding found = reader.next();
    if (found.found != warc::ArchiveReader::Found::record) not_good(offset, "there is none");
    use(found.record);
  }
  [[noreturn]] void not_good(std::uint64_t offset, std::string_view reason) const {
    throw Error(ErrorCode::format, fmt::format("{}: the record at byte {} is not good any more ({}): run again", source_.path,
                                               offset & ~warc::Place::stream_bit, reason));
  }

  // Packed bytes may be some more than plain ones.
  [[nodiscard]] std::uint64_t most_bytes() const { return 2 * (limits_.block + limits_.header); }
  [[noreturn]] void ended() const { changed(source_, "it ends too early"); }

  std::size_t read_stored(std::uint64_t offset) {
    stored_.seek(offset);
    return stored_.read(bytes_.data(), bytes_.size());
  }

  // Of what the whole file unpacks to: goes on from where it is, or from the start. It has a descriptor of its own, for records of both
  // kinds may take turns.
  std::size_t read_stream(std::uint64_t offset) {
    if (!members_ || offset < stream_at_) {
      stream_ = std::make_unique<StoredArchive>(source_, spool_);
      members_ =
          std::make_unique<warc::Members>([this](char* out, std::size_t size) { return stream_->read(out, size); }, 0, limits_.expansion);
      plain_ = {};
      stream_at_ = 0;
      stream_ended_ = false;
    }
    while (!stream_ended_ && stream_at_ + plain_.size() < offset + bytes_.size()) {
      if (stream_at_ + plain_.size() <= offset) drop(plain_.size());
      stream_ended_ = members_->next(plain_).last;
    }
    drop(std::min<std::uint64_t>(offset - stream_at_, plain_.size()));
    const std::size_t got = std::min(bytes_.size(), plain_.size());
    std::memcpy(bytes_.data(), plain_.view().data(), got);
    return got;
  }

  void drop(std::size_t size) {
    plain_.drop(size);
    stream_at_ += size;
  }

  void read_dictionary() {
    stored_.seek(0);
    std::string head(8, '\0');
    head.resize(stored_.read(head.data(), head.size()));
    dictionary_.emplace();
    const auto size = warc::dictionary_frame(head);
    if (!size || *size > warc::most_dictionary) return;
    head.resize(*size);
    if (stored_.read(head.data() + 8, *size - 8) == *size - 8) dictionary_ = warc::dictionary_of(head);
  }

  const Source& source_;
  std::string spool_;
  warc::ArchiveLimits limits_;
  const Parser& parser_;
  StoredArchive stored_;
  std::optional<std::string> dictionary_;
  std::string bytes_;
  Parsed parsed_;
  Record record_;
  std::unique_ptr<StoredArchive> stream_;
  std::unique_ptr<warc::Members> members_;
  warc::ByteBuffer plain_;
  std::uint64_t stream_at_ = 0;  // of the first byte of plain_
  bool stream_ended_ = false;
};

}  // namespace

void require_unchanged(const Source& source) {
  std::uint64_t size = 0;
  std::int64_t modified = 0;
  if (!stat_file(source.path, size, modified)) {
    const bool relative = !source.path.starts_with('/');
    throw Error(
        ErrorCode::io,
        fmt::format("{}: it is not there{}", source.path,
                    relative ? "; the path counts from the directory in which dedup or sketch was run: go there first" : " any more"));
  }
  if (size != source.size) changed(source, fmt::format("its size is {} bytes, not {}", size, source.size));
  if (modified != source.modified) changed(source, "it was written to");
}

bool is_plain_file(const Source& source) {
  return !is_spooled(source) && source.compression == Compression::none && source.encoding.empty();
}

struct Reread::Impl {
  Impl(const InputOptions& input_options, std::vector<Source> all, std::string spool)
      : options(input_options), parser(input_options), sources(std::move(all)), spool_base(std::move(spool)) {}

  void use(std::uint32_t source);
  std::unique_ptr<Opened> open(std::uint32_t source) const;
  [[nodiscard]] std::string spool_of(std::uint32_t source) const;
  [[nodiscard]] std::shared_ptr<const ColumnSource> open_table(std::uint32_t number) const;
  void load(std::uint64_t offset, std::uint64_t length);
  void move_to(std::uint64_t offset);
  void read_header(std::uint32_t source);

  InputOptions options;
  Parser parser;
  std::vector<Source> sources;
  std::string spool_base;

  std::optional<std::uint32_t> current;
  std::unique_ptr<Opened> opened;
  std::unique_ptr<OpenedTable> table;      // in its place
  std::unique_ptr<OpenedArchive> archive;  // in its place
  std::vector<char> window;                // and slack bytes
  std::uint64_t window_begin = 0;          // offset of its first byte in the source
  std::size_t window_size = 0;
  bool jumped = false;
  Chunk::Piece piece;  // format and header of `piece_of`
  std::optional<std::uint32_t> piece_of;
  Parsed parsed;
};

// Empty for what has none.
std::string Reread::Impl::spool_of(std::uint32_t source) const {
  if (!is_spooled(sources[source]) || spool_base.empty()) return {};
  return spool_path(spool_base, static_cast<std::size_t>(std::count_if(sources.begin(), sources.begin() + source, is_spooled)));
}

std::unique_ptr<Opened> Reread::Impl::open(std::uint32_t source) const {
  return std::make_unique<Opened>(sources[source], spool_of(source), options.max_expansion);
}

std::shared_ptr<const ColumnSource> Reread::Impl::open_table(std::uint32_t number) const {
  const Source& source = sources[number];
  if (source.format == Format::memory) {
    const auto in_memory = options.in_memory.find(source.path);
    if (in_memory == options.in_memory.end())
      throw Error(ErrorCode::unsupported, fmt::format("{}: its records stood in memory and were not kept", source.path));
    return in_memory->second;
  }
  return open_columns_again(source, spool_of(number));
}

void Reread::Impl::use(std::uint32_t source) {
  if (source >= sources.size()) throw Error(ErrorCode::format, fmt::format("there is no source number {}", source));
  if (current == source) return;
  current.reset();
  opened.reset();  // before the next one: one descriptor at a time
  table.reset();
  archive.reset();
  if (sources[source].format == Format::warc)
    archive = std::make_unique<OpenedArchive>(sources[source], spool_of(source), options, parser);
  else if (is_columnar(sources[source].format))
    table = std::make_unique<OpenedTable>(sources[source], open_table(source), parser);
  else
    opened = open(source);
  current = source;
  window_begin = 0;
  window_size = 0;
  jumped = false;
}

// Makes `offset` the beginning of the window, which may be empty afterwards.
void Reread::Impl::move_to(std::uint64_t offset) {
  const std::uint64_t window_end = window_begin + window_size;
  if (offset >= window_begin && offset <= window_end) {
    const std::size_t gone = offset - window_begin;
    std::memmove(window.data(), window.data() + gone, window_size - gone);
    window_size -= gone;
    window_begin = offset;
    return;
  }
  window_size = 0;
  const bool far = offset < window_begin || offset > window_end + gap;
  jumped = far;
  if (far) opened->go_towards(offset);
  while (opened->position() < offset) {  // read over
    const std::uint64_t before = opened->position();
    if (opened->read(window.data(), std::min<std::uint64_t>(offset - before, block_size)) == 0) opened->ended();
  }
  window_begin = offset;
}

void Reread::Impl::load(std::uint64_t offset, std::uint64_t length) {
  if (window.size() < block_size + slack) window.resize(block_size + slack);
  move_to(offset);
  if (window_size < length) {
    const std::size_t block = jumped ? far_block : block_size;
    const std::size_t want = std::max<std::uint64_t>(length, block);
    jumped = false;
    if (window.size() < want + slack) window.resize(want + slack);
    window_size += opened->read(window.data() + window_size, want - window_size);
    std::memset(window.data() + window_size, 0, slack);
    if (window_size < length) opened->ended();
  }
}

void Reread::Impl::read_header(std::uint32_t source) {
  if (piece_of == source) return;
  piece_of.reset();
  piece = Chunk::Piece{};
  piece.format = sources[source].format;
  if (is_table(piece.format)) {
    const std::unique_ptr<Opened> again = open(source);
    auto head = std::make_unique<HeadStream>(std::make_unique<Borrowed>(*again));
    const bool mark = head->peek(3) == "\xEF\xBB\xBF";
    char skipped[3];
    static_cast<void>(head->read(skipped, mark ? 3 : 0));
    Chunker chunker(std::move(head), piece.format, options, source, 0);
    Chunk chunk;
    for (bool end = false; piece.header.empty() && !end; chunk.pieces.clear()) {
      end = chunker.fill(chunk, far_block);
      for (const Chunk::Piece& part : chunk.pieces) piece.header = piece.header.empty() ? part.header : piece.header;
    }
  }
  piece_of = source;
}

std::shared_ptr<const ColumnFile> open_columns_again(const Source& source, const std::string& spool) {
  if (is_spooled(source)) {
    if (spool.empty()) was_not_kept(source);
    return open_spooled_columns(spool, source.path);
  }
  require_unchanged(source);
  return source.compression == Compression::none ? open_column_file(source.path, source.path)
                                                 : open_spooled_columns(source.path, source.path);
}

Reread::Reread(const InputOptions& options, std::vector<Source> sources, std::string spool)
    : impl_(std::make_unique<Impl>(options, std::move(sources), std::move(spool))) {}
Reread::~Reread() = default;

std::string_view Reread::raw(std::uint32_t source, std::uint64_t offset, std::uint64_t length) {
  Impl& impl = *impl_;
  impl.use(source);
  if (impl.table) return impl.table->object(offset);
  if (impl.archive) return impl.archive->raw(offset, length);
  if (offset > std::uint64_t{1} << 62) impl.opened->ended();
  if (length > std::max<std::uint64_t>(impl.options.max_document_bytes, 1)) {
    throw Error(ErrorCode::format, fmt::format("{}: the record at byte {} would be {}", impl.sources[source].path, offset,
                                               too_long(impl.options.max_document_bytes)));
  }
  if (offset < impl.window_begin || offset + length > impl.window_begin + impl.window_size) impl.load(offset, length);
  return {impl.window.data() + (offset - impl.window_begin), length};
}

std::string_view Reread::text(std::uint32_t source, std::uint64_t offset, std::uint64_t length) {
  Impl& impl = *impl_;
  impl.use(source);
  if (impl.table) return impl.table->text(offset);
  if (impl.archive) return impl.archive->record(offset, length).text;
  const std::string_view bytes = raw(source, offset, length);
  impl.read_header(source);
  Record record;
  std::string reason;
  if (!impl.parser.parse_again(impl.piece, bytes, impl.parsed, record, reason)) {
    throw Error(ErrorCode::format,
                fmt::format("{}: the record at byte {} is not good any more ({}): run again", impl.sources[source].path, offset, reason));
  }
  return record.text;
}

const Record& Reread::archived(std::uint32_t source, std::uint64_t offset, std::uint64_t length) {
  impl_->use(source);
  if (!impl_->archive) throw Error(ErrorCode::format, fmt::format("{}: it is no archive", impl_->sources[source].path));
  return impl_->archive->record(offset, length);
}

void Reread::append_archived(std::uint32_t source, std::uint64_t offset, std::uint64_t length, Compression packing, std::string& out) {
  impl_->use(source);
  if (!impl_->archive) throw Error(ErrorCode::format, fmt::format("{}: it is no archive", impl_->sources[source].path));
  impl_->archive->append(offset, length, packing, out);
}

}  // namespace leitong::records
