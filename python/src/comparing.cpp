// Two texts, every measure; the features behind their fingerprints; words; profiles and rules.
#include <nanobind/stl/string.h>

#include "bindings.h"
#include "leitong/error.h"
#include "leitong/explain.h"
#include "leitong/segment.h"
#include "leitong/similarity.h"
#include "options.h"
#include "texts.h"
#include "values.h"
#include "waiting.h"

namespace leitong::python {

nb::object python_hex(const std::optional<Fingerprint>& fingerprint) { return fingerprint ? nb::cast(to_hex(*fingerprint)) : nb::none(); }

nb::object dict_of(const Comparison& c, std::string_view a, std::string_view b) {
  nb::dict out;
  out["a"] = python_hex(c.a);
  out["b"] = python_hex(c.b);
  out["distance"] = c.distance ? nb::cast(*c.distance) : nb::none();
  out["jaccard"] = c.jaccard;
  out["containment"] = c.containment;
  out["lcs"] = c.lcs;
  out["edit_distance"] = c.edit_distance;
  out["edit_distance_exact"] = c.edit_distance_exact;
  out["threshold"] = c.threshold;
  out["near_duplicate"] = c.near_duplicate;
  out["other_facts"] = c.other_facts;
  out["token_jaccard"] = c.terms.jaccard;
  out["cosine"] = c.terms.cosine;
  out["euclid"] = c.terms.euclid;
  out["unit_euclid"] = c.terms.unit_euclid;
  out["common_substring"] = c.substring.length;
  out["common_substring_share"] = c.substring.share;
  out["character_edits"] = c.characters.distance;
  out["edit_similarity"] = c.characters.similarity;
  out["shared_sentences"] = c.sentences.shared;
  nb::list diff;
  for (const DiffRun& run : c.diff)
    diff.append(nb::make_tuple(run.same, python_text(a.substr(run.a_begin, run.a_end - run.a_begin)),
                               python_text(b.substr(run.b_begin, run.b_end - run.b_begin))));
  out["diff"] = diff;
  return out;
}

nb::object dict_of(const Explanation& e) {
  nb::dict out;
  out["a"] = python_hex(e.a);
  out["b"] = python_hex(e.b);
  out["a_features"] = e.a_features;
  out["b_features"] = e.b_features;
  out["unmoved"] = e.unmoved;
  nb::list moved;
  for (const MovedFeature& feature : e.moved)
    moved.append(
        nb::make_tuple(python_text(feature.text), feature.part_of_speech, to_hex(feature.hash), feature.a, feature.b, feature.pull));
  out["moved"] = moved;
  nb::list bits;
  for (const DifferingBit& bit : e.bits) bits.append(nb::make_tuple(bit.bit, bit.a, bit.b, nb::cast(bit.features), bit.left_out));
  out["bits"] = bits;
  return out;
}

namespace {

HeldText text_of(nb::handle value, const char* name) {
  if (std::optional<HeldText> text = held_text(value)) return std::move(*text);
  throw Error(ErrorCode::usage, std::string(name) + " must be a str");
}

// Work without a way to stop it: a moment of short texts in place, and else where signals are seen at its end.
template <class Work>
auto by_length(std::size_t bytes, Work work) {
  constexpr std::size_t short_texts = std::size_t{1} << 16;
  if (bytes <= short_texts) return without_lock(work);
  std::optional<decltype(work())> result;
  wait_for(nb::none(), [&](JobOptions&) { result.emplace(work()); });
  return std::move(*result);
}

nb::object compare_texts(nb::handle a, nb::handle b, const std::string& profile, const std::string& rule) {
  const HeldText x = text_of(a, "a"), y = text_of(b, "b");
  const Comparison comparison =
      by_length(x.text.size() + y.text.size(), [&] { return compare(x.text, y.text, profile_of(profile), rule_of(rule)); });
  return dict_of(comparison, x.text, y.text);
}

nb::object explain_texts(nb::handle a, nb::handle b, const std::string& profile, std::uint32_t most) {
  const HeldText x = text_of(a, "a"), y = text_of(b, "b");
  return dict_of(by_length(x.text.size() + y.text.size(), [&] { return explain(x.text, y.text, profile_of(profile), most); }));
}

nb::list segment_texts(const nb::list& list, const std::string& profile_text) {
  const Profile profile = profile_of(profile_text);
  std::unique_ptr<Texts> texts = texts_of(list);
  Segmenter segmenter = without_lock([&] { return Segmenter(profile); });
  nb::list out;
  for (TextBatch batch; texts->next(batch);) {
    for (const std::string_view text : batch.texts) {
      if (PyErr_CheckSignals() != 0) raise_interrupted(nb::python_error());
      if (text.data() == nullptr) {
        out.append(nb::none());
        continue;
      }
      const std::span<const Word> cut = without_lock([&] { return segmenter(text); });
      nb::list words;
      for (const Word& word : cut)
        words.append(nb::make_tuple(python_text(word.text),
                                    word.part_of_speech.empty() ? nb::none() : nb::object(python_text(word.part_of_speech))));
      out.append(words);
    }
  }
  return out;
}

// (name, bits, id or None where a dictionary is missing, TOML)
nb::tuple profile_info(const std::string& text) {
  const Profile profile = profile_of(text);
  nb::object id = nb::none();
  try {
    id = nb::cast(profile_id(profile));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::io && error.code() != ErrorCode::usage) throw;
  }
  return nb::make_tuple(profile.name, profile.bits, id, to_toml(profile));
}

nb::tuple rule_info(const std::string& text) {
  const Rule rule = rule_of(text);
  return nb::make_tuple(rule.name, rule_id(rule), to_toml(rule));
}

}  // namespace

void bind_comparing(nb::module_& m) {
  m.def("compare", &compare_texts, nb::arg("a"), nb::arg("b"), nb::arg("profile"), nb::arg("rule"),
        nb::sig("def compare(a: str, b: str, profile: str, rule: str) -> dict[str, typing.Any]"));
  m.def("explain", &explain_texts, nb::arg("a"), nb::arg("b"), nb::arg("profile"), nb::arg("most"),
        nb::sig("def explain(a: str, b: str, profile: str, most: int) -> dict[str, typing.Any]"));
  m.def("segment", &segment_texts, nb::arg("texts"), nb::arg("profile"),
        nb::sig("def segment(texts: list[str | None], profile: str) -> list[list[tuple[str, str | None]] | None]"));
  m.def("profile_names", &profile_names);
  m.def("profile_info", &profile_info, nb::sig("def profile_info(profile: str) -> tuple[str, int, str | None, str]"));
  m.def("rule_names", &rule_names);
  m.def("rule_info", &rule_info, nb::sig("def rule_info(rule: str) -> tuple[str, str, str]"));
}

}  // namespace leitong::python
