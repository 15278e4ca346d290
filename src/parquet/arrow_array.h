// A record batch of Arrow: the arrays of chosen columns, their buffers found, unpacked and of the size that they must have.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parquet/arrow_schema.h"
#include "parquet/codec.h"
#include "parquet/table.h"

namespace leitong::parquet {

using Owner = std::shared_ptr<const void>;

struct ArrowArray {
  std::uint64_t length = 0;
  std::string_view validity;               // a bit a value; empty: all are there
  std::string_view first, second;          // offsets and bytes of strings; offsets (and sizes) of lists; views; else values
  std::vector<std::string_view> variadic;  // what views point to
  std::vector<ArrowArray> children;

  [[nodiscard]] bool is_null(std::uint64_t i) const {
    return !validity.empty() && (static_cast<std::uint8_t>(validity[i / 8]) >> (i % 8) & 1U) == 0;
  }
};

// Values that dictionary-encoded fields point to. Added to by deltas.
struct ArrowDictionary {
  std::vector<ArrowArray> parts;
  std::vector<std::uint64_t> ends;  // of each part, counted from the first value
  std::vector<Owner> owners;
};
using ArrowDictionaries = std::map<std::int64_t, std::shared_ptr<const ArrowDictionary>>;

// Bytes of a batch's body: a view, and who owns it.
using BodyBytes = std::function<std::string_view(std::uint64_t offset, std::uint64_t size, Owner& owner)>;

struct ArrowBatch {
  std::uint64_t rows = 0;
  std::vector<ArrowArray> arrays;  // a field of the schema each; of fields that are not wanted: empty
  std::vector<Owner> owners;
};

struct ArrowBatchSource {
  FlatTable table;  // a RecordBatch of FlatBuffers
  std::uint64_t body_size = 0;
  BodyBytes body;
};

// `wanted` tells for each of `fields` whether its buffers are read.
[[nodiscard]] ArrowBatch read_arrow_batch(const std::vector<ArrowField>& fields, const std::vector<bool>& wanted,
                                          const ArrowBatchSource& source, const Limits& limits);

// A field's values as a dictionary has them: the field without its dictionary.
[[nodiscard]] ArrowField values_of(const ArrowField& field);

}  // namespace leitong::parquet
