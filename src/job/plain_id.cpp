#include "job/plain_id.h"

#include <simdjson.h>

namespace leitong::job {

std::string plain_id(std::string_view json) {
  if (json.size() < 2 || json.front() != '"') return std::string(json);
  if (json.find('\\') == std::string_view::npos) return std::string(json.substr(1, json.size() - 2));
  simdjson::dom::parser parser;
  std::string_view text;
  if (parser.parse(simdjson::padded_string(json)).get(text) != simdjson::SUCCESS) return std::string(json);
  return std::string(text);
}

}  // namespace leitong::job
