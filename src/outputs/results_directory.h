// The directory of a run's results (--output-dir). A run writes into DIR/unfinished; when everything there is complete, it replaces the old
// results at once. So a run that fails or is killed does not change the old results, and a later run can continue with the unfinished ones.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "outputs/output_lock.h"
#include "outputs/output_rule.h"
#include "records/made_files.h"

namespace leitong::outputs {

class ResultsDirectory {
 public:
  // `names` (relative to the directory) are the files that will be written. Creates the directory if necessary, marks and locks it, and
  // completes the move of results if a run was killed during it. Throws Error(usage), without changing anything, if a file in the place of
  // one of the names or of the unfinished results is an input by `rule` or was not made by Leitong, or if the directory holds the results
  // of another command. `also_ours`: accepts names of files that a person has made with Leitong and no run has listed.
  ResultsDirectory(std::string directory, const OutputRule& rule, std::vector<std::string> names,
                   std::function<bool(const std::string& name)> also_ours = {});
  // Removes the unfinished results, unless keep_unfinished() was called.
  ~ResultsDirectory();
  ResultsDirectory(const ResultsDirectory&) = delete;
  ResultsDirectory& operator=(const ResultsDirectory&) = delete;

  [[nodiscard]] const std::string& unfinished() const { return unfinished_; }  // the directory to which the run writes
  void begin();                                                                // makes it empty
  // Continues with what a stopped run left there. If there is nothing, links those finished results for which `is_wanted` is true.
  void go_on(const std::function<bool(const std::string& name)>& is_wanted);
  void keep_unfinished() { keeps_ = true; }  // the destructor will not remove them

  // Adds a file to the list of results that was written directly to its final place.
  void list(const std::string& name) { made_.list({name}, directory_); }
  // Moves everything in `unfinished` to its place, and removes those other results of old runs for which `is_old` is true.
  void publish(const std::function<bool(const std::string& name)>& is_old);

 private:
  [[nodiscard]] bool is_ours(const std::string& name) const;
  void refuse(const std::string& name) const;
  void refuse_unfinished() const;
  void refuse_results_of_others() const;
  void make_unfinished();
  void move(const std::vector<std::string>& names);
  void remove_unfinished();
  void remove_empty_folders(std::string name) const;

  std::string directory_, unfinished_;
  const OutputRule& rule_;
  std::vector<std::string> names_;
  std::function<bool(const std::string& name)> also_ours_;
  records::MadeFiles made_;
  std::unique_ptr<OutputLock> lock_;
  bool keeps_ = false;
};

}  // namespace leitong::outputs
