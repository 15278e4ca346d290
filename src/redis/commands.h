// Commands: a batch of Redis commands in one buffer, in the form in which they are sent.
//
//   Commands batch;
//   batch.add({"SADD", key, member}, Repeat::harmless);
//
// Threads: as a std::vector. Errors: Error(limit) for a word of 512 MiB or more, which servers do not accept.
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
  static constexpr std::size_t no_key = 0;  // any node of a cluster may answer

  // `key`: the index of the word that is the key, which determines the server (all keys of a command must be in one slot). Takes amortised
  // constant time for each byte.
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
  [[nodiscard]] std::string describe(std::size_t i) const;  // name and key, printable, for messages; never a value

 private:
  struct Entry {
    std::size_t begin = 0;
    std::uint32_t key_offset = 0, key_length = 0;  // relative to `begin`; offset 0: the command has no key
    Repeat repeat = Repeat::never;
  };
  void make_room(std::size_t bytes);
  std::string bytes_;
  std::vector<Entry> entries_;
};

}  // namespace leitong::redis
