// Packing and unpacking of pages and buffers whose unpacked size is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "parquet/writer.h"

namespace leitong::parquet {

// "zstd"; an unknown number is shown as such.
[[nodiscard]] std::string codec_name(std::int32_t codec);
// Whether pages of this codec can be unpacked here. brotli, lzo and the old lz4 cannot.
[[nodiscard]] bool can_unpack(std::int32_t codec);

// Holds what the libraries keep between calls. Not thread-safe.
class Unpacker {
 public:
  Unpacker();
  ~Unpacker();
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;
  // Fills out[0, size) with what `packed` holds. Error(format) if it is not exactly `size` bytes, Error(unsupported) for other codecs.
  void unpack(Codec codec, std::string_view packed, char* out, std::size_t size);
  // Frames of LZ4, as Arrow has them.
  void unpack_lz4_frame(std::string_view packed, char* out, std::size_t size);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class Packer {
 public:
  Packer(Codec codec, int level);  // Error(usage) for a codec that is not written here
  ~Packer();
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
  // Replaces `out`.
  void pack(std::string_view bytes, std::string& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong::parquet
