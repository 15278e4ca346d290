// Workers: a fixed number of threads for what takes time.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace leitong::server {

class Workers {
 public:
  explicit Workers(unsigned threads);
  ~Workers() { end(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void end();  // returns when everything that was posted has run, and all that this posts
  // Runs in the order of posting, as threads come free. What it throws ends the process: nothing may.
  void post(std::function<void()> task);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace leitong::server
