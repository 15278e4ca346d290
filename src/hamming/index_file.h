// Index files: docs/file-format.md ("Index files"). Errors as those of storage/column_file.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hamming/index_parts.h"
#include "leitong/hamming_index.h"
#include "storage/vfs.h"

namespace leitong::hamming {

struct MappedIndex {
  HammingIndexOptions options;
  std::vector<IndexPart> parts;
  std::shared_ptr<const storage::ColumnFile> file;  // lives with the parts
};

void write_index(storage::Vfs& vfs, const std::string& path, const HammingIndexOptions& options, const std::vector<IndexPart>& parts);
[[nodiscard]] MappedIndex map_index(storage::Vfs& vfs, const std::string& path);
void check_index(storage::Vfs& vfs, const std::string& path);

}  // namespace leitong::hamming
