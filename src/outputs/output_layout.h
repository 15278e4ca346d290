// The directory NAME of a run that writes one file for each input file, and the list beside it of the files that the run has made: names
// terminated by NUL, in the order of the inputs. Files that are not in the list belong to somebody else.
#pragma once

#include <string>
#include <vector>

namespace leitong::outputs {

[[nodiscard]] std::string layout_list_name(const std::string& name);
[[nodiscard]] std::string layout_list(const std::string& output_dir, const std::string& name);               // path of the list
[[nodiscard]] std::vector<std::string> read_layout(const std::string& output_dir, const std::string& name);  // empty if there is none
void write_layout(const std::string& output_dir, const std::string& name, const std::vector<std::string>& names);

// Throws Error(usage) unless every file below `directory` is in `names`; directories are ignored.
void require_own(const std::string& directory, std::vector<std::string> names);

// Removes the files with these names, and the directories that are empty afterwards.
void remove_listed(const std::string& directory, const std::vector<std::string>& names);

}  // namespace leitong::outputs
