// Records of an input read once more, by the places that the first reading told.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "leitong/error.h"
#include "records/chunker.h"
#include "records/encoding.h"
#include "records/format.h"
#include "records/input.h"
#include "records/parser.h"
#include "records/spool.h"
#include "records/unpack.h"
#include "records/walk.h"

namespace leitong::records {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 20;  // read ahead while going through
constexpr std::size_t far_block = std::size_t{1} << 16;   // read at once after a jump
constexpr std::uint64_t gap = std::uint64_t{1} << 20;     // a longer way is jumped, not read over

bool is_spooled(const Source& source) { return source.size == 0 && source.modified == 0; }

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
      if (spool_path_.empty()) {
        throw Error(ErrorCode::unsupported, fmt::format("{}: can be read only once and was not kept", source_.path));
      }
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
  void load(std::uint64_t offset, std::uint64_t length);
  void move_to(std::uint64_t offset);
  void read_header(std::uint32_t source);

  InputOptions options;
  Parser parser;
  std::vector<Source> sources;
  std::string spool_base;

  std::optional<std::uint32_t> current;
  std::unique_ptr<Opened> opened;
  std::vector<char> window;        // and slack bytes
  std::uint64_t window_begin = 0;  // offset of its first byte in the source
  std::size_t window_size = 0;
  bool jumped = false;
  Chunk::Piece piece;  // format and header of `piece_of`
  std::optional<std::uint32_t> piece_of;
  Parsed parsed;
};

std::unique_ptr<Opened> Reread::Impl::open(std::uint32_t source) const {
  std::string path;
  if (is_spooled(sources[source]) && !spool_base.empty()) {
    path = spool_path(spool_base, static_cast<std::size_t>(std::count_if(sources.begin(), sources.begin() + source, is_spooled)));
  }
  return std::make_unique<Opened>(sources[source], std::move(path), options.max_expansion);
}

void Reread::Impl::use(std::uint32_t source) {
  if (source >= sources.size()) throw Error(ErrorCode::format, fmt::format("there is no source number {}", source));
  if (current == source) return;
  current.reset();
  opened.reset();  // before the next one: one descriptor at a time
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

Reread::Reread(const InputOptions& options, std::vector<Source> sources, std::string spool)
    : impl_(std::make_unique<Impl>(options, std::move(sources), std::move(spool))) {}
Reread::~Reread() = default;

std::string_view Reread::raw(std::uint32_t source, std::uint64_t offset, std::uint64_t length) {
  Impl& impl = *impl_;
  impl.use(source);
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

}  // namespace leitong::records
