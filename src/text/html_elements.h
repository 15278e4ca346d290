// The elements of HTML that its readers tell apart, found by name in constant time.
#pragma once

#include <cstdint>
#include <string_view>

namespace leitong::text {

// In alphabetical order; `other` are all elements that the table lacks.
enum class Tag : std::uint8_t {
  other,
  a,
  address,
  article,
  aside,
  blockquote,
  body,
  br,
  button,
  canvas,
  caption,
  center,
  dd,
  details,
  dialog,
  dir,
  div,
  dl,
  dt,
  fieldset,
  figcaption,
  figure,
  footer,
  form,
  h1,
  h2,
  h3,
  h4,
  h5,
  h6,
  head,
  header,
  hgroup,
  hr,
  html,
  iframe,
  input,
  label,
  legend,
  li,
  link,
  listing,
  main,
  math,
  menu,
  meta,
  nav,
  noembed,
  noframes,
  noscript,
  ol,
  optgroup,
  option,
  p,
  plaintext,
  pre,
  script,
  section,
  select,
  style,
  summary,
  svg,
  table,
  tbody,
  td,
  template_,
  textarea,
  tfoot,
  th,
  thead,
  time,
  title,
  tr,
  ul,
  xmp,
};
inline constexpr unsigned tag_count = static_cast<unsigned>(Tag::xmp) + 1;

enum class Kind : std::uint8_t {
  inline_element,  // leaves the text as it is
  block,           // on its own line
  cell,            // a space before and after
  pre,             // block, white space kept
  title,           // character data with references; the first one is kept as a line
  textarea,        // the same, kept
  xmp,             // raw text, kept
  dropped,         // raw text, dropped
  hidden,          // its content is parsed and dropped (template)
  plaintext,       // all that follows is text
};

struct Element {
  Tag tag = Tag::other;
  Kind kind = Kind::inline_element;
};

// By its name as it stands in the page, in whatever case.
[[nodiscard]] Element element_named(std::string_view name);
// The name in lower case; that of `other` is empty.
[[nodiscard]] std::string_view name_of(Tag tag);

}  // namespace leitong::text
