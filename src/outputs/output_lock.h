// A lock by which only one run at a time writes to a directory.
#pragma once

#include <string>

namespace leitong::outputs {

// Creates the directory if necessary, marks it as a directory of results (records/made_files.h) and locks the mark. The lock belongs to the
// process, so it ends when the process is killed. Throws Error(usage), and names the directory, if another run holds the lock. On file
// systems without locks nothing is locked.
class OutputLock {
 public:
  explicit OutputLock(const std::string& directory);
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace leitong::outputs
