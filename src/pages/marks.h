// What the names of an element say of its content: its tag, role and the words of its class and id, read as a set of marks.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/html_events.h"

namespace leitong::pages {

// The first sixteen come from words in classes and ids, the others from tags, roles and properties. Their numbers are places in the
// features that the model was trained on.
enum class Mark : std::uint8_t {
  navigation,
  side,
  foot,
  head,
  related,
  social,
  advert,
  comment,
  byline,
  content,
  article,
  heading,
  product,
  forum,
  concealed,
  dialog,
  article_tag,
  main_tag,
  nav_tag,
  aside_tag,
  footer_tag,
  header_tag,
  form_tag,
  table_tag,
  list_tag,
  section_tag,
  figure_tag,
  quote_tag,
  code_tag,
  definition_tag,
  body_property,
  hidden_tag,
};
inline constexpr unsigned mark_count = 32;

using Marks = std::uint32_t;  // bit i: the mark of number i

struct Names {
  Marks marks = 0;
  std::uint64_t hash = 0;  // of the words in any order; words that set off single items of a list (first, odd, active) do not count
};

// The words of a class or an id: letters between other characters, cut where a capital follows a small letter.
[[nodiscard]] Names read_names(std::string_view value);

// Marks by tag and attributes; without those of class and id.
[[nodiscard]] Marks marks_of(const text::OpenTag& tag);

}  // namespace leitong::pages
