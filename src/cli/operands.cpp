#include "cli/operands.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

#include "cli/terminal.h"
#include "leitong/error.h"

namespace leitong::cli {
namespace {

constexpr std::uint64_t largest = 64ULL << 20;

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

bool looks_like_path(const std::string& text) {
  return text.size() < 256 && text.find_first_of(" \n") == std::string::npos && text.find_first_of("/.") != std::string::npos;
}

// Such bytes would be compared as if they were text, and the answer would mean nothing.
void refuse_binary(std::string_view text, const std::string& name) {
  if (text.starts_with("\x1f\x8b") || text.starts_with("\x28\xb5\x2f\xfd"))
    throw Error(ErrorCode::format, name + ": a packed file; unpack it first, e.g. with zcat or zstdcat");
  if (text.substr(0, 8192).find('\0') != std::string_view::npos)
    throw Error(ErrorCode::format, name + ": looks binary: a NUL byte in its first 8 kB");
}

std::string operand_text(const std::string& operand, bool as_text) {
  struct stat status{};
  if (as_text) return operand;
  if (operand == "-") {
    std::string text = read_stream(stdin, "standard input");
    refuse_binary(text, "standard input");
    return text;
  }
  if (::stat(operand.c_str(), &status) != 0) {
    if (looks_like_path(operand)) print_note("there is no file \"" + operand + "\", so these words are compared as a text");
    return operand;
  }
  if (S_ISDIR(status.st_mode))
    throw Error(ErrorCode::usage, operand + ": a directory; name a file, or use --text to compare the words themselves");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(operand.c_str(), "rb"), std::fclose);
  if (file == nullptr) throw Error(ErrorCode::io, operand + ": cannot open: " + std::strerror(errno));
  std::string text = read_stream(file.get(), operand);
  refuse_binary(text, operand);
  return text;
}

}  // namespace

TwoTexts read_operands(const Invocation& invocation) {
  const bool as_text = invocation.settings.as_text;
  if (!as_text && invocation.operands[0] == "-" && invocation.operands[1] == "-")
    throw Error(ErrorCode::usage, "standard input cannot be both texts");
  TwoTexts texts;
  texts.a = operand_text(invocation.operands[0], as_text);
  texts.b = operand_text(invocation.operands[1], as_text);
  return texts;
}

}  // namespace leitong::cli
