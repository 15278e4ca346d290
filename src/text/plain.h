// The plain path of the tokeniser, on a stretch of text: what the fast path falls back to between two safe boundaries.
#pragma once

#include <cstddef>
#include <string_view>

#include "text/normal_form.h"
#include "text/scan.h"
#include "text/tokenize.h"

namespace leitong::text {

// Makes room for `used` bytes and the padding; contents stay.
void reserve_bytes(Tokens& out, std::size_t used);

// Appends the tokens of `utf8`, their bytes written from `bytes_begin` on; returns where the bytes end. `text` is scratch.
std::size_t append_plain(std::string_view utf8, const TokenizeOptions& options, std::size_t bytes_begin, NormalText& text, Tokens& out);

// tokenize() with a kernel of the caller's choice.
void tokenize_by(ScanFunction scan, std::string_view utf8, const TokenizeOptions& options, Tokens& out);

}  // namespace leitong::text
