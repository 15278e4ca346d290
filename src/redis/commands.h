// Commands: Redis commands in one buffer, as they go over the wire.
//
//   Commands batch;
//   batch.add({"SADD", key, member}, Repeat::harmless);
//
// Threads: as a std::vector. Errors: Error(limit) for a word of 512 MiB or more, which no server takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "net/repeat.h"

namespace leitong::redis {

using net::Repeat;

class Commands {
 public:
  static constexpr std::size_t no_key = 0;  // any server of a cluster may answer

  // `key`: which of the words is the key that chooses the server (all keys of a command must be of one slot). Amortised constant time a
  // byte.
  void add(std::span<const std::string_view> words, Repeat repeat, std::size_t key = 1);
  void add(std::initializer_list<std::string_view> words, Repeat repeat, std::size_t key = 1) {
    add({words.begin(), words.size()}, repeat, key);
  }
  void append(const Commands& other, std::size_t i);
  void clear();

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  [[nodiscard]] std::size_t end_of(std::size_t i) const { return i + 1 < entries_.size() ? entries_[i + 1].begin : bytes_.size(); }
  [[nodiscard]] Repeat repeat(std::size_t i) const { return entries_[i].repeat; }
  [[nodiscard]] bool has_key(std::size_t i) const { return entries_[i].key_offset != 0; }
  [[nodiscard]] std::string_view key(std::size_t i) const;
  [[nodiscard]] std::string describe(std::size_t i) const;  // name and key, printable, for messages: never a value

 private:
  struct Entry {
    std::size_t begin = 0;
    std::uint32_t key_offset = 0, key_length = 0;  // from begin; offset 0: none
    Repeat repeat = Repeat::never;
  };
  void make_room(std::size_t bytes);
  std::string bytes_;
  std::vector<Entry> entries_;
};

}  // namespace leitong::redis
