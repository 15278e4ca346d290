// Style and script of the page on which pairs are labelled, beside page_style().
#pragma once

#include <string_view>

namespace leitong::report {

[[nodiscard]] std::string_view label_style();
[[nodiscard]] std::string_view label_script();

}  // namespace leitong::report
