// Replies of Redis (protocols RESP2 and RESP3) as flat values, and the decoder that makes them.
//
// The nodes of all replies are in one array in the order of transmission, and their text is in one string; an array is followed by its
// elements. A Reply is a view of them. A map is an array of twice as many elements, a set is an array. Attributes and push messages of
// RESP3, which belong to no command, are dropped. Streamed strings and arrays of RESP3, which no server sends, are errors.
//
// Threads: as a std::vector. Errors: Error(format) for bytes that are not a Redis reply, and for an accessor of another type (the message
// is then the error that the server sent, if any); Error(limit) for a reply beyond the limits. No input causes undefined behaviour, and a
// length alone does not allocate memory.
// Source: the protocol specification of redis.io, https://redis.io/docs/latest/develop/reference/protocol-spec/
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::redis {

enum class ReplyType : std::uint8_t { nil, text, error, integer, real, boolean, array, map };

struct ReplyNode {
  std::uint64_t value = 0;   // text, error: offset of its bytes; integer, boolean: the number; real: its bits
  std::uint32_t length = 0;  // text, error: bytes; array, map: elements
  std::uint32_t next = 0;    // the node after this one and everything in it
  ReplyType type = ReplyType::nil;
};

struct ReplyArena {
  std::vector<ReplyNode> nodes;
  std::string text;
  std::vector<std::uint32_t> tops;  // the node of each complete reply
};

class Reply {
 public:
  Reply(const ReplyArena& arena, std::uint32_t node) : arena_(&arena), node_(node) {}

  [[nodiscard]] ReplyType type() const { return at().type; }
  [[nodiscard]] bool is_nil() const { return type() == ReplyType::nil; }
  [[nodiscard]] bool is_error() const { return type() == ReplyType::error; }
  [[nodiscard]] std::string_view error() const;  // "CODE words" as sent by the server
  [[nodiscard]] std::string_view text() const;   // valid as long as the replies exist
  [[nodiscard]] std::int64_t integer() const;    // booleans give 0 or 1
  [[nodiscard]] double real() const;             // also for integers
  [[nodiscard]] std::uint32_t size() const;      // number of elements of an array or map

  class Iterator {
   public:
    Iterator(const ReplyArena& arena, std::uint32_t node) : arena_(&arena), node_(node) {}
    Reply operator*() const { return {*arena_, node_}; }
    Iterator& operator++() {
      node_ = arena_->nodes[node_].next;
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const ReplyArena* arena_;
    std::uint32_t node_;
  };
  [[nodiscard]] Iterator begin() const;  // elements of an array or map
  [[nodiscard]] Iterator end() const;

 private:
  [[nodiscard]] const ReplyNode& at() const { return arena_->nodes[node_]; }
  [[nodiscard]] const ReplyNode& expect(bool right, const char* wanted) const;
  const ReplyArena* arena_;
  std::uint32_t node_;
};

struct DecodeLimits {
  std::uint32_t max_text = std::uint32_t{512} << 20;    // bytes of one text; Redis' own limit
  std::uint32_t max_elements = std::uint32_t{1} << 26;  // in one array
  std::uint32_t max_line = std::uint32_t{64} << 10;     // bytes of a line, such as an error or a status
};
inline constexpr std::size_t max_reply_depth = 16;

class Decoder {
 public:
  explicit Decoder(const DecodeLimits& limits = {}) : limits_(limits) {}

  // Processes all of `bytes`, which may be any piece of the stream. After an error every further call throws.
  void feed(std::string_view bytes);
  [[nodiscard]] std::size_t size() const { return arena_.tops.size(); }  // number of complete replies
  [[nodiscard]] bool between_replies() const { return depth_ == 0 && mode_ == Mode::line && line_.empty(); }
  [[nodiscard]] const ReplyArena& arena() const { return arena_; }
  [[nodiscard]] ReplyArena take();  // returns the complete replies, drops an incomplete one, and resets the decoder

 private:
  enum class Mode : std::uint8_t { line, body, body_end, spoilt };
  struct Open {
    std::uint32_t node = 0;
    std::uint64_t left = 0;
    bool dropped = false;
  };

  void step(std::string_view& bytes);
  void take_line(std::string_view line);
  void take_body(std::string_view& bytes);
  void take_body_end(std::string_view& bytes);
  void open_array(char kind, std::string_view digits);
  void open_body(char kind, std::string_view digits);
  std::uint32_t push(ReplyType type, std::uint64_t value, std::uint32_t length);
  void leaf(ReplyType type, std::uint64_t value);
  void text_leaf(ReplyType type, std::string_view text);
  void complete(std::uint32_t node);
  void drop(std::uint32_t node);
  [[noreturn]] void fail(const std::string& what);

  DecodeLimits limits_;
  Mode mode_ = Mode::line;
  char body_kind_ = 0;
  std::uint32_t body_left_ = 0;
  std::size_t depth_ = 0;
  std::uint64_t seen_ = 0;  // bytes before the current piece, for messages
  std::string line_;        // the beginning of an incomplete line
  std::array<Open, max_reply_depth> open_{};
  ReplyArena arena_;
};

}  // namespace leitong::redis
