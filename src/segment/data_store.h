// What leitong/data.h promises, over a file system of the caller's choice, so that tests can refuse writes.
#pragma once

#include <cstdint>
#include <string>

#include "leitong/data.h"
#include "storage/vfs.h"

namespace leitong::segment {

// A section that add_data puts into every kind of data file, beside the kind's own: lines of "words LIST NUMBER" and "warning TEXT".
inline constexpr std::uint32_t about_section = 1000;

DataInfo add_data(storage::Vfs& vfs, DataKind kind, const std::string& source, const AddDataOptions& options);

}  // namespace leitong::segment
