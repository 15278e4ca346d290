#include "records/json_value.h"

#include <simdjson.h>

#include <bit>
#include <new>
#include <type_traits>

namespace leitong::records {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::element;
using Words = std::array<std::uintptr_t, 2>;

static_assert(sizeof(element) == sizeof(Words) && std::is_trivially_copyable_v<element>);

element element_of(const Words& handle) { return std::bit_cast<element>(handle); }
Words handle_of(const element& value) { return std::bit_cast<Words>(value); }

}  // namespace

template <class T>
bool JsonValue::read(T& out) const {
  return *this && element_of(handle_).get(out) == SUCCESS;
}

JsonValue JsonValue::operator[](std::string_view key) const {
  element member;
  if (!*this || element_of(handle_)[key].get(member) != SUCCESS) return {};
  return JsonValue(handle_of(member));
}

bool JsonValue::get(std::string_view& out) const { return read(out); }
bool JsonValue::get(std::uint64_t& out) const { return read(out); }
bool JsonValue::get(std::int64_t& out) const { return read(out); }
bool JsonValue::get(double& out) const { return read(out); }
bool JsonValue::get(bool& out) const { return read(out); }

bool JsonValue::get(JsonElements& out) const {
  simdjson::dom::array all;
  if (!read(all)) return false;
  out.clear();
  for (const element one : all) out.push_back(JsonValue(handle_of(one)));
  return true;
}

bool JsonValue::get(JsonMembers& out) const {
  simdjson::dom::object all;
  if (!read(all)) return false;
  out.clear();
  for (const auto one : all) out.push_back({one.key, JsonValue(handle_of(one.value))});
  return true;
}

bool JsonValue::is_null() const { return *this && element_of(handle_).is_null(); }
std::string JsonValue::minified() const { return *this ? simdjson::minify(element_of(handle_)) : std::string(); }

struct JsonParser::Impl {
  simdjson::dom::parser parser;
};

JsonParser::JsonParser() : impl_(std::make_unique<Impl>()) {}
JsonParser::~JsonParser() = default;

bool JsonParser::parse(std::string_view json, JsonValue& root) {
  element parsed;
  const simdjson::error_code error = impl_->parser.parse(json.data(), json.size()).get(parsed);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();  // no fault of the text
  root = error == SUCCESS ? JsonValue(handle_of(parsed)) : JsonValue();
  return error == SUCCESS;
}

}  // namespace leitong::records
