// The inputs of a run as the few rows that a person wants to read.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/report.h"

namespace leitong::outputs {

inline constexpr std::size_t most_source_rows = 20;

// `files`: every source with its counts; `inputs`: the paths as given. Few files stay as they are. Of many, those of a directory are summed
// by what stands directly in it, and if that is still too much, by the beginnings of these names ("python3-*"). The rows with the most
// records come first, at most most_source_rows; what is left, and what holds a single record beside them, is summed in a last row.
// `row_of`, if not null: the row that each file is in.
[[nodiscard]] std::vector<report::Source> source_rows(std::vector<report::Source> files, const std::vector<std::string>& inputs,
                                                      std::vector<std::size_t>* row_of = nullptr);

}  // namespace leitong::outputs
