// gzip and zstd from memory: whatever the bytes are, the stream ends, keeps its limits, and gives the same in small reads as in large ones.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "records/unpack.h"

namespace {

using namespace leitong::records;

std::string read(std::string_view packed, std::size_t block) {
  const std::unique_ptr<ByteStream> stream = unpack(std::make_unique<MemoryStream>(packed), detect_compression(packed), 1);
  std::string out;
  std::vector<char> buffer(block);
  while (out.size() < (std::size_t{1} << 20)) {
    const std::size_t got = stream->read(buffer.data(), block);
    out.append(buffer.data(), got);
    if (got < block) break;
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view packed(reinterpret_cast<const char*>(data), size);
  const std::string large = read(packed, std::size_t{1} << 20);
  const std::string small = read(packed, 97);
  // Behind a break the decoders may give a little more or less, before it never anything else.
  const std::size_t common = std::min(large.size(), small.size());
  if (large.compare(0, common, small, 0, common) != 0) std::abort();
  return 0;
}
