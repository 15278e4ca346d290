// Converts rows to the payload of a log record and back. docs/file-format.md ("Log files: rows") specifies the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "store/row.h"

namespace leitong::store {

// begin_batch() starts a payload. number_batch() sets the sequence number of its first row once that is known; the other rows follow.
void begin_batch(std::vector<std::byte>& out);
void number_batch(std::uint64_t first_sequence, std::vector<std::byte>& payload);
// Appends a row without its key and sequence number.
void append_row(const Shape& shape, const Row& row, std::vector<std::byte>& out);
// The sequence number of a batch's first row. Throws Error(format) if the payload has fewer than 8 bytes.
[[nodiscard]] std::uint64_t first_sequence_of(std::span<const std::byte> payload, const std::string& where);
// Calls visit(row) for each row. Views point into the payload; `words` is valid during the call. Throws Error(format), naming `where`, if
// the bytes are not a batch of this shape.
void read_batch(const Shape& shape, std::span<const std::byte> payload, const std::string& where,
                const std::function<void(const Row&)>& visit);

}  // namespace leitong::store
