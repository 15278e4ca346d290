// What people call a record of a run to its row.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sketches/sketch_file.h"

namespace leitong::sketches {

// The rows of the named records, in the order of `names`. A name is an id, as written in the input, with or without its quotes;
// SOURCE:NUMBER or :NUMBER, the record's number in the outputs; or such a number alone if no record has that id. One pass over the sketch
// files; `before_block` before each block. Throws Error(usage) for a name that no record has, or several, which are listed.
[[nodiscard]] std::vector<std::uint32_t> find_records(const SketchSet& set, const std::vector<std::string>& names,
                                                      const std::function<void()>& before_block);

}  // namespace leitong::sketches
