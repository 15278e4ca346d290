// The page's style sheet and script, written into it.
#pragma once

#include <string>
#include <string_view>

namespace leitong::report {

// From the document type to the end of the head: `title`, then the page's style and `more` of it. Without `scripts` the page may run none.
void append_page_head(std::string& out, std::string_view title, std::string_view more = {}, bool scripts = true);

[[nodiscard]] std::string_view page_style();
[[nodiscard]] std::string_view page_script();  // filter and open/close buttons; the page is complete without it

}  // namespace leitong::report
