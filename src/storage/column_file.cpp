#include "storage/column_file.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "leitong/error.h"

namespace leitong::storage {
namespace {

static_assert(std::endian::native == std::endian::little, "the mapped file is little-endian");

constexpr std::uint64_t align = 64;
constexpr std::uint64_t most_columns = 1U << 16;
constexpr std::string_view end_mark = "columns.";
constexpr std::uint64_t page_sums = ~std::uint64_t{0};  // id of the last column

struct Header {
  char magic[8];
  std::uint32_t version, zero;
  std::uint64_t zeros[6];
};
struct Trailer {
  std::uint64_t table, columns, size;  // offset of the table; entries in it; bytes of the file
  std::uint64_t zeros[3];
  std::uint64_t checksum;  // XXH3-64 of header, table, and this trailer up to here
  char end[8];
};
static_assert(sizeof(Header) == align && sizeof(Trailer) == align);

constexpr std::uint64_t aligned(std::uint64_t offset) { return (offset + align - 1) / align * align; }

Header make_header(const ColumnKind& kind) {
  Header header{};
  std::memcpy(header.magic, kind.magic.data(), std::min(kind.magic.size(), sizeof header.magic));
  header.version = kind.version;
  return header;
}

std::uint64_t checksum_of(const Header& header, std::span<const ColumnEntry> entries, const Trailer& trailer) {
  std::vector<std::byte> bytes(sizeof header + entries.size_bytes() + offsetof(Trailer, checksum));
  std::memcpy(bytes.data(), &header, sizeof header);
  if (!entries.empty()) std::memcpy(bytes.data() + sizeof header, entries.data(), entries.size_bytes());
  std::memcpy(bytes.data() + sizeof header + entries.size_bytes(), &trailer, offsetof(Trailer, checksum));
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace

void PageSums::add(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::size_t taken = std::min<std::size_t>(page_size - page_.size(), bytes.size());
    if (taken == page_size) {
      sums_.push_back(XXH3_64bits(bytes.data(), taken));
    } else {
      page_.insert(page_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(taken));
      if (page_.size() == page_size) {
        sums_.push_back(XXH3_64bits(page_.data(), page_size));
        page_.clear();
      }
    }
    bytes = bytes.subspan(taken);
  }
}

std::vector<std::uint64_t> PageSums::take() {
  if (!page_.empty()) sums_.push_back(XXH3_64bits(page_.data(), page_.size()));
  page_.clear();
  return std::exchange(sums_, {});
}

ColumnFileWriter::ColumnFileWriter(Vfs& vfs, std::string path, const ColumnKind& kind)
    : vfs_(vfs), path_(std::move(path)), temporary_(path_ + ".tmp"), kind_(kind), file_(vfs.create(temporary_)) {
  const Header header = make_header(kind);
  try {
    write(std::as_bytes(std::span(&header, 1)));
  } catch (...) {
    file_.reset();
    try {
      vfs_.remove(temporary_);
    } catch (const Error&) {
      // What stays is overwritten by the next attempt; the first error is the one to tell.
    }
    throw;
  }
}

ColumnFileWriter::~ColumnFileWriter() {
  if (renamed_) return;
  file_.reset();
  try {
    vfs_.remove(temporary_);
  } catch (...) {
    // As above; and a destructor must not throw.
  }
}

void ColumnFileWriter::write(std::span<const std::byte> bytes) {
  file_->append(bytes);
  sums_.add(bytes);
  position_ += bytes.size();
}

void ColumnFileWriter::pad() {
  static constexpr std::array<std::byte, align> zeros{};
  write(std::span(zeros).first(static_cast<std::size_t>(aligned(position_) - position_)));
}

void ColumnFileWriter::add(std::uint64_t id, std::span<const std::byte> bytes) {
  pad();
  entries_.push_back({id, position_, bytes.size(), XXH3_64bits(bytes.data(), bytes.size())});
  write(bytes);
}

void ColumnFileWriter::finish() {
  pad();
  const std::vector<std::uint64_t> sums = sums_.take();
  add(page_sums, sums.data(), sums.size());
  pad();
  Trailer trailer{};
  trailer.table = position_;
  trailer.columns = entries_.size();
  trailer.size = aligned(position_ + entries_.size() * sizeof(ColumnEntry)) + sizeof trailer;
  trailer.checksum = checksum_of(make_header(kind_), entries_, trailer);
  std::memcpy(trailer.end, end_mark.data(), sizeof trailer.end);
  write(std::as_bytes(std::span(entries_)));
  pad();
  write(std::as_bytes(std::span(&trailer, 1)));
  file_->sync();
  file_->close();
  vfs_.rename(temporary_, path_);
  renamed_ = true;
  vfs_.sync_directory(parent_directory(path_));
}

ColumnFile::ColumnFile(Vfs& vfs, std::string path, const ColumnKind& kind)
    : path_(std::move(path)), advice_(kind.advice), file_(vfs.map(path_)), bytes_(file_->bytes()) {
  Header header;
  Trailer trailer;
  if (bytes_.size() < sizeof header + sizeof trailer) damaged("is too short to be such a file");
  std::memcpy(&header, bytes_.data(), sizeof header);
  std::memcpy(&trailer, bytes_.data() + bytes_.size() - sizeof trailer, sizeof trailer);
  if (std::string_view(header.magic, sizeof header.magic) != kind.magic) damaged("is not a file of this kind");
  if (header.version < kind.version) damaged(fmt::format("has version {}, this program reads version {}", header.version, kind.version));
  if (header.version > kind.version)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: has version {}, this program reads version {}; {}", path_, header.version, kind.version, advice_));
  if (std::string_view(trailer.end, sizeof trailer.end) != end_mark || trailer.size != bytes_.size())
    damaged("does not end as it should; was it cut short?");
  const std::uint64_t room = bytes_.size() - sizeof trailer;
  if (trailer.columns > most_columns || trailer.table % align != 0 || trailer.table < sizeof header || trailer.table > room ||
      trailer.columns * sizeof(ColumnEntry) > room - trailer.table)
    damaged("has an impossible table of columns");
  entries_.resize(static_cast<std::size_t>(trailer.columns));
  if (!entries_.empty()) std::memcpy(entries_.data(), bytes_.data() + trailer.table, entries_.size() * sizeof(ColumnEntry));
  if (checksum_of(header, entries_, trailer) != trailer.checksum) damaged("has a wrong checksum of its header and table");
  identity_ = trailer.checksum;
  for (const ColumnEntry& entry : entries_) {
    if (entry.offset % align != 0 || entry.offset < sizeof header || entry.offset > trailer.table ||
        entry.size > trailer.table - entry.offset)
      damaged("has a column outside of the file");
  }
  open_pages();
}

void ColumnFile::open_pages() {
  summed_ = find(page_sums).offset;
  for (const ColumnEntry& entry : entries_)
    if (entry.id != page_sums && entry.offset + entry.size > summed_) damaged("has a column behind the checksums of its pages");
  sums_ = column<std::uint64_t>(page_sums, static_cast<std::size_t>((summed_ + PageSums::page_size - 1) / PageSums::page_size));
  verify(page_sums);
  verified_ = VerifiedParts(sums_.size());
}

void ColumnFile::verify_page(std::size_t page) const {
  const std::uint64_t begin = page * PageSums::page_size;
  if (page >= sums_.size()) damaged(fmt::format("has no checksum for offset {}", begin));
  const auto size = static_cast<std::size_t>(std::min(PageSums::page_size, summed_ - begin));
  if (XXH3_64bits(bytes_.data() + begin, size) != sums_[page])
    damaged(fmt::format("the checksum of the {} bytes from offset {} differs", size, begin));
  require_readable();  // as below
  verified_.add(page);
}

void ColumnFile::damaged(const std::string& what) const {
  require_readable();
  throw Error(ErrorCode::format, path_ + ": " + what + "; " + advice_);
}

const ColumnEntry& ColumnFile::find(std::uint64_t id) const {
  for (const ColumnEntry& entry : entries_) {
    if (entry.id == id) return entry;
  }
  damaged("lacks column " + std::to_string(id));
}

void ColumnFile::verify(const ColumnEntry& entry) const {
  if (XXH3_64bits(bytes_.data() + entry.offset, entry.size) != entry.checksum)
    damaged(fmt::format("column {} (offset {}, {} bytes) has a wrong checksum", entry.id, entry.offset, entry.size));
  require_readable();  // zeros in place of zeros have a good one
}

void ColumnFile::verify_all() const {
  std::uint64_t end = sizeof(Header);
  const auto gap = [&](std::uint64_t to) {
    for (; end < to; ++end) {
      if (bytes_[end] != std::byte{0}) damaged(fmt::format("has a byte at offset {} that should be zero", end));
    }
  };
  for (const ColumnEntry& entry : entries_) {  // in the order in which they were written
    gap(entry.offset);
    verify(entry);
    end = entry.offset + entry.size;
  }
  Trailer trailer;
  std::memcpy(&trailer, bytes_.data() + bytes_.size() - sizeof trailer, sizeof trailer);
  gap(trailer.table);
  end = trailer.table + entries_.size() * sizeof(ColumnEntry);
  gap(bytes_.size() - sizeof trailer);
  for (std::size_t page = 0; page < sums_.size(); ++page) verify_page(page);
  require_readable();
}

}  // namespace leitong::storage
