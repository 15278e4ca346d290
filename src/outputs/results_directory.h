// The directory of a run's results (--output-dir). A run writes into DIR/unfinished; when all of it is whole, it takes the place of the
// old results at once. So a run that fails or is killed leaves these as they were, and a later one may go on from what it made.
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
  // `names`, relative to the directory, will be written. Makes the directory if need be, marks and locks it; ends what a run was killed in
  // when its results were whole. Throws Error(usage), and leaves everything as it is, if something stands under one of the names, or where
  // unfinished results stand, that is an input by `rule` or that Leitong did not make.
  // `also_ours`: what a person made of them with Leitong, and no run listed.
  ResultsDirectory(std::string directory, const OutputRule& rule, std::vector<std::string> names,
                   std::function<bool(const std::string& name)> also_ours = {});
  // Removes the unfinished results, unless they are to be gone on from.
  ~ResultsDirectory();
  ResultsDirectory(const ResultsDirectory&) = delete;
  ResultsDirectory& operator=(const ResultsDirectory&) = delete;

  [[nodiscard]] const std::string& unfinished() const { return unfinished_; }  // where the run writes
  void begin();                                                                // with nothing in it
  // With what a stopped run left there. If none did, with links to those of the finished results whose names are wanted.
  void go_on(const std::function<bool(const std::string& name)>& is_wanted);
  void keep_unfinished() { keeps_ = true; }  // at the end, whatever happens

  // A file that was written to its place already.
  void list(const std::string& name) { made_.list({name}, directory_); }
  // Everything in `unfinished` takes its place. Other results of old runs go if `is_old` says so of their name.
  void publish(const std::function<bool(const std::string& name)>& is_old);

 private:
  [[nodiscard]] bool is_ours(const std::string& name) const;
  void refuse(const std::string& name) const;
  void refuse_unfinished() const;
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
