#include "hamming/published.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace leitong::hamming {
namespace {

// A reader that keeps what it got, so that nothing but get() and set() orders the two threads. To be run with the thread sanitizer.
TEST(Published, ReadersKeepWhatTheyGotWhileItIsReplaced) {
  Published<int> value;
  value.set(std::make_shared<int>(0));
  std::vector<std::shared_ptr<const int>> held;
  std::atomic<bool> done = false;
  {
    const std::jthread reader([&] {
      while (!done) held.push_back(value.get());
    });
    for (int i = 1; i <= 5000; ++i) value.set(std::make_shared<int>(i));
    done = true;
  }
  EXPECT_EQ(*value.get(), 5000);
  for (std::size_t i = 1; i < held.size(); ++i) ASSERT_LE(*held[i - 1], *held[i]);
}

// Who looks something up does not pay for what the writer has replaced.
TEST(Published, ReadersTakeNothingDown) {
  struct Value {
    std::atomic<int>* elsewhere;
    std::thread::id writer;
    ~Value() { *elsewhere += std::this_thread::get_id() == writer ? 0 : 1; }
  };
  std::atomic<int> elsewhere = 0, reads = 0;
  std::atomic<bool> done = false;
  {
    Published<Value> value;
    const auto set = [&] { value.set(std::shared_ptr<Value>(new Value{&elsewhere, std::this_thread::get_id()})); };
    set();
    const std::jthread reader([&] {
      for (; !done; ++reads) (void)value.get();
    });
    while (reads < 20000) set();
    done = true;
  }
  EXPECT_EQ(elsewhere, 0);
}

}  // namespace
}  // namespace leitong::hamming
