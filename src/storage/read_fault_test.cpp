#include "storage/read_fault.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "leitong/error.h"
#include "storage/column_file.h"
#include "storage/temporary_directory.h"
#include "storage/vfs.h"

namespace leitong::storage {
namespace {

const std::size_t page_size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

class ReadFault : public testing::Test {
 protected:
  std::string make(const std::string& name, std::size_t size) {
    const auto file = vfs_.create(root_ + "/" + name);
    file->append(std::vector<std::byte>(size, std::byte{'x'}));
    file->close();
    return root_ + "/" + name;
  }
  static std::size_t count(const MappedFile& file) {
    return static_cast<std::size_t>(std::count(file.bytes().begin(), file.bytes().end(), std::byte{'x'}));
  }

  Vfs& vfs_ = posix_vfs();
  const TemporaryDirectory directory_;
  const std::string root_ = directory_.path();
};

TEST_F(ReadFault, WhatWasCutOffIsZerosAndAnError) {
  const std::string path = make("a", 10 * page_size + 100);
  const auto file = vfs_.map(path);
  EXPECT_EQ(count(*file), 10 * page_size + 100);
  EXPECT_FALSE(file->fault());
  file->require_readable();
  ASSERT_EQ(truncate(path.c_str(), static_cast<off_t>(4 * page_size)), 0);
  EXPECT_EQ(file->bytes()[4 * page_size - 1], std::byte{'x'});
  EXPECT_FALSE(file->fault());                                  // as long as nobody reads what is not there
  EXPECT_EQ(file->bytes()[10 * page_size + 99], std::byte{0});  // in the partial page
  EXPECT_TRUE(file->fault());
  EXPECT_EQ(count(*file), 4 * page_size);
  try {
    file->require_readable();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_EQ(std::string(error.what()).find(path), 0U) << error.what();
  }
  // A fault belongs to one mapping of the file, and its slot starts afresh.
  EXPECT_FALSE(vfs_.map(path)->fault());
}

TEST_F(ReadFault, ReadsByManyThreadsAtOnce) {
  const std::string path = make("a", 400 * page_size);
  const auto file = vfs_.map(path);
  ASSERT_EQ(truncate(path.c_str(), 0), 0);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      if (count(*file) != 0 || !file->fault()) ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// Mappings come and go in other threads while some fault: slots and addresses are used again and again.
TEST_F(ReadFault, MappingsComeAndGoMeanwhile) {
  const std::string good = make("good", 3 * page_size);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    const std::string bad = make("bad" + std::to_string(t), 3 * page_size);
    threads.emplace_back([&, bad] {
      for (int round = 0; round < 200; ++round) {
        const auto whole = vfs_.map(good), cut = vfs_.map(bad);
        if (truncate(bad.c_str(), static_cast<off_t>(page_size)) != 0) ++wrong;
        if (count(*cut) != page_size || !cut->fault()) ++wrong;
        if (count(*whole) != 3 * page_size || whole->fault()) ++wrong;
        if (truncate(bad.c_str(), static_cast<off_t>(3 * page_size)) != 0) ++wrong;
        const int file = open(bad.c_str(), O_WRONLY);
        const std::string x(3 * page_size, 'x');
        if (write(file, x.data(), x.size()) != static_cast<ssize_t>(x.size())) ++wrong;
        close(file);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(ReadFault, ManyMappings) {
  const std::string path = make("a", 2 * page_size);
  std::vector<std::unique_ptr<MappedFile>> files;
  for (int i = 0; i < 3000; ++i) files.push_back(vfs_.map(path));
  ASSERT_EQ(truncate(path.c_str(), static_cast<off_t>(page_size)), 0);
  for (std::size_t i = 0; i < files.size(); i += 3) EXPECT_EQ(files[i]->bytes()[page_size], std::byte{0});
  for (std::size_t i = 0; i < files.size(); ++i) ASSERT_EQ(files[i]->fault(), i % 3 == 0);
}

TEST_F(ReadFault, TooManyGuardsAreRefused) {
  std::vector<std::unique_ptr<ReadGuard>> guards;
  const auto add = [&] { guards.push_back(std::make_unique<ReadGuard>(nullptr, 0)); };
  try {
    for (std::uint32_t i = 0; i <= most_read_guards; ++i) add();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::limit);
  }
  guards.pop_back();
  EXPECT_NO_THROW(add());
}

// Every second page of a mapping faults: with a page of zeros for each, the system would run out of mappings.
TEST_F(ReadFault, MorePagesThanTheSystemHasMappings) {
  const std::size_t pages = 140'001;
  const std::string path = make("a", page_size);
  ASSERT_EQ(truncate(path.c_str(), static_cast<off_t>(pages * page_size)), 0);
  const auto file = vfs_.map(path);
  ASSERT_EQ(truncate(path.c_str(), static_cast<off_t>(page_size)), 0);
  std::size_t zeros = 0;
  for (std::size_t page = 2; page < pages; page += 2) zeros += file->bytes()[page * page_size] == std::byte{0} ? 1U : 0U;
  EXPECT_EQ(zeros, (pages - 1) / 2);
  EXPECT_TRUE(file->fault());
}

TEST_F(ReadFault, AColumnFileTellsIt) {
  const ColumnKind kind{"\x89LTT\r\n\x1a\n", 1, "make it again"};
  const std::string path = root_ + "/columns";
  {
    ColumnFileWriter writer(vfs_, path, kind);
    writer.add(1, std::vector<std::byte>(20 * page_size));
    writer.finish();
  }
  const ColumnFile file(vfs_, path, kind);
  file.require_readable();
  ASSERT_EQ(truncate(path.c_str(), static_cast<off_t>(2 * page_size)), 0);
  // The column is zeros, so its checksum is right all the same.
  for (int i = 0; i < 2; ++i) {
    try {
      file.verify(1);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::io) << error.what();
    }
  }
  EXPECT_THROW(file.require_readable(), Error);
}

// A page of a file that nobody guards, behind its end.
const volatile char* foreign_page(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY);
  void* page = mmap(nullptr, 2 * page_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  return page == MAP_FAILED ? nullptr : static_cast<const volatile char*>(page) + page_size;
}

TEST_F(ReadFault, ForeignFaultsKillAsBefore) {
  const std::string path = make("a", page_size);
  // In a process of its own, so that ours is the first guard and the earlier handler is the test's.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        (void)std::signal(SIGBUS, SIG_DFL);
        const auto file = vfs_.map(path);
        (void)*foreign_page(path);
      },
      testing::KilledBySignal(SIGBUS), "");
  EXPECT_EXIT(
      {
        (void)std::signal(SIGBUS, SIG_IGN);
        const auto file = vfs_.map(path);
        (void)raise(SIGBUS);  // ignored: it was sent
        (void)*foreign_page(path);
      },
      testing::KilledBySignal(SIGBUS), "");
  EXPECT_EXIT(
      {
        (void)std::signal(SIGBUS, SIG_DFL);
        const auto file = vfs_.map(path);
        (void)raise(SIGBUS);
        _exit(0);
      },
      testing::KilledBySignal(SIGBUS), "");
  EXPECT_EXIT(
      {
        (void)std::signal(SIGBUS, [](int) { _exit(42); });
        const auto file = vfs_.map(path);
        (void)*foreign_page(path);
      },
      testing::ExitedWithCode(42), "");
  EXPECT_EXIT(
      {
        struct sigaction with_address{};
        with_address.sa_flags = SA_SIGINFO;
        with_address.sa_sigaction = [](int, siginfo_t* info, void*) { _exit(info->si_addr == nullptr ? 1 : 43); };
        sigaction(SIGBUS, &with_address, nullptr);
        const auto file = vfs_.map(path);
        (void)*foreign_page(path);
      },
      testing::ExitedWithCode(43), "");
}

}  // namespace
}  // namespace leitong::storage
