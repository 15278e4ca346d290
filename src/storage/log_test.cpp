#include "storage/log.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <xxhash.h>

#include <cstring>
#include <functional>

#include "leitong/error.h"
#include "storage/fault_vfs_test.h"

namespace leitong::storage {
namespace {

constexpr LogName log_name{{0x1122334455667788U, 0x99AABBCCDDEEFF00U}, 7};
constexpr std::uint64_t header_size = 64, head_size = 24;
const std::string test_path = "d/log";

using Bytes = FaultVfs::Bytes;
using Texts = std::vector<std::string>;

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string text_of(std::size_t i) { return std::string(1 + i * 7 % 30, static_cast<char>('a' + i % 26)); }

Texts texts(std::size_t count) {
  Texts all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(text_of(i));
  return all;
}

// Records 0 … count - 1, synced after each `batch`; not after the last ones. Returns how much is durable.
std::uint64_t write_log(Vfs& vfs, std::size_t count, std::size_t batch, const LogName& name = log_name) {
  LogWriter log(vfs, test_path, name);
  for (std::size_t i = 0; i < count; ++i) {
    log.append(bytes_of(text_of(i)));
    if ((i + 1) % batch == 0) log.sync();
  }
  log.close();
  return log.durable();
}

void put(FaultVfs& vfs, const Bytes& bytes, const std::string& path = test_path) {
  const auto file = vfs.create(path);
  file->append(bytes);
  file->close();
}

struct Seen {
  enum class Outcome { whole, torn, corrupt } outcome = Outcome::whole;
  Texts texts;
  std::uint64_t size = 0;
  std::string message;
};
using Outcome = Seen::Outcome;

Seen see(const std::function<LogEnd(const std::function<void(std::span<const std::byte>)>&)>& read) {
  Seen seen;
  try {
    const LogEnd end = read([&](std::span<const std::byte> payload) {
      seen.texts.emplace_back(reinterpret_cast<const char*>(payload.data()), payload.size());
    });
    seen.outcome = end.torn ? Outcome::torn : Outcome::whole;
    seen.size = end.size;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::format) << error.what();
    seen.outcome = Outcome::corrupt;
    seen.message = error.what();
  }
  return seen;
}

Seen see(Vfs& vfs, const LogExpectation& expected = {}, const LogName& name = log_name) {
  return see([&](const auto& visit) { return read_log(vfs, test_path, name, expected, visit); });
}

Seen follow(Vfs& vfs, std::uint64_t from) {
  return see([&](const auto& visit) { return follow_log(vfs, test_path, log_name, from, visit); });
}

bool is_prefix(const Texts& part, const Texts& all) {
  return part.size() <= all.size() && std::equal(part.begin(), part.end(), all.begin());
}

// Where the records of a good log begin, and its end.
std::vector<std::uint64_t> places(const Bytes& log) {
  std::vector<std::uint64_t> all{header_size};
  while (all.back() < log.size()) {
    std::uint32_t size = 0;
    std::memcpy(&size, log.data() + all.back(), sizeof size);
    all.push_back(all.back() + head_size + (size + 7) / 8 * 8);
  }
  return all;
}

TEST(Log, RoundTrip) {
  for (const std::size_t count : {0U, 1U, 2U, 100U}) {
    FaultVfs vfs;
    write_log(vfs, count, 3);
    const Seen seen = see(vfs);
    EXPECT_EQ(seen.outcome, Outcome::whole);
    EXPECT_EQ(seen.texts, texts(count));
    EXPECT_EQ(seen.size, vfs.bytes(test_path).size());
  }
}

TEST(Log, LongRecords) {
  FaultVfs vfs;
  LogWriter log(vfs, test_path, log_name);
  Texts all;
  for (const std::size_t size : {1U, 262'143U, 262'144U, 1U, 1'000'003U, 8U}) {
    all.emplace_back(size, 'x');
    all.back()[size / 2] = 'y';
    log.append(bytes_of(all.back()));
  }
  EXPECT_TRUE(see(vfs).texts == all);
  EXPECT_EQ(see(vfs).size, log.size());
}

// The bytes that docs/file-format.md promises, put together without log.cpp.
TEST(Log, BytesAreAsSpecified) {
  Bytes wanted;
  const auto append = [&](const void* data, std::size_t size) {
    wanted.insert(wanted.end(), static_cast<const std::byte*>(data), static_cast<const std::byte*>(data) + size);
  };
  const auto number = [&](std::uint64_t value, std::size_t size) { append(&value, size); };
  append("\x89LTL\r\n\x1a\n", 8);
  number(1, 4);
  number(0, 4);
  number(log_name.store[0], 8);
  number(log_name.store[1], 8);
  number(log_name.number, 8);
  wanted.resize(56);
  number(XXH3_64bits(wanted.data(), 56), 8);
  const std::uint64_t key = XXH3_64bits(wanted.data() + 16, 24);
  const auto record = [&](const std::string& text, std::uint64_t mark) {
    const std::uint64_t offset = wanted.size();
    std::byte head[16];
    const std::uint32_t sizes[2] = {static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>((offset - mark) / 8)};
    std::memcpy(head, sizes, 8);
    std::memcpy(head + 8, &offset, 8);
    const std::uint64_t check = XXH3_64bits_withSeed(head, 16, key);
    append(sizes, 8);
    number(check, 8);
    number(XXH3_64bits_withSeed(text.data(), text.size(), check), 8);
    append(text.data(), text.size());
    wanted.resize((wanted.size() + 7) / 8 * 8);
  };
  record("a", 64);
  record("bcdefghi", 64);
  record("jkl", 128);
  FaultVfs vfs;
  LogWriter log(vfs, test_path, log_name);
  log.append(bytes_of("a"));
  log.append(bytes_of("bcdefghi"));
  log.sync();
  log.append(bytes_of("jkl"));
  EXPECT_EQ(vfs.bytes(test_path), wanted);
  EXPECT_EQ(log.size(), wanted.size());
  EXPECT_EQ(log.durable(), 128U);
}

TEST(Log, EveryTruncation) {
  FaultVfs vfs;
  const std::uint64_t durable = write_log(vfs, 8, 3);
  const Bytes all = vfs.bytes(test_path);
  const std::vector<std::uint64_t> at = places(all);
  for (std::size_t size = 0; size < all.size(); ++size) {
    put(vfs, Bytes(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size)));
    EXPECT_EQ(see(vfs, {durable, false}).outcome == Outcome::corrupt, size < durable) << size;
    EXPECT_EQ(see(vfs, {all.size(), true}).outcome, Outcome::corrupt) << size;
    EXPECT_EQ(see(vfs, {durable, true}).outcome, size < durable ? Outcome::corrupt : Outcome::whole) << size;
    const Seen seen = see(vfs);
    if (size < header_size) {
      EXPECT_EQ(seen.outcome, Outcome::corrupt);
      continue;
    }
    const std::uint64_t last = *std::prev(std::upper_bound(at.begin(), at.end(), size));
    EXPECT_EQ(seen.outcome, last == size ? Outcome::whole : Outcome::torn) << size;
    EXPECT_EQ(seen.size, last) << size;
    EXPECT_TRUE(is_prefix(seen.texts, texts(8)));
  }
}

TEST(Log, EveryFlippedBit) {
  FaultVfs vfs;
  const std::uint64_t durable = write_log(vfs, 8, 3);
  const Bytes all = vfs.bytes(test_path);
  const std::vector<std::uint64_t> at = places(all);
  const std::uint64_t last_mark = at[6];  // records 6 and 7 were written when so much was durable
  ASSERT_EQ(durable, last_mark);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (unsigned bit = 0; bit < 8; ++bit) {
      Bytes bytes = all;
      bytes[i] ^= std::byte{1} << bit;
      put(vfs, bytes);
      const Seen seen = see(vfs);
      EXPECT_EQ(seen.outcome, i < last_mark ? Outcome::corrupt : Outcome::torn) << i;
      EXPECT_TRUE(is_prefix(seen.texts, texts(8)));
      EXPECT_EQ(see(vfs, {all.size(), true}).outcome, Outcome::corrupt) << i;
      EXPECT_EQ(see(vfs, {all.size(), false}).outcome, Outcome::corrupt) << i;
      // What stands behind the sealed part does not matter.
      EXPECT_EQ(see(vfs, {durable, true}).outcome, i < durable ? Outcome::corrupt : Outcome::whole) << i;
    }
}

TEST(Log, ErrorsNameFileOffsetAndAdvice) {
  FaultVfs vfs;
  write_log(vfs, 8, 3);
  vfs.bytes(test_path)[70] ^= std::byte{1};
  EXPECT_EQ(see(vfs).message,
            "d/log: offset 64: no good record although the one at offset 168 was written after it was durable; the log is damaged: "
            "restore the collection from a backup");
}

TEST(Log, ASealEndsBetweenRecords) {
  FaultVfs vfs;
  write_log(vfs, 5, 1);
  const std::vector<std::uint64_t> at = places(vfs.bytes(test_path));
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Seen seen = see(vfs, {at[i], true});
    EXPECT_EQ(seen.texts, texts(i));
    EXPECT_EQ(seen.outcome, Outcome::whole);
    EXPECT_EQ(see(vfs, {at[i] + 8, true}).outcome, Outcome::corrupt);
    EXPECT_EQ(see(vfs, {at[i] - 8, true}).outcome, Outcome::corrupt);
  }
  EXPECT_EQ(see(vfs, {0, true}).outcome, Outcome::corrupt);
}

TEST(Log, RecordsOfAnotherLogOrPlaceAreNone) {
  FaultVfs vfs, stale;
  write_log(vfs, 4, 1);
  const Bytes good = vfs.bytes(test_path);
  const std::vector<std::uint64_t> at = places(good);
  for (const LogName& other : {LogName{{log_name.store[0], log_name.store[1]}, 8}, LogName{{log_name.store[0] + 1, log_name.store[1]}, 7},
                               LogName{{log_name.store[0], log_name.store[1] ^ (1ULL << 63U)}, 7}}) {
    EXPECT_EQ(see(vfs, {}, other).outcome, Outcome::corrupt);
    write_log(stale, 8, 1, other);
    Bytes mixed = good;
    mixed.insert(mixed.end(), stale.bytes(test_path).begin() + static_cast<std::ptrdiff_t>(good.size()), stale.bytes(test_path).end());
    put(vfs, mixed);
    EXPECT_EQ(see(vfs).outcome, Outcome::torn);
    EXPECT_EQ(see(vfs).texts, texts(4));
  }
  // The same log's records at another place, be it one record or all of them.
  for (std::size_t from = 0; from + 1 < at.size(); ++from) {
    Bytes mixed = good;
    mixed.insert(mixed.end(), good.begin() + static_cast<std::ptrdiff_t>(at[from]), good.end());
    put(vfs, mixed);
    EXPECT_EQ(see(vfs).outcome, Outcome::torn);
    EXPECT_EQ(see(vfs).texts, texts(4));
  }
}

TEST(Log, AHoleIsTornWhereNothingWasSyncedSince) {
  FaultVfs vfs;
  {
    LogWriter log(vfs, test_path, log_name);
    for (std::size_t i = 0; i < 6; ++i) {
      log.append(bytes_of(text_of(i)));
      if (i == 1) log.sync();
    }
  }
  const Bytes all = vfs.bytes(test_path);
  const std::vector<std::uint64_t> at = places(all);
  for (std::size_t hole = 0; hole < 6; ++hole) {
    Bytes bytes = all;
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(at[hole]), bytes.begin() + static_cast<std::ptrdiff_t>(at[hole + 1]),
              std::byte{0});
    put(vfs, bytes);
    const Seen seen = see(vfs);
    EXPECT_EQ(seen.outcome, hole < 2 ? Outcome::corrupt : Outcome::torn) << hole;
    if (hole >= 2) {
      EXPECT_EQ(seen.texts, texts(hole));
    }
  }
}

TEST(Log, ZerosAndHugeLengthsAreTorn) {
  FaultVfs vfs;
  write_log(vfs, 3, 1);
  const Bytes good = vfs.bytes(test_path);
  for (const std::uint32_t size : {0U, 1U, 1U << 30U, (1U << 30U) + 1, 0xFFFFFFFFU}) {
    Bytes bytes = good;
    bytes.resize(good.size() + 100'000);
    for (std::size_t at = good.size(); at + 8 <= bytes.size(); at += 8) std::memcpy(bytes.data() + at, &size, sizeof size);
    put(vfs, bytes);
    EXPECT_EQ(see(vfs).outcome, Outcome::torn);
    EXPECT_EQ(see(vfs).size, good.size());
    EXPECT_EQ(see(vfs, {good.size(), true}).outcome, Outcome::whole);
  }
}

TEST(Log, ANewerVersionIsUnsupported) {
  FaultVfs vfs;
  write_log(vfs, 1, 1);
  Bytes& bytes = vfs.bytes(test_path);
  bytes[8] = std::byte{2};
  EXPECT_EQ(see(vfs).outcome, Outcome::corrupt);  // a flipped bit, for its checksum
  const std::uint64_t checksum = XXH3_64bits(bytes.data(), 56);
  std::memcpy(bytes.data() + 56, &checksum, 8);
  try {
    (void)read_log(vfs, test_path, log_name, {}, [](std::span<const std::byte>) {});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
  }
}

TEST(Log, IsFollowedWhileItGrows) {
  FaultVfs vfs;
  LogWriter log(vfs, test_path, log_name);
  Seen seen = follow(vfs, 0);
  EXPECT_EQ(seen.size, header_size);
  Texts all;
  for (std::size_t i = 0; i < 20; ++i) {
    log.append(bytes_of(text_of(i)));
    if (i % 3 == 0) continue;
    seen = follow(vfs, seen.size);
    EXPECT_EQ(seen.outcome, Outcome::whole);
    all.insert(all.end(), seen.texts.begin(), seen.texts.end());
    EXPECT_EQ(all, texts(i + 1));
    EXPECT_EQ(seen.size, log.size());
  }
  // A record that is half there is not yet there.
  const Bytes whole = vfs.bytes(test_path);
  const std::vector<std::uint64_t> at = places(whole);
  for (std::size_t size = at[19] + 1; size < whole.size(); ++size) {
    put(vfs, Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    seen = follow(vfs, at[18]);
    EXPECT_EQ(seen.outcome, Outcome::torn);
    EXPECT_EQ(seen.size, at[19]);
    EXPECT_EQ(seen.texts, Texts{text_of(18)});
  }
  put(vfs, Bytes(whole.begin(), whole.begin() + 100));
  EXPECT_EQ(follow(vfs, at[18]).outcome, Outcome::corrupt);
}

TEST(Log, OnTheRealDisk) {
  const std::string path = ::testing::TempDir() + "leitong_log_test_" + std::to_string(::getpid());
  LogWriter log(posix_vfs(), path, log_name);
  std::uint64_t from = 0;
  Texts all;
  for (std::size_t i = 0; i < 50; ++i) {
    log.append(bytes_of(text_of(i)));
    if (i % 10 != 9) continue;
    log.sync();
    from = follow_log(posix_vfs(), path, log_name, from, [&](std::span<const std::byte> payload) {
             all.emplace_back(reinterpret_cast<const char*>(payload.data()), payload.size());
           }).size;
    EXPECT_EQ(from, log.durable());
    EXPECT_EQ(all, texts(i + 1));
  }
  log.close();
  EXPECT_EQ(read_log(posix_vfs(), path, log_name, {from, true}, [](std::span<const std::byte>) {}).size, from);
  posix_vfs().remove(path);
}

TEST(Log, RefusesBadSizesAndGoesOn) {
  FaultVfs vfs;
  LogWriter log(vfs, test_path, log_name);
  const std::byte one{1};
  for (const std::span<const std::byte> bad : {std::span<const std::byte>(), std::span<const std::byte>(&one, most_log_record + 1)}) {
    try {
      log.append(bad);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::limit);
    }
  }
  EXPECT_EQ(log.size(), header_size);
  log.append(bytes_of("a"));
  EXPECT_EQ(see(vfs).texts, Texts{"a"});
}

TEST(Log, AnErrorIsFinal) {
  for (const bool at_sync : {false, true}) {
    FaultVfs vfs;
    LogWriter log(vfs, test_path, log_name);
    log.append(bytes_of("a"));
    log.sync();
    vfs.arm(FaultVfs::Fault::io_error, at_sync ? 1 : 0);
    EXPECT_THROW((log.append(bytes_of("b")), log.sync()), Error);
    const std::size_t operations = vfs.operations();
    for (const std::function<void()>& call :
         std::vector<std::function<void()>>{[&] { log.append(bytes_of("c")); }, [&] { log.sync(); }, [&] { log.close(); }}) {
      try {
        call();
        ADD_FAILURE();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::io);
        EXPECT_NE(std::string(error.what()).find("refused"), std::string::npos);
      }
    }
    EXPECT_EQ(vfs.operations(), operations);
    EXPECT_EQ(log.durable(), header_size + head_size + 8);
  }
}

}  // namespace
}  // namespace leitong::storage
