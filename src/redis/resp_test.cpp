#include "redis/resp.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "leitong/error.h"
#include "net/printable.h"
#include "redis/commands.h"

namespace leitong::redis {
namespace {

// A reply as text, for comparison.
std::string shown(const Reply& reply) {
  switch (reply.type()) {
    case ReplyType::nil:
      return "nil";
    case ReplyType::text:
      return "'" + std::string(reply.text()) + "'";
    case ReplyType::error:
      return "!" + std::string(reply.error());
    case ReplyType::integer:
      return std::to_string(reply.integer());
    case ReplyType::real:
      return "real " + std::to_string(reply.real());
    case ReplyType::boolean:
      return reply.integer() != 0 ? "true" : "false";
    default:
      break;
  }
  std::string text = reply.type() == ReplyType::map ? "{" : "[";
  std::uint32_t count = 0;
  for (const Reply& element : reply) text += (count++ > 0 ? " " : "") + shown(element);
  EXPECT_EQ(count, reply.size());
  return text + (reply.type() == ReplyType::map ? "}" : "]");
}

std::string shown(const ReplyArena& arena) {
  std::string text;
  for (const std::uint32_t top : arena.tops) text += shown(Reply(arena, top)) + ";";
  return text;
}

std::string decode(std::string_view bytes) {
  Decoder decoder;
  decoder.feed(bytes);
  EXPECT_TRUE(decoder.between_replies());
  return shown(decoder.take());
}

// Examples of every kind of reply in both protocols, and the expected results.
struct Example {
  std::string_view bytes, value;
};
const Example examples[] = {
    {"+OK\r\n", "'OK';"},
    {"-ERR no such thing\r\n", "!ERR no such thing;"},
    {":42\r\n:-7\r\n:+8\r\n", "42;-7;8;"},
    {":9223372036854775807\r\n:-9223372036854775808\r\n", "9223372036854775807;-9223372036854775808;"},
    {"$5\r\na\r\nb\0\r\n", "'a\r\nb\0';"},
    {"$0\r\n\r\n$-1\r\n", "'';nil;"},
    {"*0\r\n*-1\r\n", "[];nil;"},
    {"*3\r\n:1\r\n*2\r\n$1\r\nx\r\n$-1\r\n+y\r\n", "[1 ['x' nil] 'y'];"},
    {"_\r\n#t\r\n#f\r\n,1.5\r\n,-inf\r\n,10\r\n", "nil;true;false;real 1.500000;real -inf;real 10.000000;"},
    {"(3492890328409238509324850943850943825024385\r\n", "'3492890328409238509324850943850943825024385';"},
    {"!9\r\nERR a\r\nbc\r\n", ""},  // a wrong length; see below
    {"!8\r\nERR a\r\nb\r\n", "!ERR a\r\nb;"},
    {"=8\r\ntxt:some\r\n", "'some';"},
    {"%2\r\n+a\r\n:1\r\n+b\r\n%0\r\n", "{'a' 1 'b' {}};"},
    {"~2\r\n:1\r\n:2\r\n", "[1 2];"},
    {"|1\r\n+ttl\r\n:3600\r\n*2\r\n:1\r\n|1\r\n+a\r\n*1\r\n$3\r\nxyz\r\n+z\r\n", "[1 'z'];"},
    {">2\r\n+invalidate\r\n*1\r\n+k\r\n:5\r\n>0\r\n:6\r\n", "5;6;"},
};

std::string_view text_of(const char* bytes, std::size_t size) { return {bytes, size}; }

// The example that contains a NUL needs an explicit length.
std::vector<Example> all_examples() {
  std::vector<Example> all;
  for (const Example& example : examples) {
    if (!example.value.empty()) all.push_back(example);
  }
  all[4] = {text_of("$5\r\na\r\nb\0\r\n", 11), text_of("'a\r\nb\0';", 8)};
  return all;
}

std::string long_dialogue() {
  std::string bytes;
  for (const Example& example : all_examples()) bytes += example.bytes;
  return bytes;
}

TEST(Resp, EveryKindOfReply) {
  for (const Example& example : all_examples()) EXPECT_EQ(decode(example.bytes), example.value) << example.bytes;
}

TEST(Resp, EverySplitPoint) {
  const std::string bytes = long_dialogue();
  const std::string whole = decode(bytes);
  ASSERT_GT(whole.size(), 100U);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    Decoder decoder;
    decoder.feed(std::string_view(bytes).substr(0, cut));
    decoder.feed(std::string_view(bytes).substr(cut));
    EXPECT_EQ(shown(decoder.take()), whole) << cut;
  }
  for (std::size_t step : {1U, 2U, 3U, 7U}) {
    Decoder decoder;
    for (std::size_t at = 0; at < bytes.size(); at += step) decoder.feed(std::string_view(bytes).substr(at, step));
    EXPECT_EQ(shown(decoder.take()), whole) << step;
  }
}

TEST(Resp, EveryPrefixGivesTheWholeRepliesOnly) {
  const std::string bytes = long_dialogue();
  const std::string whole = decode(bytes);
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    Decoder decoder;
    decoder.feed(std::string_view(bytes).substr(0, cut));
    const std::size_t count = decoder.size();
    const ReplyArena taken = decoder.take();
    EXPECT_EQ(taken.tops.size(), count);
    EXPECT_TRUE(whole.starts_with(shown(taken))) << cut;
    EXPECT_TRUE(decoder.between_replies());
    decoder.feed("+again\r\n");  // the decoder was reset
    EXPECT_EQ(shown(decoder.take()), "'again';");
  }
}

TEST(Resp, GarbageIsAnError) {
  for (const std::string_view bytes : {std::string_view("HTTP/1.1 400 Bad Request\r\n"),
                                       std::string_view("\0\0", 2),
                                       std::string_view("$\r\n"),
                                       std::string_view("$x\r\n"),
                                       std::string_view("$-2\r\n"),
                                       std::string_view("$3\r\nabcd\r\n"),
                                       std::string_view("$3\r\nabc\n\r"),
                                       std::string_view(":\r\n"),
                                       std::string_view(":1x\r\n"),
                                       std::string_view(":+-1\r\n"),
                                       std::string_view(":9223372036854775808\r\n"),
                                       std::string_view("*-2\r\n"),
                                       std::string_view("*?\r\n"),
                                       std::string_view("$?\r\n"),
                                       std::string_view("%-1\r\n"),
                                       std::string_view("#x\r\n"),
                                       std::string_view("_x\r\n"),
                                       std::string_view(",\r\n"),
                                       std::string_view("=3\r\nabc\r\n"),
                                       std::string_view("=5\r\ntxtabc"),
                                       std::string_view("+a\n"),
                                       std::string_view("\n"),
                                       std::string_view("\r\n"),
                                       std::string_view("!9\r\nERR a\r\nbc\r\n"),
                                       std::string_view("\x16\x03\x01 hello")}) {
    Decoder decoder;
    try {
      decoder.feed(bytes);
      decoder.feed("\r\n+x\r\n");
      ADD_FAILURE() << net::printable(bytes, 40);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::format) << net::printable(bytes, 40);
    }
    EXPECT_THROW(decoder.feed("+OK\r\n"), Error) << "a spoilt decoder stays so";
    (void)decoder.take();
    decoder.feed("+OK\r\n");
    EXPECT_EQ(decoder.size(), 1U);
  }
}

TEST(Resp, HugeLengthsAllocateNothingAndMeetTheLimits) {
  Decoder decoder;
  decoder.feed("*67108864\r\n$536870912\r\nabc");
  EXPECT_LT(decoder.arena().text.capacity(), 4096U);
  EXPECT_LT(decoder.arena().nodes.capacity(), 4096U);
  for (const char* bytes : {"$536870913\r\n", "*67108865\r\n", "%33554433\r\n", "*9223372036854775807\r\n", "$9223372036854775807\r\n"}) {
    Decoder fresh;
    try {
      fresh.feed(bytes);
      ADD_FAILURE() << bytes;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::limit) << bytes;
    }
  }
  DecodeLimits small;
  small.max_text = 4;
  small.max_elements = 2;
  small.max_line = 16;
  Decoder limited(small);
  limited.feed("*2\r\n$4\r\nabcd\r\n+123456789abcd\r\n");
  EXPECT_EQ(limited.size(), 1U);
  EXPECT_THROW(Decoder(small).feed("$5\r\n"), Error);
  EXPECT_THROW(Decoder(small).feed("*3\r\n"), Error);
  EXPECT_THROW(Decoder(small).feed("+123456789abcde\r\n"), Error);
  EXPECT_THROW(Decoder(small).feed("+12345678901234567"), Error);  // without a line end
}

TEST(Resp, DepthIsBounded) {
  std::string bytes;
  for (std::size_t i = 0; i < max_reply_depth; ++i) bytes += "*1\r\n";
  EXPECT_EQ(decode(bytes + ":1\r\n"), "[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]];");
  Decoder decoder;
  EXPECT_THROW(decoder.feed(bytes + "*1\r\n"), Error);
}

TEST(Resp, RandomGarbageNeverHarms) {
  std::mt19937_64 random(8);
  const std::string alphabet = "+-:$*_#,(!=%~>|0123456789\r\n\r\n\r\nab";
  const std::string good = long_dialogue();
  std::size_t refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes;
    if (round % 2 == 0) {
      for (std::size_t i = random() % 64; i > 0; --i) bytes += alphabet[random() % alphabet.size()];
    } else {
      bytes = good;
      for (std::size_t i = 1 + random() % 4; i > 0; --i) bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    Decoder decoder;
    try {
      for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t piece = 1 + random() % 16;
        decoder.feed(std::string_view(bytes).substr(at, piece));
        at += piece;
      }
    } catch (const Error&) {
      ++refused;
    }
    (void)shown(decoder.take());
  }
  EXPECT_GT(refused, 5'000U);
}

TEST(Resp, AccessorsOfAnotherTypeThrowWhatTheServerSaid) {
  Decoder decoder;
  decoder.feed("-ERR value is not an integer\r\n:1\r\n+x\r\n");
  const ReplyArena arena = decoder.take();
  const Reply error(arena, arena.tops[0]), number(arena, arena.tops[1]), text(arena, arena.tops[2]);
  EXPECT_THROW((void)number.text(), Error);
  EXPECT_THROW((void)number.begin(), Error);
  EXPECT_THROW((void)text.integer(), Error);
  EXPECT_THROW((void)text.error(), Error);
  EXPECT_EQ(number.real(), 1.0);
  try {
    (void)error.integer();
    ADD_FAILURE();
  } catch (const Error& thrown) {
    EXPECT_NE(std::string(thrown.what()).find("ERR value is not an integer"), std::string::npos);
  }
}

TEST(Commands, BytesOnTheWire) {
  Commands commands;
  commands.add({"SADD", std::string_view("a\0b", 3), ""}, Repeat::harmless);
  EXPECT_EQ(commands.bytes(), std::string_view("*3\r\n$4\r\nSADD\r\n$3\r\na\0b\r\n$0\r\n\r\n", 29));
  commands.add({"INCR", "counter"}, Repeat::never);
  commands.add({"PING"}, Repeat::harmless, Commands::no_key);
  commands.add({"EVAL", "script", "1", "key"}, Repeat::never, 3);
  commands.add({"PING"}, Repeat::harmless);  // a command may have no key
  ASSERT_EQ(commands.size(), 5U);
  EXPECT_EQ(commands.key(0), std::string_view("a\0b", 3));
  EXPECT_EQ(commands.key(1), "counter");
  EXPECT_FALSE(commands.has_key(2));
  EXPECT_EQ(commands.key(3), "key");
  EXPECT_FALSE(commands.has_key(4));
  EXPECT_EQ(commands.repeat(0), Repeat::harmless);
  EXPECT_EQ(commands.repeat(1), Repeat::never);
  EXPECT_EQ(commands.describe(0), "SADD a\\x00b");
  EXPECT_EQ(commands.describe(2), "PING");
  EXPECT_EQ(commands.describe(3), "EVAL key");
  EXPECT_EQ(commands.end_of(4), commands.bytes().size());
  Commands picked;
  picked.add({"ASKING"}, Repeat::harmless, Commands::no_key);
  picked.append(commands, 3);
  picked.append(commands, 1);
  EXPECT_EQ(picked.key(1), "key");
  EXPECT_EQ(picked.describe(2), "INCR counter");
  // Commands are sent as arrays of texts, which our decoder can read.
  EXPECT_EQ(decode(picked.bytes()), "['ASKING'];['EVAL' 'script' '1' 'key'];['INCR' 'counter'];");
  picked.clear();
  EXPECT_EQ(picked.size(), 0U);
}

TEST(Commands, AWordThatNoServerTakes) {
  const std::size_t size = std::size_t{512} << 20;
  void* const pages = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);  // never accessed
  ASSERT_NE(pages, MAP_FAILED);
  const std::string_view huge(static_cast<const char*>(pages), size);
  Commands commands;
  EXPECT_THROW(commands.add({"SET", "k", huge}, Repeat::harmless), Error);
  EXPECT_EQ(commands.size(), 0U);
  EXPECT_TRUE(commands.bytes().empty());
  ::munmap(pages, size);
}

}  // namespace
}  // namespace leitong::redis
