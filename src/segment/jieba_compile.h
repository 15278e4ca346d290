// Compiles the data files of the Python package jieba into the one mapped file of jieba_format.h.
#pragma once

#include <string>

namespace leitong::segment {

// `folder` is the package's: dict.txt, finalseg/prob_start.py, prob_trans.py, prob_emit.py, analyse/idf.txt, analyse/tfidf.py (stop words).
// Takes some tenths of a second. The same files give the same bytes. Throws Error (io, format, limit) with file and line.
[[nodiscard]] std::string compile_jieba(const std::string& folder);

// The same from the contents, for tests and other dictionaries; the names are for messages.
struct JiebaSources {
  std::string dictionary, start, transitions, emissions, idf, stop_words;
};
[[nodiscard]] std::string compile_jieba(const JiebaSources& sources);

}  // namespace leitong::segment
