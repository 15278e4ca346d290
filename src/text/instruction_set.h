// Which variant of a kernel is to run.
#pragma once

#include <cstdlib>
#include <string_view>

namespace leitong::text {

#if defined(__x86_64__)
// Whether the processor has what the files *_avx2.cpp are compiled for, and LEITONG_ISA does not force the portable variants. Asked once a
// kernel, at its first use; a LEITONG_ISA that means nothing is the program's to refuse.
[[nodiscard]] inline bool use_avx2() noexcept {
  const char* const forced = std::getenv("LEITONG_ISA");
  const bool portable = forced != nullptr && std::string_view(forced) == "portable";
  return !portable && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
}
#endif

}  // namespace leitong::text
