// What a person should know of the inputs: which could not be read to their end, what was left out, in which encoding they were read; and
// whether the text is where it was said to be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "job/text_field_watch.h"
#include "records/input.h"

namespace leitong::job {

class InputNotes {
 public:
  // Once a chunk, in order. Throws as TextFieldWatch::add does.
  void add(const records::Input& input, const records::Parsed& parsed);
  // After all: one sentence each, without a full stop; at most a few of a kind. Throws as TextFieldWatch::finish does.
  [[nodiscard]] std::vector<std::string> finish(const records::Input& input) const;
  // Paths of the inputs that could not be read to their end.
  [[nodiscard]] const std::vector<std::string>& unread() const { return unread_; }
  // Bad records by source; shorter than the list of sources if the last have none.
  [[nodiscard]] const std::vector<std::uint64_t>& rejected() const { return rejected_; }

 private:
  std::vector<std::uint64_t> good_, rejected_;  // by source
  std::vector<std::string> broken_;             // sentences
  std::vector<std::string> unread_;
  TextFieldWatch text_field_;
};

}  // namespace leitong::job
