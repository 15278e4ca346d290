#include "processor/instruction_set.h"

#include <cstdlib>
#include <string>

#include "leitong/error.h"

namespace leitong::processor {
namespace {

void require(bool fits, std::string_view asked) {
  if (!fits) {
    throw Error(ErrorCode::unsupported, "LEITONG_ISA=" + std::string(asked) + ", but this processor lacks that instruction set; unset it");
  }
}

}  // namespace

Features features() noexcept {
  Features has;
#if defined(__x86_64__)
  has.avx2 = __builtin_cpu_supports("avx2") != 0;
  has.bmi = __builtin_cpu_supports("bmi") != 0;
  has.bmi2 = __builtin_cpu_supports("bmi2") != 0;
  has.popcnt = __builtin_cpu_supports("popcnt") != 0;
  has.lzcnt = __builtin_cpu_supports("lzcnt") != 0;
  has.avx512f = __builtin_cpu_supports("avx512f") != 0;
  has.avx512bw = __builtin_cpu_supports("avx512bw") != 0;
  has.avx512vl = __builtin_cpu_supports("avx512vl") != 0;
  has.avx512dq = __builtin_cpu_supports("avx512dq") != 0;
  has.avx512vpopcntdq = __builtin_cpu_supports("avx512vpopcntdq") != 0;
#endif
  return has;
}

bool fits_avx2(const Features& has) noexcept { return has.avx2 && has.bmi && has.bmi2 && has.popcnt && has.lzcnt; }

bool fits_avx512(const Features& has) noexcept {
  return fits_avx2(has) && has.avx512f && has.avx512bw && has.avx512vl && has.avx512dq && has.avx512vpopcntdq;
}

InstructionSet choose(const Features& has, std::string_view asked) {
  const InstructionSet widest = fits_avx2(has) ? InstructionSet::avx2 : InstructionSet::portable;
  if (asked.empty()) return widest;
  if (asked == "portable") return InstructionSet::portable;
  if (asked == "avx2") {
    require(fits_avx2(has), asked);
    return InstructionSet::avx2;
  }
  if (asked == "avx512") {
    require(fits_avx512(has), asked);
    return widest;
  }
  throw Error(ErrorCode::usage, "LEITONG_ISA is \"" + std::string(asked) + "\"; use portable, avx2 or avx512, or unset it");
}

InstructionSet instruction_set() {
  static const InstructionSet chosen = [] {
    const char* const asked = std::getenv("LEITONG_ISA");
    return choose(features(), asked == nullptr ? "" : asked);
  }();
  return chosen;
}

bool use_avx2() noexcept {
  try {
    return instruction_set() == InstructionSet::avx2;
  } catch (...) {
    return false;
  }
}

}  // namespace leitong::processor
