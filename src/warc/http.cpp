#include "warc/http.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "warc/header.h"
#include "warc/inflater.h"

namespace leitong::warc {
namespace {

constexpr std::size_t most_codings = 8;

int status_of(std::string_view line) {
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return 0;
  std::string_view rest = line.substr(blank);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  int status = 0;
  std::from_chars(rest.data(), rest.data() + std::min<std::size_t>(rest.size(), 3), status);
  return status;
}

std::vector<std::string> listed(std::string_view value) {
  std::vector<std::string> list;
  while (!value.empty() && list.size() < most_codings) {
    const std::size_t comma = value.find(',');
    if (const std::string_view one = trimmed(value.substr(0, comma)); !one.empty()) list.push_back(lower(one));
    value.remove_prefix(comma == std::string_view::npos ? value.size() : comma + 1);
  }
  return list;
}

// Of a coding by its name; "deflate" is zlib by the standard, and raw by custom.
std::vector<Coding> codings_of(std::string_view name) {
  if (name == "gzip" || name == "x-gzip") return {Coding::gzip};
  if (name == "deflate") return {Coding::zlib, Coding::deflate};
  if (name == "br") return {Coding::brotli};
  if (name == "zstd") return {Coding::zstd};
  return {};
}

// Text that is not packed would seldom unpack, as raw deflate a little of it; a body is taken for packed if it gives as much as it has.
bool is_plausible(Coding coding, const Unpacked& result, std::size_t packed, std::size_t unpacked) {
  if (result.whole || result.beyond_limit) return true;
  if (coding == Coding::deflate || coding == Coding::brotli) return unpacked >= packed && unpacked > 0;
  return unpacked > 0;
}

// One coding taken off `body`, into `out`; false: it is not there.
bool take_off(std::string_view name, std::string_view body, std::size_t limit, std::string& out, Unpacked& result) {
  for (const Coding coding : codings_of(name)) {
    result = unpack_all(body, coding, limit, out);
    if (is_plausible(coding, result, body.size(), out.size())) return true;
  }
  return false;
}

}  // namespace

HttpAnswer parse_http(std::string_view block) {
  HttpAnswer answer;
  answer.body = block;
  if (!block.starts_with("HTTP/") && !block.starts_with("ICY ")) return answer;
  const std::size_t header = header_size(block).value_or(block.size());
  const std::string_view head = block.substr(0, header);
  answer.status = status_of(head.substr(0, head.find('\n')));
  answer.type = field(head, "Content-Type");
  answer.transfer_encoding = field(head, "Transfer-Encoding");
  answer.content_encoding = field(head, "Content-Encoding");
  answer.body = block.substr(header);
  return answer;
}

std::string media_type(std::string_view content_type) { return lower(trimmed(content_type.substr(0, content_type.find_first_of(";,")))); }

std::string charset_of(std::string_view content_type) {
  const std::string lowered = lower(content_type);
  constexpr std::string_view name = "charset";
  for (std::size_t at = lowered.find(name); at != std::string::npos; at = lowered.find(name, at + 1)) {
    std::string_view rest = content_type.substr(at + name.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (!rest.starts_with('=')) continue;
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\"'", 1), rest.size()));
    return std::string(rest.substr(0, rest.find_first_of(" \t\"';,")));
  }
  return {};
}

bool join_chunks(std::string_view body, std::string& out, bool& cut) {
  out.clear();
  cut = false;
  for (bool first = true;; first = false) {
    const std::size_t end = body.find('\n');
    std::size_t size = 0;
    const auto [behind, error] = std::from_chars(body.data(), body.data() + std::min<std::size_t>(body.size(), 16), size, 16);
    const std::string_view rest = trimmed(body.substr(static_cast<std::size_t>(behind - body.data()), end - (behind - body.data())));
    const bool good = end != std::string_view::npos && error == std::errc() && (rest.empty() || rest.starts_with(';'));
    if (!good) {
      if (first) return false;
      out += body;  // sizes are wrong, or the rest is not chunked: what stands there
      cut = true;
      return true;
    }
    body.remove_prefix(end + 1);
    if (size == 0) return true;
    const std::string_view data = body.substr(0, size);
    if (first && data.size() == size && body.size() > size && body[size] != '\r' && body[size] != '\n') return false;
    out += data;
    body.remove_prefix(data.size());
    cut = data.size() < size || body.empty();
    if (cut) return true;
    body.remove_prefix(std::min(body.find_first_not_of("\r\n"), body.size()));
    if (body.empty()) return cut = true;
  }
}

DecodedBody decode_body(const HttpAnswer& answer, std::size_t limit, std::string& storage) {
  DecodedBody decoded;
  decoded.bytes = answer.body;
  std::string other;
  const auto use = [&] {
    std::swap(storage, other);
    decoded.bytes = storage;
  };
  bool cut = false;
  if (lower(answer.transfer_encoding).find("chunked") != std::string::npos && join_chunks(answer.body, other, cut)) {
    use();
    decoded.cut = cut;
  }
  std::vector<std::string> names = listed(answer.content_encoding);
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    Unpacked result;
    if (!take_off(*name, decoded.bytes, limit, other, result)) continue;
    use();
    decoded.cut = decoded.cut || !result.whole;
    if (result.beyond_limit) break;
  }
  decoded.too_long = decoded.bytes.size() > limit;
  return decoded;
}

}  // namespace leitong::warc
