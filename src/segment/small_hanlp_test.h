// For tests: HanLP's dictionaries of a few words, as its text files and as the binary members of its jar, so that both can be read and must
// give the same; and jars of any members.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <zip.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/temporary_directory.h"
#include "text/utf16.h"

namespace leitong::segment {

// Big-endian, as Java writes.
class JavaBytes {
 public:
  JavaBytes& number(std::uint64_t value, unsigned size = 4) {
    while (size > 0) bytes_.push_back(static_cast<char>(value >> 8 * --size & 0xFF));
    return *this;
  }
  JavaBytes& raw(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  // HanLP's double array of sorted keys; the value of a key is its place. Placed first-fit.
  JavaBytes& trie(const std::vector<std::string>& keys) {
    std::vector<std::u16string> units;
    for (const std::string& key : keys) units.push_back(text::to_utf16(key));
    base_.assign(2, 0);
    check_.assign(2, 0);
    base_[0] = 1;
    place(units, 0, 0, units.size(), 1);
    number(base_.size());
    for (std::size_t i = 0; i < base_.size(); ++i)
      number(static_cast<std::uint32_t>(base_[i])).number(static_cast<std::uint32_t>(check_[i]));
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void use(std::size_t cell, std::int32_t check) {
    if (cell >= base_.size()) base_.resize(cell + 1), check_.resize(cell + 1);
    check_[cell] = check;
  }
  // The children of state `state`, which are the units at `depth` of keys[begin, end).
  void place(const std::vector<std::u16string>& keys, std::size_t depth, std::size_t begin, std::size_t end, std::size_t state) {
    if (begin < end && keys[begin].size() == depth) {
      use(state, static_cast<std::int32_t>(state));
      base_[state] = -static_cast<std::int32_t>(begin) - 1;
      ++begin;
    }
    struct Child {
      std::size_t cell, begin, end;
    };
    std::vector<Child> children;
    for (std::size_t i = begin, j = begin; i < end; i = j) {
      while (j < end && keys[j][depth] == keys[i][depth]) ++j;
      children.push_back({state + keys[i][depth] + 1, i, j});
      use(children.back().cell, static_cast<std::int32_t>(state));
    }
    for (const Child& child : children) {
      const std::size_t next = free_state(keys, depth + 1, child.begin, child.end);
      base_[child.cell] = static_cast<std::int32_t>(next);
      place(keys, depth + 1, child.begin, child.end, next);
    }
  }
  [[nodiscard]] bool is_free(std::size_t cell) const { return cell >= check_.size() || check_[cell] == 0; }
  // A state whose own cell and whose children's cells are free; its own is taken at once.
  std::size_t free_state(const std::vector<std::u16string>& keys, std::size_t depth, std::size_t begin, std::size_t end) {
    for (std::size_t state = 2;; ++state) {
      bool fits = is_free(state) && !taken_[state];
      for (std::size_t i = begin; fits && i < end; ++i) fits = keys[i].size() == depth || is_free(state + keys[i][depth] + 1);
      if (!fits) continue;
      taken_[state] = true;
      return state;
    }
  }

  std::string bytes_;
  std::vector<std::int32_t> base_, check_;
  std::map<std::size_t, bool> taken_;
};

using Members = std::map<std::string, std::string>;

inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

inline void write_jar(const std::filesystem::path& path, const Members& members, int method = ZIP_CM_DEFLATE) {
  std::filesystem::remove(path);
  zip_t* jar = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  ASSERT_NE(jar, nullptr);
  for (const auto& [name, bytes] : members) {
    const zip_int64_t at = zip_file_add(jar, name.c_str(), zip_source_buffer(jar, bytes.data(), bytes.size(), 0), ZIP_FL_ENC_UTF_8);
    ASSERT_GE(at, 0);
    zip_set_file_compression(jar, static_cast<zip_uint64_t>(at), method, 0);
  }
  ASSERT_EQ(zip_close(jar), 0);
}

// What folder and jar have in common.
inline Members small_hanlp_tables() {
  std::string transitions = ",A,K\nA,1,2\nK,3,4\n";
  JavaBytes types;
  types.number(0, 2).number(0x2F, 2).number(17, 1).number('0', 2).number('9', 2).number(9, 1).number(0x3A, 2).number(0xFFFF, 2).number(7,
                                                                                                                                       1);
  return {{"data/dictionary/person/nr.tr.txt", transitions},
          {"data/dictionary/other/CharType.bin", types.bytes()},
          {"data/dictionary/tc/t2s.txt", "氣=气\n天氣=天气\n坏行\n"}};
}

inline Members small_hanlp_texts() {
  Members files = small_hanlp_tables();
  files["data/dictionary/CoreNatureDictionary.mini.txt"] =
      "喊\tv 9\r\n天 n 5\n天气 n 100 v 2\n始##始 begin 50\n好 a 80\n未##串 nx 10\n未##人 nr 10\n未##数 m 10\n末##末 end 50\n气 n 5";
  files["data/dictionary/CoreNatureDictionary.ngram.mini.txt"] = "喊@天气 7\n天@气 2\n没有@天 5\n天@没有 5\n天@气 3\n";
  files["data/dictionary/custom/CustomDictionary.txt"] = "好天气\n天气好 n 7\n";
  files["data/dictionary/person/nr.txt"] = "王 B 5 A 2\n天 A 1\n";
  files["data/dictionary/person/nrf.txt"] = "约翰\n史密斯\n";
  files["data/dictionary/stopwords.txt"] = "的\n好\n的\n";
  return files;
}

namespace small_hanlp {

inline constexpr unsigned n = 13, v = 64, a = 74, m = 94, nr = 14, nx = 3, begin = 147, end = 146;  // HanLP's numbers of natures

struct Word {
  std::string text;
  std::vector<std::pair<unsigned, unsigned>> natures;
};
inline std::string words_bin(const std::vector<Word>& words) {
  JavaBytes out;
  std::vector<std::string> keys;
  out.number(words.size());
  for (const Word& word : words) {
    unsigned total = 0;
    for (const auto& [nature, frequency] : word.natures) total += frequency;
    out.number(total).number(word.natures.size());
    for (const auto& [nature, frequency] : word.natures) out.number(nature).number(frequency);
    keys.push_back(word.text);
  }
  return out.trie(keys).bytes();
}

}  // namespace small_hanlp

// The same as HanLP's own binary members.
inline Members small_hanlp_members() {
  namespace s = small_hanlp;
  using namespace std::string_view_literals;
  Members files = small_hanlp_tables();
  files["data/dictionary/CoreNatureDictionary.mini.txt.bin"] = s::words_bin({{"喊", {{s::v, 9}}},
                                                                             {"天", {{s::n, 5}}},
                                                                             {"天气", {{s::n, 100}, {s::v, 2}}},
                                                                             {"好", {{s::a, 80}}},
                                                                             {"始##始", {{s::begin, 50}}},
                                                                             {"未##串", {{s::nx, 10}}},
                                                                             {"未##人", {{s::nr, 10}}},
                                                                             {"未##数", {{s::m, 10}}},
                                                                             {"末##末", {{s::end, 50}}},
                                                                             {"气", {{s::n, 5}}}});
  JavaBytes pairs;  // 喊 is word 0, 天 is 1, 天气 is 2, 气 is 9
  pairs.raw("\xAC\xED\x00\x05\x75\x72\x00\x02\x5B\x49\x4D\xBA\x60\x26\x76\xEA\xB2\xA5\x02\x00\x00\x78\x70"sv);
  pairs.number(11).number(0).number(1);
  for (int i = 0; i < 9; ++i) pairs.number(2);
  pairs.raw("\x75\x71\x00\x7E\x00\x00"sv).number(4).number(2).number(7).number(9).number(3);
  files["data/dictionary/CoreNatureDictionary.ngram.mini.txt.table.bin"] = pairs.bytes();
  files["data/dictionary/custom/CustomDictionary.txt.bin"] = s::words_bin({{"天气好", {{s::n, 7}}}, {"好天气", {{s::n, 1000}}}});
  JavaBytes names;
  names.number(3)
      .number(2)
      .number(6)
      .number(1)
      .number(14)
      .number(1)
      .number(1)
      .number(14)
      .number(1)
      .number(2)
      .number(0)
      .number(5)
      .number(14)
      .number(2);
  files["data/dictionary/person/nr.txt.bin"] = names.trie({" ", "天", "王"}).bytes();
  files["data/dictionary/person/nrf.txt.trie.dat"] = JavaBytes().trie({"·", "史密斯", "约翰"}).bytes();
  // A graph of the words 好 and 的: letters, the root, nodes of (letter, end, first child, children).
  files["data/dictionary/stopwords.txt.bin"] = JavaBytes()
                                                   .number(2)
                                                   .number(0x597D, 2)
                                                   .number(0x7684, 2)
                                                   .number(0, 2)
                                                   .number(0, 1)
                                                   .number(0)
                                                   .number(2)
                                                   .number(2)
                                                   .number(0x597D, 2)
                                                   .number(1, 1)
                                                   .number(0)
                                                   .number(0)
                                                   .number(0x7684, 2)
                                                   .number(1, 1)
                                                   .number(0)
                                                   .number(0)
                                                   .bytes();
  files["META-INF/maven/com.hankcs/hanlp/pom.properties"] = "#Generated\nversion=portable-1.8.1\nartifactId=hanlp\n";
  return files;
}

}  // namespace leitong::segment
