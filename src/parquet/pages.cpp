#include "parquet/pages.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "leitong/error.h"

namespace leitong::parquet {
namespace {

constexpr std::size_t read_ahead = std::size_t{1} << 17;
constexpr std::size_t first_header = 256;                          // most headers are smaller
constexpr std::size_t largest_header = std::size_t{16} << 20;      // they may hold two values of the page
constexpr std::uint64_t always_allowed = std::uint64_t{64} << 20;  // bytes of a page, whatever they expand from
constexpr std::uint64_t entries_allowed = std::uint64_t{16} << 20;

double expanded(std::uint64_t packed, double expansion) { return static_cast<double>(packed) * expansion; }

}  // namespace

void PageReader::begin(const ColumnChunk& chunk) {
  if (chunk.encrypted) throw Error(ErrorCode::unsupported, "it is encrypted: decrypt the file first");
  if (chunk.elsewhere) throw Error(ErrorCode::unsupported, "its data are in another file, which is not read: write the file anew");
  if (!can_unpack(chunk.codec)) {
    throw Error(ErrorCode::unsupported,
                fmt::format("it is compressed with {}, which is not read: write the file with zstd, snappy, gzip or lz4_raw",
                            codec_name(chunk.codec)));
  }
  codec_ = static_cast<Codec>(chunk.codec);
  // Some old writers' sizes leave out the header of the dictionary: the number of values says where the chunk ends, this only how far to
  // read ahead.
  chunk_end_ = chunk.begin + chunk.packed_size;
  go_to(chunk.begin);
}

void PageReader::go_to(std::uint64_t offset) {
  offset_ = offset;
  header_.reset();
}

std::string_view PageReader::window(std::uint64_t offset, std::size_t size) {
  if (offset > file_.data_end || size > file_.data_end - offset) throw Error(ErrorCode::format, "a page ends beyond the file's data");
  if (offset < window_begin_ || offset > window_begin_ + window_size_) {
    window_begin_ = offset;
    window_size_ = 0;
  }
  const std::size_t gone = offset - window_begin_;
  if (window_size_ - gone < size) {
    if (window_size_ > gone) std::memmove(window_.data(), window_.data() + gone, window_size_ - gone);
    window_size_ -= gone;
    window_begin_ = offset;
    const std::uint64_t end = std::max(offset + size, std::min({chunk_end_, offset + read_ahead, file_.data_end}));
    const std::size_t wanted = end - offset;
    if (window_.size() < wanted) window_.resize(wanted);
    file_.bytes->read(window_begin_ + window_size_,
                      std::as_writable_bytes(std::span(window_).subspan(window_size_, wanted - window_size_)));
    window_size_ = wanted;
    return {window_.data(), window_size_};
  }
  return {window_.data() + gone, window_size_ - gone};
}

void PageReader::check(const PageHeader& header) const {
  const Limits& limits = file_.limits;
  const std::uint64_t most = header.type == PageType::dictionary ? limits.dictionary_bytes : limits.page_bytes;
  if (header.size > most) throw Error(ErrorCode::limit, fmt::format("a page of {} bytes; at most {} are read", header.size, most));
  if (header.size > always_allowed && header.size > expanded(header.packed_size, limits.expansion)) {
    throw Error(ErrorCode::limit, fmt::format("a page of {} bytes that would become {}", header.packed_size, header.size));
  }
  if (header.entries > entries_allowed && header.entries > expanded(header.packed_size, limits.expansion)) {
    throw Error(ErrorCode::limit, fmt::format("a page of {} bytes that would have {} values", header.packed_size, header.entries));
  }
  if (header.packed_size > file_.data_end - offset_ - header.header_size)
    throw Error(ErrorCode::format, "a page ends beyond the file's data");
}

const PageHeader& PageReader::header() {
  if (header_) return *header_;
  const std::uint64_t there = offset_ < file_.data_end ? file_.data_end - offset_ : 0;
  for (std::size_t size = first_header; !header_; size *= 8) {
    const std::string_view bytes = window(offset_, static_cast<std::size_t>(std::min<std::uint64_t>(size, there)));
    std::optional<PageHeader> found = read_page_header(bytes);
    if (found) {
      check(*found);
      header_ = found;
    } else if (bytes.size() >= there || size > largest_header) {
      throw Error(ErrorCode::format, "the header of a page is broken or cut off");
    }
  }
  return *header_;
}

void PageReader::skip() {
  const PageHeader& page = header();
  go_to(offset_ + page.header_size + page.packed_size);
}

std::shared_ptr<const Page> PageReader::load() {
  const PageHeader page_header = header();
  std::string_view packed = window(offset_ + page_header.header_size, page_header.packed_size).substr(0, page_header.packed_size);
  if (page_header.crc) {
    const auto* bytes = reinterpret_cast<const Bytef*>(packed.data());
    if (crc32_z(0, bytes, packed.size()) != *page_header.crc)
      throw Error(ErrorCode::format, "a page's checksum is wrong: the file is damaged");
  }
  auto page = std::make_shared<Page>();
  page->size = page_header.size;
  page->memory = std::make_unique_for_overwrite<char[]>(page->size + 1);  // never null
  char* out = page->memory.get();
  Codec codec = codec_;
  std::size_t size = page->size;
  if (page_header.type == PageType::data_v2) {
    const std::uint64_t levels = std::uint64_t{page_header.definition_size} + page_header.repetition_size;
    if (levels > packed.size() || levels > size) throw Error(ErrorCode::format, "the levels of a page are larger than it is");
    std::memcpy(out, packed.data(), levels);
    page->levels_size = levels;
    packed.remove_prefix(levels);
    out += levels;
    size -= levels;
    if (!page_header.packed) codec = Codec::none;
    if (size == 0) packed = {};
  }
  if (size > 0 || !packed.empty()) unpacker_.unpack(codec, packed, out, size);
  go_to(offset_ + page_header.header_size + page_header.packed_size);
  return page;
}

}  // namespace leitong::parquet
