// The address that a page names as its own: <link rel="canonical" href="...">.
#pragma once

#include <string>
#include <string_view>

namespace leitong::text {

// As it stands in the first such element, "&amp;" turned to "&"; empty: there is none in the page's first 256 KiB. Linear time.
[[nodiscard]] std::string canonical_link(std::string_view html);

}  // namespace leitong::text
