// Any bytes as a web page: extraction ends, gives the same text twice, and never an empty one where the page has text. The first byte says
// what is wanted.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "pages/extract.h"
#include "text/html.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace leitong;
  if (size == 0) return 0;
  const std::string_view html(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto wanted = static_cast<pages::Wanted>(data[0] % 4);
  pages::Extractor extract;
  const std::string first = extract(html, wanted, (data[0] & 4) != 0).text;
  if (extract(html, wanted).text != first) std::abort();
  std::string all;
  text::html_to_text(html, all);
  if (first.empty() && !all.empty()) std::abort();
  return 0;
}
