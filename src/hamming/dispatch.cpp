// Which set of kernels runs.
#include "hamming/hamming.h"
#include "processor/instruction_set.h"

namespace leitong::hamming {
namespace {

const Kernels& choose() {
#if defined(__x86_64__)
  constexpr const Kernels* by_set[] = {&portable_kernels, &avx2_kernels, &avx512_kernels};
  return *by_set[static_cast<std::size_t>(processor::instruction_set())];
#else
  return portable_kernels;
#endif
}

const Kernels& choose_or_portable() noexcept {
  try {
    return choose();
  } catch (...) {
    return portable_kernels;
  }
}

}  // namespace

std::span<const Kernels* const> available_kernels() noexcept {
#if defined(__x86_64__)
  static constexpr const Kernels* sets[] = {&portable_kernels, &avx2_kernels, &avx512_kernels};
  const processor::Features has = processor::features();
  return std::span<const Kernels* const>(sets, processor::fits_avx512(has) ? 3 : processor::fits_avx2(has) ? 2 : 1);
#else
  static constexpr const Kernels* sets[] = {&portable_kernels};
  return sets;
#endif
}

const Kernels& kernels() {
  static const Kernels& chosen = choose();
  return chosen;
}

std::uint32_t compare(const std::uint64_t* query, const std::uint64_t* rows, std::uint32_t n, unsigned words, unsigned k,
                      std::uint32_t* out) noexcept {
  // LEITONG_ISA was checked by whoever asked for kernels() first; a bad one must not end a noexcept function.
  static const Kernels& set = choose_or_portable();
  return set.compare[width_index(words)](query, rows, n, k, out);
}

}  // namespace leitong::hamming
