// Compiles the data files of the Python package jieba into the one mapped file of jieba_format.h.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace leitong::segment {

// The contents of the package's files, for dictionaries of one's own too; the names in messages are those of the package.
struct JiebaSources {
  std::string dictionary, start, transitions, emissions, idf, stop_words;
  // Not the package's: a dictionary of load_userdict, words to delete after it (a line each), stop words beside the package's own, and
  // words that are none after all.
  std::string user_words, deleted_words, more_stop_words, no_stop_words;
};

struct JiebaCounts {
  std::size_t words = 0, idf = 0, stop_words = 0, user_words = 0, deleted_words = 0;
};

// Takes some tenths of a second. The same sources give the same bytes. Throws Error (format, limit) with file and line.
[[nodiscard]] std::vector<std::byte> compile_jieba(const JiebaSources& sources, JiebaCounts* counts = nullptr);

// `folder` is the package's: dict.txt, finalseg/prob_start.py, prob_trans.py, prob_emit.py, analyse/idf.txt, analyse/tfidf.py (stop words).
// Throws Error (io).
[[nodiscard]] JiebaSources read_jieba_folder(const std::string& folder);

}  // namespace leitong::segment
