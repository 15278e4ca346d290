#include "outputs/part_writer.h"

#include <algorithm>
#include <span>
#include <utility>

namespace leitong::outputs {
namespace {

constexpr std::uint64_t part_bytes = 1 << 20;      // of lines; at multiples of it, so that no two threads write to the same page
constexpr std::uint64_t stretch_bytes = 16 << 20;  // set on its way to the disk at once

}  // namespace

PartWriter::PartWriter(storage::WritableFile& file, unsigned threads) : file_(file), threads_(threads) {}

PartWriter::~PartWriter() { stop(); }

void PartWriter::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    waiting_.clear();
  }
  waits_.notify_all();
  for (std::thread& worker : workers_) worker.join();
  workers_.clear();
}

void PartWriter::add(std::string& bytes) {
  send_lines();
  Part part;
  part.size = bytes.size();
  part.bytes.swap(bytes);
  send(std::move(part));
  const std::lock_guard lock(mutex_);
  if (spare_.empty()) return;
  bytes.swap(spare_.back());
  spare_.pop_back();
}

void PartWriter::copy(const records::Source& source, std::uint64_t offset, std::uint64_t length) {
  do {
    const std::uint64_t room = part_bytes - (size_ + lines_.size) % part_bytes, count = std::min(room, length);
    extend(source, offset, count);
    if (count == room) send_lines();
    offset += count;
    length -= count;
  } while (length > 0);
  end_line(source, offset);
  if ((size_ + lines_.size) % part_bytes == 0) send_lines();
}

void PartWriter::extend(const records::Source& source, std::uint64_t offset, std::uint64_t length) {
  lines_.size += length;
  if (!lines_.stretches.empty()) {
    // Between two lines of a source one byte can only be the line feed.
    Stretch& last = lines_.stretches.back();
    const std::uint64_t line_feed = last.line_feed ? 1 : 0;
    if (last.source == &source && last.offset + last.length + line_feed == offset) {
      last.length += line_feed + length;
      last.line_feed = false;
      return;
    }
  }
  lines_.stretches.push_back({&source, offset, length, false});
}

void PartWriter::end_line(const records::Source& source, std::uint64_t offset) {
  if (lines_.stretches.empty()) lines_.stretches.push_back({&source, offset, 0, false});
  lines_.stretches.back().line_feed = true;
  ++lines_.size;
}

void PartWriter::send_lines() {
  if (lines_.size > 0) send(std::exchange(lines_, {}));
}

void PartWriter::send(Part part) {
  part.number = parts_++;
  part.place = std::exchange(size_, size_ + part.size);
  if (threads_ == 1) {
    write(part, own_);
    keep_memory(part);
    return;
  }
  std::unique_lock lock(mutex_);
  if (waiting_.size() >= threads_ && !failure_) run_first(lock, own_);
  if (failure_) {
    ends_.wait(lock, [&] { return running_ == 0; });
    std::rethrow_exception(failure_);
  }
  waiting_.push_back(std::move(part));
  if (workers_.size() + 1 < threads_) workers_.emplace_back([this] { work(); });
  waits_.notify_one();
}

void PartWriter::work() {
  Desk desk;
  std::unique_lock lock(mutex_);
  for (;;) {
    waits_.wait(lock, [&] { return stopped_ || !waiting_.empty(); });
    if (stopped_) return;
    run_first(lock, desk);
  }
}

void PartWriter::run_first(std::unique_lock<std::mutex>& lock, Desk& desk) {
  Part first = std::move(waiting_.front());
  waiting_.pop_front();
  ++running_;
  lock.unlock();
  run(first, desk);
  lock.lock();
}

// The part was counted in running_.
void PartWriter::run(Part& part, Desk& desk) noexcept {
  std::exception_ptr failure;
  try {
    write(part, desk);
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  --running_;
  if (failure && (!failure_ || part.number < failed_)) {
    failure_ = failure;
    failed_ = part.number;
    waiting_.clear();
  }
  keep_memory(part);
  ends_.notify_all();
}

void PartWriter::keep_memory(Part& part) {
  if (part.bytes.empty() || spare_.size() == threads_) return;
  part.bytes.clear();
  spare_.push_back(std::move(part.bytes));
}

void PartWriter::write(const Part& part, Desk& desk) {
  if (part.bytes.empty()) read(part, desk);
  const auto made = std::as_bytes(std::span(part.bytes));
  file_.write_at(part.place, part.bytes.empty() ? std::span<const std::byte>(desk.room).first(part.size) : made);
  if (part.place / stretch_bytes != (part.place + part.size) / stretch_bytes) file_.start_writing();
}

void PartWriter::read(const Part& part, Desk& desk) {
  if (desk.room.size() < part.size) desk.room.resize(part.size);
  std::size_t at = 0;
  for (const Stretch& stretch : part.stretches) {
    if (stretch.source != desk.source) {
      desk.source = nullptr;
      desk.file.reset();  // before the next one: one descriptor at a time
      records::require_unchanged(*stretch.source);
      desk.file = storage::posix_vfs().open(stretch.source->path);
      desk.source = stretch.source;
    }
    desk.file->read(stretch.offset, std::span(desk.room).subspan(at, stretch.length));
    at += stretch.length;
    if (stretch.line_feed) desk.room[at++] = std::byte{'\n'};
  }
}

void PartWriter::finish() {
  if (workers_.empty() && lines_.size > 0) {  // too little for a second thread
    lines_.place = size_;
    write(lines_, own_);
    lines_ = {};
  }
  send_lines();
  std::unique_lock lock(mutex_);
  while (!waiting_.empty()) run_first(lock, own_);
  ends_.wait(lock, [&] { return running_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
  lock.unlock();
  stop();
}

}  // namespace leitong::outputs
