#include "records/fingerprint_line.h"

#include <fmt/format.h>

#include "records/utf8.h"

namespace leitong::records {
namespace {

constexpr std::uint8_t no_digit = 0xff;

struct DigitTable {
  std::array<std::uint8_t, 256> value{};
  constexpr DigitTable() {
    value.fill(no_digit);
    for (std::uint8_t i = 0; i < 10; ++i) value[static_cast<std::size_t>('0' + i)] = i;
    for (std::uint8_t i = 0; i < 6; ++i) {
      value[static_cast<std::size_t>('a' + i)] = value[static_cast<std::size_t>('A' + i)] = static_cast<std::uint8_t>(10 + i);
    }
  }
};
constexpr DigitTable digit_values;

std::string wrong_length(std::size_t digits) {
  if (digits == 8) return "8 digits: fingerprints of 32 bits cannot be joined; 64, 128 and 256 bits can";
  return fmt::format("{} hexadecimal digits, where 16, 32 or 64 are wanted (64, 128 or 256 bits)", digits);
}

std::vector<std::string> wanted(const std::string& field, const std::string& id_field) {
  if (!field.empty()) return {field, id_field};
  return {"fp", "fingerprint", id_field};
}

}  // namespace

HexValue parse_hex(std::string_view digits) {
  HexValue value;
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digit_values.value[static_cast<unsigned char>(digits[i])] == no_digit) {
      value.reason = fmt::format("not hexadecimal: character {} is no digit", i + 1);
      return value;
    }
  }
  if (digits.size() != 16 && digits.size() != 32 && digits.size() != 64) {
    value.reason = wrong_length(digits.size());
    return value;
  }
  value.count = static_cast<unsigned>(digits.size() / 16);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    std::uint64_t& word = value.words[value.count - 1 - i / 16];
    word = word << 4 | digit_values.value[static_cast<unsigned char>(digits[i])];
  }
  return value;
}

FingerprintJson::FingerprintJson(const std::string& field, const std::string& id_field) : names_(wanted(field, id_field)), paths_(names_) {}

FingerprintJson::Line FingerprintJson::parse(std::string_view line) {
  Line out;
  if (!valid_utf8(line)) {
    out.reason = fmt::format("invalid UTF-8 at byte {}", valid_utf8_prefix(line));
    return out;
  }
  if (!fields_.extract(paths_, line)) {
    out.reason =
        fields_.is_other_value() ? "not a JSON object" : fmt::format("broken JSON: {} at byte {}", fields_.error(), fields_.error_offset());
    return out;
  }
  const std::size_t last = names_.size() - 1;
  std::size_t at = 0;
  while (at + 1 < last && fields_.value(at).kind == JsonKind::missing) ++at;
  const JsonPiece& value = fields_.value(at);
  const JsonPiece& id = fields_.value(last);
  if (id.kind == JsonKind::string || id.kind == JsonKind::number) out.id = id.raw;
  if (value.kind == JsonKind::missing) {
    out.reason = last == 1 ? fmt::format("no field \"{}\"", names_[0]) : "no field \"fp\" or \"fingerprint\" (--fp-field says another)";
  } else if (value.kind == JsonKind::null) {
    out.kind = Kind::none;
  } else if (value.kind != JsonKind::string) {
    out.reason = fmt::format("\"{}\" is not a string of hexadecimal digits", names_[at]);
  } else {
    out.kind = Kind::fingerprint;
    out.digits = value.raw.substr(1, value.raw.size() - 2);
    if (value.escaped) {
      unescaped_.resize(value.raw.size() + 16);
      out.digits = std::string_view(unescaped_).substr(0, unescape_json(value.raw, unescaped_.data()));
    }
  }
  return out;
}

}  // namespace leitong::records
