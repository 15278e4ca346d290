// What may be written where: the rule that every job of the library keeps, for callers who write files themselves.
#pragma once

#include <string>
#include <vector>

namespace leitong {

// What tells a file that Leitong made from any other: its first bytes; of a text, an extended attribute of the file, so that where the file
// system has none, no text is replaced.
enum class OutputForm { text, table, index, data, spool };

// Throws Error(usage) that says what to do, unless a run that reads the files `inputs` ("-" is standard input) may write `path`: it must
// not be one of them by device and inode, links included, and if something stands there, it must be a regular file that is empty or that
// Leitong made.
void check_output(const std::string& path, const std::vector<std::string>& inputs, OutputForm form);

}  // namespace leitong
