#include "cli/operands.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

#include "cli/utf8.h"
#include "leitong/error.h"

namespace leitong::cli {
namespace {

constexpr std::uint64_t largest = 64ULL << 20;
constexpr std::size_t most_shown = 100;  // bytes of an operand in a message

std::string read_stream(std::FILE* stream, const std::string& name) {
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, stream)) {
    text.append(buffer, n);
    if (text.size() > largest) throw Error(ErrorCode::limit, name + ": longer than 64 MiB, too long to compare");
  }
  if (std::ferror(stream) != 0) throw Error(ErrorCode::io, name + ": cannot read: " + std::strerror(errno));
  return text;
}

bool is_file(const std::string& operand) {
  struct stat status{};
  return operand == "-" || ::stat(operand.c_str(), &status) == 0;
}

// Beside a file, a word of ASCII is sooner the name of another, mistyped, than its text.
bool looks_like_name(const std::string& text, bool beside_file) {
  if (text.empty() || text.size() >= 256 || text.find_first_of(" \t\n") != std::string::npos) return false;
  const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return text.find_first_of("/.") != std::string::npos || (beside_file && ascii);
}

// Such bytes would be compared as if they were text, and the answer would mean nothing.
void refuse_binary(std::string_view text, const std::string& name) {
  if (text.starts_with("\x1f\x8b") || text.starts_with("\x28\xb5\x2f\xfd"))
    throw Error(ErrorCode::format, name + ": a packed file; unpack it first, e.g. with zcat or zstdcat");
  if (text.substr(0, 8192).find('\0') != std::string_view::npos)
    throw Error(ErrorCode::format, name + ": looks binary: a NUL byte in its first 8 kB");
}

std::string stream_text(std::FILE* stream, const std::string& name) {
  std::string text = read_stream(stream, name);
  refuse_binary(text, name);
  require_utf8(text, name);
  return text;
}

std::string operand_text(const std::string& operand, bool as_text, bool beside_file) {
  struct stat status{};
  if (!as_text && operand == "-") return stream_text(stdin, "standard input");
  if (as_text || ::stat(operand.c_str(), &status) != 0) {
    if (!as_text && looks_like_name(operand, beside_file))
      throw Error(ErrorCode::usage,
                  "there is no file \"" + operand + "\"; --text compares the words themselves, and - reads standard input");
    require_utf8(operand, "the text \"" + operand.substr(0, most_shown) + "\"");
    return operand;
  }
  if (S_ISDIR(status.st_mode))
    throw Error(ErrorCode::usage, operand + ": a directory; name a file, or use --text to compare the words themselves");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(operand.c_str(), "rb"), std::fclose);
  if (file == nullptr) throw Error(ErrorCode::io, operand + ": cannot open: " + std::strerror(errno));
  return stream_text(file.get(), operand);
}

}  // namespace

TwoTexts read_operands(const Invocation& invocation) {
  const bool as_text = invocation.settings.face.as_text;
  if (!as_text && invocation.operands[0] == "-" && invocation.operands[1] == "-")
    throw Error(ErrorCode::usage, "standard input cannot be both texts");
  TwoTexts texts;
  texts.a = operand_text(invocation.operands[0], as_text, is_file(invocation.operands[1]));
  texts.b = operand_text(invocation.operands[1], as_text, is_file(invocation.operands[0]));
  return texts;
}

}  // namespace leitong::cli
