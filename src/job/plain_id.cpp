#include "job/plain_id.h"

#include "records/json_value.h"

namespace leitong::job {

std::string plain_id(std::string_view json) {
  if (json.size() < 2 || json.front() != '"') return std::string(json);
  if (json.find('\\') == std::string_view::npos) return std::string(json.substr(1, json.size() - 2));
  records::JsonParser parser;
  records::JsonValue value;
  std::string_view text;
  if (!parser.parse(json, value) || !value.get(text)) return std::string(json);
  return std::string(text);
}

}  // namespace leitong::job
