// Archives from memory: whatever the bytes are, reading ends; each record's place gives the same record again, pieces give what the whole
// gives, and what as_warc makes is one record.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "warc/archive_reader.h"
#include "warc/page.h"

namespace {

using namespace leitong::warc;

ReadBytes reader_of(std::string_view bytes) {
  return [bytes](char* out, std::size_t size) mutable {
    const std::size_t part = std::min(size, bytes.size());
    std::memcpy(out, bytes.data(), part);
    bytes.remove_prefix(part);
    return part;
  };
}

constexpr ArchiveLimits limits{std::uint64_t{1} << 16, std::uint64_t{1} << 12, 10};

std::string only_record(std::string_view bytes) {
  ArchiveReader reader(reader_of(bytes), 0, limits);
  const ArchiveReader::Finding found = reader.next();
  return found.found == ArchiveReader::Found::record ? std::string(found.record.header).append(found.record.block) : std::string();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  ArchiveReader reader(reader_of(bytes), 0, limits);
  Page page;
  std::string storage;
  for (std::size_t findings = 0;; ++findings) {
    if (findings > 2 * size + 16) std::abort();  // each takes something
    const ArchiveReader::Finding found = reader.next();
    if (found.found == ArchiveReader::Found::end) break;
    if (found.found == ArchiveReader::Found::damage && found.reason.empty()) std::abort();
    if (found.found != ArchiveReader::Found::record) continue;
    read_page(found.record, 1 << 16, page, storage);
    const Place& place = found.record.place;
    if (!place.in_stream) {
      if (place.offset + place.length > size) std::abort();
      const std::string whole = std::string(found.record.header).append(found.record.block);
      // Behind a dictionary, frames alone are not to be read.
      if (!dictionary_frame(bytes) && only_record(bytes.substr(place.offset, place.length)) != whole) std::abort();
    }
    if (found.record.form == ArchiveRecord::Form::warc && found.record.header.size() < 2000 && only_record(as_warc(found.record)).empty())
      std::abort();
  }
  return 0;
}
