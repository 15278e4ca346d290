#include "waiting.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "errors.h"

namespace leitong::python {
namespace {

constexpr auto between_looks = std::chrono::milliseconds(50);

// What the working thread says, and the waiting one hears.
struct Conversation {
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::exception_ptr failure;
  std::optional<Progress> progress;
  std::vector<std::string> notes;
  std::atomic<bool> stop = false;
};

JobOptions job_of(Conversation& talk) {
  JobOptions job;
  job.stop = &talk.stop;
  job.progress = [&talk](const Progress& progress) {
    const std::lock_guard lock(talk.mutex);
    talk.progress = progress;
  };
  job.note = [&talk](const std::string& note) {
    const std::lock_guard lock(talk.mutex);
    talk.notes.push_back(note);
  };
  return job;
}

void tell(nb::handle callable, Conversation& talk) {
  std::optional<Progress> progress;
  {
    const std::lock_guard lock(talk.mutex);
    progress.swap(talk.progress);
  }
  if (progress && !callable.is_none()) callable(progress->stage, progress->done, progress->total, progress->records);
}

// True: go on.
bool look_up(nb::handle callable, Conversation& talk, std::optional<nb::python_error>& raised) {
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    tell(callable, talk);
    return true;
  } catch (nb::python_error& error) {
    raised.emplace(std::move(error));
    return false;
  }
}

// Until the work has ended. `raised`: what was raised meanwhile.
void wait(nb::handle callable, Conversation& talk, std::optional<nb::python_error>& raised) {
  std::unique_lock lock(talk.mutex);
  while (!talk.done) {
    if (talk.ended.wait_for(lock, between_looks, [&] { return talk.done; })) break;
    if (talk.stop) continue;  // one reason to stop is enough
    lock.unlock();
    {
      const nb::gil_scoped_acquire acquire;
      if (!look_up(callable, talk, raised)) talk.stop = true;
    }
    lock.lock();
  }
}

void warn(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) warn_of(note);
}

}  // namespace

void wait_for(nb::handle progress, const std::function<void(JobOptions& job)>& work) {
  Conversation talk;
  JobOptions job = job_of(talk);
  std::optional<nb::python_error> raised;
  {
    const nb::gil_scoped_release release;
    std::thread worker([&] {
      std::exception_ptr failure;
      try {
        work(job);
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(talk.mutex);
      talk.failure = failure;
      talk.done = true;
      talk.ended.notify_one();
    });
    wait(progress, talk, raised);
    worker.join();
  }
  if (raised) raise_interrupted(std::move(*raised));
  if (talk.failure) std::rethrow_exception(talk.failure);
  tell(progress, talk);
  warn(talk.notes);
}

}  // namespace leitong::python
