// A Parquet file as a Table.
#pragma once

#include <memory>
#include <string>

#include "parquet/table.h"

namespace leitong::parquet {

[[nodiscard]] std::unique_ptr<Table> open_parquet(std::shared_ptr<const storage::ReadableFile> file, std::string name,
                                                  const Limits& limits);

}  // namespace leitong::parquet
