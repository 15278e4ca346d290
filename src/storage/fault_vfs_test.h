// A file system in memory that crashes, fails and forgets what was not synced, names as well as bytes. For tests only.
//
// A test runs what it tests on a FaultVfs, first without a fault to count operations(), then once for every operation n with a fault armed
// there: vfs.arm(Fault::crash, n), or an error and then a crash: vfs.arm(Fault::io_error, i), vfs.arm_also(Fault::crash, j). From the
// crash on every operation that changes something throws Crash (no Error: nothing handles it as one). Then it looks at what a machine may
// find after the power went, in as many states as it likes, and runs what recovers on each:
//
//   for (seed …) { auto disk = vfs.after_crash({Names::mixed, Data::mixed, seed}); recover(*disk); compare with what was acknowledged; }
//
// after_crash() may be asked at any time; the state is a FaultVfs of its own, in which all is durable and nothing locked, to be armed and
// crashed again. A state follows from the run and the seed. Bytes are shared between states until one writes.
// * Files are only appended to. A sync makes a beginning durable; a failed one drops the dirty bytes, which can still be read until the
//   crash, and later syncs succeed without them. create() of a name that is there cuts the file short; that too may be lost.
// * create, rename and remove are durable after sync_directory(); a failed one is never made up for. Renames are atomic.
// * Reads fail too: arm_read(). Mappings fault: arm_read(ReadFault::page, n), or later, break_mappings().
// * FaultOptions are bugs planted under what is tested: a harness that does not find them finds nothing. trace() is for messages.
// All calls are thread-safe; of two threads' operations the order is theirs.
#pragma once

#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "leitong/error.h"
#include "storage/fault_vfs_inode_test.h"
#include "storage/fault_vfs_names_test.h"
#include "storage/fault_vfs_options_test.h"
#include "storage/vfs.h"

namespace leitong::storage {

struct Crash {};  // thrown by every operation from the crash on

class FaultVfs final : public Vfs {
 public:
  using Bytes = FaultBytes;
  using Names = FaultNames;
  using Data = FaultData;
  enum class Fault { none, crash, io_error, disk_full };
  enum class ReadFault { error, page };
  struct Reboot {
    Names names = Names::mixed;
    Data data = Data::mixed;
    std::uint64_t seed = 0;
  };

  explicit FaultVfs(FaultOptions options = {}) : options_(std::move(options)) {}
  [[nodiscard]] FaultOptions& options() { return options_; }

  // The n-th operation from now on (0-based) meets the fault, and no other that was armed. `disk_full` stays, `io_error` happens once.
  void arm(Fault fault, std::size_t operation) {
    const std::lock_guard lock(mutex_);
    armed_ = {{fault, operations_ + operation}};
  }
  void arm_also(Fault fault, std::size_t operation) {
    const std::lock_guard lock(mutex_);
    armed_.push_back({fault, operations_ + operation});
  }
  // The n-th read or map from now on fails: with Error(io), or (a map) with a page of zeros and fault().
  void arm_read(ReadFault fault, std::size_t read) {
    const std::lock_guard lock(mutex_);
    armed_read_ = {fault, reads_ + read};
  }
  // A page of each mapping of the file that lives now, or all of a small one, becomes zeros and a fault.
  void break_mappings(const std::string& path) {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, buffer] : maps_)
      if (const auto live = buffer.lock(); live && name == path) break_page(*live, random_);
  }
  [[nodiscard]] std::size_t operations() const { return locked(operations_); }
  [[nodiscard]] std::size_t reads() const { return locked(reads_); }
  [[nodiscard]] bool crashed() const { return locked(crashed_); }
  [[nodiscard]] std::string trace() const {
    const std::lock_guard lock(mutex_);
    std::string all;
    for (std::size_t i = 0; i < trace_.size(); ++i) all += std::to_string(i) + ": " + trace_[i] + "\n";
    return all;
  }

  [[nodiscard]] std::unique_ptr<FaultVfs> after_crash(const Reboot& reboot) const {
    const std::lock_guard lock(mutex_);
    FaultRandom random(reboot.seed);
    auto after = std::make_unique<FaultVfs>(options_);
    after->directories_ = directories_;
    for (const auto& [path, inode] : names_.surviving(reboot.names, random)) {
      const bool truncations = reboot.names == Names::last || (reboot.names != Names::synced && random.coin());
      after->names_.add_durable(path, std::make_shared<FaultInode>(inode->surviving(reboot.data, truncations, random)));
    }
    return after;
  }
  [[nodiscard]] std::unique_ptr<FaultVfs> after_crash(Names names, Data data, std::uint64_t seed = 0) const {
    return after_crash(Reboot{names, data, seed});
  }

  [[nodiscard]] Bytes& bytes(const std::string& path) { return names_.now().at(path)->own_bytes(); }
  [[nodiscard]] std::vector<std::string> all_names() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> all;
    for (const auto& [path, inode] : names_.now()) all.push_back(path);
    return all;
  }
  [[nodiscard]] bool has_directory(const std::string& path) const { return directories_.contains(path); }

  std::unique_ptr<WritableFile> create(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    step(path, "create");
    return std::make_unique<Writable>(*this, path, create_inode(path, true));
  }
  std::unique_ptr<ReadableFile> open(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    return std::make_unique<Readable>(*this, path, find(path, "open"));
  }
  std::unique_ptr<MappedFile> map(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    const auto inode = find(path, "map");
    const bool broken = read_fails(path, "map");
    if (!broken && !options_.breakable_maps) return std::make_unique<FaultMapping>(path, inode->share());
    auto copy = std::make_shared<FaultBuffer>();
    copy->bytes = inode->bytes();
    if (broken) break_page(*copy, random_);
    maps_.emplace_back(path, copy);
    return std::make_unique<FaultMapping>(path, std::move(copy));
  }
  bool exists(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    return names_.find(path) != nullptr || directories_.contains(path);
  }
  void rename(const std::string& from, const std::string& to) override {
    const std::lock_guard lock(mutex_);
    step(from, "rename");
    const auto inode = find(from, "rename");
    if (!options_.has(&FaultOptions::rename_is_not_atomic, to)) {
      names_.change({{to, inode}, {from, nullptr}});
      return;
    }
    if (names_.find(to)) names_.change({{to, nullptr}});
    names_.change({{from, nullptr}});
    names_.change({{to, inode}});
  }
  void remove(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    step(path, "remove");
    if (directories_.erase(path) != 0) return;
    (void)find(path, "remove");
    names_.change({{path, nullptr}});
    if (options_.has(&FaultOptions::remove_is_durable, path)) names_.remove_durably(path);
  }
  void make_directories(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    step(path, "make directory");
    directories_.insert(path);
  }
  void sync_directory(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    try {
      step(path, "fsync directory");
    } catch (const Error&) {
      names_.fail_sync(path);
      if (!options_.has(&FaultOptions::retry_directory_sync, path)) throw;
    }
    if (!options_.has(&FaultOptions::ignore_directory_sync, path)) names_.sync(path);
  }
  std::vector<std::string> list(const std::string& directory) override {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> all;
    for (const auto& [name, inode] : names_.now())
      if (parent_directory(name) == directory) all.push_back(name.substr(name.find_last_of('/') + 1));
    return all;
  }
  std::unique_ptr<FileLock> lock(const std::string& path) override {
    const std::lock_guard guard(mutex_);
    step(path, "lock");
    if (!names_.find(path)) (void)create_inode(path, false);
    return std::make_unique<FaultLock>(locks_, path, options_.has(&FaultOptions::ignore_locks, path));
  }

 private:
  class Writable final : public WritableFile {
   public:
    Writable(FaultVfs& vfs, std::string path, std::shared_ptr<FaultInode> inode)
        : vfs_(vfs), path_(std::move(path)), inode_(std::move(inode)) {}
    void append(std::span<const std::byte> data) override {
      const std::lock_guard lock(vfs_.mutex_);
      const bool before_crash = !vfs_.crashed_;
      try {
        vfs_.step(path_, "write");
      } catch (const Crash&) {
        if (before_crash) inode_->append(data);  // what of it stays is the crash's to choose
        throw;
      } catch (const Error&) {
        inode_->append(data.first(data.size() / 2));
        throw;
      }
      inode_->append(data);
    }
    void sync() override {
      const std::lock_guard lock(vfs_.mutex_);
      try {
        vfs_.step(path_, "fsync");
      } catch (const Error&) {
        inode_->fail_sync();
        if (!vfs_.options_.has(&FaultOptions::retry_file_sync, path_)) throw;
      }
      if (!vfs_.options_.has(&FaultOptions::ignore_file_sync, path_)) inode_->sync();
    }
    void close() override {
      const std::lock_guard lock(vfs_.mutex_);
      vfs_.step(path_, "close");
    }

   private:
    FaultVfs& vfs_;
    std::string path_;
    std::shared_ptr<FaultInode> inode_;
  };

  class Readable final : public ReadableFile {
   public:
    Readable(FaultVfs& vfs, std::string path, std::shared_ptr<FaultInode> inode)
        : vfs_(vfs), path_(std::move(path)), inode_(std::move(inode)) {}
    [[nodiscard]] std::uint64_t size() const override {
      const std::lock_guard lock(vfs_.mutex_);
      return inode_->bytes().size();
    }
    void read(std::uint64_t offset, std::span<std::byte> out) const override {
      const std::lock_guard lock(vfs_.mutex_);
      if (vfs_.read_fails(path_, "read")) throw Error(ErrorCode::io, path_ + ": read failed: Input/output error");
      const FaultBytes& bytes = inode_->bytes();
      if (offset > bytes.size() || out.size() > bytes.size() - offset) throw Error(ErrorCode::format, path_ + ": file ends early");
      if (!out.empty()) std::memcpy(out.data(), bytes.data() + offset, out.size());
    }

   private:
    FaultVfs& vfs_;
    std::string path_;
    std::shared_ptr<FaultInode> inode_;
  };

  template <typename T>
  [[nodiscard]] T locked(const T& value) const {
    const std::lock_guard lock(mutex_);
    return value;
  }
  [[nodiscard]] std::shared_ptr<FaultInode> find(const std::string& path, const char* operation) const {
    auto inode = names_.find(path);
    if (!inode) throw Error(ErrorCode::io, path + ": " + operation + " failed: No such file or directory");
    return inode;
  }
  std::shared_ptr<FaultInode> create_inode(const std::string& path, bool truncate) {
    auto inode = names_.find(path);
    if (inode && truncate) inode->truncate();
    if (inode) return inode;
    inode = std::make_shared<FaultInode>();
    names_.change({{path, inode}});
    return inode;
  }

  // Whether this read is the one that was armed to fail.
  bool read_fails(const std::string& path, const char* operation) {
    const std::size_t now = reads_++;
    if (!armed_read_ || armed_read_->second != now) return false;
    if (armed_read_->first == ReadFault::error) throw Error(ErrorCode::io, path + ": " + operation + " failed: Input/output error");
    return true;
  }

  void step(const std::string& path, const char* operation) {
    if (crashed_) throw Crash();
    const std::size_t now = operations_++;
    if (options_.trace) trace_.push_back(std::string(operation) + " " + path);
    for (const auto& [fault, at] : armed_) {
      if (fault == Fault::crash && at == now) {
        crashed_ = true;
        throw Crash();
      }
      if (fault == Fault::io_error && at == now) throw Error(ErrorCode::io, path + ": " + operation + " failed: Input/output error");
      // A full disk refuses what takes space; removing still works.
      if (fault == Fault::disk_full && at <= now && (std::strcmp(operation, "write") == 0 || std::strcmp(operation, "create") == 0))
        throw Error(ErrorCode::io, path + ": " + operation + " failed: No space left on device");
    }
  }

  mutable std::mutex mutex_;
  FaultOptions options_;
  FaultNameTable names_;
  std::set<std::string> directories_;
  std::shared_ptr<FaultLocks> locks_ = std::make_shared<FaultLocks>();
  std::vector<std::pair<std::string, std::weak_ptr<FaultBuffer>>> maps_;  // copies, which can be broken
  std::vector<std::pair<Fault, std::size_t>> armed_;
  std::optional<std::pair<ReadFault, std::size_t>> armed_read_;
  std::size_t operations_ = 0, reads_ = 0;
  bool crashed_ = false;
  std::vector<std::string> trace_;
  FaultRandom random_{1};
};

}  // namespace leitong::storage
