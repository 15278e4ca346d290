// Writing JSON: the few things that the outputs need. Reading: json_value.h.
#pragma once

#include <string>
#include <string_view>

namespace leitong::records {

// Appends `text` as a JSON string with quotes. A surrogate without its partner, as three bytes, becomes its escape; other invalid UTF-8
// becomes U+FFFD.
void append_json_string(std::string& out, std::string_view text);
// Appends a finite double in its shortest form that reads back equal; at least one digit, no exponent for 1e-5..1e15.
void append_json_number(std::string& out, double value);

}  // namespace leitong::records
