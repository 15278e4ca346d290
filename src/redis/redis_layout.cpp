#include "redis/redis_layout.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "leitong/error.h"
#include "records/json_object.h"
#include "remote/layout_reader.h"

namespace leitong::redis {
namespace {

using records::JsonValue;

constexpr std::uint32_t most_shards = std::uint32_t{1} << 24;  // the shard number has three bytes

template <class Value>
using Name = std::pair<Value, std::string_view>;

constexpr std::array<Name<Container>, 4> containers = {
    {{Container::set, "set"}, {Container::list, "list"}, {Container::string, "string"}, {Container::packed, "packed"}}};
constexpr std::array<Name<MapKind>, 4> maps = {
    {{MapKind::none, "none"}, {MapKind::string, "string"}, {MapKind::hash, "hash"}, {MapKind::shards, "shards"}}};
constexpr std::array<Name<bool>, 2> directions = {{{false, "most-first"}, {true, "least-first"}}};

constexpr remote::LayoutReader reader{"Redis layout"};
[[noreturn]] void refuse(const std::string& what) { reader.refuse(what); }

template <class Value, std::size_t count>
std::string_view name_in(const std::array<Name<Value>, count>& names, Value value) {
  return std::find_if(names.begin(), names.end(), [&](const auto& row) { return row.first == value; })->second;
}

std::string_view text(std::string_view key, JsonValue value) { return reader.text(key, value); }
bool boolean(std::string_view key, JsonValue value) { return reader.boolean(key, value); }
unsigned number(std::string_view key, JsonValue value, unsigned least, unsigned most) { return reader.number(key, value, least, most); }

template <class Value, std::size_t count>
Value choice(const std::array<Name<Value>, count>& names, std::string_view key, JsonValue value) {
  const std::string_view given = text(key, value);
  std::string known;
  for (const auto& [one, name] : names) {
    if (name == given) return one;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
  }
  refuse(fmt::format("\"{}\" is \"{}\"; it can be {}", key, given, known));
}

std::array<Name<WrittenForm>, written_form_count> forms() {
  std::array<Name<WrittenForm>, written_form_count> all;
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = {static_cast<WrittenForm>(i), remote::name_of(static_cast<WrittenForm>(i))};
  return all;
}

WrittenForm other_way(WrittenForm form) {
  using enum WrittenForm;
  constexpr std::array<std::pair<WrittenForm, WrittenForm>, 4> pairs = {{{bits_most_first, bits_least_first},
                                                                         {WrittenForm::hex, reversed_hex},
                                                                         {decimal, reversed_decimal},
                                                                         {signed_decimal, reversed_signed_decimal}}};
  for (const auto& [one, other] : pairs) {
    if (form == one) return other;
    if (form == other) return one;
  }
  return form;
}

void take_bits(RedisLayout& to, std::string_view key, JsonValue value) {
  const bool least_first = choice(directions, key, value);
  const bool is_so = to.fingerprint == WrittenForm::bits_least_first || to.fingerprint >= WrittenForm::reversed_hex;
  to.form.least_first = to.form.reversed = least_first;
  if (is_so != least_first) to.fingerprint = other_way(to.fingerprint);
}

struct Key {
  std::string_view name;
  void (*take)(RedisLayout&, std::string_view key, JsonValue value);
};

// In the order in which they are applied: "bits" comes first, so that the more specific settings override it.
constexpr std::array keys = {
    Key{"bits", take_bits},
    Key{"name", [](RedisLayout& to, std::string_view key, JsonValue value) { to.name = text(key, value); }},
    Key{"blocks", [](RedisLayout& to, std::string_view key,
                     JsonValue value) { to.form.blocks = number(key, value, remote::least_blocks, remote::most_blocks); }},
    Key{"digits",
        [](RedisLayout& to, std::string_view key, JsonValue value) {
          const auto digits = remote::digits_named(text(key, value));
          if (!digits) refuse(fmt::format("\"{}\" must be bits, decimal, hex, hex-short or bytes", key));
          to.form.digits = *digits;
        }},
    Key{"least_first", [](RedisLayout& to, std::string_view key, JsonValue value) { to.form.least_first = boolean(key, value); }},
    Key{"reversed", [](RedisLayout& to, std::string_view key, JsonValue value) { to.form.reversed = boolean(key, value); }},
    Key{"first", [](RedisLayout& to, std::string_view key, JsonValue value) { to.form.first = number(key, value, 0, 1); }},
    Key{"key", [](RedisLayout& to, std::string_view key, JsonValue value) { to.key = remote::Pattern(text(key, value)); }},
    Key{"container", [](RedisLayout& to, std::string_view key, JsonValue value) { to.container = choice(containers, key, value); }},
    Key{"member", [](RedisLayout& to, std::string_view key, JsonValue value) { to.member = remote::Pattern(text(key, value)); }},
    Key{"separator", [](RedisLayout& to, std::string_view key, JsonValue value) { to.separator = text(key, value); }},
    Key{"fingerprint", [](RedisLayout& to, std::string_view key, JsonValue value) { to.fingerprint = choice(forms(), key, value); }},
    Key{"map", [](RedisLayout& to, std::string_view key, JsonValue value) { to.map = choice(maps, key, value); }},
    Key{"map_key", [](RedisLayout& to, std::string_view key, JsonValue value) { to.map_key = remote::Pattern(text(key, value)); }},
    Key{"shards", [](RedisLayout& to, std::string_view key, JsonValue value) { to.shards = number(key, value, 1, most_shards); }},
};

RedisLayout article_plain() {
  RedisLayout layout;
  layout.name = "article-plain";
  return layout;
}

RedisLayout article_positioned() {
  RedisLayout layout;
  layout.name = "article-positioned";
  layout.key = remote::Pattern("{position}:{block}");
  return layout;
}

RedisLayout compact() {
  RedisLayout layout;
  layout.name = "compact";
  layout.form.digits = remote::Digits::bytes;
  layout.key = remote::Pattern("{position}{block}");
  layout.container = Container::packed;
  layout.map = MapKind::shards;
  layout.map_key = remote::Pattern("m");
  return layout;
}

struct Preset {
  std::string_view name;
  RedisLayout (*make)();
};
constexpr std::array presets = {Preset{"article-plain", article_plain}, Preset{"article-positioned", article_positioned},
                                Preset{"compact", compact}};

RedisLayout preset_named(std::string_view name) {
  for (const Preset& preset : presets) {
    if (preset.name == name) return preset.make();
  }
  refuse(fmt::format("\"{}\" is neither a preset (article-plain, article-positioned, compact) nor JSON", name));
}

bool only(const remote::Pattern& pattern, bool position, bool block, bool id, bool fingerprint) {
  return (position || !pattern.has_position()) && (block || !pattern.has_block()) && (id || !pattern.has_id()) &&
         (fingerprint || !pattern.has_fingerprint());
}

void check_buckets(const RedisLayout& layout) {
  if (!layout.key.has_block() || !only(layout.key, true, true, false, false)) {
    refuse(fmt::format("the key \"{}\" needs {{block}}, and may hold {{position}} besides", layout.key.text()));
  }
  if (layout.container == Container::packed) {
    if (!layout.key.has_position()) refuse("packed records need {position} in their key");
    if (layout.form.reversed) refuse("packed records are of blocks that are not reversed");
    return;
  }
  if (!only(layout.member, false, false, true, true) || (!layout.member.has_id() && !layout.member.has_fingerprint())) {
    refuse(fmt::format("the member \"{}\" needs {{id}}, {{fingerprint}} or both, and nothing else", layout.member.text()));
  }
  if (layout.container == Container::string && layout.separator.empty()) refuse("members in a string need a separator");
}

void check_map(const RedisLayout& layout) {
  const bool of_ids = layout.map == MapKind::string;
  if (layout.map == MapKind::none) {
    if (!layout.tells_fingerprint()) refuse("without a map members need {fingerprint}");
    if (layout.container == Container::packed) refuse("packed records need a map");
    return;
  }
  if (layout.id_is_fingerprint()) refuse(fmt::format("members \"{}\" have no ids, so there is no map", layout.member.text()));
  if (!only(layout.map_key, false, false, of_ids, false) || (of_ids && !layout.map_key.has_id())) {
    refuse(fmt::format("the map's key \"{}\" {}", layout.map_key.text(),
                       of_ids ? "needs {id}, and nothing else" : "is one text without fields"));
  }
  if (of_ids ? layout.map_key == remote::Pattern("{id}") && layout.container != Container::set && layout.container != Container::list
             : layout.map_key.text().empty()) {
    refuse("keys of the map and keys of blocks must be told apart: put something before the map's");
  }
}

}  // namespace

RedisLayout redis_preset(std::string_view name, unsigned k) { return read_redis_layout(name, k); }

RedisLayout read_redis_layout(std::string_view given, std::optional<unsigned> k) {
  if (k && (*k < 1 || *k >= remote::most_blocks)) refuse(fmt::format("k = {} is not among 1 to {}", *k, remote::most_blocks - 1));
  RedisLayout layout;
  bool blocks_given = false;
  if (!given.starts_with('{')) {
    layout = preset_named(given);
  } else {
    records::JsonParser parser;
    JsonValue object;
    records::JsonMembers fields;
    if (!parser.parse(given, object) || !object.get(fields)) refuse("this is no JSON object");
    if (const JsonValue preset = object["preset"]) layout = preset_named(text("preset", preset));
    for (const Key& key : keys) {
      if (const JsonValue value = object[key.name]) key.take(layout, key.name, value);
    }
    for (const records::JsonMember& field : fields) {
      blocks_given = blocks_given || field.key == "blocks";
      const bool known = std::any_of(keys.begin(), keys.end(), [&](const Key& key) { return key.name == field.key; });
      if (!known && field.key != "preset") refuse(fmt::format("\"{}\" is no key of a layout", field.key));
    }
  }
  if (k && !blocks_given) layout.form.blocks = *k + 1;
  if (k && layout.form.blocks <= *k) {
    refuse(fmt::format("{} blocks find all up to k = {}, not {}", layout.form.blocks, layout.form.blocks - 1, *k));
  }
  check_buckets(layout);
  check_map(layout);
  return layout;
}

std::string to_json(const RedisLayout& layout) {
  records::JsonObject out;
  out.text("name", layout.name).number("blocks", layout.form.blocks).text("digits", remote::name_of(layout.form.digits));
  out.boolean("least_first", layout.form.least_first).boolean("reversed", layout.form.reversed).number("first", layout.form.first);
  out.text("key", layout.key.text()).text("container", name_in(containers, layout.container));
  if (layout.container != Container::packed) out.text("member", layout.member.text());
  if (layout.container == Container::string) out.text("separator", layout.separator);
  out.text("fingerprint", remote::name_of(layout.fingerprint)).text("map", name_in(maps, layout.map));
  if (layout.map != MapKind::none) out.text("map_key", layout.map_key.text());
  if (layout.map == MapKind::shards) out.number("shards", layout.shards);
  return out.str();
}

}  // namespace leitong::redis
