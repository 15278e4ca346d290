// AnswerPipe: the bytes of an answer that one thread makes, while a Stream hands them out; between them there is room for so many.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "server/http.h"

namespace leitong::server {

class AnswerPipe {
 public:
  struct Stopped {};  // thrown to the thread that makes: nobody reads any more

  // The side that makes. put() waits while too many bytes are there, and throws Stopped; `now`: they leave at once, and not only when
  // there are enough of them.
  void put(std::string_view bytes, bool now = false);
  // The last of all, after which nothing may be called: some bytes, or after an error `bytes`, or `instead` if nothing has left yet.
  void finish(std::string_view bytes);
  void fail(std::string_view bytes, Response instead);
  // The side that reads: each call is answered once, with what there is.
  void take(Stream::Then then);
  void stop();

 private:
  static constexpr std::size_t enough = std::size_t{64} << 10, most_ready = std::size_t{1} << 20;
  void hand_over(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;  // of what follows
  std::condition_variable room_;
  std::string ready_;
  std::optional<Response> instead_;
  bool now_ = false, ended_ = false, stop_ = false, said_ = false;
  Stream::Then then_;
};

}  // namespace leitong::server
