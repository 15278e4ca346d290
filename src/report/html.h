// Text that anybody may have written, to HTML that means nothing but that text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace leitong::report {

// Appends `utf8` as element content. <, >, & and quotes are escaped; control characters except line ends and tabs become a visible mark
// with their number, and so do controls of writing direction, which could reorder what stands beside them; invalid UTF-8 becomes U+FFFD.
// `mark_line_ends`: a line end also shows as a symbol (in a change it would be invisible).
void append_text(std::string& out, std::string_view utf8, bool mark_line_ends = false);
[[nodiscard]] std::string text_html(std::string_view utf8);

// The same for an attribute value in double quotes: without marks, on one line.
[[nodiscard]] std::string attribute_html(std::string_view utf8);

// The first `characters` of a text, with an ellipsis if there are more, cut as by word_end(). Also limited in bytes, should the text be no
// UTF-8.
[[nodiscard]] std::string shortened(std::string_view utf8, std::size_t characters);

// The same counted in columns, of which a Chinese character takes two: for what must fit into a line.
[[nodiscard]] std::string fitted(std::string_view utf8, std::size_t columns);

// Byte length of the first `characters` characters.
[[nodiscard]] std::size_t head_bytes(std::string_view utf8, std::size_t characters);

// Where a text may be cut, at or before a byte (word_end) or at or after it (word_begin): between words, or where a script is written
// without spaces between characters. Should no word end for a long while, between any two characters.
[[nodiscard]] std::size_t word_end(std::string_view utf8, std::size_t at);
[[nodiscard]] std::size_t word_begin(std::string_view utf8, std::size_t at);

// Where one may cut out of a text, counted in letters (what is not white space or punctuation; two texts that differ only in those are cut
// at the same place): past the first `letters` of them and the word in which the last one stands, and before the word in which the last
// `letters` begin.
[[nodiscard]] std::size_t cut_after(std::string_view utf8, std::size_t letters);
[[nodiscard]] std::size_t cut_before(std::string_view utf8, std::size_t letters);
[[nodiscard]] std::size_t letter_count(std::string_view utf8);

}  // namespace leitong::report
