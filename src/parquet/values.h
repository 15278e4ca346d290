// The values of one page, decoded from any encoding a slice at a time.
//
// Nulls are not among them: that is for levels. A decoder checks every length before it uses it, and throws Error(format) when the page has
// fewer values than are asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "parquet/footer.h"
#include "parquet/schema.h"

namespace leitong::parquet {

using Owner = std::shared_ptr<const void>;

// A column chunk's dictionary: its values in order.
struct Dictionary {
  std::vector<std::string_view> strings;  // Physical::bytes
  std::string_view values;                // all others, width bytes each
  std::size_t size = 0;
  Owner owner;
};

class ValueReader {
 public:
  virtual ~ValueReader() = default;
  // The next `count` values: views of strings, or `width` bytes each, by the column's type. Views into memory that the page does not own
  // get their owner appended.
  virtual void read(std::string_view* out, std::size_t count, std::vector<Owner>& owners);
  virtual void read(std::byte* out, std::size_t count);
  virtual void skip(std::size_t count) = 0;
  // Values that are well read at once: fewer where each takes memory of its own.
  [[nodiscard]] virtual std::size_t slice() const { return 256; }
};

struct ValueLimits {
  std::uint64_t value_bytes = 0;  // of one string
};

// `page`: the values' bytes, which outlive the reader; `most`: values that the page can have at most. `dictionary` may be null, which is an
// error for an encoding that needs one.
[[nodiscard]] std::unique_ptr<ValueReader> read_values(const Node& leaf, Encoding encoding, std::string_view page, std::size_t most,
                                                       const Dictionary* dictionary, const ValueLimits& limits);

// A page of a dictionary: plain values.
[[nodiscard]] Dictionary read_dictionary(const Node& leaf, std::string_view page, std::size_t count, Owner owner,
                                         const ValueLimits& limits);

}  // namespace leitong::parquet
