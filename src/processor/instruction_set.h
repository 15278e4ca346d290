// The one place where an instruction set is chosen: by what the processor has and what the environment variable LEITONG_ISA asks for.
// Everything here is thread-safe.
#pragma once

#include <string_view>

namespace leitong::processor {

// What the kernels' files are compiled for (cmake/LeitongRooms.cmake), and a processor may lack.
struct Features {
  bool avx2 = false, bmi = false, bmi2 = false, popcnt = false, lzcnt = false;
  bool avx512f = false, avx512bw = false, avx512vl = false, avx512dq = false, avx512vpopcntdq = false;
  bool avx512cd = false, avx512vbmi = false, avx512vbmi2 = false, avx512bitalg = false;
};
[[nodiscard]] Features features() noexcept;  // of this processor

[[nodiscard]] bool fits_avx2(const Features& has) noexcept;
[[nodiscard]] bool fits_avx512(const Features& has) noexcept;

enum class InstructionSet { portable, avx2, avx512 };  // narrowest first, each with all that stands before it

// `asked`: portable, avx2 or avx512; empty: the widest that the processor has. Error(usage) for another name, Error(unsupported) for a
// set that the processor lacks.
[[nodiscard]] InstructionSet choose(const Features& has, std::string_view asked);

// By this processor and LEITONG_ISA, asked once. Errors as above, at every call.
[[nodiscard]] InstructionSet instruction_set();
[[nodiscard]] const char* name_of(InstructionSet set) noexcept;  // as LEITONG_ISA calls it

// Whether kernels of AVX2 may run, or those of AVX-512: a wider set runs the kernels below it where it has none of its own. Where
// LEITONG_ISA is an error, whose telling is the program's: not.
[[nodiscard]] bool use_avx2() noexcept;
[[nodiscard]] bool use_avx512() noexcept;

}  // namespace leitong::processor
