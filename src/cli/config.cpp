// The configuration file: TOML whose keys are flag names.
#include <toml++/toml.h>

#include <sstream>

#include "cli/parse.h"
#include "leitong/error.h"

namespace leitong::cli {
namespace {

std::string scalar(const toml::node& node, const std::string& origin) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* on = node.as_boolean()) return on->get() ? "true" : "false";
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* real = node.as_floating_point()) {
    std::ostringstream out;
    out.precision(17);
    out << real->get();
    return out.str();
  }
  throw Error(ErrorCode::format, origin + ": a value is a string, a number, true, false or an array of these");
}

void add(const Flag& flag, const toml::node& node, const std::string& origin, std::vector<Assignment>& out) {
  const toml::array* array = node.as_array();
  if (array == nullptr) {
    out.push_back({&flag, scalar(node, origin), origin});
    return;
  }
  if (flag.kind == Kind::list) {
    for (const toml::node& element : *array) out.push_back({&flag, scalar(element, origin), origin});
    return;
  }
  if (flag.kind != Kind::text) throw Error(ErrorCode::format, origin + ": one value, not an array");
  std::string joined;  // ngram-sizes = [1, 2], keep = ["date:oldest", "first"]
  for (const toml::node& element : *array) joined += (joined.empty() ? "" : ",") + scalar(element, origin);
  out.push_back({&flag, joined, origin});
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Flag& flag : flags()) names.emplace_back(flag.name);
  return names;
}

}  // namespace

std::vector<Assignment> read_config(std::string_view bytes, std::string_view name, Command command) {
  std::vector<Assignment> out;
  toml::table table;
  try {
    table = toml::parse(bytes, name);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::format,
                std::string(name) + ":" + std::to_string(error.source().begin.line) + ": " + std::string(error.description()));
  }
  for (const auto& [key, node] : table) {
    const std::string origin = std::string(name) + ":" + std::to_string(key.source().begin.line) + ": " + std::string(key.str());
    const Flag* flag = find_flag(key.str(), command);
    if (flag == nullptr) {
      const std::string_view why = refusal(key.str());
      throw Error(ErrorCode::usage, origin + (why.empty() ? " is not a flag" + suggestion_note(canonical_name(key.str()), all_names(), "")
                                                          : ": " + std::string(why)));
    }
    const std::string_view flag_name = flag->name;
    if (flag_name == "config" || flag_name == "help" || flag_name == "version")
      throw Error(ErrorCode::usage, origin + " has no meaning in a file");
    if ((flag->commands & command) != 0) add(*flag, node, origin, out);
  }
  return out;
}

}  // namespace leitong::cli
