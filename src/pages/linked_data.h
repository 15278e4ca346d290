// JSON-LD, what pages say of themselves for search machines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace leitong::pages {

enum class LinkedText { article, description };

// The longest articleBody, or description, in any of these contents of <script type="application/ld+json">; empty: none has one. Markup in
// it is taken out. What is not JSON is passed over. Linear in the bytes.
[[nodiscard]] std::string linked_text(const std::vector<std::string_view>& contents, LinkedText wanted);

}  // namespace leitong::pages
