#include "processor/instruction_set.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>

#include "leitong/error.h"

namespace leitong::processor {
namespace {

void require(bool fits, std::string_view asked) {
  if (!fits) {
    throw Error(ErrorCode::unsupported, "LEITONG_ISA=" + std::string(asked) + ", but this processor lacks that instruction set; unset it");
  }
}

struct Set {
  const char* name;
  InstructionSet value;
  bool (*fits)(const Features&) noexcept;
};
constexpr Set sets[] = {{"avx512", InstructionSet::avx512, fits_avx512},
                        {"avx2", InstructionSet::avx2, fits_avx2},
                        {"portable", InstructionSet::portable, [](const Features&) noexcept { return true; }}};

bool reaches(InstructionSet wanted) noexcept {
  try {
    return instruction_set() >= wanted;
  } catch (...) {
    return false;
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
  has.avx512cd = __builtin_cpu_supports("avx512cd") != 0;
  has.avx512vbmi = __builtin_cpu_supports("avx512vbmi") != 0;
  has.avx512vbmi2 = __builtin_cpu_supports("avx512vbmi2") != 0;
  has.avx512bitalg = __builtin_cpu_supports("avx512bitalg") != 0;
#endif
  return has;
}

bool fits_avx2(const Features& has) noexcept { return has.avx2 && has.bmi && has.bmi2 && has.popcnt && has.lzcnt; }

bool fits_avx512(const Features& has) noexcept {
  return fits_avx2(has) && has.avx512f && has.avx512bw && has.avx512vl && has.avx512dq && has.avx512vpopcntdq && has.avx512cd &&
         has.avx512vbmi && has.avx512vbmi2 && has.avx512bitalg;
}

InstructionSet choose(const Features& has, std::string_view asked) {
  for (const Set& set : sets) {  // widest first
    if (asked.empty() && set.fits(has)) return set.value;
    if (asked == set.name) {
      require(set.fits(has), asked);
      return set.value;
    }
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

const char* name_of(InstructionSet set) noexcept {
  return std::find_if(std::begin(sets), std::end(sets), [&](const Set& s) { return s.value == set; })->name;
}

bool use_avx2() noexcept { return reaches(InstructionSet::avx2); }
bool use_avx512() noexcept { return reaches(InstructionSet::avx512); }

}  // namespace leitong::processor
