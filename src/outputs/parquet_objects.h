// Flat JSON objects, one a record, to a Parquet file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "outputs/parquet_rows.h"
#include "parquet/writer.h"
#include "records/json_value.h"

namespace leitong::outputs {

// The first records tell the columns, in the order in which keys are met: strings, whole numbers (int64), numbers, booleans; what is null
// in all of them is a string. A later record that has another key, or a value that its column cannot hold, is an error: nothing is guessed
// for a whole collection. Holds the first records in memory.
class ParquetObjects {
 public:
  static constexpr std::size_t first_records = 1000;

  // `annotate_key`: as in ParquetRows.
  ParquetObjects(parquet::Writer::Sink sink, std::string annotate_key);
  ~ParquetObjects();
  ParquetObjects(const ParquetObjects&) = delete;
  ParquetObjects& operator=(const ParquetObjects&) = delete;
  // Throws Error(usage) that begins with `place` and says what does not fit.
  void add(std::string_view object, const std::string& place, const RowAnnotation& annotation);
  void finish();

 private:
  struct Waiting {
    std::string object, place;
    RowAnnotation annotation;
  };
  void learn(const records::JsonValue& object, const std::string& place);
  void begin();
  void write(const Waiting& record);
  void write_batch();
  [[nodiscard]] std::size_t column_of(std::string_view key, const std::string& place) const;

  parquet::Writer::Sink sink_;
  std::string annotate_key_;
  records::JsonParser parser_;
  std::vector<std::pair<std::string, parquet::FlatType>> fields_;
  std::vector<bool> known_;  // whether a value of the field came that is not null
  std::vector<Waiting> waiting_;
  std::unique_ptr<parquet::Schema> schema_;
  std::unique_ptr<parquet::Writer> writer_;
  std::vector<parquet::FlatColumn> columns_;
  std::unique_ptr<AnnotationColumns> added_;
  std::uint32_t rows_ = 0;
};

}  // namespace leitong::outputs
