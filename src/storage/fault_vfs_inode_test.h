// What a file of FaultVfs holds, and what of it a crash leaves. For tests only; see fault_vfs_test.h.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "leitong/error.h"
#include "storage/vfs.h"

namespace leitong::storage {

// Numbers that follow from a seed alone, on every machine.
class FaultRandom {
 public:
  explicit FaultRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
  }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>((*this)() % bound); }
  bool coin() { return ((*this)() & 1U) != 0; }

 private:
  std::uint64_t state_;
};

// Memory as a mapped file has it.
template <typename T>
struct LineAllocator {
  using value_type = T;
  LineAllocator() = default;
  template <typename U>
  explicit LineAllocator(const LineAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{64})); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t{64}); }
  friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
};
using FaultBytes = std::vector<std::byte, LineAllocator<std::byte>>;

// What becomes of the bytes that were not synced: none is there; the first half; zeros in their place; all; each 512-byte sector is
// there, zeros, or rubbish, up to any length; or, file by file, any of these.
enum class FaultData { synced, half, zeros, all, sectors, mixed };

struct FaultBuffer {
  FaultBytes bytes;
  std::atomic<bool> frozen{false};  // others have it too: never changed again
  std::atomic<bool> fault{false};   // of a mapping: a read failed
};

class FaultMapping final : public MappedFile {
 public:
  FaultMapping(std::string path, std::shared_ptr<const FaultBuffer> buffer) : path_(std::move(path)), buffer_(std::move(buffer)) {}
  [[nodiscard]] std::span<const std::byte> bytes() const override { return buffer_->bytes; }
  [[nodiscard]] bool fault() const noexcept override { return buffer_->fault; }
  void require_readable() const override {
    if (fault()) throw Error(ErrorCode::io, path_ + ": reading the mapped file failed");
  }

 private:
  std::string path_;
  std::shared_ptr<const FaultBuffer> buffer_;
};

// A page of a mapping that cannot be read, or all of a small one.
inline void break_page(FaultBuffer& mapped, FaultRandom& random) {
  constexpr std::size_t page = 4096;
  mapped.fault = true;
  const std::size_t begin = random.below(mapped.bytes.size() / page + 1) * page, size = std::min(page, mapped.bytes.size() - begin);
  std::fill_n(mapped.bytes.begin() + static_cast<std::ptrdiff_t>(begin), size, std::byte{0});
}

// A file that is only appended to: what is durable is a beginning of it, but for ranges that a failed sync dropped.
class FaultInode {
 public:
  FaultInode() = default;
  explicit FaultInode(std::shared_ptr<FaultBuffer> durable) : buffer_(std::move(durable)), synced_(buffer_->bytes.size()) {}

  [[nodiscard]] const FaultBytes& bytes() const { return buffer_->bytes; }
  [[nodiscard]] FaultBytes& own_bytes() {
    if (buffer_->frozen) {
      auto copy = std::make_shared<FaultBuffer>();
      copy->bytes = buffer_->bytes;
      buffer_ = std::move(copy);
    }
    return buffer_->bytes;
  }
  [[nodiscard]] std::shared_ptr<FaultBuffer> share() const {
    buffer_->frozen = true;
    return buffer_;
  }

  void append(std::span<const std::byte> data) { own_bytes().insert(buffer_->bytes.end(), data.begin(), data.end()); }
  void truncate() {
    if (!before_) before_ = durable_buffer();
    buffer_ = std::make_shared<FaultBuffer>();
    synced_ = 0;
    lost_.clear();
  }
  void sync() {
    synced_ = bytes().size();
    before_.reset();
  }
  // The kernel drops the dirty pages, which stay readable until the machine stops: a later sync succeeds without writing them.
  void fail_sync() {
    if (synced_ < bytes().size()) lost_.emplace_back(synced_, bytes().size());
  }

  // The bytes after a crash; `truncations`: whether one that was not synced has happened.
  [[nodiscard]] std::shared_ptr<FaultBuffer> surviving(FaultData data, bool truncations, FaultRandom& random) const {
    if (before_ && !truncations) {
      before_->frozen = true;
      return before_;
    }
    if (durable() == bytes().size() && lost_.empty()) return share();
    if (data == FaultData::mixed) data = static_cast<FaultData>(random.below(5));
    auto buffer = durable_buffer();
    add_tail(buffer->bytes, data, random);
    return buffer;
  }

 private:
  static constexpr std::size_t sector_size = 512;

  [[nodiscard]] std::size_t durable() const {
    std::size_t end = std::min(synced_, bytes().size());
    for (auto range = lost_.rbegin(); range != lost_.rend(); ++range)
      if (range->second >= end) end = std::min(end, range->first);
    return end;
  }
  // From `from` on, what was lost becomes zeros.
  void drop_lost(FaultBytes& some, std::size_t from) const {
    for (const auto& [begin, end] : lost_)
      for (std::size_t i = std::max(begin, from); i < std::min(end, some.size()); ++i) some[i] = std::byte{0};
  }
  [[nodiscard]] std::shared_ptr<FaultBuffer> durable_buffer() const {
    auto buffer = std::make_shared<FaultBuffer>();
    buffer->bytes.assign(bytes().begin(), bytes().begin() + static_cast<std::ptrdiff_t>(durable()));
    drop_lost(buffer->bytes, 0);
    return buffer;
  }

  void add_tail(FaultBytes& some, FaultData data, FaultRandom& random) const {
    const std::size_t begin = some.size(), unsynced = bytes().size() - begin;
    std::size_t kept = unsynced;
    if (data == FaultData::synced) kept = 0;
    if (data == FaultData::half) kept = unsynced / 2;
    if (data == FaultData::sectors) kept = random.coin() ? unsynced : random.below(unsynced + 1);
    if (data == FaultData::zeros) {
      some.resize(begin + kept);
      return;
    }
    const auto from = bytes().begin() + static_cast<std::ptrdiff_t>(begin);
    some.insert(some.end(), from, from + static_cast<std::ptrdiff_t>(kept));
    drop_lost(some, begin);
    if (data != FaultData::sectors) return;
    for (std::size_t at = begin; at < some.size(); at = (at / sector_size + 1) * sector_size)
      spoil(std::span(some).subspan(at, std::min(some.size(), (at / sector_size + 1) * sector_size) - at), random);
  }

  void spoil(std::span<std::byte> sector, FaultRandom& random) const {
    switch (random.below(8)) {
      case 0:
      case 1:
        std::fill(sector.begin(), sector.end(), std::byte{0});
        break;
      case 2:
        for (std::byte& byte : sector) byte = static_cast<std::byte>(random());
        break;
      case 3: {  // what stood elsewhere, as a block that was used before holds it
        const FaultBytes& old = before_ && random.coin() ? before_->bytes : bytes();
        const std::size_t at = old.empty() ? 0 : random.below(old.size()) / 8 * 8;
        const std::size_t size = std::min(sector.size(), old.size() - at);
        if (size > 0) std::memcpy(sector.data(), old.data() + at, size);
        break;
      }
      default:
        break;  // as it was written
    }
  }

  std::shared_ptr<FaultBuffer> buffer_ = std::make_shared<FaultBuffer>();
  std::size_t synced_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> lost_;  // begin and end
  std::shared_ptr<FaultBuffer> before_;                    // what was durable before a truncation that is not
};

}  // namespace leitong::storage
