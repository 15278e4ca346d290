// Of the library: its version, and the kernels that it runs.
#pragma once

#include <string>

namespace leitong {

[[nodiscard]] std::string version();
// Of the kernels of this process: "portable", "avx2" or "avx512", the widest that the processor has or what the environment variable
// LEITONG_ISA (portable, avx2, avx512) asks for. Throws Error(usage) if that is none of these, Error(unsupported) if the processor lacks
// it.
[[nodiscard]] std::string instruction_set();

}  // namespace leitong
