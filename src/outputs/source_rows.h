// Summarises the inputs of a run in a few rows, for people.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/report.h"

namespace leitong::outputs {

inline constexpr std::size_t most_source_rows = 20;

// `files`: every source with its counts; `inputs`: the paths as given. If there are few files, each is a row. Otherwise the files of a
// directory are summed by the entries directly in it and, if there are still too many, by the beginnings of these names ("python3-*"). Rows
// with the most records come first, at most most_source_rows of them. A last row sums the others, together with entries of a single record.
// `row_of`, if not null, receives the row of each file.
[[nodiscard]] std::vector<report::Source> source_rows(std::vector<report::Source> files, const std::vector<std::string>& inputs,
                                                      std::vector<std::size_t>* row_of = nullptr);

}  // namespace leitong::outputs
