// Redis replies from memory: in one piece and in pieces, which must agree in values or in refusing; every value is then walked. The first
// byte chooses the pieces.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "leitong/error.h"
#include "redis/redis_slots.h"
#include "redis/resp.h"

namespace {

using namespace leitong;
using namespace leitong::redis;

void walk(const Reply& reply, std::string& seen) {
  seen += static_cast<char>('0' + static_cast<int>(reply.type()));
  switch (reply.type()) {
    case ReplyType::text:
      seen += reply.text();
      break;
    case ReplyType::error:
      seen += reply.error();
      (void)read_redirection(reply.error(), {"host", 1});
      break;
    case ReplyType::integer:
    case ReplyType::boolean:
      seen += std::to_string(reply.integer());
      break;
    case ReplyType::real:
      seen += std::to_string(reply.real());
      break;
    case ReplyType::array:
    case ReplyType::map: {
      std::uint32_t count = 0;
      for (const Reply& element : reply) {
        walk(element, seen);
        ++count;
      }
      if (count != reply.size()) std::abort();
      break;
    }
    case ReplyType::nil:
      break;
  }
}

std::string read(std::string_view bytes, std::size_t piece) {
  DecodeLimits limits;
  limits.max_line = 64;
  Decoder decoder(limits);
  std::string seen;
  try {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) decoder.feed(bytes.substr(0, piece));
  } catch (const Error&) {
    seen = "refused;";
  }
  const ReplyArena replies = decoder.take();
  for (const std::uint32_t top : replies.tops) {
    const Reply reply(replies, top);
    walk(reply, seen);
    try {
      (void)read_slots(reply, {"host", 1});
    } catch (const Error&) {
    }
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (read(bytes, std::size_t{1} << 30) != read(bytes, 1 + data[0] % 17)) std::abort();
  return 0;
}
