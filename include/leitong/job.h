// How a job runs: threads, memory, progress, stopping.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace leitong {

struct Progress {
  const char* stage = "";             // "sketch", "against" (stores are asked), "join", "verify", "cluster", "apply"
  std::uint64_t done = 0, total = 0;  // bytes of input, or the stage's own units; total 0: unknown
  std::uint64_t records = 0;
};

struct JobOptions {
  unsigned threads = 0;                           // 0: all cores
  std::uint64_t memory = 0;                       // budget in bytes; 0: half of the machine's memory
  std::function<void(const Progress&)> progress;  // called from one thread at a time, a few times a second
  std::function<void(const std::string&)> note;   // called with what a person should know of the result: one sentence, no full stop
  const std::atomic<bool>* stop = nullptr;        // set it (from a signal handler) and the job ends with Error(interrupted)
  // Called at the end with the path of each input that could not be read to its end (cut off, damaged, no format that is read): the results
  // lack what it held. A note says why.
  std::function<void(const std::string&)> unread = nullptr;
  std::vector<std::string> reads = {};  // files that the caller read for this run (a profile, a table of idf): never written
};

}  // namespace leitong
