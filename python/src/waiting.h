// Waiting for the library without holding the interpreter: signals are obeyed and progress is told meanwhile.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>

#include "leitong/job.h"

namespace leitong::python {

namespace nb = nanobind;

// Runs `work` on a thread of its own, which may touch nothing of Python. Twenty times a second the calling thread takes the interpreter's
// lock, looks for signals and calls `progress` (None, or a callable of stage, done, total, records) with what is new. A signal or an
// exception of `progress` sets the job's `stop`, and is raised when the work has ended. Whether it takes long or not: short work that
// cannot be stopped is better done in place, without the lock. What the library wants to be known of the result becomes a warning of Python
// (LeitongWarning).
void wait_for(nb::handle progress, const std::function<void(JobOptions& job)>& work);

// The work of a moment, in place and without the lock.
template <class Work>
auto without_lock(Work work) {
  const nb::gil_scoped_release release;
  return work();
}

}  // namespace leitong::python
