// Reads of a mapped file that the system cannot serve (the disk failed, the file was cut short) as zeros and a flag instead of a signal.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leitong::storage {

// Guards a range of pages while it lives. The first one ever made installs a handler of SIGBUS for the whole process; faults elsewhere
// go to the handler that was there before. Construct after mmap, destroy before munmap.
class ReadGuard {
 public:
  // Error(limit) if most_read_guards live.
  ReadGuard(const void* data, std::size_t size);
  ~ReadGuard();
  ReadGuard(const ReadGuard&) = delete;
  ReadGuard& operator=(const ReadGuard&) = delete;
  // Whether zeros may have been read in place of some byte. Set before any thread can read them.
  [[nodiscard]] bool fault() const noexcept;

 private:
  std::uint32_t slot_;
};

inline constexpr std::uint32_t most_read_guards = 1U << 16U;  // about as many as Linux allows mappings

}  // namespace leitong::storage
