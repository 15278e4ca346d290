#include "memory/failing_new.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<bool> armed = false, all_behind = false;
std::atomic<std::uint64_t> fails_at = 0, allocations = 0, failed = 0;

bool fails() {
  if (!armed.load()) return false;
  const std::uint64_t n = allocations.fetch_add(1), at = fails_at.load();
  if (n != at && !(n > at && all_behind.load())) return false;
  failed.fetch_add(1);
  return true;
}

void* take(std::size_t size) { return fails() ? nullptr : std::malloc(size > 0 ? size : 1); }
void* take(std::size_t size, std::align_val_t align) {
  const auto to = static_cast<std::size_t>(align);
  return fails() ? nullptr : std::aligned_alloc(to, (size + to) / to * to);
}
void* or_throw(void* p) {
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

}  // namespace

namespace leitong::memory {

void arm(std::uint64_t allocation, bool all) {
  fails_at = allocation;
  all_behind = all;
  allocations = failed = 0;
  armed = true;
}
void disarm() { armed = false; }
std::uint64_t failures() { return failed; }

}  // namespace leitong::memory

void* operator new(std::size_t size) { return or_throw(take(size)); }
void* operator new[](std::size_t size) { return or_throw(take(size)); }
void* operator new(std::size_t size, std::align_val_t align) { return or_throw(take(size, align)); }
void* operator new[](std::size_t size, std::align_val_t align) { return or_throw(take(size, align)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return take(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return take(size); }
void* operator new(std::size_t size, std::align_val_t align, const std::nothrow_t&) noexcept { return take(size, align); }
void* operator new[](std::size_t size, std::align_val_t align, const std::nothrow_t&) noexcept { return take(size, align); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }
