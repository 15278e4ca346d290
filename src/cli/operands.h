// What the operands of a command on two texts mean.
#pragma once

#include <string>

#include "cli/parse.h"

namespace leitong::cli {

struct TwoTexts {
  std::string a, b;
};

// The operands themselves with --text, else what the files of these names hold (- is standard input), and the operand where there is no
// such file and it is more than a name. Error(usage) for a directory, a name without a file, or standard input twice, Error(io, format,
// limit) for what cannot be read, is binary, no UTF-8 or above 64 MiB.
[[nodiscard]] TwoTexts read_operands(const Invocation& invocation);

}  // namespace leitong::cli
