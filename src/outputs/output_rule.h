// The rule for everything that is written: no input of the run is written, replaced or deleted, whatever name or link leads to it, and no
// file is replaced that Leitong did not make.
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
  // What the run reads. Files are identified by device and inode, so links do not hide them. Files are not examined before a check needs
  // them.
  void reads(const std::vector<std::string>& files);                                     // "-" is standard input
  void reads(const InputOptions& input);                                                 // and all files in its directories
  void reads_run(const std::vector<std::string>& sketches, std::uint64_t old_sketches);  // and the files they were made from

  // Throws Error(usage), and names both paths, if the file at `target` is an input.
  void refuse_input(const std::string& target) const;
  // As refuse_input(). Also throws Error(usage) unless nothing exists at `target`, or a regular file of the form, or an empty file. The
  // same is required of TARGET.tmp, the name of a table file until it is complete. An empty path and "-" always pass.
  void check(const std::string& target, OutputForm form) const;

 private:
  using FileId = std::pair<std::uint64_t, std::uint64_t>;  // device, inode
  void add(const std::string& path) const;
  const std::string* input_at(const std::string& target) const;

  std::vector<std::string> files_;
  std::vector<InputOptions> inputs_;
  mutable std::optional<std::map<FileId, std::string>> read_;
};

// Whether the file's content is of the form; false if it cannot be read.
[[nodiscard]] bool is_of_form(const std::string& path, OutputForm form);

// Throws Error(usage) if the target exists and is not a regular file (a device, a directory, a link), because a file cannot replace it.
void refuse_special_file(const std::string& target);

}  // namespace leitong::outputs
