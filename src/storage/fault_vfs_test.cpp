// The adversarial file system itself: what it may take away, what it must leave, and that each of its faults and planted bugs shows.
#include "storage/fault_vfs_test.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <thread>

namespace leitong::storage {
namespace {

using Names = FaultVfs::Names;
using Data = FaultVfs::Data;
using Fault = FaultVfs::Fault;

std::string random_text(std::size_t size, std::uint64_t seed) {
  FaultRandom random(seed);
  std::string text;
  while (text.size() < size) text += static_cast<char>('a' + random.below(26));
  return text;
}

void append(WritableFile& file, const std::string& text) { file.append(std::as_bytes(std::span(text))); }

std::string read(Vfs& vfs, const std::string& path) {
  const auto file = vfs.open(path);
  std::string text(file->size(), '\0');
  file->read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

void write_durably(Vfs& vfs, const std::string& path, const std::string& text) {
  const auto file = vfs.create(path);
  append(*file, text);
  file->sync();
  file->close();
  vfs.sync_directory(parent_directory(path));
}

// How often each state of the names "a:b:…" comes up.
std::map<std::string, int> states(const FaultVfs& vfs, Names names) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::string all;
    for (const std::string& name : vfs.after_crash(names, Data::all, seed)->all_names()) all += name.substr(2) + ":";
    ++seen[all];
  }
  return seen;
}

ErrorCode code_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error was thrown";
  return ErrorCode::unsupported;
}

TEST(FaultVfs, WhatIsSyncedStays) {
  FaultVfs vfs;
  const std::string text = random_text(3000, 1), tail = random_text(3000, 2);
  write_durably(vfs, "d/a", text);
  const auto file = vfs.create("d/b");
  append(*file, text);
  file->sync();
  vfs.sync_directory("d");
  append(*file, tail);
  for (const auto names : {Names::synced, Names::last, Names::first, Names::any, Names::mixed})
    for (const auto data : {Data::synced, Data::half, Data::zeros, Data::all, Data::sectors, Data::mixed})
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto after = vfs.after_crash(names, data, seed);
        EXPECT_EQ(read(*after, "d/a"), text);
        const std::string b = read(*after, "d/b");
        EXPECT_EQ(b.substr(0, text.size()), text);
        EXPECT_LE(b.size(), text.size() + tail.size());
        // All of it is durable now.
        EXPECT_EQ(read(*after->after_crash(Names::synced, Data::synced), "d/b"), b);
      }
  EXPECT_EQ(read(*vfs.after_crash(Names::last, Data::synced), "d/b"), text);
  EXPECT_EQ(read(*vfs.after_crash(Names::last, Data::half), "d/b"), text + tail.substr(0, 1500));
  EXPECT_EQ(read(*vfs.after_crash(Names::last, Data::zeros), "d/b"), text + std::string(3000, '\0'));
  EXPECT_EQ(read(*vfs.after_crash(Names::last, Data::all), "d/b"), text + tail);
}

TEST(FaultVfs, SectorsAreKeptZeroedOrSpoiltEachByItself) {
  FaultVfs vfs;
  const auto file = vfs.create("d/a");
  const std::string text = random_text(10'000, 3);
  append(*file, text.substr(0, 100));
  file->sync();
  append(*file, text.substr(100));
  int kept = 0, zeros = 0, rubbish = 0, cut = 0, kept_behind_others = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string after = read(*vfs.after_crash(Names::last, Data::sectors, seed), "d/a");
    ASSERT_GE(after.size(), 100U);
    ASSERT_EQ(after.substr(0, 100), text.substr(0, 100));
    cut += after.size() < text.size() ? 1 : 0;
    bool other = false;
    for (std::size_t at = 512; at + 512 <= after.size(); at += 512) {
      const bool same = after.compare(at, 512, text, at, 512) == 0, zero = after.substr(at, 512) == std::string(512, '\0');
      kept += same ? 1 : 0;
      zeros += zero ? 1 : 0;
      rubbish += same || zero ? 0 : 1;
      kept_behind_others += same && other ? 1 : 0;
      other = other || !same;
    }
  }
  for (const int count : {kept, zeros, rubbish, cut, kept_behind_others}) EXPECT_GT(count, 20);
}

TEST(FaultVfs, StatesFollowFromTheSeed) {
  const auto run = [](std::uint64_t seed) {
    FaultVfs vfs;
    for (const char* name : {"d/a", "d/b", "d/c"}) append(*vfs.create(name), random_text(2000, 5));
    const auto after = vfs.after_crash(Names::any, Data::mixed, seed);
    std::string all;
    for (const std::string& name : after->all_names()) all += name + read(*after, name);
    return all;
  };
  std::set<std::string> different;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_EQ(run(seed), run(seed));
    different.insert(run(seed));
  }
  EXPECT_GT(different.size(), 25U);
}

TEST(FaultVfs, DirectoryOperationsAreLostInOrderOrNot) {
  FaultVfs vfs;
  write_durably(vfs, "d/old", "");
  (void)vfs.create("d/new");
  vfs.rename("d/new", "d/x");
  vfs.remove("d/old");
  EXPECT_EQ(states(vfs, Names::synced).size(), 1U);
  EXPECT_TRUE(states(vfs, Names::synced).contains("old:"));
  EXPECT_TRUE(states(vfs, Names::last).contains("x:"));
  const auto in_order = states(vfs, Names::first);
  for (const char* state : {"old:", "new:old:", "old:x:", "x:"}) EXPECT_TRUE(in_order.contains(state)) << state;
  EXPECT_EQ(in_order.size(), 4U);
  const auto in_any = states(vfs, Names::any);
  for (const char* state : {"old:", "new:old:", "old:x:", "x:", "", "new:"}) EXPECT_TRUE(in_any.contains(state)) << state;
  EXPECT_EQ(in_any.size(), 6U);
  vfs.sync_directory("d");
  EXPECT_EQ(states(vfs, Names::any).size(), 1U);
  EXPECT_TRUE(states(vfs, Names::any).contains("x:"));
}

TEST(FaultVfs, OnlyItsOwnDirectoryIsSynced) {
  FaultVfs vfs;
  (void)vfs.create("d/a");
  (void)vfs.create("e/a");
  vfs.sync_directory("e");
  EXPECT_EQ(vfs.after_crash(Names::synced, Data::all)->all_names(), std::vector<std::string>{"e/a"});
}

TEST(FaultVfs, AnOldNameDoesNotComeBackOverADurableOne) {
  FaultVfs vfs;
  write_durably(vfs, "d/1", "one");
  write_durably(vfs, "d/2", "two");
  vfs.rename("d/1", "d/x");
  vfs.arm(Fault::io_error, 0);
  EXPECT_EQ(code_of([&] { vfs.sync_directory("d"); }), ErrorCode::io);
  vfs.sync_directory("d");  // does not make up for it
  EXPECT_FALSE(vfs.after_crash(Names::synced, Data::all)->exists("d/x"));
  EXPECT_TRUE(vfs.after_crash(Names::last, Data::all)->exists("d/x"));
  vfs.rename("d/2", "d/x");
  vfs.sync_directory("d");
  for (std::uint64_t seed = 0; seed < 20; ++seed) EXPECT_EQ(read(*vfs.after_crash(Names::any, Data::all, seed), "d/x"), "two");
}

TEST(FaultVfs, AFailedSyncLosesWhatCanStillBeRead) {
  FaultVfs vfs;
  const auto file = vfs.create("d/a");
  vfs.sync_directory("d");
  append(*file, "durable.");
  file->sync();
  append(*file, "lost....");
  vfs.arm(Fault::io_error, 0);
  EXPECT_EQ(code_of([&] { file->sync(); }), ErrorCode::io);
  file->sync();  // says success
  EXPECT_EQ(read(vfs, "d/a"), "durable.lost....");
  EXPECT_EQ(read(*vfs.after_crash(Names::synced, Data::synced), "d/a"), "durable.");
  EXPECT_EQ(read(*vfs.after_crash(Names::synced, Data::all), "d/a"), "durable." + std::string(8, '\0'));
  append(*file, "later...");
  file->sync();
  EXPECT_EQ(read(*vfs.after_crash(Names::synced, Data::synced), "d/a"), "durable." + std::string(8, '\0') + "later...");
}

TEST(FaultVfs, ATruncationMayBeLostUntilTheFileIsSynced) {
  FaultVfs vfs;
  write_durably(vfs, "d/a", "old");
  const auto file = vfs.create("d/a");
  append(*file, "newer");
  EXPECT_EQ(read(vfs, "d/a"), "newer");
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) seen.insert(read(*vfs.after_crash(Names::any, Data::mixed, seed), "d/a").substr(0, 3));
  EXPECT_TRUE(seen.contains("old") && seen.contains("new") && seen.contains(""));
  file->sync();
  EXPECT_EQ(read(*vfs.after_crash(Names::synced, Data::synced), "d/a"), "newer");
}

TEST(FaultVfs, StatesAreIndependent) {
  FaultVfs vfs;
  const auto file = vfs.create("d/a");
  append(*file, "one");
  file->sync();
  vfs.sync_directory("d");
  const auto after = vfs.after_crash(Names::any, Data::mixed), other = vfs.after_crash(Names::any, Data::mixed);
  const auto mapped = vfs.map("d/a");
  append(*file, "two");
  after->bytes("d/a")[0] = std::byte{'x'};
  EXPECT_EQ(read(vfs, "d/a"), "onetwo");
  EXPECT_EQ(read(*after, "d/a"), "xne");
  EXPECT_EQ(read(*other, "d/a"), "one");
  EXPECT_EQ(mapped->bytes().size(), 3U);
}

TEST(FaultVfs, ReadsFailAndMappingsFault) {
  FaultOptions options;
  options.breakable_maps = true;
  FaultVfs vfs(options);
  write_durably(vfs, "d/a", random_text(20'000, 7));
  vfs.arm_read(FaultVfs::ReadFault::error, 1);
  EXPECT_EQ(read(vfs, "d/a").size(), 20'000U);
  EXPECT_EQ(code_of([&] { (void)read(vfs, "d/a"); }), ErrorCode::io);
  EXPECT_EQ(vfs.reads(), 2U);
  vfs.arm_read(FaultVfs::ReadFault::error, 0);
  EXPECT_EQ(code_of([&] { (void)vfs.map("d/a"); }), ErrorCode::io);
  vfs.arm_read(FaultVfs::ReadFault::page, 0);
  const auto broken = vfs.map("d/a"), whole = vfs.map("d/a");
  const auto zeros = [](const MappedFile& file) { return std::count(file.bytes().begin(), file.bytes().end(), std::byte{0}); };
  EXPECT_TRUE(broken->fault());
  EXPECT_GE(zeros(*broken), 20'000 % 4096);
  EXPECT_FALSE(whole->fault());
  whole->require_readable();
  vfs.break_mappings("d/a");
  EXPECT_TRUE(whole->fault());
  EXPECT_GE(zeros(*whole), 20'000 % 4096);
  EXPECT_EQ(code_of([&] { whole->require_readable(); }), ErrorCode::io);
  EXPECT_EQ(read(vfs, "d/a"), random_text(20'000, 7));
}

TEST(FaultVfs, LocksGoWithTheMachine) {
  FaultVfs vfs;
  auto lock = vfs.lock("d/LOCK");
  EXPECT_EQ(code_of([&] { (void)vfs.lock("d/LOCK"); }), ErrorCode::usage);
  EXPECT_NO_THROW((void)vfs.lock("d/other"));
  EXPECT_NO_THROW((void)vfs.after_crash(Names::any, Data::mixed)->lock("d/LOCK"));
  lock.reset();
  EXPECT_NO_THROW((void)vfs.lock("d/LOCK"));
}

TEST(FaultVfs, AnErrorAndThenACrash) {
  FaultOptions options;
  options.trace = true;
  FaultVfs vfs(options);
  vfs.arm(Fault::io_error, 1);
  vfs.arm_also(Fault::crash, 3);
  const auto file = vfs.create("d/a");
  EXPECT_EQ(code_of([&] { append(*file, "1234"); }), ErrorCode::io);
  append(*file, "56");
  EXPECT_FALSE(vfs.crashed());
  EXPECT_THROW(append(*file, "78"), Crash);
  EXPECT_TRUE(vfs.crashed());
  EXPECT_THROW(append(*file, "90"), Crash);
  EXPECT_THROW(vfs.remove("d/a"), Crash);
  EXPECT_EQ(vfs.operations(), 4U);
  EXPECT_EQ(vfs.trace(), "0: create d/a\n1: write d/a\n2: write d/a\n3: write d/a\n");
  EXPECT_EQ(read(vfs, "d/a"), "125678");
}

TEST(FaultVfs, PlantedBugsShow) {
  const auto with = [](bool FaultOptions::* bug, const std::string& where = "") {
    FaultOptions options;
    options.*bug = true;
    options.where = where;
    return FaultVfs(options);
  };
  {
    FaultVfs vfs = with(&FaultOptions::ignore_file_sync, "a");
    write_durably(vfs, "d/a", "text");
    write_durably(vfs, "d/b", "text");
    EXPECT_EQ(read(*vfs.after_crash(Names::synced, Data::synced), "d/a"), "");
    EXPECT_EQ(read(*vfs.after_crash(Names::synced, Data::synced), "d/b"), "text");
  }
  {
    FaultVfs vfs = with(&FaultOptions::ignore_directory_sync);
    write_durably(vfs, "d/a", "text");
    EXPECT_FALSE(vfs.after_crash(Names::synced, Data::synced)->exists("d/a"));
  }
  for (const bool directory : {false, true}) {
    FaultVfs vfs = with(directory ? &FaultOptions::retry_directory_sync : &FaultOptions::retry_file_sync);
    vfs.arm(Fault::io_error, directory ? 4 : 2);
    EXPECT_NO_THROW(write_durably(vfs, "d/a", "text"));
    const auto after = vfs.after_crash(Names::synced, Data::synced);
    EXPECT_EQ(after->exists("d/a"), !directory);
    if (!directory) {
      EXPECT_EQ(read(*after, "d/a"), "");
    }
  }
  for (const bool planted : {false, true}) {
    FaultVfs vfs;
    vfs.options().rename_is_not_atomic = planted;
    write_durably(vfs, "d/a", "1");
    write_durably(vfs, "d/b", "2");
    vfs.rename("d/b", "d/a");
    EXPECT_EQ(states(vfs, Names::first).contains("b:"), planted);
    EXPECT_EQ(states(vfs, Names::any).contains(""), planted);
  }
  {
    FaultVfs vfs = with(&FaultOptions::remove_is_durable);
    write_durably(vfs, "d/a", "text");
    vfs.remove("d/a");
    EXPECT_FALSE(vfs.after_crash(Names::synced, Data::synced)->exists("d/a"));
  }
  {
    FaultVfs vfs = with(&FaultOptions::ignore_locks);
    const auto lock = vfs.lock("d/LOCK"), other = vfs.lock("d/LOCK");
  }
}

TEST(FaultVfs, ManyThreads) {
  FaultVfs vfs;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, path = "d/" + std::to_string(t)] {
      for (int round = 0; round < 50; ++round) {
        write_durably(vfs, path, "text");
        const auto mapped = vfs.map(path);
        (void)read(*vfs.after_crash(Names::any, Data::mixed, static_cast<std::uint64_t>(round)), path);
        vfs.remove(path);
        EXPECT_EQ(mapped->bytes().size(), 4U);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(vfs.operations(), 4U * 50 * 6);
}

}  // namespace
}  // namespace leitong::storage
