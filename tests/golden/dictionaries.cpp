#include "golden/dictionaries.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "golden/rows.h"
#include "leitong/data.h"
#include "records/read_input_test.h"

namespace leitong::golden {
namespace {

// Every test asks for the data by their usual names, so find_data must look here.
const std::filesystem::path& data_folder() {
  static const TemporaryDirectory directory;
  static const bool set = ::setenv("LEITONG_DATA", directory.path().c_str(), 1) == 0;
  EXPECT_TRUE(set);
  static const std::filesystem::path path = directory.path();
  return path;
}

bool add_hanlp() {
  const char* const jar = std::getenv("LEITONG_HANLP_JAR");
  if (jar == nullptr || *jar == '\0') return false;
  (void)data_folder();
  (void)add_data(DataKind::hanlp, jar);
  return true;
}

bool add_ik() {
  if (folder().empty()) return false;
  const std::filesystem::path dictionaries = data_folder() / "ik";
  std::filesystem::create_directories(dictionaries);
  for (const char* name : {"main", "surname", "quantifier", "suffix", "preposition", "stopword"})
    std::ofstream(dictionaries / (std::string(name) + ".dic"), std::ios::binary) << read("ik-3.2.8/" + std::string(name) + ".dic.gz");
  (void)add_data(DataKind::ik, dictionaries.string());
  return true;
}

}  // namespace

bool have_hanlp() {
  static const bool have = add_hanlp();
  return have;
}

bool have_ik() {
  static const bool have = add_ik();
  return have;
}

std::string temporary_file(const std::string& name, const std::string& bytes) {
  const std::filesystem::path path = data_folder() / name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path.string();
}

}  // namespace leitong::golden
