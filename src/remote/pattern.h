// Patterns: how keys, members and terms are put together, "{position}:{block}" or "{id}:{fingerprint}". Braces hold field names, the rest
// stands as it is; "{{" and "}}" are braces.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::remote {

// Values of the fields, as written.
struct PatternFields {
  std::string_view position, block, id, fingerprint;
};

class Pattern {
 public:
  Pattern() = default;
  // Error(usage) for an unknown field, one named twice, two fields with nothing between them of which neither has a known form
  // ("{id}{fingerprint}"), or a brace without its partner.
  explicit Pattern(std::string_view text);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool has_position() const;
  [[nodiscard]] bool has_block() const;
  [[nodiscard]] bool has_id() const;
  [[nodiscard]] bool has_fingerprint() const;

  void append(const PatternFields& fields, std::string& out) const;
  // The fields' values, views into `text`; none: it is not of this pattern. What stands between fields is looked for from both ends towards
  // the id, which may hold anything: of "{id}:{fingerprint}" the last colon parts them. A position is one or two decimal digits.
  [[nodiscard]] std::optional<PatternFields> match(std::string_view text) const;

  friend bool operator==(const Pattern& a, const Pattern& b) { return a.text_ == b.text_; }

 private:
  enum class Field : unsigned char { literal, position, block, id, fingerprint };
  struct Part {
    Field field;
    std::string literal;
  };
  [[nodiscard]] bool has(Field field) const;
  std::string text_;
  std::vector<Part> parts_;
};

}  // namespace leitong::remote
