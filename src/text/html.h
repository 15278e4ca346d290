// HTML to plain text: tags, comments, scripts, styles, templates removed, entities decoded, block elements separated by a line end.
// Main-content extraction is another matter and not done here. Never fails: broken HTML gives the text that stands in it.
#pragma once

#include <string>
#include <string_view>

namespace leitong::text {

void html_to_text(std::string_view html, std::string& out);  // replaces out; linear time, no recursion

}  // namespace leitong::text
