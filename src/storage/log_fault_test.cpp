// What a log keeps when the disk fails or the machine stops: every record that was synced, none that was not appended, and an error where
// a durable one rots. Planted bugs must be caught.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "leitong/error.h"
#include "storage/fault_vfs_test.h"
#include "storage/log.h"

namespace leitong::storage {
namespace {

constexpr LogName log_name{{3, 5}, 7};
constexpr std::size_t records = 12;
constexpr std::uint64_t seeds = 12;
const std::string test_path = "d/log";

using Texts = std::vector<std::string>;
using Visit = std::function<void(std::span<const std::byte>)>;
using Reader = std::function<LogEnd(Vfs&, const LogExpectation&, const Visit&)>;

LogEnd read_well(Vfs& vfs, const LogExpectation& expected, const Visit& visit) {
  return read_log(vfs, test_path, log_name, expected, visit);
}

// A reader that believes every length and compares nothing.
LogEnd read_without_checksums(Vfs& vfs, const LogExpectation&, const Visit& visit) {
  const auto file = vfs.open(test_path);
  std::uint64_t at = 64;
  for (;;) {
    std::uint32_t size = 0;
    if (file->size() < at + 24) return {at, file->size() > at};
    file->read(at, std::as_writable_bytes(std::span(&size, 1)));
    if (size == 0 || file->size() - at - 24 < size) return {at, true};
    std::vector<std::byte> payload(size);
    file->read(at + 24, payload);
    visit(payload);
    at += 24 + (size + 7) / 8 * 8;
  }
}

// A reader for which the log ends at the first bad record, wherever that stands.
LogEnd read_without_marks(Vfs& vfs, const LogExpectation&, const Visit& visit) { return follow_log(vfs, test_path, log_name, 0, visit); }

std::string record(std::size_t i) {
  FaultRandom random(i);
  std::string text(1 + random.below(i % 3 == 0 ? 1500 : 40), '\0');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

struct Run {
  bool made = false;             // the log may be referred to
  std::size_t acknowledged = 0;  // records
  std::uint64_t durable = 0;
};

Run run(Vfs& vfs) {
  Run done;
  try {
    LogWriter log(vfs, test_path, log_name);
    done.made = true;
    for (std::size_t i = 0; i < records; ++i) {
      const std::string text = record(i);
      log.append(std::as_bytes(std::span(text)));
      if (i % 4 == 1) continue;
      log.sync();
      done.acknowledged = i + 1;
      done.durable = log.durable();
    }
  } catch (const Error&) {
  } catch (const Crash&) {
  }
  return done;
}

// Whether the log gives back the records that it must and no others; `rotten`: or an error.
bool keeps_promise(FaultVfs& vfs, const Reader& reader, const Run& done, std::uint64_t durable, bool rotten) {
  Texts texts;
  try {
    reader(vfs, {durable, false},
           [&](std::span<const std::byte> payload) { texts.emplace_back(reinterpret_cast<const char*>(payload.data()), payload.size()); });
  } catch (const Error& error) {
    return rotten && error.code() == ErrorCode::format;
  }
  if (texts.size() < done.acknowledged || texts.size() > records) return false;
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (texts[i] != record(i)) return false;
  return true;
}

struct Count {
  std::size_t states = 0, broken = 0;
};

void look_at_states(const FaultVfs& vfs, const Reader& reader, const Run& done, Count& count) {
  if (!done.made) return;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto after = vfs.after_crash(FaultVfs::Names::mixed, FaultVfs::Data::mixed, seed * 1000 + vfs.operations());
    for (const std::uint64_t durable : {std::uint64_t{0}, done.durable}) {
      count.broken += keeps_promise(*after, reader, done, durable, false) ? 0 : 1;
      ++count.states;
    }
    if (done.durable <= 64 || !after->exists(test_path)) continue;
    auto& bytes = after->bytes(test_path);
    if (bytes.size() < done.durable) continue;
    FaultRandom random(seed);
    bytes[64 + random.below(done.durable - 64)] ^= std::byte{1} << random.below(8);
    count.broken += keeps_promise(*after, reader, done, done.durable, true) ? 0 : 1;
    ++count.states;
  }
}

Count check(const FaultOptions& options, const Reader& reader) {
  Count count;
  FaultVfs dry;
  (void)run(dry);
  for (std::size_t crash = 0; crash <= dry.operations(); ++crash) {
    FaultVfs vfs(options);
    vfs.arm(FaultVfs::Fault::crash, crash);
    look_at_states(vfs, reader, run(vfs), count);
  }
  for (std::size_t error = 0; error < dry.operations(); ++error)
    for (std::size_t crash = error + 1; crash <= dry.operations(); crash += 1 + error % 3) {
      FaultVfs vfs(options);
      vfs.arm(FaultVfs::Fault::io_error, error);
      vfs.arm_also(FaultVfs::Fault::crash, crash);
      look_at_states(vfs, reader, run(vfs), count);
    }
  return count;
}

TEST(LogFault, KeepsWhatWasSynced) {
  const Count count = check({}, read_well);
  EXPECT_EQ(count.broken, 0U);
  EXPECT_GT(count.states, 5'000U);
}

TEST(LogFault, PlantedBugsAreSeen) {
  for (const auto bug : {&FaultOptions::ignore_file_sync, &FaultOptions::ignore_directory_sync, &FaultOptions::retry_file_sync,
                         &FaultOptions::retry_directory_sync}) {
    FaultOptions options;
    options.*bug = true;
    EXPECT_GT(check(options, read_well).broken, 0U);
  }
  EXPECT_GT(check({}, read_without_checksums).broken, 0U);
  EXPECT_GT(check({}, read_without_marks).broken, 0U);
}

}  // namespace
}  // namespace leitong::storage
