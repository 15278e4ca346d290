// One run at a time writes to a directory.
#pragma once

#include <string>

namespace leitong::outputs {

// Makes the directory if need be, marks it as one of results (records/made_files.h) and locks the mark. The lock belongs to the process, so
// a killed run leaves none behind. Throws Error(usage) that names the directory if another run holds it. File systems without locks: none.
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
