// The one place where an instruction set is chosen.
#include <cstdlib>
#include <string>
#include <string_view>

#include "hamming/hamming.h"
#include "leitong/error.h"

namespace leitong::hamming {
namespace {

bool processor_has_avx2() noexcept {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt") &&
         __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

const Kernels& widest() noexcept { return *available_kernels().back(); }

const Kernels& choose() {
  const char* forced = std::getenv("LEITONG_ISA");
  const std::string_view name = forced == nullptr ? "" : forced;
  if (name.empty() || name == "avx512") return widest();
  if (name == "portable") return portable_kernels;
  if (name != "avx2") {
    throw Error(ErrorCode::usage, "LEITONG_ISA is \"" + std::string(name) + "\"; use portable, avx2 or avx512, or unset it");
  }
  if (!processor_has_avx2()) throw Error(ErrorCode::unsupported, "LEITONG_ISA=avx2, but this processor has no AVX2; unset it");
  return widest();
}

}  // namespace

std::span<const Kernels* const> available_kernels() noexcept {
#if defined(__x86_64__)
  static constexpr const Kernels* kSets[] = {&portable_kernels, &avx2_kernels};
  return std::span<const Kernels* const>(kSets, processor_has_avx2() ? 2 : 1);
#else
  static constexpr const Kernels* kSets[] = {&portable_kernels};
  return kSets;
#endif
}

const Kernels& kernels() {
  static const Kernels& chosen = choose();
  return chosen;
}

std::uint32_t compare(const std::uint64_t* query, const std::uint64_t* rows, std::uint32_t n, unsigned words, unsigned k,
                      std::uint32_t* out) noexcept {
  // The name was checked by whoever asked for kernels() first; a bad LEITONG_ISA must not end a noexcept function.
  static const Kernels& set = []() noexcept -> const Kernels& {
    try {
      return kernels();
    } catch (...) {
      return portable_kernels;
    }
  }();
  return set.compare[width_index(words)](query, rows, n, k, out);
}

}  // namespace leitong::hamming
