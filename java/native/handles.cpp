#include "handles.h"

#include <map>
#include <mutex>

namespace leitong::jni {
namespace {

struct Handles {
  std::mutex mutex;
  std::map<void*, Free> left;
};

Handles& handles() {
  static Handles all;
  return all;
}

}  // namespace

void remember(void* handle, Free free) {
  const std::lock_guard lock(handles().mutex);
  handles().left.emplace(handle, free);
}

void forget(void* handle) {
  const std::lock_guard lock(handles().mutex);
  handles().left.erase(handle);
}

void free_all() noexcept {
  for (const auto& [handle, free] : handles().left) free(handle);
  handles().left.clear();
}

}  // namespace leitong::jni
