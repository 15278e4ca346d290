// An operator new that fails where a test wants it to. It is the whole program's: only for programs of their own.
#pragma once

#include <cstdint>

namespace leitong::memory {

// The n-th allocation from now on (0-based, of any thread) fails; with `all`, so do those behind it.
void arm(std::uint64_t allocation, bool all);
void disarm();
[[nodiscard]] std::uint64_t failures();  // since arm()

}  // namespace leitong::memory
