// The SimHash of a profile that makes it of words: this library's way, or an article's Java program's.
#pragma once

#include <string_view>
#include <variant>

#include "fingerprint/word_simhash.h"
#include "java/java_program.h"

namespace leitong::fingerprint {

class ByWords {
 public:
  explicit ByWords(const Profile& profile)
      : way_(profile.program == Program::leitong ? Way(std::in_place_type<WordSimHash>, profile)
                                                 : Way(std::in_place_type<java::JavaProgram>, profile)) {}
  [[nodiscard]] Fingerprinter::Result operator()(std::string_view utf8) {
    return std::visit([&](auto& way) { return way(utf8); }, way_);
  }
  void trace(std::string_view utf8, Trace& out) {
    std::visit([&](auto& way) { way.trace(utf8, out); }, way_);
  }

 private:
  using Way = std::variant<WordSimHash, java::JavaProgram>;
  Way way_;
};

}  // namespace leitong::fingerprint
