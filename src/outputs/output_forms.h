// Finds an output of lines in any form that a run may have left: compressed or not, one file or a directory of files.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace leitong::outputs {

// The files with the kept records of a finished run, in the order of its inputs. Empty if there are none: the run is unfinished, or was
// made with --annotate.
[[nodiscard]] std::optional<std::vector<std::string>> kept_files(const std::string& output_dir);

// Removes the output `name` ("kept") of earlier runs in all forms other than `written`. `written` is a file name ("kept.jsonl.gz"), a
// directory name for output by input ("kept"), or "" if this run does not write the output.
void remove_other_forms(const std::string& output_dir, const std::string& name, const std::string& written);

// If `path` does not exist but the output `name` does in another form, converts that to the form of `path`.
void change_form(const std::string& output_dir, const std::string& name, const std::string& path);

}  // namespace leitong::outputs
