// What Leitong made in a directory of results. The file that marks such a directory (results_marker) lists it, so that a later run knows
// its own results from the files of others: docs/results-directory.md specifies it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::records {

// Marks a directory that runs write their results to, lists these, and is what a run locks. Results are never read as input, wherever a
// walk meets them: else a second run over the same directory would find every record twice.
inline constexpr const char* results_marker = ".leitong-results";
// In such a directory: what a run has made until all of it is whole.
inline constexpr const char* unfinished_results = "unfinished";

class MadeFiles {
 public:
  // Reads the marker of the directory; without one, nothing was made.
  explicit MadeFiles(std::string directory);
  [[nodiscard]] bool is_marked() const { return marked_; }
  [[nodiscard]] bool has_foreign_marker() const { return foreign_; }  // something else has its name
  // Relative to the directory: those that were made at some time, whether they are there or not.
  [[nodiscard]] bool has_name(std::string_view name) const { return made_.contains(std::string(name)); }
  [[nodiscard]] std::vector<std::string> names() const;
  // The file of that name is one that was made under it: of the same size, and of the same time or with the same beginning and end.
  [[nodiscard]] bool is_made(const std::string& name) const;
  // Some files wait in `unfinished_results` for their place.
  [[nodiscard]] bool is_moving() const { return moving_; }

  // Lists, durably, the file that stands at `path` and is to have that name. The marker must be there.
  void list(const std::vector<std::string>& names, const std::string& from);
  void begin_moving();
  void end_moving();

 private:
  struct Made {
    std::uint64_t size = 0;
    std::int64_t modified = 0;
    std::string ends;  // hash of the first and the last mebibyte
  };
  void take(std::string_view line);
  void append(const std::string& lines) const;

  std::string directory_;
  bool marked_ = false, foreign_ = false, moving_ = false;
  std::map<std::string, std::vector<Made>> made_;
};

}  // namespace leitong::records
