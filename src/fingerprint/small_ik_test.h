// A dictionary of IKAnalyzer with a handful of words, compiled for the tests of one suite alone.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "leitong/data.h"

namespace leitong::fingerprint {

class SmallIk : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::filesystem::temp_directory_path() / ("leitong-small-ik-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_ / "ik");
    file("ik/main.dic", "研究\n研究生\n生命\n起源\n美国\n雇员\n");
    for (const char* name : {"surname", "quantifier", "suffix", "preposition"}) file(std::string("ik/") + name + ".dic", "个\n");
    file("ik/stopword.dic", "the\n");
    ::setenv("LEITONG_DATA", folder_.c_str(), 1);
    (void)add_data(DataKind::ik, (folder_ / "ik").string());
  }
  static void TearDownTestSuite() {
    std::filesystem::remove_all(folder_);
    ::unsetenv("LEITONG_DATA");
  }
  // Writes a file of the folder and returns its path.
  static std::string file(const std::string& name, std::string_view bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return (folder_ / name).string();
  }
  static inline std::filesystem::path folder_;
};

}  // namespace leitong::fingerprint
