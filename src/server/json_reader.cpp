#include "server/json_reader.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>

#include "server/problem.h"

namespace leitong::server {

struct JsonReader::Impl {
  explicit Impl(unsigned deepest) : depth(deepest) {}
  unsigned depth;
  simdjson::dom::parser parser;
  simdjson::dom::object object;

  // None: there is none, or null.
  [[nodiscard]] std::optional<simdjson::dom::element> find(std::string_view name) const {
    simdjson::dom::element value;
    if (object[name].get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
    return value;
  }
  template <class T>
  [[nodiscard]] std::optional<T> get(std::string_view name, const char* kind) const {
    const auto value = find(name);
    if (!value) return std::nullopt;
    T out{};
    if (value->get(out) != simdjson::SUCCESS) throw bad_field(name, fmt::format("{} must be {}", name, kind));
    return out;
  }
};

JsonReader::JsonReader(unsigned depth) : impl_(std::make_unique<Impl>(depth)) {}
JsonReader::~JsonReader() = default;
JsonReader::JsonReader(JsonReader&&) noexcept = default;
JsonReader& JsonReader::operator=(JsonReader&&) noexcept = default;

void JsonReader::read(std::string_view json, std::initializer_list<std::string_view> allowed) {
  if (impl_->parser.capacity() < json.size() || impl_->parser.capacity() == 0)
    if (impl_->parser.allocate(std::max<std::size_t>(json.size(), 4096), impl_->depth) != simdjson::SUCCESS) throw std::bad_alloc();
  simdjson::dom::element root;
  const simdjson::error_code error = impl_->parser.parse(json.data(), json.size()).get(root);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  if (error == simdjson::DEPTH_ERROR)
    throw Problem(422, "json", fmt::format("the JSON is nested more than {} deep", impl_->depth), member("limit", impl_->depth));
  if (error != simdjson::SUCCESS) throw Problem(422, "json", fmt::format("this is no JSON: {}", simdjson::error_message(error)));
  if (root.get(impl_->object) != simdjson::SUCCESS) throw Problem(422, "json", "a JSON object is wanted, not another value");
  if (allowed.size() == 0) return;
  for (const auto& field : impl_->object) {
    if (field.value.is_null()) throw bad_field(field.key.substr(0, 100), "must not be null: leave it out");
    if (std::find(allowed.begin(), allowed.end(), field.key) == allowed.end())
      throw bad_field(field.key.substr(0, 100),
                      fmt::format("no member of that name is known; those that are: {}", fmt::join(allowed, ", ")));
  }
}

std::optional<std::string_view> JsonReader::text(std::string_view name) const { return impl_->get<std::string_view>(name, "a string"); }
// 7.0 is a whole number, too, as JSON Schema has it.
std::optional<std::uint64_t> JsonReader::number(std::string_view name) const {
  constexpr double most = 9007199254740992;  // up to here every whole number is a double
  const auto value = impl_->find(name);
  double number = 0;
  if (value && value->is_double() && value->get(number) == simdjson::SUCCESS && number >= 0 && number <= most &&
      number == std::floor(number))
    return static_cast<std::uint64_t>(number);
  return impl_->get<std::uint64_t>(name, "a whole number, 0 or more");
}
std::optional<bool> JsonReader::flag(std::string_view name) const { return impl_->get<bool>(name, "true or false"); }

std::optional<std::vector<std::string>> JsonReader::texts(std::string_view name) const {
  const auto array = impl_->get<simdjson::dom::array>(name, "an array of strings");
  if (!array) return std::nullopt;
  std::vector<std::string> out;
  for (const simdjson::dom::element value : *array) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) throw bad_field(name, fmt::format("{} must be an array of strings", name));
    out.emplace_back(text);
  }
  return out;
}

std::optional<std::string> JsonReader::raw(std::string_view name) const {
  const auto value = impl_->find(name);
  return value ? std::optional(simdjson::minify(*value)) : std::nullopt;
}

bool is_utf8(std::string_view bytes) { return simdjson::validate_utf8(bytes.data(), bytes.size()); }

}  // namespace leitong::server
