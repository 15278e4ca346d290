// Single keys of a person at a terminal.
#pragma once

#include <memory>
#include <optional>

namespace leitong::cli {

// While it lives, a terminal at standard input gives each key at once and does not echo it. What is no terminal is read as it is, without
// its white space.
class Keys {
 public:
  Keys();
  ~Keys();
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;
  // The next key, in lower case; nothing at the end of the input or when a signal asked to stop.
  [[nodiscard]] std::optional<char> next() const;

 private:
  struct Terminal;
  std::unique_ptr<Terminal> terminal_;
};

}  // namespace leitong::cli
