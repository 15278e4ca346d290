// The directory of a finished run: the paths of its stage files, and the directory in which it was started.
#pragma once

#include <string>

namespace leitong::deduplication {

// The directory in which the run was started; relative paths of the run count from it. Empty if it is not known any more.
[[nodiscard]] std::string start_of_run(const std::string& output_dir);

// The path of "stages/NAME.ltt" in the directory. Throws Error(io) if there is no such file; the message says what the directory should be.
[[nodiscard]] std::string stage_path(const std::string& output_dir, const std::string& name);

}  // namespace leitong::deduplication
