#include "measure.h"

#include <malloc.h>
#include <time.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace bench_hamming {
namespace {

double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace

double wall_seconds() { return seconds_of(CLOCK_MONOTONIC); }
double processor_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

std::uint64_t resident_bytes() {
  std::uint64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

void reset_peak() { std::ofstream("/proc/self/clear_refs") << 5; }

void release_memory() { malloc_trim(0); }

}  // namespace bench_hamming
