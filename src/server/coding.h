// Content-Encoding: gzip and zstd, in pieces, both ways.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace leitong::server {

enum class Coding { identity, gzip, zstd };

// Of a Content-Encoding. Throws Problem(415) for one that is not known, or several.
[[nodiscard]] Coding coding_of(std::string_view content_encoding);
// The best of what Accept-Encoding allows; identity if nothing else is.
[[nodiscard]] Coding accepted_coding(std::string_view accept_encoding);
[[nodiscard]] std::string_view name_of(Coding coding);

// Packed bytes to plain ones. A stream that gives more than 4 MiB and more than 200 times its packed size, or that asks for a window beyond
// 8 MiB, is Problem(413): so is more than `most` bytes in all. What is broken or cut off is Problem(422).
class Unpacker {
 public:
  Unpacker(Coding coding, std::uint64_t most);
  ~Unpacker();
  Unpacker(Unpacker&&) noexcept;
  // Appends what `bytes` give. `last`: nothing follows them.
  void unpack(std::string_view bytes, bool last, std::string& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class Packer {
 public:
  explicit Packer(Coding coding);
  ~Packer();
  Packer(Packer&&) noexcept;
  // Appends what makes `bytes` readable at the other end: each call flushes.
  void pack(std::string_view bytes, bool last, std::string& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong::server
