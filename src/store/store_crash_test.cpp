// tiers: plain+sanitized
// Crashes and errors at every operation of the file system: no acknowledged row is lost, nothing else appears, and planted bugs are found.
// LEITONG_CRASH_STATES is the number of states (by default 1,000,000, and 100,000 under sanitizers), which the shards share. Scripts are
// numbered from LEITONG_CRASH_SEED on (tests/store/crash_states.py runs many of them).
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <functional>

#include "leitong/error.h"
#include "store/crash_harness_test.h"

namespace leitong::store {
namespace {

using storage::FaultOptions;
using Fault = FaultVfs::Fault;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t default_states = 100'000;
#else
constexpr std::uint64_t default_states = 1'000'000;
#endif
constexpr unsigned shards = 4, step_count = 16;
constexpr std::uint64_t reboots = 12;  // states tried after one crash

std::uint64_t states_of_shard() {
  const char* wanted = std::getenv("LEITONG_CRASH_STATES");
  return (wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : default_states) / shards;
}

std::uint64_t first_seed() {
  const char* wanted = std::getenv("LEITONG_CRASH_SEED");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 0;
}

FaultVfs::Reboot reboot_of(std::uint64_t seed) {
  // The plain states first, then mixtures of them.
  constexpr FaultVfs::Names names[] = {FaultVfs::Names::synced, FaultVfs::Names::last, FaultVfs::Names::mixed};
  constexpr FaultVfs::Data data[] = {FaultVfs::Data::synced, FaultVfs::Data::all, FaultVfs::Data::mixed};
  return {names[seed % 3], data[seed / 3 % 3], seed};
}

// Runs the scripts of seeds. `found` is called with each bad verdict, and returns whether to continue.
struct Search {
  std::uint64_t states = 0, most = 0;
  FaultOptions options;
  bool believes_buffered = false;
  std::string first;  // the first bad verdict

  [[nodiscard]] bool over() const { return states >= most || !first.empty(); }
  void judge(const std::string& verdict, const std::string& where) {
    ++states;
    if (!verdict.empty() && first.empty()) first = verdict + " (" + where + ")";
  }

  // Checks all crash states of a run that has ended, and of the recovery from some of them.
  void look(const FaultVfs& vfs, const CrashHarness& harness, const std::string& where, std::uint64_t seed) {
    for (std::uint64_t reboot = 0; reboot < reboots && !over(); ++reboot) {
      const auto state = reboot_of(seed * reboots + reboot);
      const std::string here = where + ", reboot " + std::to_string(state.seed);
      const auto disk = vfs.after_crash(state);
      if (reboot % 4 == 3) {
        // Crashes again during the repair, then repairs that.
        disk->arm(Fault::crash, state.seed % 23);
        harness.repair(*disk);
        const auto second = disk->after_crash(reboot_of(state.seed + 1));
        judge(harness.verdict(*second, false), here + ", crashed again");
        continue;
      }
      judge(harness.verdict(*disk, reboot % 3 == 0), here);
    }
  }
  CrashHarness harness_of(std::uint64_t seed) const {
    CrashHarness harness(seed);
    harness.believes_buffered = believes_buffered;
    return harness;
  }

  void crashes(std::uint64_t seed) {
    std::size_t operations = 0;
    {
      FaultVfs vfs(options);
      auto harness = harness_of(seed);
      if (!harness.work(vfs, step_count)) judge("an unhurt run fails", "seed " + std::to_string(seed));
      operations = vfs.operations();
    }
    for (std::size_t n = 0; n < operations && !over(); ++n) {
      FaultVfs vfs(options);
      auto harness = harness_of(seed);
      vfs.arm(Fault::crash, n);
      (void)harness.work(vfs, step_count);
      look(vfs, harness, "seed " + std::to_string(seed) + ", crash at " + std::to_string(n), seed * 1000 + n);
    }
  }
  // An error, then the next writer on the same files, then a crash.
  void errors(std::uint64_t seed, Fault fault) {
    for (std::size_t n = seed % 3; !over(); n += 3) {
      FaultVfs vfs(options);
      auto harness = harness_of(seed);
      vfs.arm(fault, n);
      const std::string where = "seed " + std::to_string(seed) + ", error at " + std::to_string(n);
      if (harness.work(vfs, step_count)) {
        // Either the error had no effect (removing a file that no manifest names), or the script has ended.
        if (vfs.operations() <= n) return;
        look(vfs, harness, where, seed * 1000 + n);
        continue;
      }
      look(vfs, harness, where + ", crash after", seed * 1000 + n);
      if (fault == Fault::disk_full) vfs.arm(Fault::none, 0);
      vfs.arm(Fault::crash, 5 + (n * 7 + seed) % 60);
      (void)harness.work_on(vfs, 6);
      look(vfs, harness, where + ", next writer, crash", seed * 1000 + n);
    }
  }
};

class StoreCrash : public testing::TestWithParam<unsigned> {
 protected:
  // Stores are made and destroyed thousands of times a second, so freed memory is kept by the process.
  StoreCrash() { ::mallopt(M_TRIM_THRESHOLD, 256 << 20); }
};

TEST_P(StoreCrash, LosesNothingAndInventsNothing) {
  Search search;
  search.most = states_of_shard();
  for (std::uint64_t seed = first_seed() + GetParam(); !search.over(); seed += shards) {
    search.crashes(seed);
    if (!search.over()) search.errors(seed, seed % 4 == 3 ? Fault::disk_full : Fault::io_error);
  }
  EXPECT_EQ(search.first, "");
  EXPECT_GE(search.states, search.most);
  std::printf("states %llu\n", static_cast<unsigned long long>(search.states));
}
INSTANTIATE_TEST_SUITE_P(Shards, StoreCrash, testing::Range(0U, shards));

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // planted bugs are found without sanitizers
struct PlantedBug {
  const char* name;
  FaultOptions options;
  bool believes_buffered = false;
};

FaultOptions bug(bool FaultOptions::* which, const char* where, bool FaultOptions::* and_also = nullptr) {
  FaultOptions options;
  options.where = where;
  options.*which = true;
  if (and_also != nullptr) options.*and_also = true;
  return options;
}

class StorePlantedBug : public testing::TestWithParam<PlantedBug> {};

// The tests above prove something only if the planted bugs are found.
TEST_P(StorePlantedBug, IsFound) {
  Search search;
  search.most = 200'000;
  search.options = GetParam().options;
  search.believes_buffered = GetParam().believes_buffered;
  for (std::uint64_t seed = 0; !search.over(); ++seed) {
    search.crashes(seed);
    if (!search.over()) search.errors(seed, Fault::io_error);
  }
  EXPECT_NE(search.first, "") << "not found in " << search.states << " states";
}
const PlantedBug bugs[] = {
    {"NoSyncOfTheLog", bug(&FaultOptions::ignore_file_sync, "log-")},
    {"NoSyncOfTables", bug(&FaultOptions::ignore_file_sync, ".table")},
    {"NoSyncOfIndexes", bug(&FaultOptions::ignore_file_sync, ".index")},
    {"NoSyncOfTheManifest", bug(&FaultOptions::ignore_file_sync, "MANIFEST")},
    {"NoSyncOfTheDirectory", bug(&FaultOptions::ignore_directory_sync, "")},
    {"SyncOfTheLogTriedAgain", bug(&FaultOptions::retry_file_sync, "log-")},
    {"SyncOfTablesTriedAgain", bug(&FaultOptions::retry_file_sync, ".table")},
    {"SyncOfIndexesTriedAgain", bug(&FaultOptions::retry_file_sync, ".index")},
    {"SyncOfTheManifestTriedAgain", bug(&FaultOptions::retry_file_sync, "MANIFEST")},
    {"ManifestReplacedInTwoSteps", bug(&FaultOptions::rename_is_not_atomic, "MANIFEST")},
    {"OldFilesGoBeforeTheManifestIsDurable", bug(&FaultOptions::ignore_directory_sync, "", &FaultOptions::remove_is_durable)},
    {"BufferedTakenForDurable", {}, true},
};
INSTANTIATE_TEST_SUITE_P(Bugs, StorePlantedBug, testing::ValuesIn(bugs),
                         [](const auto& bug_info) { return std::string(bug_info.param.name); });

#endif

}  // namespace
}  // namespace leitong::store
