#include "records/json_object.h"

#include <fmt/format.h>

#include "leitong/error.h"
#include "records/json.h"

namespace leitong::records {

std::string& JsonObject::key(std::string_view name) {
  if (out_.size() > 1) out_.push_back(',');
  append_json_string(out_, name);
  out_.push_back(':');
  return out_;
}

JsonObject& JsonObject::text(std::string_view name, std::string_view value) {
  append_json_string(key(name), value);
  return *this;
}

JsonObject& JsonObject::number(std::string_view name, std::uint64_t value) {
  fmt::format_to(std::back_inserter(key(name)), "{}", value);
  return *this;
}

JsonObject& JsonObject::real(std::string_view name, double value) {
  append_json_number(key(name), value);
  return *this;
}

JsonObject& JsonObject::boolean(std::string_view name, bool value) {
  key(name) += value ? "true" : "false";
  return *this;
}

JsonObject& JsonObject::null(std::string_view name) {
  key(name) += "null";
  return *this;
}

JsonObject& JsonObject::raw(std::string_view name, std::string_view json) {
  key(name) += json;
  return *this;
}

JsonObject& JsonObject::names(std::string_view name, const std::vector<std::string>& files) {
  std::vector<std::string> shown;
  for (const std::string& file : files) shown.push_back(shown_name(file));
  return texts(name, shown);
}

JsonObject& JsonObject::texts(std::string_view name, const std::vector<std::string>& values) {
  std::string& out = key(name);
  out.push_back('[');
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out.push_back(',');
    append_json_string(out, values[i]);
  }
  out.push_back(']');
  return *this;
}

JsonReader::JsonReader(const std::string& json, std::string where) : where_(std::move(where)) {
  if (!parser_.parse(json, root_)) throw Error(ErrorCode::format, fmt::format("{}: its metadata is not JSON; make the file again", where_));
}

template <typename T>
T JsonReader::get(JsonValue object, std::string_view key) const {
  T value;
  if (!object[key].get(value))
    throw Error(ErrorCode::format, fmt::format("{}: its metadata lacks \"{}\"; make the file again with this version", where_, key));
  return value;
}

std::string JsonReader::text(JsonValue object, std::string_view key) const { return std::string(get<std::string_view>(object, key)); }
std::uint64_t JsonReader::number(JsonValue object, std::string_view key) const { return get<std::uint64_t>(object, key); }
std::int64_t JsonReader::signed_number(JsonValue object, std::string_view key) const { return get<std::int64_t>(object, key); }
double JsonReader::real(JsonValue object, std::string_view key) const { return get<double>(object, key); }
bool JsonReader::boolean(JsonValue object, std::string_view key) const { return get<bool>(object, key); }
JsonElements JsonReader::array(JsonValue object, std::string_view key) const { return get<JsonElements>(object, key); }

std::vector<std::string> JsonReader::names(JsonValue object, std::string_view key) const {
  std::vector<std::string> values = texts(object, key);
  for (std::string& value : values) value = named_by(value);
  return values;
}

template <typename T>
T JsonReader::as(JsonValue element, std::string_view key, const char* what) const {
  T value;
  if (!element.get(value)) throw Error(ErrorCode::format, fmt::format("{}: \"{}\" holds something else than {}", where_, key, what));
  return value;
}

std::vector<std::string> JsonReader::texts(JsonValue object, std::string_view key) const {
  std::vector<std::string> values;
  for (const JsonValue element : array(object, key)) values.emplace_back(as<std::string_view>(element, key, "texts"));
  return values;
}

std::vector<std::uint64_t> JsonReader::numbers(JsonValue object, std::string_view key) const {
  std::vector<std::uint64_t> values;
  for (const JsonValue element : array(object, key)) values.push_back(as<std::uint64_t>(element, key, "whole numbers"));
  return values;
}

}  // namespace leitong::records
