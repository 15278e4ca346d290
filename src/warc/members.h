// The bytes of an archive file as they are stored → plain bytes, with the places where gzip members or frames of Zstandard or LZ4 begin and
// end. Behind damage it goes on at the next member that can be read. What it gives depends on the bytes alone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "warc/byte_buffer.h"
#include "warc/inflater.h"

namespace leitong::warc {

// Fills `out`; fewer than `size` bytes only at the end.
using ReadBytes = std::function<std::size_t(char* out, std::size_t size)>;

enum class Packing : std::uint8_t { none, gzip, zstd, lz4 };

// By the first bytes of a file or of a member.
[[nodiscard]] Packing packing_of(std::string_view head);

// Of a .warc.zst: the dictionary that stands in front, in a skippable frame of its own; empty: none. The first frame must be in `head`.
// Throws Error(format) for one that cannot be unpacked.
[[nodiscard]] std::string dictionary_of(std::string_view head);
// Bytes of that frame, as far as its first eight bytes tell; none: there is no such frame.
[[nodiscard]] std::optional<std::size_t> dictionary_frame(std::string_view head);
inline constexpr std::size_t most_dictionary = std::size_t{64} << 20;

class Members {
 public:
  // `offset`: of the first byte that `read` gives. `max_expansion`: a member that gives more than 64 MiB and more than so many times its
  // size is broken. `dictionary`: as dictionary_of() gives it, for a reading that does not begin at the front; there it is found.
  Members(ReadBytes read, std::uint64_t offset, std::uint64_t max_expansion, std::string dictionary = {});

  // What the last bytes were.
  struct Step {
    std::size_t made = 0;                // bytes appended, perhaps none
    std::optional<std::uint64_t> begin;  // the packed offset of the member that begins with them
    std::optional<std::uint64_t> end;    // and behind the one that ends with them
    std::string fault;                   // not empty: what follows does not continue them
    std::uint64_t fault_at = 0;          // packed offset
    bool last = false;                   // nothing follows
  };
  // Appends some bytes: of a small member all.
  Step next(ByteBuffer& out);
  [[nodiscard]] Packing packing() const { return packing_; }  // known after the first step
  [[nodiscard]] std::uint64_t packed() const { return offset_ + used_; }

 private:
  bool fill(std::size_t size);
  void take(std::size_t size);
  void begin_file();
  bool begin_member(Step& step);
  void plain(ByteBuffer& out, Step& step);
  bool whole(ByteBuffer& out, Step& step);
  void stream(ByteBuffer& out, Step& step);
  void end_member(Step& step);
  void fail(Step& step, std::string fault);
  void find_member();
  [[nodiscard]] std::string_view pending() const { return packed_.view().substr(used_); }
  [[nodiscard]] bool begins_member(std::size_t at) const;

  ReadBytes read_;
  std::uint64_t offset_;  // of the first byte of packed_
  std::size_t used_ = 0;  // bytes of packed_ that were unpacked already: a member stays until it is known to be sound, if it is not large
  std::uint64_t max_expansion_;
  std::string dictionary_;
  ByteBuffer packed_;
  bool ended_ = false;  // read_ has
  bool begun_ = false;
  Packing packing_ = Packing::none;
  bool inside_ = false;                        // a member
  std::uint64_t member_begin_ = 0, made_ = 0;  // of it
  WholeGzip whole_gzip_;
  std::size_t guess_;  // of what a member unpacks to
  std::unique_ptr<Inflater> inflater_;
  bool inflater_in_use_ = false;  // for the member
};

}  // namespace leitong::warc
