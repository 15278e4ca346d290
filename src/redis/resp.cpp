#include "redis/resp.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "leitong/error.h"
#include "net/printable.h"
#include "redis/commands.h"

namespace leitong::redis {
namespace {

constexpr std::string_view type_names[] = {"nil", "text", "an error", "an integer", "a real number", "a boolean", "an array", "a map"};

std::optional<std::int64_t> parse_integer(std::string_view digits) {
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_real(std::string_view digits) {
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);  // also reads inf and nan
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

const ReplyNode& Reply::expect(bool right, const char* wanted) const {
  const ReplyNode& node = at();
  if (right) return node;
  if (node.type == ReplyType::error) throw Error(ErrorCode::format, "Redis: " + net::printable(error(), 200));
  throw Error(ErrorCode::format, fmt::format("Redis: expected {} as reply, got {}: is this really a Redis server?", wanted,
                                             type_names[static_cast<std::size_t>(node.type)]));
}

std::string_view Reply::error() const {
  const ReplyNode& node = expect(is_error(), "an error");
  return std::string_view(arena_->text).substr(node.value, node.length);
}

std::string_view Reply::text() const {
  const ReplyNode& node = expect(type() == ReplyType::text, "text");
  return std::string_view(arena_->text).substr(node.value, node.length);
}

std::int64_t Reply::integer() const {
  return static_cast<std::int64_t>(expect(type() == ReplyType::integer || type() == ReplyType::boolean, "an integer").value);
}

double Reply::real() const {
  if (type() == ReplyType::integer) return static_cast<double>(integer());
  return std::bit_cast<double>(expect(type() == ReplyType::real, "a real number").value);
}

std::uint32_t Reply::size() const { return expect(type() == ReplyType::array || type() == ReplyType::map, "an array").length; }

Reply::Iterator Reply::begin() const {
  (void)size();
  return {*arena_, node_ + 1};
}

Reply::Iterator Reply::end() const {
  (void)size();
  return {*arena_, at().next};
}

void Decoder::feed(std::string_view bytes) {
  const std::size_t size = bytes.size();
  while (!bytes.empty()) {
    if (mode_ == Mode::spoilt) throw Error(ErrorCode::format, "Redis: the replies before were broken: connect again");
    const std::size_t before = bytes.size();
    seen_ += size - before;
    try {
      step(bytes);
    } catch (...) {
      mode_ = Mode::spoilt;
      throw;
    }
    seen_ -= size - before;
  }
  seen_ += size;
}

void Decoder::step(std::string_view& bytes) {
  if (mode_ == Mode::body) return take_body(bytes);
  if (mode_ == Mode::body_end) return take_body_end(bytes);
  const void* const found = std::memchr(bytes.data(), '\n', bytes.size());
  const std::size_t length = found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data()) + 1 : bytes.size();
  // Bytes that cannot begin a reply are rejected at the first byte, not after 64 KiB.
  if (line_.empty() && std::string_view("+-:$*_#,(!=%~>|").find(bytes[0]) == std::string_view::npos) {
    fail(fmt::format("'{}' begins no reply: is this a Redis server, and a port without TLS?", net::printable(bytes, 40)));
  }
  if (line_.size() + length > limits_.max_line) {
    throw Error(ErrorCode::limit, fmt::format("Redis: a line of a reply is longer than {} bytes", limits_.max_line));
  }
  if (found == nullptr) {
    line_.append(bytes);
    bytes = {};
    return;
  }
  const std::string_view end = bytes.substr(0, length);
  bytes.remove_prefix(length);
  if (line_.empty()) return take_line(end);
  const std::string whole = std::exchange(line_, {}).append(end);
  take_line(whole);
}

void Decoder::take_line(std::string_view line) {
  if (line.size() < 3 || line[line.size() - 2] != '\r') fail(fmt::format("the line '{}' does not end in \\r\\n", net::printable(line, 40)));
  const char kind = line[0];
  const std::string_view rest = line.substr(1, line.size() - 3);
  switch (kind) {
    case '+':
    case '(':
      return text_leaf(ReplyType::text, rest);
    case '-':
      return text_leaf(ReplyType::error, rest);
    case ':':
      if (const auto value = parse_integer(rest)) return leaf(ReplyType::integer, static_cast<std::uint64_t>(*value));
      break;
    case ',':
      if (const auto value = parse_real(rest)) return leaf(ReplyType::real, std::bit_cast<std::uint64_t>(*value));
      break;
    case '#':
      if (rest == "t" || rest == "f") return leaf(ReplyType::boolean, rest == "t" ? 1 : 0);
      break;
    case '_':
      if (rest.empty()) return leaf(ReplyType::nil, 0);
      break;
    case '$':
    case '!':
    case '=':
      return open_body(kind, rest);
    default:
      return open_array(kind, rest);
  }
  fail(fmt::format("'{}' is no reply", net::printable(line, 40)));
}

void Decoder::open_body(char kind, std::string_view digits) {
  const auto length = parse_integer(digits);
  if (kind == '$' && length == -1) return leaf(ReplyType::nil, 0);
  if (!length || *length < 0 || (kind == '=' && *length < 4)) fail(fmt::format("'{}' is no length of a text", net::printable(digits, 40)));
  if (*length > limits_.max_text) {
    throw Error(ErrorCode::limit, fmt::format("Redis: a reply of {} bytes; the limit is {}", *length, limits_.max_text));
  }
  (void)push(kind == '!' ? ReplyType::error : ReplyType::text, arena_.text.size(), static_cast<std::uint32_t>(*length));
  body_kind_ = kind;
  body_left_ = static_cast<std::uint32_t>(*length);
  mode_ = body_left_ > 0 ? Mode::body : Mode::body_end;
  if (mode_ == Mode::body_end) body_left_ = 2;
}

void Decoder::take_body(std::string_view& bytes) {
  const std::size_t count = std::min<std::size_t>(bytes.size(), body_left_);
  arena_.text.append(bytes.substr(0, count));
  bytes.remove_prefix(count);
  body_left_ -= static_cast<std::uint32_t>(count);
  if (body_left_ > 0) return;
  mode_ = Mode::body_end;
  body_left_ = 2;
}

void Decoder::take_body_end(std::string_view& bytes) {
  for (; body_left_ > 0 && !bytes.empty(); --body_left_, bytes.remove_prefix(1)) {
    if (bytes[0] != (body_left_ == 2 ? '\r' : '\n')) fail("a text is longer than its length");
  }
  if (body_left_ > 0) return;
  mode_ = Mode::line;
  ReplyNode& node = arena_.nodes.back();
  if (body_kind_ == '=') {  // removes "txt:" or "mkd:", which name the format
    if (arena_.text[node.value + 3] != ':') fail("a verbatim text without its kind");
    node.value += 4;
    node.length -= 4;
  }
  complete(static_cast<std::uint32_t>(arena_.nodes.size() - 1));
}

void Decoder::open_array(char kind, std::string_view digits) {
  const auto length = parse_integer(digits);
  if (kind == '*' && length == -1) return leaf(ReplyType::nil, 0);
  if (!length || *length < 0) fail(fmt::format("'{}' is no length of an array", net::printable(digits, 40)));
  const bool pairs = kind == '%' || kind == '|';
  if (*length > limits_.max_elements / (pairs ? 2 : 1)) {
    throw Error(ErrorCode::limit, fmt::format("Redis: a reply of {} elements; the limit is {}", *length, limits_.max_elements));
  }
  if (depth_ == max_reply_depth) throw Error(ErrorCode::limit, fmt::format("Redis: a reply of more than {} levels", max_reply_depth));
  const auto elements = static_cast<std::uint32_t>(*length * (pairs ? 2 : 1));
  const std::uint32_t node = push(pairs ? ReplyType::map : ReplyType::array, arena_.text.size(), elements);
  const bool dropped = kind == '|' || kind == '>';
  if (elements > 0) {
    open_[depth_++] = {node, elements, dropped};
  } else if (dropped) {
    drop(node);
  } else {
    complete(node);
  }
}

std::uint32_t Decoder::push(ReplyType type, std::uint64_t value, std::uint32_t length) {
  if (arena_.nodes.size() >= std::numeric_limits<std::uint32_t>::max() - 1) {
    throw Error(ErrorCode::limit, "Redis: more than 4,294,967,294 values in one batch: ask for less at once");
  }
  const auto node = static_cast<std::uint32_t>(arena_.nodes.size());
  arena_.nodes.push_back({value, length, node + 1, type});
  return node;
}

void Decoder::leaf(ReplyType type, std::uint64_t value) { complete(push(type, value, 0)); }

void Decoder::text_leaf(ReplyType type, std::string_view text) {
  const std::uint32_t node = push(type, arena_.text.size(), static_cast<std::uint32_t>(text.size()));
  arena_.text.append(text);
  complete(node);
}

void Decoder::complete(std::uint32_t node) {
  for (;;) {
    if (depth_ == 0) {
      arena_.tops.push_back(node);
      return;
    }
    Open& parent = open_[depth_ - 1];
    if (--parent.left > 0) return;
    --depth_;
    node = parent.node;
    arena_.nodes[node].next = static_cast<std::uint32_t>(arena_.nodes.size());
    if (parent.dropped) return drop(node);
  }
}

void Decoder::drop(std::uint32_t node) {
  arena_.text.resize(arena_.nodes[node].value);  // the value of an array's node is the offset at which its text begins
  arena_.nodes.resize(node);
}

ReplyArena Decoder::take() {
  ReplyArena whole = std::move(arena_);
  if (depth_ > 0 || mode_ != Mode::line) {
    const std::uint32_t end = whole.tops.empty() ? 0 : whole.nodes[whole.tops.back()].next;
    whole.nodes.resize(end);
  }
  *this = Decoder(limits_);
  return whole;
}

void Decoder::fail(const std::string& what) {
  throw Error(ErrorCode::format, fmt::format("Redis: byte {} of the replies: {}", seen_, what));
}

}  // namespace leitong::redis
