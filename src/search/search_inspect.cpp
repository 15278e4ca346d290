#include "search/search_inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "records/json_object.h"
#include "search/search_hits.h"
#include "search/search_layout.h"

namespace leitong::search {
namespace {

using records::JsonElements;
using records::JsonMember;
using records::JsonMembers;
using records::JsonValue;

constexpr std::size_t largest_sample = 1'000;
constexpr std::size_t searches_a_request = 200;
constexpr std::size_t confirming_documents = 20;  // documents for which the index is asked one by one
constexpr double enough = 0.9;                    // least share of documents that must fit

struct Field {
  std::string type, keyword;  // keyword: a sub-field of type keyword, "simhash.keyword"
  bool doc_values = true, indexed = true;
};
using Fields = std::map<std::string, Field, std::less<>>;

struct Document {
  std::string id;
  std::map<std::string, std::vector<std::string>, std::less<>> values;  // texts and whole numbers, by dotted path
};

struct Index {
  std::string name;
  Fields fields;
  bool source = true;
  std::vector<Document> documents;
};

// A possible layout, and the number of documents that agree with it.
struct Guess {
  SearchLayout layout;
  std::size_t fits = 0, of = 0;
  [[nodiscard]] bool good() const { return fits > 0 && static_cast<double>(fits) >= enough * static_cast<double>(of); }
};

bool is_false(JsonValue object, std::string_view key) {
  bool value = true;
  return object[key].get(value) && !value;
}

void read_fields(JsonValue properties, const std::string& before, Fields& out) {
  JsonMembers all, sub;
  if (!properties.get(all)) return;
  for (const JsonMember& one : all) {
    const std::string path = before + std::string(one.key);
    if (const JsonValue inner = one.value["properties"]) {
      read_fields(inner, path + ".", out);
      continue;
    }
    Field field{std::string(text_at(one.value, "type").value_or("")), "", !is_false(one.value, "doc_values"),
                !is_false(one.value, "index")};
    if (one.value["fields"].get(sub)) {
      for (const JsonMember& part : sub) {
        if (text_at(part.value, "type") == "keyword") field.keyword = path + "." + std::string(part.key);
      }
    }
    out.emplace(path, std::move(field));
  }
}

void read_values(JsonValue value, const std::string& path, Document& out) {
  JsonMembers object;
  JsonElements array;
  std::string_view text;
  std::int64_t number = 0;
  std::uint64_t wide = 0;
  if (value.get(object)) {
    for (const JsonMember& one : object)
      read_values(one.value, path.empty() ? std::string(one.key) : path + "." + std::string(one.key), out);
  } else if (value.get(array)) {
    for (const JsonValue one : array) read_values(one, path, out);
  } else if (value.get(text)) {
    out.values[path].emplace_back(text);
  } else if (value.get(number)) {
    out.values[path].push_back(std::to_string(number));
  } else if (value.get(wide)) {
    out.values[path].push_back(std::to_string(wide));
  }
}

Index read_mapping(SearchClient& client, const std::string& name) {
  Index index;
  const net::HttpRequest request{.path = "/" + net::percent_encoded(name) + "/_mapping"};
  JsonMembers indices;
  if (!client.ask(request).get(indices) || indices.empty()) client.fail(request, "the answer names no index");
  index.name = std::string(indices.front().key);
  const JsonValue mappings = indices.front().value;
  read_fields(value_at(mappings, "mappings.properties"), "", index.fields);
  index.source = !is_false(value_at(mappings, "mappings._source"), "enabled");
  return index;
}

// The fields with a single value that may be fingerprints; without _source these are read from doc_values.
std::string wanted(const Index& index) {
  if (index.source) return R"("_source":true)";
  std::vector<std::string> fields;
  for (const auto& [path, field] : index.fields) {
    if (field.doc_values && (field.type == "long" || field.type == "keyword" || field.type == "unsigned_long")) fields.push_back(path);
  }
  const std::string list = records::JsonObject().texts("docvalue_fields", fields).str();
  return list.substr(1, list.size() - 2) + R"(,"_source":false)";
}

void read_sample(SearchClient& client, Index& index, std::size_t sample) {
  const std::string body =
      fmt::format(R"({{"size":{},{},"query":{{"function_score":{{"query":{{"match_all":{{}}}},"random_score":{{}}}}}}}})",
                  std::clamp<std::size_t>(sample, 1, largest_sample), wanted(index));
  JsonElements hits;
  const auto found =
      value_at(client.ask({.method = "POST", .path = "/" + net::percent_encoded(index.name) + "/_search", .body = body}), "hits.hits");
  if (!found.get(hits)) return;
  for (const JsonValue hit : hits) {
    Document document;
    document.id = std::string(text_at(hit, "_id").value_or(""));
    for (const char* part : {"_source", "fields"}) read_values(hit[part], "", document);
    index.documents.push_back(std::move(document));
  }
}

// Fields that have the same number of values in nearly all documents that contain them.
std::map<std::string, unsigned> fields_of(const Index& index, unsigned least, unsigned most) {
  std::map<std::string, std::map<std::size_t, std::size_t>> counts;
  for (const Document& document : index.documents) {
    for (const auto& [path, values] : document.values) ++counts[path][values.size()];
  }
  std::map<std::string, unsigned> found;
  for (const auto& [path, sizes] : counts) {
    std::size_t all = 0;
    for (const auto& [size, documents] : sizes) all += documents;
    for (const auto& [size, documents] : sizes) {
      if (size >= least && size <= most && static_cast<double>(documents) >= enough * static_cast<double>(all))
        found[path] = static_cast<unsigned>(size);
    }
  }
  return found;
}

// The forms in which nearly all values of the field are fingerprints of 64 bits. Forms of numbers come first.
std::vector<WrittenForm> forms_of(const Index& index, const std::string& path) {
  std::vector<WrittenForm> forms;
  for (std::size_t i = 0; i < written_form_count; ++i) {
    const auto form = static_cast<WrittenForm>(i);
    std::size_t good = 0, all = 0;
    for (const Document& document : index.documents) {
      const auto values = document.values.find(path);
      if (values == document.values.end()) continue;
      ++all;
      good += read_written(values->second.front(), form, 64) ? 1 : 0;
    }
    if (all > 0 && static_cast<double>(good) >= enough * static_cast<double>(all)) forms.push_back(form);
  }
  return forms;
}

// The text before the first digit that all values share.
std::string common_prefix(const Index& index, const std::string& path) {
  std::optional<std::string> prefix;
  for (const Document& document : index.documents) {
    const auto values = document.values.find(path);
    if (values == document.values.end()) continue;
    for (const std::string& value : values->second) {
      const std::string begin = value.substr(0, value.find_first_of("0123456789"));
      if (!prefix) prefix = begin;
      prefix->resize(
          static_cast<std::size_t>(std::mismatch(prefix->begin(), prefix->end(), begin.begin(), begin.end()).first - prefix->begin()));
    }
  }
  return prefix.value_or("");
}

std::vector<std::string> patterns(const std::string& prefix) {
  std::vector<std::string> all;
  std::set<std::string> prefixes = {"", prefix};
  for (std::string before : prefixes) {
    for (const char brace : {'{', '}'}) {
      for (std::size_t at = before.find(brace); at != std::string::npos; at = before.find(brace, at + 2)) before.insert(at, 1, brace);
    }
    all.push_back(before + "{block}");
    for (const char* between : {":", "_", "-", "", ".", "/", "|", "#", ",", " "}) {
      all.push_back(before + "{position}" + between + "{block}");
      all.push_back(before + "{block}" + between + "{position}");
    }
  }
  return all;
}

// All ways to cut and write the blocks.
std::vector<SearchLayout> hypotheses(const SearchLayout& base, const std::vector<std::string>& terms) {
  std::vector<SearchLayout> all;
  for (const std::string& term : terms) {
    const remote::Pattern pattern(term);
    for (const remote::Digits digits : {remote::Digits::bits, remote::Digits::hex, remote::Digits::decimal, remote::Digits::hex_short}) {
      for (const unsigned order : {0U, 1U, 2U, 3U}) {
        for (unsigned first = 0; first <= (pattern.has_position() ? 1U : 0U); ++first) {
          SearchLayout layout = base;
          layout.term = pattern;
          layout.form.digits = digits;
          layout.form.least_first = order % 2 == 1;
          layout.form.reversed = order / 2 == 1;
          layout.form.first = first;
          all.push_back(std::move(layout));
        }
      }
    }
  }
  return all;
}

// Compares the layout with the documents. `in_order`: the order of the terms must agree, too.
Guess compare(const Index& index, const SearchLayout& layout, bool in_order) {
  Guess guess{layout, 0, 0};
  for (const Document& document : index.documents) {
    const auto blocks = document.values.find(layout.block_field), written = document.values.find(layout.fingerprint_field);
    if (blocks == document.values.end() || written == document.values.end()) continue;
    const auto fingerprint = read_fingerprint(layout, written->second.front());
    std::vector<std::string> there = blocks->second, terms = fingerprint ? terms_of(layout, *fingerprint) : std::vector<std::string>();
    if (!in_order) {
      std::sort(there.begin(), there.end());
      std::sort(terms.begin(), terms.end());
    }
    ++guess.of;
    guess.fits += there == terms ? 1 : 0;
    if (guess.of == 10 && guess.fits == 0) break;
  }
  return guess;
}

// Compares the layout with the inverted index, for an index without _source.
class Asker {
 public:
  Asker(SearchClient& client, const Index& index) : index_(index), hits_(client, any_, index.name, 1) {}

  void count(std::vector<Guess>& guesses, std::size_t documents) {
    std::vector<std::string> queries;
    std::vector<Guess*> whose;
    for (Guess& guess : guesses) {
      guess.fits = guess.of = 0;
      for (std::size_t i = 0; i < std::min(documents, index_.documents.size()); ++i) {
        const auto written = index_.documents[i].values.find(guess.layout.fingerprint_field);
        const auto fingerprint =
            written == index_.documents[i].values.end() ? std::nullopt : read_fingerprint(guess.layout, written->second.front());
        if (!fingerprint) continue;
        ++guess.of;
        queries.push_back(query(guess.layout, index_.documents[i].id, *fingerprint));
        whose.push_back(&guess);
      }
    }
    for (std::size_t from = 0; from < queries.size(); from += searches_a_request) {
      const auto some = std::span(queries).subspan(from, std::min(searches_a_request, queries.size() - from));
      std::size_t i = from;
      for (const std::uint64_t found : hits_.count(some)) whose[i++]->fits += found > 0 ? 1 : 0;
    }
  }

 private:
  static std::string query(const SearchLayout& layout, const std::string& id, std::uint64_t fingerprint) {
    std::string all = fmt::format(R"({{"ids":{{"values":[{}]}}}})", json_text(id));
    for (const std::string& term : terms_of(layout, fingerprint))
      all += fmt::format(R"(,{{"term":{{{}:{}}}}})", json_text(layout.asked_field()), json_text(term));
    return fmt::format(R"({{"bool":{{"filter":[{}]}}}})", all);
  }
  SearchLayout any_;
  const Index& index_;
  SearchHits hits_;
};

SearchLayout base_layout(const Index& index, const std::string& blocks, const std::string& fingerprint, WrittenForm form) {
  SearchLayout layout;
  layout.name = "inspected";
  layout.source = index.source;
  layout.block_field = blocks;
  layout.fingerprint_field = fingerprint;
  if (const auto field = index.fields.find(blocks); field != index.fields.end() && field->second.type == "text")
    layout.term_field = field->second.keyword;
  layout.written = form;
  const auto field = index.fields.find(fingerprint);
  if (field == index.fields.end()) return layout;
  if (form == WrittenForm::signed_decimal && field->second.type == "long") layout.written = std::nullopt;
  if (field->second.type == "text") {
    layout.value_field = field->second.keyword;
    layout.doc_values = !layout.value_field.empty();
  } else {
    layout.doc_values = field->second.doc_values;
  }
  return layout;
}

std::vector<Guess> guess_from_source(const Index& index) {
  std::vector<Guess> good;
  const auto singles = fields_of(index, 1, 1), arrays = fields_of(index, remote::least_blocks, remote::most_blocks);
  for (const bool in_order : {true, false}) {
    for (const auto& [blocks, count] : arrays) {
      const std::vector<std::string> terms = patterns(common_prefix(index, blocks));
      for (const auto& [fingerprint, one] : singles) {
        for (const WrittenForm form : forms_of(index, fingerprint)) {
          SearchLayout base = base_layout(index, blocks, fingerprint, form);
          base.form.blocks = count;
          for (const SearchLayout& layout : hypotheses(base, terms)) {
            if (const Guess guess = compare(index, layout, in_order); guess.good()) good.push_back(guess);
          }
        }
      }
    }
    if (!good.empty()) break;
  }
  return good;
}

std::vector<Guess> guess_from_terms(SearchClient& client, const Index& index) {
  std::vector<Guess> guesses;
  for (const auto& [blocks, block_field] : index.fields) {
    if (!block_field.indexed || (block_field.type != "keyword" && block_field.type != "text")) continue;
    for (const auto& [fingerprint, one] : fields_of(index, 1, 1)) {
      if (fingerprint == blocks) continue;
      for (const WrittenForm form : forms_of(index, fingerprint)) {
        SearchLayout base = base_layout(index, blocks, fingerprint, form);
        base.source = false;
        // Without positions, a layout with 2n blocks does not contain the terms of n blocks, so each number of blocks is tried, the usual
        // ones first.
        for (const unsigned count : {4U, 5U, 6U, 7U, 8U, 3U, 2U, 9U, 10U, 11U, 12U, 13U, 14U, 15U, 16U}) {
          base.form.blocks = count;
          for (SearchLayout& layout : hypotheses(base, patterns(""))) guesses.push_back({std::move(layout), 0, 0});
        }
      }
    }
  }
  Asker asker(client, index);
  std::vector<Guess> good;
  constexpr std::size_t at_once = 2'000;
  for (std::size_t from = 0; from < guesses.size() && good.empty(); from += at_once) {
    const auto begin = guesses.begin() + static_cast<std::ptrdiff_t>(from);
    std::vector<Guess> some(begin, begin + static_cast<std::ptrdiff_t>(std::min(at_once, guesses.size() - from)));
    asker.count(some, 1);
    std::erase_if(some, [](const Guess& guess) { return guess.fits == 0; });
    asker.count(some, confirming_documents);
    for (const Guess& guess : some) {
      if (guess.good()) good.push_back(guess);
    }
  }
  return good;
}

// If a program gives no ids, the server makes ids of 20 characters of base64; the program's own ids are then in a field.
void find_ids(const Index& index, SearchLayout& layout, remote::Inspection& out) {
  const auto made_up = [](const Document& document) {
    return document.id.size() == 20 &&
           document.id.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == std::string::npos;
  };
  if (!std::all_of(index.documents.begin(), index.documents.end(), made_up)) return;
  out.evidence.emplace_back("ids (_id) look as if the server had made them up");
  for (const auto& [path, one] : fields_of(index, 1, 1)) {
    if (!path.ends_with("id") && !path.ends_with("Id") && !path.ends_with("ID")) continue;
    std::set<std::string> values;
    for (const Document& document : index.documents) {
      if (const auto value = document.values.find(path); value != document.values.end()) values.insert(value->second.front());
    }
    const auto field = index.fields.find(path);
    if (values.size() != index.documents.size() || field == index.fields.end()) continue;
    if (field->second.type == "keyword" && layout.source) {
      layout.id_field = path;
      out.evidence.push_back(fmt::format("field {} is another one in each document sampled, and is taken as the id", path));
      return;
    }
    out.doubts.push_back(
        fmt::format("field {} may be the documents' own id, but is of type {}: only keywords can be (id_field)", path, field->second.type));
  }
}

// If terms have no positions and all blocks have the same width, the order of the blocks makes no difference.
bool same_but_for_order(const SearchLayout& a, const SearchLayout& b) {
  SearchLayout one = a;
  one.form.least_first = b.form.least_first;
  return !a.term.has_position() && 64 % a.form.blocks == 0 && to_json(one) == to_json(b);
}

// `good`: the guesses, best first; `layout` was made from the first.
void add_readings(const SearchLayout& layout, const std::vector<Guess>& good, remote::Inspection& out) {
  constexpr std::size_t most_readings = 16;
  std::vector<SearchLayout> readings;
  for (const Guess& guess : good) {
    if (guess.fits * good.front().of < good.front().fits * guess.of || readings.size() == most_readings) break;
    SearchLayout one = guess.layout;
    one.id_field = layout.id_field;
    one.other_fields = layout.other_fields;
    const bool known =
        std::any_of(readings.begin(), readings.end(), [&](const SearchLayout& other) { return same_but_for_order(one, other); });
    if (!known) readings.push_back(std::move(one));
  }
  for (const SearchLayout& one : readings) out.readings.push_back({to_json(one), one.written.value_or(WrittenForm::signed_decimal)});
}

// Adds texts from fields that hold texts, judged by the length of their values.
void add_texts(const Index& index, const SearchLayout& layout, remote::Inspection& out) {
  constexpr std::size_t shortest = 40;  // bytes, on average
  for (const auto& [path, one] : fields_of(index, 1, 1)) {
    if (path == layout.fingerprint_field || path == layout.block_field) continue;
    std::vector<remote::StoredText> texts;
    std::size_t bytes = 0;
    for (const Document& document : index.documents) {
      const auto values = document.values.find(path), id = document.values.find(layout.id_field);
      if (values == document.values.end() || (!layout.own_ids() && id == document.values.end())) continue;
      texts.push_back({path, layout.own_ids() ? document.id : id->second.front(), values->second.front()});
      bytes += values->second.front().size();
    }
    const bool long_enough = bytes >= shortest * texts.size();
    if (long_enough) std::move(texts.begin(), texts.end(), std::back_inserter(out.texts));
  }
}

void describe(const Index& index, std::vector<Guess> good, remote::Inspection& out) {
  std::stable_sort(good.begin(), good.end(), [](const Guess& a, const Guess& b) { return a.fits * b.of > b.fits * a.of; });
  const Guess& best = good.front();
  SearchLayout layout = best.layout;
  const auto type_of = [&](const std::string& path) {
    const auto field = index.fields.find(path);
    return field == index.fields.end() ? std::string("not in the mapping") : field->second.type;
  };
  const std::string how = layout.written ? std::string(written_form_name(*layout.written)) : "a signed 64-bit number";
  out.evidence.push_back(fmt::format("field {} ({}) holds {} blocks of {}, written as {} in terms \"{}\"", layout.block_field,
                                     type_of(layout.block_field), layout.form.blocks,
                                     layout.form.least_first ? "the least significant bits first" : "the most significant bits first",
                                     remote::name_of(layout.form.digits), layout.term.text()));
  out.evidence.push_back(fmt::format("they are the blocks of field {} ({}), read as {}, in {} of {} documents", layout.fingerprint_field,
                                     type_of(layout.fingerprint_field), how, best.fits, best.of));
  if (best.fits < best.of) out.doubts.push_back(fmt::format("{} of {} documents do not fit", best.of - best.fits, best.of));
  std::set<std::string> others;
  for (const Guess& guess : good) {
    const bool same_field = guess.layout.fingerprint_field == layout.fingerprint_field;
    if (same_field && guess.layout.written == layout.written) continue;
    others.insert(fmt::format("field {} read as {}", guess.layout.fingerprint_field,
                              guess.layout.written ? std::string(written_form_name(*guess.layout.written)) : "a signed 64-bit number"));
  }
  for (const std::string& other : others) {
    out.doubts.push_back(fmt::format(
        "{} fits as well: distances are the same, but compare a known text's fingerprint (leitong parity) before rows are added", other));
  }
  const auto blocks = index.fields.find(layout.block_field);
  if (blocks != index.fields.end() && blocks->second.type == "text" && layout.term_field.empty()) {
    out.doubts.push_back(
        fmt::format("field {} is analysed text: terms are found only if the analyser leaves them whole", layout.block_field));
  }
  find_ids(index, layout, out);
  for (const auto& [path, field] : index.fields) {
    if (path != layout.block_field && path != layout.fingerprint_field && path != layout.id_field && layout.source)
      layout.other_fields = true;
  }
  if (layout.other_fields) out.evidence.emplace_back("documents have other fields: put() leaves them as they are");
  out.layout = to_json(layout);
  add_readings(layout, good, out);
  add_texts(index, layout, out);
}

}  // namespace

remote::Inspection inspect_index(SearchClient& client, const std::string& name, std::size_t sample) {
  remote::Inspection out;
  Index index = read_mapping(client, name);
  const auto rows = number_at(client.ask({.path = "/" + net::percent_encoded(name) + "/_count"}), "count").value_or(0);
  read_sample(client, index, sample);
  out.evidence.push_back(fmt::format("index {} of {} holds {} documents, of which {} were read{}", index.name, client.server(), rows,
                                     index.documents.size(), index.source ? "" : "; it keeps no _source, so terms were searched for"));
  const std::vector<Guess> good = index.source ? guess_from_source(index) : guess_from_terms(client, index);
  if (!good.empty()) {
    describe(index, good, out);
    return out;
  }
  for (const auto& [path, count] : fields_of(index, remote::least_blocks, remote::most_blocks)) {
    out.evidence.push_back(fmt::format("field {} is an array of {} values", path, count));
  }
  for (const auto& [path, one] : fields_of(index, 1, 1)) {
    const auto forms = forms_of(index, path);
    if (!forms.empty()) out.evidence.push_back(fmt::format("field {} may be a fingerprint: {}", path, written_form_name(forms.front())));
  }
  out.doubts.emplace_back("no array field was found to hold the blocks of a fingerprint in another field: give the layout as JSON");
  return out;
}

}  // namespace leitong::search
