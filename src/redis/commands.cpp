#include "redis/commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "leitong/error.h"
#include "net/printable.h"

namespace leitong::redis {
namespace {

constexpr std::size_t max_word = std::size_t{512} << 20;  // Redis' own limit (proto-max-bulk-len)

void append_header(std::string& bytes, char kind, std::size_t number) {
  char text[24];
  text[0] = kind;
  char* const end = std::to_chars(text + 1, text + 22, number).ptr;
  end[0] = '\r';
  end[1] = '\n';
  bytes.append(text, static_cast<std::size_t>(end + 2 - text));
}

}  // namespace

void Commands::add(std::span<const std::string_view> words, Repeat repeat, std::size_t key) {
  if (words.empty() || key >= words.size()) key = no_key;
  Entry entry{bytes_.size(), 0, 0, repeat};
  std::size_t room = bytes_.size() + (words.size() + 1) * 26;
  for (const std::string_view word : words) {
    if (word.size() >= max_word) {
      throw Error(ErrorCode::limit, fmt::format("Redis: a word of {} bytes; no server takes one of 512 MiB", word.size()));
    }
    room += word.size();
  }
  make_room(room);  // allocates first: if it throws, no bytes have been added, and half a command would spoil all that follow
  append_header(bytes_, '*', words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    append_header(bytes_, '$', words[i].size());
    const std::size_t offset = bytes_.size() - entry.begin;
    if (i == key && key != no_key && offset <= std::numeric_limits<std::uint32_t>::max()) {
      entry.key_offset = static_cast<std::uint32_t>(offset);
      entry.key_length = static_cast<std::uint32_t>(words[i].size());
    }
    bytes_.append(words[i]).append("\r\n", 2);
  }
  entries_.push_back(entry);
}

void Commands::make_room(std::size_t bytes) {
  if (bytes > bytes_.capacity()) bytes_.reserve(std::max(bytes, 2 * bytes_.capacity()));
  if (entries_.size() == entries_.capacity()) entries_.reserve(std::max<std::size_t>(16, 2 * entries_.size()));
}

void Commands::append(const Commands& other, std::size_t i) {
  Entry entry = other.entries_[i];
  const std::size_t begin = entry.begin;
  entry.begin = bytes_.size();
  make_room(bytes_.size() + other.end_of(i) - begin);
  bytes_.append(other.bytes_, begin, other.end_of(i) - begin);
  entries_.push_back(entry);
}

void Commands::clear() {
  bytes_.clear();
  entries_.clear();
}

std::string_view Commands::key(std::size_t i) const {
  return std::string_view(bytes_).substr(entries_[i].begin + entries_[i].key_offset, entries_[i].key_length);
}

std::string Commands::describe(std::size_t i) const {
  // The first word begins after the second line: *N\r
  // $L\r
  // NAME\r
  //
  std::string_view rest = std::string_view(bytes_).substr(entries_[i].begin, end_of(i) - entries_[i].begin);
  for (int line = 0; line < 2; ++line) rest.remove_prefix(rest.find('\n') + 1);
  std::string text = net::printable(rest.substr(0, rest.find('\r')), 32);
  if (has_key(i)) text += ' ' + net::printable(key(i), 64);
  return text;
}

}  // namespace leitong::redis
