// Collects notes on the inputs for the user: which inputs could not be read to their end, what was left out, which encodings were detected,
// and whether the text field exists.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "job/text_field_watch.h"
#include "records/input.h"

namespace leitong::job {

class InputNotes {
 public:
  // Call once for each chunk, in order. Throws as TextFieldWatch::add does.
  void add(const records::Input& input, const records::Parsed& parsed);
  // Call after the last chunk. Returns sentences without a full stop, at most a few of each kind. Throws as TextFieldWatch::finish does.
  [[nodiscard]] std::vector<std::string> finish(const records::Input& input) const;
  // Paths of the inputs that could not be read to their end.
  [[nodiscard]] const std::vector<std::string>& unread() const { return unread_; }
  // The number of bad records for each source; shorter than the list of sources if the last sources have none.
  [[nodiscard]] const std::vector<std::uint64_t>& rejected() const { return rejected_; }
  // Records whose text was made of a web page, and those of them in which no main content was found.
  [[nodiscard]] std::uint64_t pages() const { return pages_; }
  [[nodiscard]] std::uint64_t pages_fallen_back() const { return pages_fallen_back_; }

 private:
  std::vector<std::uint64_t> good_, rejected_;  // for each source
  std::vector<std::string> broken_;             // sentences
  std::vector<std::string> unread_;
  records::ArchiveCounts archive_;
  TextFieldWatch text_field_;
  std::uint64_t pages_ = 0, pages_fallen_back_ = 0;
};

}  // namespace leitong::job
