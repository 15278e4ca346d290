// SearchLayout: how fingerprints and their blocks are stored in an index of a search server. Plain data, read from JSON and written as
// JSON.
//
// A document holds one fingerprint: its blocks are an array of terms with an inverted index, and the fingerprint itself is in another
// field.
//
// Presets, for blocks = k + 1 (k 1 to 15):
//   article-plain       "blocks":["0101...", ...] and "simhash":"0101...": strings of 0 and 1 as keywords, with _source
//   article-positioned  the same, each block with its position: "0:0101..."
//   compact             "b":["0c3f1", ...]: position and hexadecimal digits, for searching only; "f": a long, for reading only; no
//                       _source
//
// Threads: a value. Errors: Error(usage) that names the layout and the setting that is impossible.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/fingerprint.h"
#include "remote/block_form.h"
#include "remote/pattern.h"

namespace leitong::search {

struct SearchLayout {
  std::string name = "custom";
  remote::BlockForm form;
  remote::Pattern term{"{block}"};
  std::string block_field = "blocks";  // field with the terms in documents
  std::string term_field;              // field in which terms are searched, as "blocks.keyword"; empty: the block_field
  std::string fingerprint_field = "simhash";
  std::optional<WrittenForm> written;  // the fingerprint is a text in this form; empty: a signed 64-bit number
  bool doc_values = false;             // the fingerprint is read from its doc_values, which is faster; otherwise from _source
  std::string value_field;             // the field with the doc_values, as "simhash.keyword"; empty: the fingerprint_field
  bool source = true;                  // whether _source is kept
  std::string id_field = "_id";        // another name: documents have their own ids in that field
  bool other_fields = false;           // whether documents have other fields, which put() must keep
  bool best_compression = false;
  std::optional<unsigned> shards, replicas;  // of a new index; empty: the server's default

  [[nodiscard]] const std::string& asked_field() const { return term_field.empty() ? block_field : term_field; }
  [[nodiscard]] const std::string& read_field() const { return value_field.empty() ? fingerprint_field : value_field; }
  [[nodiscard]] bool own_ids() const { return id_field == "_id"; }
};

[[nodiscard]] SearchLayout search_preset(std::string_view name, unsigned k);
// Reads a preset's name, or JSON: {"preset":"compact","replicas":0}, or a complete layout. k: the layout gets at least k + 1 blocks; empty:
// as the text says.
[[nodiscard]] SearchLayout read_search_layout(std::string_view text, std::optional<unsigned> k);
[[nodiscard]] std::string to_json(const SearchLayout& layout);

// The terms of the fingerprint, one for each block.
[[nodiscard]] std::vector<std::string> terms_of(const SearchLayout& layout, std::uint64_t fingerprint);
// Appends the document as JSON. `id` is only used by layouts with an id field.
void append_document(const SearchLayout& layout, std::string_view id, std::uint64_t fingerprint, std::string& out);
// The fingerprint written as a text; empty if it is not in the layout's form.
[[nodiscard]] std::optional<std::uint64_t> read_fingerprint(const SearchLayout& layout, std::string_view text);

// The body of a request that creates an index: settings and mapping, with `record` in _meta, and `maker`, which identifies who created it.
[[nodiscard]] std::string index_body(const SearchLayout& layout, std::string_view record, std::string_view maker = {});

}  // namespace leitong::search
