// The directory NAME of a run that writes one file for each input file, and the list beside it of what that run has made: each name ended
// by NUL, in the order of the inputs. What is not in the list is somebody else's.
#pragma once

#include <string>
#include <vector>

namespace leitong::outputs {

[[nodiscard]] std::string layout_list_name(const std::string& name);
[[nodiscard]] std::string layout_list(const std::string& output_dir, const std::string& name);               // the list's path
[[nodiscard]] std::vector<std::string> read_layout(const std::string& output_dir, const std::string& name);  // empty: there is none
void write_layout(const std::string& output_dir, const std::string& name, const std::vector<std::string>& names);

// Throws Error(usage) unless everything below `directory`, but for directories, is one of the names.
void require_own(const std::string& directory, std::vector<std::string> names);

// Those of the names, and the directories that are empty then.
void remove_listed(const std::string& directory, const std::vector<std::string>& names);

}  // namespace leitong::outputs
