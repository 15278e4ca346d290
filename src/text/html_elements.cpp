#include "text/html_elements.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace leitong::text {
namespace {

struct Entry {
  std::string_view name;
  Kind kind;
};

constexpr Kind inline_ = Kind::inline_element;

// In the order of Tag.
constexpr std::array entries = std::to_array<Entry>({
    {"", inline_},
    {"a", inline_},
    {"address", Kind::block},
    {"article", Kind::block},
    {"aside", Kind::block},
    {"blockquote", Kind::block},
    {"body", Kind::block},
    {"br", Kind::block},
    {"button", inline_},
    {"canvas", inline_},
    {"caption", Kind::block},
    {"center", Kind::block},
    {"dd", Kind::block},
    {"details", Kind::block},
    {"dialog", Kind::block},
    {"dir", Kind::block},
    {"div", Kind::block},
    {"dl", Kind::block},
    {"dt", Kind::block},
    {"fieldset", Kind::block},
    {"figcaption", Kind::block},
    {"figure", Kind::block},
    {"footer", Kind::block},
    {"form", Kind::block},
    {"h1", Kind::block},
    {"h2", Kind::block},
    {"h3", Kind::block},
    {"h4", Kind::block},
    {"h5", Kind::block},
    {"h6", Kind::block},
    {"head", Kind::block},
    {"header", Kind::block},
    {"hgroup", Kind::block},
    {"hr", Kind::block},
    {"html", Kind::block},
    {"iframe", Kind::dropped},
    {"input", inline_},
    {"label", inline_},
    {"legend", Kind::block},
    {"li", Kind::block},
    {"link", inline_},
    {"listing", Kind::pre},
    {"main", Kind::block},
    {"math", inline_},
    {"menu", Kind::block},
    {"meta", inline_},
    {"nav", Kind::block},
    {"noembed", Kind::dropped},
    {"noframes", Kind::dropped},
    {"noscript", Kind::dropped},
    {"ol", Kind::block},
    {"optgroup", Kind::block},
    {"option", Kind::block},
    {"p", Kind::block},
    {"plaintext", Kind::plaintext},
    {"pre", Kind::pre},
    {"script", Kind::dropped},
    {"section", Kind::block},
    {"select", Kind::block},
    {"style", Kind::dropped},
    {"summary", Kind::block},
    {"svg", inline_},
    {"table", Kind::block},
    {"tbody", Kind::block},
    {"td", Kind::cell},
    {"template", Kind::hidden},
    {"textarea", Kind::textarea},
    {"tfoot", Kind::block},
    {"th", Kind::cell},
    {"thead", Kind::block},
    {"time", inline_},
    {"title", Kind::title},
    {"tr", Kind::block},
    {"ul", Kind::block},
    {"xmp", Kind::xmp},
});
static_assert(entries.size() == tag_count);
static_assert(std::is_sorted(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; }));

constexpr std::size_t longest = 10;
constexpr unsigned slot_bits = 10;

// Upper case letters become lower case; of the characters beside letters that a name in the table has, digits, none changes.
constexpr std::uint64_t key_of(std::string_view name) {
  std::uint64_t key = 0;
  for (const char c : name) key = key * 37 + (static_cast<unsigned char>(c) | 0x20U);
  return key;
}

constexpr std::size_t slot_of(std::uint64_t key, std::uint64_t factor) {
  return static_cast<std::size_t>((key * factor) >> (64 - slot_bits));
}

using Slots = std::array<std::uint8_t, std::size_t{1} << slot_bits>;

// Whether no two names share a slot; fills them.
constexpr bool fill(std::uint64_t factor, Slots& slots) {
  slots = Slots{};
  for (std::size_t i = 1; i < entries.size(); ++i) {
    std::uint8_t& slot = slots[slot_of(key_of(entries[i].name), factor)];
    if (slot != 0) return false;
    slot = static_cast<std::uint8_t>(i);
  }
  return true;
}

struct Table {
  std::uint64_t factor = 0x9E3779B97F4A7C15;
  Slots slots{};
};

constexpr Table made() {
  Table table;
  while (!fill(table.factor, table.slots)) table.factor = table.factor * 0x5851F42D4C957F2D + 2;
  return table;
}

constexpr Table table = made();

bool same(std::string_view name, std::string_view lower_case) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c) != lower_case[i]) return false;
  }
  return true;
}

}  // namespace

Element element_named(std::string_view name) {
  if (name.size() > longest) return {};
  const std::uint8_t at = table.slots[slot_of(key_of(name), table.factor)];
  const Entry& entry = entries[at];
  if (entry.name.size() != name.size() || !same(name, entry.name)) return {};
  return {static_cast<Tag>(at), entry.kind};
}

std::string_view name_of(Tag tag) { return entries[static_cast<std::size_t>(tag)].name; }

}  // namespace leitong::text
