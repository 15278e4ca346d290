// Values and rows as JSON.
//
// | type | JSON |
// | --- | --- |
// | integers | digits, all of them (unsigned ones by their logical type) |
// | floats (16, 32, 64 bits) | the shortest digits that read back as the same value; not finite: null |
// | decimal | its digits with the point: 12.30 |
// | string, enum, JSON | a string (a JSON column is not opened); invalid UTF-8: U+FFFD for each bad sequence |
// | date, time | "2026-11-23", "08:30:00.123" with as many digits as the unit has |
// | timestamp | "2026-11-23T08:30:00.123", with Z if it is an instant; int96 is one in nanoseconds, without Z |
// | uuid | "00112233-4455-6677-8899-aabbccddeeff" |
// | interval | {"months":1,"days":2,"milliseconds":3} |
// | other bytes | base64 with padding |
// | struct, map, list | object, object (keys as strings), array |
// | null | null |
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "parquet/column.h"
#include "parquet/schema.h"

namespace leitong::parquet {

// A string with its quotes and escapes.
void append_json_text(std::string& out, std::string_view text);

// One entry of a column; "null" where it holds no value.
void append_value_json(std::string& out, const Node& leaf, const Column& column, std::size_t entry);

// A row of a batch that has all leaves of the schema in order (Table::read_all) as one object on one line, without a line end. The schema
// must outlive it. Cost: linear in the row. Error(format) where the levels of two columns do not fit each other.
class RowJson {
 public:
  explicit RowJson(const Schema& schema) : schema_(schema) {}
  void append(std::string& out, const Batch& batch, std::size_t row) const;

 private:
  const Schema& schema_;
};

}  // namespace leitong::parquet
