// Names of files as messages and outputs show them.
#include "leitong/file_name.h"

#include <fmt/format.h>

#include <iterator>

#include "records/utf8.h"

namespace leitong {
namespace {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The byte that "\xHH" at the beginning stands for; -1 if there is none.
int shown_byte(std::string_view text) {
  if (text.size() < 4 || text[0] != '\\' || text[1] != 'x') return -1;
  const int high = digit_of(text[2]), low = digit_of(text[3]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

void append_byte(std::string& out, char byte) {
  fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<unsigned>(static_cast<unsigned char>(byte)));
}

// A valid part of a name.
void append_characters(std::string& out, std::string_view part) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (shown_byte(part.substr(i)) >= 0)
      append_byte(out, part[i]);
    else
      out.push_back(part[i]);
  }
}

template <typename AppendValid>
std::string shown(std::string_view bytes, const AppendValid& append_valid) {
  std::string out;
  while (!bytes.empty()) {
    const std::size_t valid = records::valid_utf8_prefix(bytes);
    append_valid(out, bytes.substr(0, valid));
    bytes.remove_prefix(valid);
    if (bytes.empty()) break;
    const std::size_t bad = records::invalid_utf8_length(bytes);
    for (const char byte : bytes.substr(0, bad)) append_byte(out, byte);
    bytes.remove_prefix(bad);
  }
  return out;
}

}  // namespace

std::string shown_name(std::string_view name) { return shown(name, append_characters); }

std::string shown_bytes(std::string_view text) {
  return shown(text, [](std::string& out, std::string_view part) { out += part; });
}

std::string named_by(std::string_view shown) {
  std::string out;
  while (!shown.empty()) {
    const int byte = shown_byte(shown);
    out.push_back(byte < 0 ? shown.front() : static_cast<char>(byte));
    shown.remove_prefix(byte < 0 ? 1 : 4);
  }
  return out;
}

}  // namespace leitong
