// What Arrow's files and streams have in common: messages, dictionaries, and the rows of the batch at hand.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parquet/arrow_column.h"

namespace leitong::parquet {

enum class ArrowMessage : std::uint8_t { none, schema, dictionary, batch };

struct ArrowHeader {
  ArrowMessage kind = ArrowMessage::none;
  std::optional<FlatTable> body;  // the table of that kind
  std::uint64_t body_size = 0;
};
// `bytes` of a message of FlatBuffers, which must outlive the header.
[[nodiscard]] ArrowHeader read_arrow_header(std::string_view bytes);

// The columns that are read, and the record batch that they are read from.
class ArrowRows {
 public:
  ArrowRows(const ArrowSchema& schema, std::span<const std::uint32_t> leaves, const Limits& limits);
  void add_dictionary(const FlatTable& table, std::uint64_t body_size, const BodyBytes& body);
  void begin(const FlatTable& table, std::uint64_t body_size, const BodyBytes& body);
  [[nodiscard]] std::uint64_t rows() const { return batch_.rows; }  // of the batch at hand
  // Rows of it from `row` on; sets the columns and the number of rows.
  void read(std::uint64_t row, const BatchSize& size, Batch& out);

 private:
  const ArrowSchema& schema_;
  const Limits& limits_;
  std::vector<ArrowColumn> columns_;
  std::vector<bool> wanted_;
  ArrowDictionaries dictionaries_;
  ArrowBatch batch_;
};

}  // namespace leitong::parquet
