// The compiled dictionaries that the golden rows need, made once a process in a temporary folder: IKAnalyzer's from the golden folder,
// HanLP's from the user's jar, which LEITONG_HANLP_JAR names.
#pragma once

#include <string>

namespace leitong::golden {

[[nodiscard]] bool have_hanlp();
[[nodiscard]] bool have_ik();
// Writes bytes to a file of the temporary folder and returns its path.
[[nodiscard]] std::string temporary_file(const std::string& name, const std::string& bytes);

}  // namespace leitong::golden

#define LEITONG_NEED_HANLP()                                           \
  if (!leitong::golden::have_hanlp())                                  \
  GTEST_SKIP() << "no HanLP jar: LEITONG_HANLP_JAR does not name one " \
                  "(com.hankcs:hanlp:portable-1.8.1)"
#define LEITONG_NEED_IK() \
  if (!leitong::golden::have_ik()) GTEST_SKIP() << "no IKAnalyzer dictionaries: LEITONG_SHARED names no folder that holds golden/ik-3.2.8"
