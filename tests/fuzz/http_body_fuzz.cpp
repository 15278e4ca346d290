// An HTTP answer from memory: whatever the bytes are, its body is decoded within the limit, and so is its text turned to UTF-8.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "records/encoding.h"
#include "records/utf8.h"
#include "text/canonical_link.h"
#include "warc/http.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace leitong;
  constexpr std::size_t limit = 1 << 16;
  const warc::HttpAnswer answer = warc::parse_http({reinterpret_cast<const char*>(data), size});
  std::string storage, converted;
  const warc::DecodedBody body = warc::decode_body(answer, limit, storage);
  if (!body.too_long && body.bytes.size() > limit) std::abort();
  if (storage.size() > 4 * limit + 4 * size) std::abort();
  const std::string_view text = records::page_as_utf8(body.bytes, warc::charset_of(answer.type), true, std::nullopt, converted);
  if (!records::valid_utf8(text)) std::abort();
  static_cast<void>(text::canonical_link(text));
  return 0;
}
