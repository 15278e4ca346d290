#include "redis/redis_slots.h"

#include <gtest/gtest.h>

#include <string>

#include "leitong/error.h"
#include "redis/redis_errors.h"

namespace leitong::redis {
namespace {

TEST(RedisSlots, CheckValueAndKnownSlots) {
  EXPECT_EQ(crc16("123456789"), 0x31C3);
  EXPECT_EQ(crc16(""), 0);
  EXPECT_EQ(hash_slot("foo"), 12182U);  // as CLUSTER KEYSLOT says
  EXPECT_EQ(hash_slot("somekey"), 11058U);
}

TEST(RedisSlots, HashTags) {
  EXPECT_EQ(hash_slot("{user1000}.following"), hash_slot("user1000"));
  EXPECT_EQ(hash_slot("a{user1000}b{c}"), hash_slot("user1000"));
  EXPECT_EQ(hash_slot("foo{}{bar}"), crc16("foo{}{bar}") % hash_slots);
  EXPECT_EQ(hash_slot("foo{{bar}}zap"), hash_slot("{bar"));
  EXPECT_EQ(hash_slot("foo{bar"), crc16("foo{bar") % hash_slots);
  EXPECT_EQ(hash_slot("}{"), crc16("}{") % hash_slots);
}

SlotTable read(std::string_view bytes) {
  Decoder decoder;
  decoder.feed(bytes);
  const ReplyArena arena = decoder.take();
  return read_slots(Reply(arena, arena.tops.at(0)), {"asked", 1});
}

TEST(RedisSlots, MastersOnly) {
  const SlotTable table = read(
      "*4\r\n"
      "*4\r\n:0\r\n:99\r\n*3\r\n$1\r\na\r\n:7000\r\n$2\r\nid\r\n*3\r\n$7\r\nreplica\r\n:7003\r\n$2\r\nid\r\n"
      "*3\r\n:100\r\n:199\r\n*4\r\n$0\r\n\r\n:7001\r\n$2\r\nid\r\n*0\r\n"  // an empty host: the one that was asked
      "*3\r\n:200\r\n:16383\r\n*2\r\n$1\r\na\r\n:7000\r\n"
      "*3\r\n:150\r\n:160\r\n*2\r\n$1\r\n?\r\n:7000\r\n");
  EXPECT_EQ(table.masters, (std::vector<net::Endpoint>{{"a", 7000}, {"asked", 7001}}));
  ASSERT_EQ(table.owner.size(), hash_slots);
  EXPECT_EQ(table.owner[0], 0);
  EXPECT_EQ(table.owner[155], 1);
  EXPECT_EQ(table.owner[16383], 0);
  EXPECT_EQ(read("*0\r\n").owner[5], SlotTable::nobody);
}

TEST(RedisSlots, WhatIsNoTable) {
  for (const char* bytes :
       {"+OK\r\n", "*1\r\n:1\r\n", "*1\r\n*3\r\n:0\r\n:16384\r\n*2\r\n+a\r\n:1\r\n", "*1\r\n*3\r\n:5\r\n:4\r\n*2\r\n+a\r\n:1\r\n",
        "*1\r\n*3\r\n:-1\r\n:4\r\n*2\r\n+a\r\n:1\r\n", "*1\r\n*3\r\n:0\r\n:4\r\n*1\r\n+a\r\n",
        "*1\r\n*3\r\n:0\r\n:4\r\n*2\r\n+a\r\n:65536\r\n", "*1\r\n*3\r\n:0\r\n:4\r\n:7\r\n", "-ERR unknown command\r\n"}) {
    EXPECT_THROW((void)read(bytes), Error) << bytes;
  }
}

TEST(RedisSlots, Redirections) {
  const net::Endpoint asked{"asked", 1};
  const auto moved = read_redirection("MOVED 3999 127.0.0.1:6381", asked);
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->slot, 3999U);
  EXPECT_EQ(moved->to, (net::Endpoint{"127.0.0.1", 6381}));
  EXPECT_EQ(read_redirection("ASK 1 ::1:6381", asked)->to, (net::Endpoint{"::1", 6381}));
  EXPECT_EQ(read_redirection("ASK 1 [::1]:6381", asked)->to, (net::Endpoint{"::1", 6381}));
  EXPECT_EQ(read_redirection("MOVED 1 :6381", asked)->to, (net::Endpoint{"asked", 6381}));
  for (const char* bad : {"MOVED", "MOVED 1", "MOVED 16384 a:1", "MOVED x a:1", "MOVED 1 a", "MOVED 1 a:", "MOVED 1 a:0", "MOVED 1 a:65536",
                          "MOVED 1 ?:6381"}) {
    EXPECT_FALSE(read_redirection(bad, asked)) << bad;
  }
}

TEST(RedisErrors, TheTable) {
  EXPECT_EQ(known_error("MOVED 1 a:1").kind, ErrorKind::moved);
  EXPECT_EQ(known_error("LOADING Redis is loading the dataset in memory").kind, ErrorKind::later);
  EXPECT_EQ(known_error("OOM command not allowed").kind, ErrorKind::refuse);
  EXPECT_FALSE(known_error("OOM command not allowed").remedy.empty());
  EXPECT_EQ(known_error("OOMPH").kind, ErrorKind::value);
  EXPECT_EQ(known_error("ERR max number of clients reached").kind, ErrorKind::later);
  EXPECT_EQ(known_error("ERR anything else").kind, ErrorKind::value);
  EXPECT_EQ(known_error("NOAUTH").kind, ErrorKind::refuse);
}

TEST(Endpoint, Text) {
  EXPECT_EQ((net::Endpoint{"localhost", 6379}.text()), "localhost:6379");
  EXPECT_EQ((net::Endpoint{"::1", 6379}.text()), "[::1]:6379");
}

}  // namespace
}  // namespace leitong::redis
