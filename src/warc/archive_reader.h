// The records of an archive, WARC 0.17 to 1.1 or ARC 1, one after the other: as they stand, undecoded. What is damaged costs what is
// damaged: the reader says so and goes on at the next record.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "warc/members.h"

namespace leitong::warc {

// Where a record stands in its file: alone in a packed member (then offset and length are the member's, packed), in the plain file, or in
// the stream that the whole file unpacks to.
struct Place {
  std::uint64_t offset = 0, length = 0;
  bool in_stream = false;
  // One number of 64 bits for the offset, and back.
  [[nodiscard]] std::uint64_t packed_offset() const { return offset | (in_stream ? stream_bit : 0); }
  static constexpr std::uint64_t stream_bit = std::uint64_t{1} << 63;
};

struct ArchiveRecord {
  enum class Form : std::uint8_t { warc, arc };
  Form form = Form::warc;
  std::string_view header, block;  // the blank line that ends a header is part of it; of ARC the header is one line
  Place place;
  bool cut = false;  // the block is not as long as its header says
};

// Whether a line begins a record here. `line`: from its first byte on.
[[nodiscard]] bool begins_record(std::string_view line);

struct ArchiveLimits {
  std::uint64_t block = std::uint64_t{16} << 20;  // a longer one is passed over
  std::uint64_t header = std::uint64_t{256} << 10;
  std::uint64_t expansion = 1000;
};

class ArchiveReader {
 public:
  ArchiveReader(ReadBytes read, std::uint64_t offset, const ArchiveLimits& limits, std::string dictionary = {})
      : limits_(limits), members_(std::move(read), offset, limits.expansion, std::move(dictionary)), start_(offset) {}

  enum class Found : std::uint8_t { record, too_long, damage, end };
  struct Finding {
    Found found = Found::end;
    ArchiveRecord record;      // too_long: its header, and no block. Valid until the next call
    std::string reason;        // damage: what is wrong
    std::uint64_t offset = 0;  // damage: of the packed or plain file
    bool last = false;         // damage: nothing of the file can be read from here on
  };
  Finding next();
  [[nodiscard]] std::uint64_t packed() const { return members_.packed(); }
  [[nodiscard]] Packing packing() const { return members_.packing(); }

 private:
  struct Mark {
    std::uint64_t at;      // in the plain stream
    std::uint64_t packed;  // in the file
    bool begin;
  };
  bool load();
  std::string_view need(std::size_t size);
  void drop(std::size_t size);
  bool skip_blank();
  [[nodiscard]] bool is_record_here(std::string_view bytes) const;
  Finding warc_record();
  Finding arc_record(std::size_t line_size);
  Finding block(ArchiveRecord::Form form, std::size_t header, std::uint64_t length);
  Finding unknown_block(ArchiveRecord::Form form, std::size_t header);
  Finding pass_over(ArchiveRecord::Form form, std::size_t header, std::uint64_t length);
  Finding finish_record(ArchiveRecord::Form form, std::size_t header, std::size_t length, bool cut);
  Finding fault();
  Finding junk(std::string reason);
  Finding damage(std::string reason, std::uint64_t offset) const;
  [[nodiscard]] std::size_t record_inside(std::size_t from, std::size_t to);
  [[nodiscard]] std::size_t find_record(std::string_view bytes, std::size_t from) const;
  [[nodiscard]] std::size_t sure_record(std::size_t size) const;
  bool ends_well(std::size_t size);
  [[nodiscard]] Place place_of(std::size_t size) const;
  [[nodiscard]] std::uint64_t file_offset() const;

  ArchiveLimits limits_;
  Members members_;
  std::uint64_t start_;
  ByteBuffer plain_;
  std::uint64_t at_ = 0;    // of the first byte of plain_ in the stream
  std::size_t given_ = 0;   // of the last record, to be dropped
  std::deque<Mark> marks_;  // that are not behind us
  std::string fault_;       // behind the last byte of plain_
  std::uint64_t fault_at_ = 0;
  bool fault_last_ = false;
  bool ended_ = false;
  bool arc_ = false;
  bool first_ = true;
  std::string kept_header_;  // of what was passed over
};

}  // namespace leitong::warc
