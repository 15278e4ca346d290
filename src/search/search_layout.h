// SearchLayout: how fingerprints and their blocks lie in an index of a search server. Data, read from JSON and written as JSON.
//
// A document is a fingerprint: its blocks are an array of terms with an inverted index, the fingerprint itself is in another field.
//
// Presets, for blocks = k + 1 (k 1 to 15):
//   article-plain       "blocks":["0101...", ...] and "simhash":"0101...", 01-strings as keywords, with _source
//   article-positioned  the same, each block with its number: "0:0101..."
//   compact             "b":["0c3f1", ...], number and hexadecimal digits, which are only searched; "f" a long, which is only read; no
//   _source
//
// Threads: a value. Errors: Error(usage) that names the layout and what it cannot be.
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
  std::string block_field = "blocks";  // where documents have their terms
  std::string term_field;              // what is asked for terms, as "blocks.keyword"; empty: the block_field
  std::string fingerprint_field = "simhash";
  std::optional<WrittenForm> written;  // the fingerprint is a text in this form; none: a signed 64-bit number
  bool doc_values = false;             // the fingerprint is read from its doc_values, which is faster; else from _source
  std::string value_field;             // the field of those, as "simhash.keyword"; empty: the fingerprint_field
  bool source = true;                  // _source is kept
  std::string id_field = "_id";        // another one: documents have ids of their own
  bool other_fields = false;           // documents hold other fields, which put() leaves as they are
  bool best_compression = false;
  std::optional<unsigned> shards, replicas;  // of a new index; none: the server's default

  [[nodiscard]] const std::string& asked_field() const { return term_field.empty() ? block_field : term_field; }
  [[nodiscard]] const std::string& read_field() const { return value_field.empty() ? fingerprint_field : value_field; }
  [[nodiscard]] bool own_ids() const { return id_field == "_id"; }
};

[[nodiscard]] SearchLayout search_preset(std::string_view name, unsigned k);
// A preset's name, or JSON: {"preset":"compact","replicas":0}, or all of it. k: at least so many blocks less one; none: as it stands there.
[[nodiscard]] SearchLayout read_search_layout(std::string_view text, std::optional<unsigned> k);
[[nodiscard]] std::string to_json(const SearchLayout& layout);

// The fingerprint's terms, one a block.
[[nodiscard]] std::vector<std::string> terms_of(const SearchLayout& layout, std::uint64_t fingerprint);
// Appends the document as JSON. `id`: for a layout with an id field.
void append_document(const SearchLayout& layout, std::string_view id, std::uint64_t fingerprint, std::string& out);
// The text of a fingerprint; none: it is not of that form.
[[nodiscard]] std::optional<std::uint64_t> read_fingerprint(const SearchLayout& layout, std::string_view text);

// The body of a request that makes an index: settings and mapping, with `record` in _meta, and `maker`, which tells who made it.
[[nodiscard]] std::string index_body(const SearchLayout& layout, std::string_view record, std::string_view maker = {});

}  // namespace leitong::search
