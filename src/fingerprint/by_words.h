// The SimHash of a profile that makes it of words: this library's way, or an article's Java program's.
#pragma once

#include <string_view>
#include <variant>

#include "fingerprint/java_program.h"
#include "fingerprint/word_simhash.h"

namespace leitong::fingerprint {

class ByWords {
 public:
  explicit ByWords(const Profile& profile)
      : way_(profile.program == Program::leitong ? Way(std::in_place_type<WordSimHash>, profile)
                                                 : Way(std::in_place_type<JavaProgram>, profile)) {}
  [[nodiscard]] Fingerprinter::Result operator()(std::string_view utf8) {
    return std::visit([&](auto& way) { return way(utf8); }, way_);
  }
  void trace(std::string_view utf8, Trace& out) {
    std::visit([&](auto& way) { way.trace(utf8, out); }, way_);
  }

 private:
  using Way = std::variant<WordSimHash, JavaProgram>;
  Way way_;
};

}  // namespace leitong::fingerprint
