// Patterns that describe keys, members and terms, such as "{position}:{block}" or "{id}:{fingerprint}". Braces enclose field names and
// other characters stand for themselves; "{{" and "}}" stand for braces.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::remote {

// The values of the fields as written.
struct PatternFields {
  std::string_view position, block, id, fingerprint;
};

class Pattern {
 public:
  Pattern() = default;
  // Throws Error(usage) for an unknown field, a field named twice, two adjacent fields neither of which has a known form
  // ("{id}{fingerprint}"), or an unmatched brace.
  explicit Pattern(std::string_view text);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool has_position() const;
  [[nodiscard]] bool has_block() const;
  [[nodiscard]] bool has_id() const;
  [[nodiscard]] bool has_fingerprint() const;

  void append(const PatternFields& fields, std::string& out) const;
  // The values of the fields, as views into `text`; empty if the text does not match. The text between fields is looked for from both ends
  // towards the id, because the id may contain anything: in "{id}:{fingerprint}" the last colon is the separator. A position is one or two
  // decimal digits.
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
