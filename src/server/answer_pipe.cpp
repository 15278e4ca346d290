#include "server/answer_pipe.h"

#include <utility>

namespace leitong::server {

void AnswerPipe::put(std::string_view bytes, bool now) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [this] { return stop_ || ready_.size() < most_ready; });
  if (stop_) throw Stopped();
  ready_ += bytes;
  now_ = now_ || now;
  hand_over(lock);
}

void AnswerPipe::finish(std::string_view bytes) {
  std::unique_lock lock(mutex_);
  ready_ += bytes;
  ended_ = true;
  hand_over(lock);
}

void AnswerPipe::fail(std::string_view bytes, Response instead) {
  std::unique_lock lock(mutex_);
  if (said_ || !ready_.empty())
    ready_ += bytes;
  else
    instead_ = std::move(instead);
  ended_ = true;
  hand_over(lock);
}

void AnswerPipe::take(Stream::Then then) {
  std::unique_lock lock(mutex_);
  then_ = std::move(then);
  hand_over(lock);
}

void AnswerPipe::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  room_.notify_all();
}

void AnswerPipe::hand_over(std::unique_lock<std::mutex>& lock) {
  if (!then_ || !(ended_ || ready_.size() >= enough || (now_ && !ready_.empty()))) return;
  Stream::Step step;
  step.bytes = std::exchange(ready_, {});
  step.ended = ended_;
  step.instead = std::exchange(instead_, {});
  said_ = said_ || !step.bytes.empty();
  now_ = false;
  const Stream::Then then = std::exchange(then_, {});
  room_.notify_all();
  lock.unlock();
  then(std::move(step));
}

}  // namespace leitong::server
