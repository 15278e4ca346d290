// What FaultVfs does besides: bugs planted in it, so that tests can show that they would find them. For tests only; see fault_vfs_test.h.
#pragma once

#include <string>

namespace leitong::storage {

struct FaultOptions {
  std::string where;  // the bugs are those of paths that contain this
  bool ignore_file_sync = false, ignore_directory_sync = false;
  bool retry_file_sync = false, retry_directory_sync = false;  // a failed one is tried again, and then succeeds
  bool rename_is_not_atomic = false;                           // the old file goes, the new name comes, its old name goes
  bool remove_is_durable = false;                              // at once: before what replaces the file may be so
  bool ignore_locks = false;
  bool trace = false;           // keep the names of operations
  bool breakable_maps = false;  // for break_mappings(): maps are copies

  [[nodiscard]] bool has(bool FaultOptions::* bug, const std::string& path) const {
    return this->*bug && path.find(where) != std::string::npos;
  }
};

}  // namespace leitong::storage
