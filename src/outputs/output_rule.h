// The one rule of everything that is written: no input of the run is written, replaced or deleted, whatever it is called there, and
// nothing that Leitong did not make is replaced.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "leitong/input.h"
#include "leitong/output.h"

namespace leitong::outputs {

class OutputRule {
 public:
  // What the run reads. Files are told apart by device and inode, so links are seen through. Nothing is looked at before it must be.
  void reads(const std::vector<std::string>& files);                                     // "-" is standard input
  void reads(const InputOptions& input);                                                 // and all that lies in its directories
  void reads_run(const std::vector<std::string>& sketches, std::uint64_t old_sketches);  // and what they were made of

  // Throws Error(usage), both paths named, if the file at `target` is read.
  void refuse_input(const std::string& target) const;
  // That; and what stands there must be a regular file of the form, or an empty one, else Error(usage). The same holds for TARGET.tmp,
  // which a table file is called until it is whole. An empty path and "-" are nothing.
  void check(const std::string& target, OutputForm form) const;

 private:
  using FileId = std::pair<std::uint64_t, std::uint64_t>;  // device, inode
  void add(const std::string& path) const;
  const std::string* input_at(const std::string& target) const;

  std::vector<std::string> files_;
  std::vector<InputOptions> inputs_;
  mutable std::optional<std::map<FileId, std::string>> read_;
};

// What the file says of itself; false for what cannot be read.
[[nodiscard]] bool is_of_form(const std::string& path, OutputForm form);

// Throws Error(usage) if something is there that is no regular file (a device, a directory, a link), so that no file can take its name.
void refuse_special_file(const std::string& target);

}  // namespace leitong::outputs
