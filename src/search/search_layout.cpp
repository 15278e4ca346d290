#include "search/search_layout.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "leitong/error.h"
#include "records/json_object.h"
#include "remote/layout_reader.h"
#include "search/search_client.h"

namespace leitong::search {
namespace {

using records::JsonObject;
using records::JsonValue;

constexpr unsigned largest_k = remote::most_blocks - 1;

constexpr std::string_view as_long = "long";

constexpr remote::LayoutReader reader{"search layout"};
[[noreturn]] void refuse(const std::string& what) { reader.refuse(what); }

std::string_view written_name(std::optional<WrittenForm> written) { return written ? remote::name_of(*written) : as_long; }

std::optional<WrittenForm> written_named(std::string_view text) {
  if (text == as_long) return std::nullopt;
  if (const auto form = remote::written_form_named(text)) return form;
  refuse(fmt::format(
      "\"{}\" is no way to write a fingerprint: long, bits, bits-least-first, hex, decimal, signed-decimal, or reversed-hex and so on",
      text));
}

SearchLayout article_plain() {
  SearchLayout layout;
  layout.written = WrittenForm::bits_most_first;
  layout.doc_values = true;
  return layout;
}

SearchLayout article_positioned() {
  SearchLayout layout = article_plain();
  layout.term = remote::Pattern("{position}:{block}");
  return layout;
}

SearchLayout compact() {
  SearchLayout layout;
  layout.form.digits = remote::Digits::hex;
  layout.term = remote::Pattern("{position}{block}");
  layout.block_field = "b";
  layout.fingerprint_field = "f";
  layout.doc_values = true;
  layout.source = false;
  return layout;
}

struct Preset {
  std::string_view name;
  SearchLayout (*make)();
};
constexpr std::array presets = {Preset{"article-plain", article_plain}, Preset{"article-positioned", article_positioned},
                                Preset{"compact", compact}};

std::string text(std::string_view key, JsonValue value) {
  const std::string_view read = reader.text(key, value);
  if (read.empty()) refuse(fmt::format("\"{}\" is empty", key));
  return std::string(read);
}
bool boolean(std::string_view key, JsonValue value) { return reader.boolean(key, value); }
unsigned number(std::string_view key, JsonValue value, unsigned least, unsigned most) { return reader.number(key, value, least, most); }

struct Key {
  std::string_view name;
  void (*read)(SearchLayout&, std::string_view key, JsonValue value);
};
constexpr unsigned most_shards = 1024;
constexpr std::array keys = {
    Key{"name", [](SearchLayout& to, std::string_view key, JsonValue value) { to.name = text(key, value); }},
    Key{"blocks", [](SearchLayout& to, std::string_view key,
                     JsonValue value) { to.form.blocks = number(key, value, remote::least_blocks, remote::most_blocks); }},
    Key{"digits",
        [](SearchLayout& to, std::string_view key, JsonValue value) {
          const auto digits = remote::digits_named(text(key, value));
          if (!digits || *digits == remote::Digits::bytes) refuse("\"digits\" must be bits, decimal, hex or hex-short");
          to.form.digits = *digits;
        }},
    Key{"least_first", [](SearchLayout& to, std::string_view key, JsonValue value) { to.form.least_first = boolean(key, value); }},
    Key{"reversed", [](SearchLayout& to, std::string_view key, JsonValue value) { to.form.reversed = boolean(key, value); }},
    Key{"first", [](SearchLayout& to, std::string_view key, JsonValue value) { to.form.first = number(key, value, 0, 1); }},
    Key{"term", [](SearchLayout& to, std::string_view key, JsonValue value) { to.term = remote::Pattern(text(key, value)); }},
    Key{"block_field", [](SearchLayout& to, std::string_view key, JsonValue value) { to.block_field = text(key, value); }},
    Key{"term_field", [](SearchLayout& to, std::string_view key, JsonValue value) { to.term_field = text(key, value); }},
    Key{"fingerprint_field", [](SearchLayout& to, std::string_view key, JsonValue value) { to.fingerprint_field = text(key, value); }},
    Key{"fingerprint", [](SearchLayout& to, std::string_view key, JsonValue value) { to.written = written_named(text(key, value)); }},
    Key{"doc_values", [](SearchLayout& to, std::string_view key, JsonValue value) { to.doc_values = boolean(key, value); }},
    Key{"value_field", [](SearchLayout& to, std::string_view key, JsonValue value) { to.value_field = text(key, value); }},
    Key{"source", [](SearchLayout& to, std::string_view key, JsonValue value) { to.source = boolean(key, value); }},
    Key{"id_field", [](SearchLayout& to, std::string_view key, JsonValue value) { to.id_field = text(key, value); }},
    Key{"other_fields", [](SearchLayout& to, std::string_view key, JsonValue value) { to.other_fields = boolean(key, value); }},
    Key{"best_compression", [](SearchLayout& to, std::string_view key, JsonValue value) { to.best_compression = boolean(key, value); }},
    Key{"shards", [](SearchLayout& to, std::string_view key, JsonValue value) { to.shards = number(key, value, 1, most_shards); }},
    Key{"replicas", [](SearchLayout& to, std::string_view key, JsonValue value) { to.replicas = number(key, value, 0, most_shards); }},
};

void read_key(SearchLayout& layout, std::string_view name, JsonValue value) {
  if (name == "preset") return;
  for (const Key& key : keys) {
    if (key.name == name) return key.read(layout, name, value);
  }
  refuse(fmt::format("\"{}\" is no key of a layout", name));
}

void check(const SearchLayout& layout) {
  if (!layout.term.has_block()) refuse(fmt::format("the term \"{}\" lacks {{block}}", layout.term.text()));
  if (layout.term.has_id() || layout.term.has_fingerprint())
    refuse(fmt::format("the term \"{}\" may hold position and block only", layout.term.text()));
  if (!layout.source && !layout.doc_values) refuse("without _source the fingerprint needs doc_values to be read from");
  if (!layout.source && (layout.other_fields || !layout.own_ids())) refuse("other_fields and id_field need _source");
  if (layout.block_field == layout.fingerprint_field) refuse("blocks and fingerprint need a field each");
}

SearchLayout preset_named(std::string_view name) {
  for (const Preset& preset : presets) {
    if (preset.name != name) continue;
    SearchLayout layout = preset.make();
    layout.name = name;
    return layout;
  }
  refuse(fmt::format("\"{}\" is neither a preset (article-plain, article-positioned, compact) nor JSON", name));
}

// The mapping of the path a.b: {"a":{"properties":{"b":{...}}}}.
std::string property(std::string_view path, const std::string& json) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return json_text(path) + ":" + json;
  return fmt::format("{}:{{\"properties\":{{{}}}}}", json_text(path.substr(0, dot)), property(path.substr(dot + 1), json));
}

std::string settings_of(const SearchLayout& layout) {
  JsonObject index;
  if (layout.shards) index.number("number_of_shards", *layout.shards);
  if (layout.replicas) index.number("number_of_replicas", *layout.replicas);
  if (layout.best_compression) index.text("codec", "best_compression");
  return JsonObject().raw("index", index.str()).str();
}

std::string mappings_of(const SearchLayout& layout, std::string_view record, std::string_view maker) {
  JsonObject blocks, fingerprint;
  blocks.text("type", "keyword").boolean("doc_values", false).boolean("norms", false).text("index_options", "docs");
  fingerprint.text("type", layout.written ? "keyword" : "long").boolean("index", false).boolean("doc_values", layout.doc_values);
  std::string properties = property(layout.block_field, blocks.str()) + "," + property(layout.fingerprint_field, fingerprint.str());
  if (!layout.own_ids()) properties += "," + property(layout.id_field, R"({"type":"keyword"})");
  JsonObject mappings;
  mappings.boolean("dynamic", false);
  JsonObject meta;
  meta.text("leitong", record);
  if (!maker.empty()) meta.text("leitong_maker", maker);
  mappings.raw("_meta", meta.str());
  if (!layout.source) mappings.raw("_source", R"({"enabled":false})");
  return mappings.raw("properties", "{" + properties + "}").str();
}

}  // namespace

SearchLayout search_preset(std::string_view name, unsigned k) { return read_search_layout(name, k); }

SearchLayout read_search_layout(std::string_view json, std::optional<unsigned> k) {
  if (k && (*k < 1 || *k > largest_k)) refuse(fmt::format("k = {} is not among 1 to {}", *k, largest_k));
  SearchLayout layout;
  bool blocks_given = false;
  if (!json.starts_with('{')) {
    layout = preset_named(json);
  } else {
    records::JsonParser parser;
    JsonValue object;
    records::JsonMembers fields;
    if (!parser.parse(json, object) || !object.get(fields)) refuse("this is no JSON object");
    if (const JsonValue preset = object["preset"]) layout = preset_named(text("preset", preset));
    for (const records::JsonMember& field : fields) {
      read_key(layout, field.key, field.value);
      blocks_given = blocks_given || field.key == "blocks";
    }
  }
  if (k && !blocks_given) layout.form.blocks = *k + 1;
  if (k && layout.form.blocks <= *k)
    refuse(fmt::format("{} blocks find all up to k = {}, not {}", layout.form.blocks, layout.form.blocks - 1, *k));
  check(layout);
  return layout;
}

std::string to_json(const SearchLayout& layout) {
  JsonObject out;
  out.text("name", layout.name).number("blocks", layout.form.blocks).text("digits", remote::name_of(layout.form.digits));
  out.boolean("least_first", layout.form.least_first).boolean("reversed", layout.form.reversed).number("first", layout.form.first);
  out.text("term", layout.term.text()).text("block_field", layout.block_field);
  if (!layout.term_field.empty()) out.text("term_field", layout.term_field);
  out.text("fingerprint_field", layout.fingerprint_field).text("fingerprint", written_name(layout.written));
  if (!layout.value_field.empty()) out.text("value_field", layout.value_field);
  out.boolean("doc_values", layout.doc_values).boolean("source", layout.source).text("id_field", layout.id_field);
  out.boolean("other_fields", layout.other_fields).boolean("best_compression", layout.best_compression);
  if (layout.shards) out.number("shards", *layout.shards);
  if (layout.replicas) out.number("replicas", *layout.replicas);
  return out.str();
}

std::vector<std::string> terms_of(const SearchLayout& layout, std::uint64_t fingerprint) {
  std::vector<std::string> terms(layout.form.blocks);
  std::string block;
  for (unsigned i = 0; i < layout.form.blocks; ++i) {
    block.clear();
    remote::append_block(layout.form, fingerprint, i, block);
    const std::string position = std::to_string(layout.form.first + i);
    layout.term.append({.position = position, .block = block, .id = {}, .fingerprint = {}}, terms[i]);
  }
  return terms;
}

void append_document(const SearchLayout& layout, std::string_view id, std::uint64_t fingerprint, std::string& out) {
  JsonObject document;
  document.texts(layout.block_field, terms_of(layout, fingerprint));
  Fingerprint written;
  written.words[0] = fingerprint;
  if (layout.written) {
    document.text(layout.fingerprint_field, write_as(written, *layout.written));
  } else {
    document.raw(layout.fingerprint_field, to_signed_decimal(written));
  }
  if (!layout.own_ids()) document.text(layout.id_field, id);
  out += document.str();
}

std::optional<std::uint64_t> read_fingerprint(const SearchLayout& layout, std::string_view text) {
  const auto read = read_written(text, layout.written.value_or(WrittenForm::signed_decimal), 64);
  return read ? std::optional(read->words[0]) : std::nullopt;
}

std::string index_body(const SearchLayout& layout, std::string_view record, std::string_view maker) {
  return JsonObject().raw("settings", settings_of(layout)).raw("mappings", mappings_of(layout, record, maker)).str();
}

}  // namespace leitong::search
