#include "pages/linked_data.h"

#include <simdjson.h>

#include "text/html.h"

namespace leitong::pages {
namespace {

using simdjson::dom::element;

struct Longest {
  std::string_view body, description;
};

void take(std::string_view key, const element& value, Longest& found) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return;
  if (key == "articleBody" && text.size() > found.body.size()) found.body = text;
  if (key == "description" && text.size() > found.description.size()) found.description = text;
}

// All objects, however deep: simdjson's parser bounds the depth.
void search(const element& value, Longest& found) {
  simdjson::dom::object object;
  simdjson::dom::array array;
  if (value.get(object) == simdjson::SUCCESS) {
    for (const auto& [key, member] : object) {
      take(key, member, found);
      search(member, found);
    }
  } else if (value.get(array) == simdjson::SUCCESS) {
    for (const element& member : array) search(member, found);
  }
}

}  // namespace

std::string linked_text(const std::vector<std::string_view>& contents, LinkedText wanted) {
  std::string best;
  simdjson::dom::parser parser;
  for (const std::string_view content : contents) {
    element root;
    if (parser.parse(content.data(), content.size()).get(root) != simdjson::SUCCESS) continue;
    Longest found;
    search(root, found);
    const std::string_view text = wanted == LinkedText::article ? found.body : found.description;
    if (text.size() > best.size()) best = text;
  }
  std::string text;
  text::html_to_text(best, text);
  return text;
}

}  // namespace leitong::pages
