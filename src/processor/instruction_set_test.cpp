#include "processor/instruction_set.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "leitong/error.h"

namespace leitong::processor {
namespace {

constexpr Features haswell{.avx2 = true, .bmi = true, .bmi2 = true, .popcnt = true, .lzcnt = true};
constexpr Features ice_lake{.avx2 = true,
                            .bmi = true,
                            .bmi2 = true,
                            .popcnt = true,
                            .lzcnt = true,
                            .avx512f = true,
                            .avx512bw = true,
                            .avx512vl = true,
                            .avx512dq = true,
                            .avx512vpopcntdq = true,
                            .avx512cd = true,
                            .avx512vbmi = true,
                            .avx512vbmi2 = true,
                            .avx512bitalg = true};

ErrorCode refusal(const Features& has, const char* asked, const std::string& words) {
  try {
    (void)choose(has, asked);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    return error.code();
  }
  ADD_FAILURE() << "LEITONG_ISA=" << asked << " was taken";
  return ErrorCode::io;
}

TEST(InstructionSet, TheWidestThatTheProcessorHas) {
  EXPECT_EQ(choose({}, ""), InstructionSet::portable);
  EXPECT_EQ(choose(haswell, ""), InstructionSet::avx2);
  EXPECT_EQ(choose(ice_lake, ""), InstructionSet::avx512);
}

TEST(InstructionSet, WhatIsAskedForOrAnError) {
  for (const Features& has : {Features{}, haswell, ice_lake}) {
    EXPECT_EQ(choose(has, "portable"), InstructionSet::portable);
    for (const char* name : {"foo", "AVX2", "avx", "avx5", " "})
      EXPECT_EQ(refusal(has, name, "LEITONG_ISA is \"" + std::string(name) + "\""), ErrorCode::usage);
  }
  EXPECT_EQ(choose(haswell, "avx2"), InstructionSet::avx2);
  EXPECT_EQ(choose(ice_lake, "avx2"), InstructionSet::avx2);
  EXPECT_EQ(choose(ice_lake, "avx512"), InstructionSet::avx512);
  EXPECT_EQ(refusal({}, "avx2", "LEITONG_ISA=avx2"), ErrorCode::unsupported);
  EXPECT_EQ(refusal({}, "avx512", "LEITONG_ISA=avx512"), ErrorCode::unsupported);
  EXPECT_EQ(refusal(haswell, "avx512", "LEITONG_ISA=avx512"), ErrorCode::unsupported);
}

// Kernels are compiled for all of a set: a processor that lacks one part of it would stop at an unknown instruction.
TEST(InstructionSet, EveryPartOfASetIsAskedFor) {
  for (bool Features::* part : {&Features::avx2, &Features::bmi, &Features::bmi2, &Features::popcnt, &Features::lzcnt}) {
    Features has = ice_lake;
    has.*part = false;
    EXPECT_EQ(choose(has, ""), InstructionSet::portable);
    EXPECT_EQ(refusal(has, "avx2", "avx2"), ErrorCode::unsupported);
    EXPECT_EQ(refusal(has, "avx512", "avx512"), ErrorCode::unsupported);
  }
  for (bool Features::* part :
       {&Features::avx512f, &Features::avx512bw, &Features::avx512vl, &Features::avx512dq, &Features::avx512vpopcntdq, &Features::avx512cd,
        &Features::avx512vbmi, &Features::avx512vbmi2, &Features::avx512bitalg}) {
    Features has = ice_lake;
    has.*part = false;
    EXPECT_EQ(choose(has, ""), InstructionSet::avx2);
    EXPECT_EQ(choose(has, "avx2"), InstructionSet::avx2);
    EXPECT_EQ(refusal(has, "avx512", "avx512"), ErrorCode::unsupported);
  }
}

TEST(InstructionSet, OfThisProcess) {
  const char* const asked = std::getenv("LEITONG_ISA");
  EXPECT_EQ(instruction_set(), choose(features(), asked == nullptr ? "" : asked));
  EXPECT_EQ(use_avx2(), instruction_set() != InstructionSet::portable);
  EXPECT_EQ(use_avx512(), instruction_set() == InstructionSet::avx512);
}

TEST(InstructionSet, NamesAreThoseThatAreAskedFor) {
  for (const char* const name : {"portable", "avx2", "avx512"}) EXPECT_STREQ(name_of(choose(ice_lake, name)), name);
}

}  // namespace
}  // namespace leitong::processor
