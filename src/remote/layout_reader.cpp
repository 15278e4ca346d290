#include "remote/layout_reader.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "leitong/error.h"

namespace leitong::remote {
namespace {

// In the order of WrittenForm.
constexpr std::array<std::string_view, written_form_count> form_names = {
    "bits", "bits-least-first", "hex", "decimal", "signed-decimal", "reversed-hex", "reversed-decimal", "reversed-signed-decimal"};

template <class Value>
Value read_as(const LayoutReader& reader, std::string_view key, records::JsonValue value, std::string_view kind) {
  Value read{};
  if (!value.get(read)) reader.refuse(fmt::format("\"{}\" must be {}", key, kind));
  return read;
}

}  // namespace

void LayoutReader::refuse(const std::string& what) const { throw Error(ErrorCode::usage, fmt::format("{}: {}", layout, what)); }

std::string_view LayoutReader::text(std::string_view key, records::JsonValue value) const {
  return read_as<std::string_view>(*this, key, value, "a text");
}
bool LayoutReader::boolean(std::string_view key, records::JsonValue value) const {
  return read_as<bool>(*this, key, value, "true or false");
}
unsigned LayoutReader::number(std::string_view key, records::JsonValue value, unsigned least, unsigned most) const {
  const auto read = read_as<std::uint64_t>(*this, key, value, "a number");
  if (read < least || read > most) refuse(fmt::format("\"{}\" is {}; it goes from {} to {}", key, read, least, most));
  return static_cast<unsigned>(read);
}

std::string_view name_of(WrittenForm form) { return form_names[static_cast<std::size_t>(form)]; }

WrittenForm mirror_of(WrittenForm form) {
  using enum WrittenForm;
  constexpr std::array mirrors = {bits_least_first, bits_most_first, reversed_hex, reversed_decimal, reversed_signed_decimal, hex,
                                  decimal,          signed_decimal};
  return mirrors[static_cast<std::size_t>(form)];
}

std::optional<WrittenForm> written_form_named(std::string_view name) {
  for (std::size_t i = 0; i < form_names.size(); ++i)
    if (form_names[i] == name) return static_cast<WrittenForm>(i);
  return std::nullopt;
}

}  // namespace leitong::remote
