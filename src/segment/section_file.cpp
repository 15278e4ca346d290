#include "segment/section_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <bit>
#include <cerrno>
#include <fstream>
#include <memory>
#include <new>

namespace leitong::segment {
namespace {

static_assert(std::endian::native == std::endian::little, "the mapped file is little-endian");

constexpr std::size_t header_size = 64, align = 64;

struct Header {
  char magic[8] = {};
  std::uint32_t version = 0, sections = 0;
  std::uint64_t size = 0, checksum = 0;
  ContentId content;
  std::uint64_t zero[2] = {};
};
static_assert(sizeof(Header) == header_size);

constexpr const char* too_short = "is too short to be a data file";

void check_kind(const Header& header, const std::string& path, std::string_view magic, std::uint32_t version, const std::string& advice) {
  if (std::string_view(header.magic, sizeof header.magic).substr(0, magic.size()) != magic)
    throw Error(ErrorCode::format, path + ": is not a data file of this kind; " + advice);
  if (header.version != version)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: has version {}, this program reads version {}; {}", path, header.version, version, advice));
}

// Of the whole file, the header's own field as zero.
std::uint64_t checksum_of(Header header, std::span<const std::byte> rest) {
  header.checksum = 0;
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  if (!state) throw std::bad_alloc();
  XXH3_64bits_reset(state.get());
  XXH3_64bits_update(state.get(), &header, sizeof header);
  XXH3_64bits_update(state.get(), rest.data(), rest.size());
  return XXH3_64bits_digest(state.get());
}

constexpr std::uint64_t aligned(std::uint64_t offset) { return (offset + align - 1) / align * align; }

}  // namespace

std::string ContentId::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

ContentId content_id(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

SectionSummary read_summary(const std::string& path, std::optional<std::uint32_t> section) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff end = file ? static_cast<std::streamoff>(file.tellg()) : -1;
  if (end < 0) throw Error(ErrorCode::io, path + ": cannot be opened; check that the file exists and is readable");
  const auto size = static_cast<std::uint64_t>(end);
  const auto damaged = [&path](const std::string& what) {
    throw Error(ErrorCode::format, path + ": " + what + "; it is no whole data file");
  };
  const auto read = [&](std::uint64_t offset, void* out, std::uint64_t bytes) {
    file.seekg(static_cast<std::streamoff>(offset));
    if (!file.read(static_cast<char*>(out), static_cast<std::streamsize>(bytes))) damaged("cannot be read to its end");
  };
  Header header;
  if (size < header_size) damaged(too_short);
  read(0, &header, sizeof header);
  SectionSummary out{{header.magic, sizeof header.magic}, header.version, size, header.content, {}};
  if (header.size != size) damaged(fmt::format("has {} bytes instead of {}", size, header.size));
  if (header.sections > (size - header_size) / sizeof(SectionEntry)) damaged("has an impossible number of sections");
  for (std::uint64_t i = 0; section && i < header.sections; ++i) {
    SectionEntry entry;
    read(header_size + i * sizeof entry, &entry, sizeof entry);
    if (entry.id != *section) continue;
    if (entry.offset > size || size - entry.offset < entry.size) damaged("has a section outside of the file");
    out.section.emplace(entry.size, '\0');
    read(entry.offset, out.section->data(), entry.size);
    break;
  }
  return out;
}

SectionWriter::SectionWriter(std::span<const std::byte> file) {
  Header header;
  std::memcpy(&header, file.data(), sizeof header);
  for (std::size_t i = 0; i < header.sections; ++i) {
    SectionEntry entry;
    std::memcpy(&entry, file.data() + header_size + i * sizeof entry, sizeof entry);
    const auto bytes = file.subspan(entry.offset, entry.size);
    sections_.emplace_back(entry.id, std::vector<std::byte>(bytes.begin(), bytes.end()));
  }
}

std::vector<std::byte> SectionWriter::finish(std::string_view magic, std::uint32_t version, ContentId content) const {
  SectionEntry entry;
  std::uint64_t offset = aligned(header_size + sections_.size() * sizeof entry);
  std::vector<std::byte> out(offset);
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const auto& [id, bytes] = sections_[i];
    entry = {id, 0, out.size(), bytes.size()};
    std::memcpy(out.data() + header_size + i * sizeof entry, &entry, sizeof entry);
    out.insert(out.end(), bytes.begin(), bytes.end());
    out.resize(aligned(out.size()));
  }
  Header header;
  std::memcpy(header.magic, magic.data(), std::min(magic.size(), sizeof header.magic));
  header.version = version;
  header.sections = static_cast<std::uint32_t>(sections_.size());
  header.content = content;
  header.size = out.size();
  header.checksum = checksum_of(header, std::span(out).subspan(header_size));
  std::memcpy(out.data(), &header, sizeof header);
  return out;
}

SectionFile::SectionFile(const std::string& path, std::string_view magic, std::uint32_t version, std::string advice)
    : path_(path), advice_(std::move(advice)) {
  map();
  try {
    check(magic, version);
  } catch (...) {
    unmap();
    throw;
  }
}

SectionFile::SectionFile(std::vector<std::byte> bytes, std::string name, std::string_view magic, std::uint32_t version, std::string advice)
    : path_(std::move(name)), advice_(std::move(advice)), owned_(std::move(bytes)), data_(owned_.data()), size_(owned_.size()) {
  check(magic, version);
}

SectionFile::~SectionFile() { unmap(); }

void SectionFile::unmap() {
  if (mapped_) ::munmap(const_cast<std::byte*>(data_), size_);
}

void SectionFile::damaged(const std::string& what) const { throw Error(ErrorCode::format, path_ + ": " + what + "; " + advice_); }

void SectionFile::map() {
  const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw Error(ErrorCode::io, path_ + ": cannot be opened (" + std::strerror(errno) + "); " + advice_);
  struct stat status{};
  const bool known = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  size_ = known ? static_cast<std::size_t>(status.st_size) : 0;
  void* data = size_ < header_size ? MAP_FAILED : ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  ::close(file);
  if (size_ < header_size) damaged(too_short);
  if (data == MAP_FAILED) throw Error(ErrorCode::io, path_ + ": cannot be mapped; " + advice_);
  data_ = static_cast<const std::byte*>(data);
  mapped_ = true;
}

void SectionFile::check(std::string_view magic, std::uint32_t version) {
  if (size_ < header_size) damaged(too_short);
  Header header;
  std::memcpy(&header, data_, sizeof header);
  check_kind(header, path_, magic, version, advice_);
  if (header.size != size_) damaged("has " + std::to_string(size_) + " bytes instead of " + std::to_string(header.size));
  if (header.checksum != checksum_of(header, {data_ + header_size, size_ - header_size})) damaged("has a wrong checksum");
  content_ = header.content;
  if (header.sections > (size_ - header_size) / sizeof(SectionEntry)) damaged("has an impossible number of sections");
  entries_.resize(header.sections);
  if (!entries_.empty()) std::memcpy(entries_.data(), data_ + header_size, entries_.size() * sizeof(SectionEntry));
  for (const SectionEntry& entry : entries_) {
    if (entry.offset % align != 0 || entry.offset > size_ || size_ - entry.offset < entry.size)
      damaged("has a section outside of the file");
  }
}

std::span<const std::byte> SectionFile::find(std::uint32_t id) const {
  for (const SectionEntry& entry : entries_) {
    if (entry.id == id) return {data_ + entry.offset, entry.size};
  }
  damaged("lacks section " + std::to_string(id));
}

}  // namespace leitong::segment
