// The title of a run on its pages, made from the names of its inputs.
#pragma once

#include <span>
#include <string>

#include "sketches/sketch_file.h"

namespace leitong::outputs {

// "a.jsonl, b.jsonl"; "crawl (96 files, 2024-01.jsonl to 2024-12.jsonl)"; "one.csv, two.csv and 5 more inputs (7 files)".
[[nodiscard]] std::string title_of_inputs(const std::vector<std::string>& paths, std::span<const records::Source> sources);
// The title made from all inputs of a job.
[[nodiscard]] std::string title_of_inputs(std::span<const sketches::SketchSet::File> files);

}  // namespace leitong::outputs
