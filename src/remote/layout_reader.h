// Reads the values of a layout's JSON, each with the type that its key requires. Used by the layouts of Redis and of search servers.
//
// Errors: Error(usage), beginning with the layout's name and naming the key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "leitong/fingerprint.h"
#include "records/json_value.h"

namespace leitong::remote {

struct LayoutReader {
  std::string_view layout;  // name of the layout for messages: "Redis layout"

  [[noreturn]] void refuse(const std::string& what) const;
  [[nodiscard]] std::string_view text(std::string_view key, records::JsonValue value) const;
  [[nodiscard]] bool boolean(std::string_view key, records::JsonValue value) const;
  [[nodiscard]] unsigned number(std::string_view key, records::JsonValue value, unsigned least, unsigned most) const;
};

// The name of a written form in layouts: "bits-least-first".
[[nodiscard]] std::string_view name_of(WrittenForm form);
[[nodiscard]] std::optional<WrittenForm> written_form_named(std::string_view name);
// The form in which the same text is the fingerprint with its bits in reverse order.
[[nodiscard]] WrittenForm mirror_of(WrittenForm form);

}  // namespace leitong::remote
