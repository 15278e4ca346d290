// Profiles whose SimHash is that of an article's Java program: text to fingerprint, bit for bit.
#pragma once

#include <optional>
#include <string_view>

#include "java/java_words.h"
#include "java/tfidf_simhash.h"
#include "leitong/fingerprint.h"

namespace leitong::java {

// One for each thread.
class JavaProgram {
 public:
  explicit JavaProgram(const Profile& profile);  // Profile::program is not leitong
  [[nodiscard]] Fingerprinter::Result operator()(std::string_view utf8);
  void trace(std::string_view utf8, Trace& out);

 private:
  struct Tfidf {  // the files of java_001b
    JavaIdf idf;
    WordTable stop_words;
    std::optional<TfIdfSimHash> votes;  // refers to both
  };
  template <typename Word>
  Fingerprinter::Result python2();
  Fingerprinter::Result by_length();
  Fingerprinter::Result by_tfidf();
  template <typename Visit>
  void each_by_length(Visit visit) const;

  Program program_;
  unsigned bits_;
  JavaWords words_;
  std::unique_ptr<Tfidf> tfidf_;
};

}  // namespace leitong::java
