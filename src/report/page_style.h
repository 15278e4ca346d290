// The page's style sheet and script, written into it.
#pragma once

#include <string_view>

namespace leitong::report {

[[nodiscard]] std::string_view page_style();
[[nodiscard]] std::string_view page_script();  // filter and open/close buttons; the page is complete without it

}  // namespace leitong::report
