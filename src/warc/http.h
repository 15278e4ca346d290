// An HTTP answer as an archive holds it → its status, what it is, and its body decoded. Never fails: what is announced and not there is
// passed by, what is broken gives what came before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace leitong::warc {

struct HttpAnswer {
  int status = 0;    // 0: it has no status line
  std::string type;  // the Content-Type, as it stands
  std::string transfer_encoding, content_encoding;
  std::string_view body;  // as it stands; views into the block
};
// Without a line "HTTP/..." in front, all of the block is the body.
[[nodiscard]] HttpAnswer parse_http(std::string_view block);

// "text/html" of "Text/HTML; charset=gbk", in lower case; and "gbk", as it stands without quotes.
[[nodiscard]] std::string media_type(std::string_view content_type);
[[nodiscard]] std::string charset_of(std::string_view content_type);

struct DecodedBody {
  std::string_view bytes;  // into the answer's block or into `storage`
  bool cut = false;        // it broke off
  bool too_long = false;   // beyond the limit
};
// `limit`: of the decoded bytes. `storage` must live as long as the result.
[[nodiscard]] DecodedBody decode_body(const HttpAnswer& answer, std::size_t limit, std::string& storage);

// The parts of a chunked body put together. False: it is not chunked.
bool join_chunks(std::string_view body, std::string& out, bool& cut);

}  // namespace leitong::warc
