// Rows as the payload of a log record, and back. docs/file-format.md ("Log files: rows") specifies the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "store/row.h"

namespace leitong::store {

// Begins a payload, and says, once it is known, which sequence number its first row has; the following rows have the next ones.
void begin_batch(std::vector<std::byte>& out);
void number_batch(std::uint64_t first_sequence, std::vector<std::byte>& payload);
// Appends a row; its key and sequence are not kept.
void append_row(const Shape& shape, const Row& row, std::vector<std::byte>& out);
// Of a batch; Error(format) for fewer than 8 bytes.
[[nodiscard]] std::uint64_t first_sequence_of(std::span<const std::byte> payload, const std::string& where);
// Calls visit(row) for each; views point into the payload, `words` is valid during the call. Error(format), naming `where`, for bytes that
// are no batch of this shape.
void read_batch(const Shape& shape, std::span<const std::byte> payload, const std::string& where,
                const std::function<void(const Row&)>& visit);

}  // namespace leitong::store
