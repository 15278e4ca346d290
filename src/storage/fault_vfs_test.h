// A file system in memory that fails and crashes on command: what was not synced may be lost, torn or kept, names as well as bytes. For
// tests only.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "leitong/error.h"
#include "storage/vfs.h"

namespace leitong::storage {

struct Crash {};  // thrown by every operation from the crash on; no Error, so that nothing handles it as one

class FaultVfs final : public Vfs {
 public:
  using Bytes = std::vector<std::byte>;
  enum class Fault { none, crash, io_error, disk_full };

  // The n-th operation from now on (0-based) meets the fault. `disk_full` stays, `io_error` happens once.
  void arm(Fault fault, std::size_t operation) {
    fault_ = fault;
    left_ = operation;
  }
  [[nodiscard]] std::size_t operations() const { return operations_; }
  [[nodiscard]] bool crashed() const { return crashed_; }

  // What a machine may find after the power went: the names as they were synced or as they were last, and of each file's unsynced bytes
  // none, the first half, all, or a stretch of zeros in their place.
  enum class Names { synced, last };
  enum class Data { synced, half, zeros, all };
  [[nodiscard]] std::unique_ptr<FaultVfs> after_crash(Names names, Data data) const {
    auto after = std::make_unique<FaultVfs>();
    after->directories_ = directories_;
    for (const auto& [path, inode] : names == Names::synced ? synced_names_ : names_) {
      auto copy = std::make_shared<Inode>();
      copy->bytes = surviving(*inode, data);
      copy->synced = copy->bytes;
      after->names_[path] = after->synced_names_[path] = copy;
    }
    return after;
  }

  [[nodiscard]] Bytes& bytes(const std::string& path) { return names_.at(path)->bytes; }
  [[nodiscard]] std::vector<std::string> all_names() const {
    std::vector<std::string> all;
    for (const auto& [path, inode] : names_) all.push_back(path);
    return all;
  }
  [[nodiscard]] bool has_directory(const std::string& path) const { return directories_.contains(path); }

  std::unique_ptr<WritableFile> create(const std::string& path) override {
    step(path, "create");
    auto inode = std::make_shared<Inode>();
    names_[path] = inode;
    return std::make_unique<Writable>(*this, path, inode);
  }
  std::unique_ptr<ReadableFile> open(const std::string& path) override {
    const auto found = names_.find(path);
    if (found == names_.end()) throw Error(ErrorCode::io, path + ": open failed: no such file");
    return std::make_unique<Readable>(path, found->second);
  }
  bool exists(const std::string& path) override { return names_.contains(path); }
  void rename(const std::string& from, const std::string& to) override {
    step(from, "rename");
    names_[to] = names_.at(from);
    names_.erase(from);
  }
  void remove(const std::string& path) override {
    step(path, "remove");
    if (directories_.erase(path) + names_.erase(path) == 0) throw Error(ErrorCode::io, path + ": remove failed: no such file");
  }
  void make_directories(const std::string& path) override {
    step(path, "make directory");
    directories_.insert(path);
  }
  void sync_directory(const std::string& path) override {
    step(path, "fsync directory");
    std::erase_if(synced_names_, [&](const auto& entry) { return parent_directory(entry.first) == path; });
    for (const auto& [name, inode] : names_)
      if (parent_directory(name) == path) synced_names_[name] = inode;
  }
  std::vector<std::string> list(const std::string& directory) override {
    std::vector<std::string> all;
    for (const auto& [name, inode] : names_)
      if (parent_directory(name) == directory) all.push_back(name.substr(directory.size() + 1));
    return all;
  }

 private:
  struct Inode {
    Bytes bytes, synced;
    bool lost = false;  // an fsync failed: the kernel dropped the dirty pages, and a later fsync succeeds without writing them
  };

  class Writable final : public WritableFile {
   public:
    Writable(FaultVfs& vfs, std::string path, std::shared_ptr<Inode> inode) : vfs_(vfs), path_(std::move(path)), inode_(std::move(inode)) {}
    void append(std::span<const std::byte> data) override {
      const auto half = data.first(data.size() / 2);
      try {
        vfs_.step(path_, "write");
      } catch (...) {
        inode_->bytes.insert(inode_->bytes.end(), half.begin(), half.end());  // a torn write
        throw;
      }
      inode_->bytes.insert(inode_->bytes.end(), data.begin(), data.end());
    }
    void sync() override {
      try {
        vfs_.step(path_, "fsync");
      } catch (const Error&) {
        inode_->lost = true;
        throw;
      }
      if (!inode_->lost) inode_->synced = inode_->bytes;
    }
    void close() override { vfs_.step(path_, "close"); }

   private:
    FaultVfs& vfs_;
    std::string path_;
    std::shared_ptr<Inode> inode_;
  };

  class Readable final : public ReadableFile {
   public:
    Readable(std::string path, std::shared_ptr<Inode> inode) : path_(std::move(path)), inode_(std::move(inode)) {}
    [[nodiscard]] std::uint64_t size() const override { return inode_->bytes.size(); }
    void read(std::uint64_t offset, std::span<std::byte> out) const override {
      if (offset > size() || out.size() > size() - offset) throw Error(ErrorCode::format, path_ + ": file ends early");
      if (!out.empty()) std::memcpy(out.data(), inode_->bytes.data() + offset, out.size());
    }

   private:
    std::string path_;
    std::shared_ptr<Inode> inode_;
  };

  static Bytes surviving(const Inode& inode, Data data) {
    Bytes bytes = inode.synced;
    if (data == Data::synced) return bytes;
    const std::size_t unsynced = inode.bytes.size() - bytes.size(), kept = data == Data::half ? unsynced / 2 : unsynced;
    const auto from = inode.bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size());
    if (data == Data::zeros)
      bytes.resize(bytes.size() + kept);
    else
      bytes.insert(bytes.end(), from, from + static_cast<std::ptrdiff_t>(kept));
    return bytes;
  }

  void step(const std::string& path, const char* operation) {
    if (crashed_) throw Crash();
    ++operations_;
    if (fault_ == Fault::none) return;
    if (left_ > 0) {
      --left_;
      return;
    }
    if (fault_ == Fault::crash) {
      crashed_ = true;
      throw Crash();
    }
    if (fault_ == Fault::disk_full) {
      // A full disk refuses what takes space; removing still works.
      if (std::strcmp(operation, "write") == 0 || std::strcmp(operation, "create") == 0)
        throw Error(ErrorCode::io, path + ": " + operation + " failed: No space left on device");
      return;
    }
    fault_ = Fault::none;
    throw Error(ErrorCode::io, path + ": " + operation + " failed: Input/output error");
  }

  std::map<std::string, std::shared_ptr<Inode>> names_, synced_names_;
  std::set<std::string> directories_;
  Fault fault_ = Fault::none;
  std::size_t left_ = 0, operations_ = 0;
  bool crashed_ = false;
};

}  // namespace leitong::storage
