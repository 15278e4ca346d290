// Opens arbitrary bytes as a table file and reads all of it: as they are, and once more with header, end and footer checksum made good, so
// that the checks behind the checksum meet the bytes too.
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "leitong/error.h"
#include "storage/table.h"
#include "storage/table_format.h"

namespace {

using leitong::Error;
using namespace leitong::storage;

class MemoryFile final : public ReadableFile {
 public:
  explicit MemoryFile(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  void read(std::uint64_t offset, std::span<std::byte> out) const override {
    if (offset > size() || out.size() > size() - offset) throw Error(leitong::ErrorCode::format, "file ends early");
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
  }

 private:
  std::vector<std::byte> bytes_;
};

// One file of any name; nothing can be written.
class MemoryVfs final : public Vfs {
 public:
  explicit MemoryVfs(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  std::unique_ptr<ReadableFile> open(const std::string&) override { return std::make_unique<MemoryFile>(bytes_); }
  bool exists(const std::string&) override { return true; }
  std::unique_ptr<WritableFile> create(const std::string&) override { refuse(); }
  void rename(const std::string&, const std::string&) override { refuse(); }
  void remove(const std::string&) override { refuse(); }
  void make_directories(const std::string&) override { refuse(); }
  void sync_directory(const std::string&) override { refuse(); }
  std::vector<std::string> list(const std::string&) override { refuse(); }

 private:
  [[noreturn]] static void refuse() { throw Error(leitong::ErrorCode::io, "read only"); }
  std::vector<std::byte> bytes_;
};

volatile std::size_t touched = 0;  // so that no read is optimised away

void read_all(std::vector<std::byte> bytes) {
  MemoryVfs vfs(std::move(bytes));
  try {
    const TableReader table(vfs, "fuzz", "", UINT32_MAX);
    Block block(table.schema());
    for (std::size_t b = 0; b < table.blocks(); ++b)
      for (std::size_t c = 0; c < table.schema().columns.size(); ++c) try {
          table.read_block(b, std::span(&c, 1), block);
          for (std::size_t r = 0; r < block.rows(); ++r)
            if (table.schema().columns[c].width == 0)
              touched = std::accumulate(block.text(c, r).begin(), block.text(c, r).end(), std::size_t{0});
        } catch (const Error&) {
        }
    table.check();
  } catch (const Error&) {
  }
}

// Footer from the byte that the first input byte names to the end; header and trailer around it are right, and so are all chunk checksums
// where the footer can be read.
std::vector<std::byte> repaired(std::span<const std::byte> input) {
  const std::size_t split = std::min<std::size_t>(std::to_integer<std::size_t>(input[0]) * 64, input.size() - 1) / 64 * 64;
  const auto chunks = input.subspan(1, split), footer = input.subspan(1 + split);
  const auto header = encode_header();
  std::vector<std::byte> file(header.begin(), header.end());
  file.insert(file.end(), chunks.begin(), chunks.end());
  const std::uint64_t offset = file.size();
  std::vector<std::byte> encoded(footer.begin(), footer.end());
  try {
    Footer decoded = decode_footer(encoded, offset, "fuzz");
    for (Chunk& chunk : decoded.chunks) chunk.checksum = XXH3_64bits(file.data() + chunk.offset, chunk.length);
    encoded = encode_footer(decoded);
  } catch (const Error&) {
  }
  file.insert(file.end(), encoded.begin(), encoded.end());
  const auto trailer = encode_trailer({offset, encoded.size(), XXH3_64bits(encoded.data(), encoded.size())});
  file.insert(file.end(), trailer.begin(), trailer.end());
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = std::as_bytes(std::span(data, size));
  read_all({input.begin(), input.end()});
  if (!input.empty()) read_all(repaired(input));
  return 0;
}
