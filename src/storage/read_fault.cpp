#include "storage/read_fault.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <system_error>
#include <vector>

#include "leitong/error.h"

namespace leitong::storage {
namespace {

// One guarded range. The handler may look at it at any time: `version` is odd while the range changes, and differs afterwards. The range
// in which the handler's own thread reads does not change meanwhile, so a slot seen in a change is another's and is passed over.
struct Slot {
  std::atomic<std::uint64_t> version{0};
  std::atomic<std::uintptr_t> begin{0}, end{0};
  std::atomic<std::uint32_t> faults{0};
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::uintptr_t>::is_always_lock_free &&
                  std::atomic<std::uint32_t>::is_always_lock_free,
              "a signal handler must not wait");

// Pages of zeros apart from each other count as mappings, of which the system has a limited number: after so many, all becomes one.
constexpr std::uint32_t most_pages = 64;

Slot slots[most_read_guards];              // zero pages until they are used
std::atomic<std::uint32_t> used_slots{0};  // those before it were used at some time
std::uintptr_t page_size = 0;
struct sigaction earlier{};  // the handler that was there before, set before ours can run

bool put_zeros(std::uintptr_t begin, std::uintptr_t size) {
  // The call itself: neither the library's wrapper nor a sanitizer's is meant for signal handlers.
  const long result = ::syscall(SYS_mmap, begin, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0L);
  return result == static_cast<long>(begin);
}

bool serve_zeros(std::uintptr_t address) {
  const std::uint32_t used = used_slots.load();
  for (std::uint32_t i = 0; i < used; ++i) {
    Slot& slot = slots[i];
    const std::uint64_t version = slot.version.load();
    const std::uintptr_t begin = slot.begin.load(), end = slot.end.load();
    if (version % 2 != 0 || version != slot.version.load()) continue;
    if (address < begin || address >= end) continue;
    const bool few = slot.faults++ < most_pages;  // counted first, so that nobody reads zeros and sees no fault
    return (few && put_zeros(address / page_size * page_size, page_size)) || put_zeros(begin, end - begin);
  }
  return false;
}

void pass_on(int number, siginfo_t* info, void* context) {
  if ((earlier.sa_flags & SA_SIGINFO) != 0) {
    earlier.sa_sigaction(number, info, context);
    return;
  }
  const bool sent = info->si_code <= 0;  // by kill() and its like: not repeated when this returns, as a fault is
  if (earlier.sa_handler == SIG_IGN && sent) return;
  if (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN) {
    earlier.sa_handler(number);
    return;
  }
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  ::sigaction(number, &standard, nullptr);
  if (sent) ::raise(number);
}

void handle(int number, siginfo_t* info, void* context) {
  const int error = errno;
  if (info->si_code <= 0 || !serve_zeros(reinterpret_cast<std::uintptr_t>(info->si_addr))) pass_on(number, info, context);
  errno = error;
}

void install() {
  page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction ours{};
  ours.sa_sigaction = handle;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigemptyset(&ours.sa_mask);
  if (::sigaction(SIGBUS, nullptr, &earlier) < 0 || ::sigaction(SIGBUS, &ours, nullptr) < 0)
    throw Error(ErrorCode::io, "no handler for SIGBUS could be set: " + std::generic_category().message(errno));
}

struct Free {
  Free() { slots.reserve(most_read_guards); }  // so that giving a slot back needs no memory
  std::mutex mutex;
  std::vector<std::uint32_t> slots;  // used before, free now
};
Free& free_slots() {
  static Free* const free = new Free;  // never destroyed: guards may outlive every static object
  return *free;
}

void set_range(Slot& slot, std::uintptr_t begin, std::uintptr_t end) {
  ++slot.version;
  slot.begin = begin;
  slot.end = end;
  ++slot.version;
}

}  // namespace

ReadGuard::ReadGuard(const void* data, std::size_t size) {
  static const bool installed = (install(), true);
  static_cast<void>(installed);
  Free& free = free_slots();
  const std::lock_guard lock(free.mutex);
  if (free.slots.empty()) {
    const std::uint32_t next = used_slots.load();
    if (next == most_read_guards)
      throw Error(ErrorCode::limit, fmt::format("{} files are mapped, and no more can be: merge or close some", most_read_guards));
    slot_ = next;
    used_slots.store(next + 1);
  } else {
    slot_ = free.slots.back();
    free.slots.pop_back();
  }
  slots[slot_].faults = 0;
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  set_range(slots[slot_], begin, (begin + size + page_size - 1) / page_size * page_size);
}

ReadGuard::~ReadGuard() {
  Free& free = free_slots();
  const std::lock_guard lock(free.mutex);
  set_range(slots[slot_], 0, 0);
  free.slots.push_back(slot_);
}

bool ReadGuard::fault() const noexcept { return slots[slot_].faults != 0; }

}  // namespace leitong::storage
