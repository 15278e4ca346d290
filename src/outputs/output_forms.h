// An output of lines in whichever form a run has left it: packed or not, one file or a directory of files.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace leitong::outputs {

// Of a finished run: the files of what it kept, in the order of its inputs; none: it has none (it is unfinished, or of --annotate).
[[nodiscard]] std::optional<std::vector<std::string>> kept_files(const std::string& output_dir);

// Removes what earlier runs have left of the output `name` ("kept") in other forms than as `written`: "kept.jsonl.gz"; "kept", by input;
// "", not at all.
void remove_other_forms(const std::string& output_dir, const std::string& name, const std::string& written);

// If `path` is not there but the output `name` is in another form, that one takes the form of `path`.
void change_form(const std::string& output_dir, const std::string& name, const std::string& path);

}  // namespace leitong::outputs
