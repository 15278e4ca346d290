// Bytes in an encoding to UTF-8, read in two ways, and both must agree. The first byte chooses the encoding; 0 finds it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "records/encoding.h"

namespace {

using namespace leitong::records;

std::string read(std::string_view bytes, const std::string& encoding, std::size_t step) {
  std::unique_ptr<ByteStream> stream = std::make_unique<MemoryStream>(bytes);
  if (encoding == "auto") {
    const std::optional<Encoding> head = encoding_of_head(std::nullopt, bytes.substr(0, 8192));
    stream = head ? convert(std::move(stream), head->name) : std::make_unique<DetectingStream>(std::move(stream), declared_encoding(bytes));
  } else {
    stream = convert(std::move(stream), encoding);
  }
  std::string out, part(step, '\0');
  for (std::size_t got = step; got == step;) {
    got = stream->read(part.data(), step);
    out.append(part, 0, got);
  }
  if (!stream->fault().empty()) std::abort();
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const char* const encodings[] = {"auto", "GB18030", "Big5", "UTF-16LE", "UTF-16BE", "UTF-32LE", "EUC-KR", "Shift_JIS"};
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string encoding = encodings[data[0] % std::size(encodings)];
  if (read(bytes, encoding, 7) != read(bytes, encoding, std::size_t{1} << 20)) std::abort();
  return 0;
}
