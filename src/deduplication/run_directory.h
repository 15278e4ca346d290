// The directory of a finished run: where its stage files are, and where it was started.
#pragma once

#include <string>

namespace leitong::deduplication {

// Where the run was started, which is what its relative paths count from; empty if that is not known any more.
[[nodiscard]] std::string start_of_run(const std::string& output_dir);

// "stages/NAME.ltt" in the directory. Throws Error(io) if there is no such file, saying what the directory should be.
[[nodiscard]] std::string stage_path(const std::string& output_dir, const std::string& name);

}  // namespace leitong::deduplication
