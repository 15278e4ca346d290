// The names of FaultVfs, and which of them a crash leaves. For tests only; see fault_vfs_test.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "leitong/error.h"
#include "storage/fault_vfs_inode_test.h"
#include "storage/vfs.h"

namespace leitong::storage {

// Which of the directory operations that were not synced have happened: none; all; the first ones, up to any; any; or any of these.
enum class FaultNames { synced, last, first, any, mixed };

class FaultNameTable {
 public:
  using Map = std::map<std::string, std::shared_ptr<FaultInode>>;
  using Change = std::pair<std::string, std::shared_ptr<FaultInode>>;  // the name's inode from now on; null: none

  [[nodiscard]] const Map& now() const { return now_; }
  [[nodiscard]] std::shared_ptr<FaultInode> find(const std::string& path) const {
    const auto found = now_.find(path);
    return found == now_.end() ? nullptr : found->second;
  }
  void add_durable(const std::string& path, std::shared_ptr<FaultInode> inode) { now_[path] = synced_[path] = std::move(inode); }

  // One operation: after a crash all of its changes are there, or none.
  void change(std::vector<Change> changes) {
    for (const Change& each : changes) apply(now_, each);
    pending_.push_back({std::move(changes), false});
  }

  // The name is gone, before and after a crash.
  void remove_durably(const std::string& path) {
    now_.erase(path);
    synced_.erase(path);
    forget(path, pending_.size());
  }

  void sync(const std::string& directory) {
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      if (pending_[i].stuck) continue;
      std::erase_if(pending_[i].changes, [&](const Change& each) {
        if (parent_directory(each.first) != directory) return false;
        apply(synced_, each);
        forget(each.first, i);
        return true;
      });
    }
    std::erase_if(pending_, [](const Operation& operation) { return operation.changes.empty(); });
  }
  // As with data: what a failed sync should have made durable is not made so by a later one, though it may have happened.
  void fail_sync(const std::string& directory) {
    for (Operation& operation : pending_)
      for (const Change& each : operation.changes)
        if (parent_directory(each.first) == directory) operation.stuck = true;
  }

  [[nodiscard]] Map surviving(FaultNames names, FaultRandom& random) const {
    Map map = synced_;
    if (names == FaultNames::mixed) names = static_cast<FaultNames>(random.below(4));
    std::size_t first = pending_.size();
    if (names == FaultNames::synced) first = 0;
    if (names == FaultNames::first) first = random.below(pending_.size() + 1);
    for (std::size_t i = 0; i < first; ++i) {
      if (names == FaultNames::any && random.coin()) continue;
      for (const Change& each : pending_[i].changes) apply(map, each);
    }
    return map;
  }

 private:
  struct Operation {
    std::vector<Change> changes;
    bool stuck;
  };
  // What the first operations did to a name that is durable in a later state cannot come back.
  void forget(const std::string& path, std::size_t operations) {
    for (std::size_t i = 0; i < operations; ++i) std::erase_if(pending_[i].changes, [&](const Change& each) { return each.first == path; });
  }
  static void apply(Map& map, const Change& change) {
    if (change.second)
      map[change.first] = change.second;
    else
      map.erase(change.first);
  }

  Map now_, synced_;
  std::vector<Operation> pending_;  // since they were synced, oldest first
};

// Locks of one machine that runs; a lock may outlive its file system.
class FaultLocks {
 public:
  bool take(const std::string& path) {
    const std::lock_guard lock(mutex_);
    return held_.insert(path).second;
  }
  void give_back(const std::string& path) {
    const std::lock_guard lock(mutex_);
    held_.erase(path);
  }

 private:
  std::mutex mutex_;
  std::set<std::string> held_;
};

class FaultLock final : public FileLock {
 public:
  FaultLock(std::shared_ptr<FaultLocks> locks, std::string path, bool ignored)
      : locks_(std::move(locks)), path_(std::move(path)), taken_(locks_->take(path_)) {
    if (!taken_ && !ignored) throw Error(ErrorCode::usage, path_ + ": another writer has it open");
  }
  ~FaultLock() override {
    if (taken_) locks_->give_back(path_);
  }
  FaultLock(const FaultLock&) = delete;
  FaultLock& operator=(const FaultLock&) = delete;

 private:
  std::shared_ptr<FaultLocks> locks_;
  std::string path_;
  bool taken_;
};

}  // namespace leitong::storage
