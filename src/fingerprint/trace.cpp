// The five steps one by one, by plain arithmetic: what the fast paths are held against, and what people read.
#include "fingerprint/trace.h"

#include <algorithm>
#include <unordered_map>

#include "fingerprint/by_words.h"
#include "fingerprint/features.h"
#include "fingerprint/sketcher.h"
#include "leitong/error.h"

namespace leitong {
namespace {

using fingerprint::FeatureExtractor;

// The n-grams of the profile in the extractor's order, spelled out.
std::vector<std::pair<std::uint64_t, std::string>> spelled_ngrams(FeatureExtractor& extractor) {
  std::vector<std::string> texts;
  const auto hashes = extractor.plain_features(texts);
  std::vector<std::pair<std::uint64_t, std::string>> ngrams;
  for (std::size_t i = 0; i < hashes.size(); ++i) ngrams.emplace_back(hashes[i], std::move(texts[i]));
  return ngrams;
}

void trace_tokens(std::string_view utf8, const Profile& profile, Trace& out) {
  FeatureExtractor extractor(profile);
  extractor.set_text(utf8);
  for (std::size_t i = 0; i < extractor.tokens().size(); ++i) (out.cut += i == 0 ? "" : " ") += extractor.tokens()[i];
  const auto ngrams = spelled_ngrams(extractor);
  const auto features = extractor.features();
  std::unordered_map<std::uint64_t, std::uint32_t> copies;
  std::unordered_map<std::uint64_t, std::string> spelling;
  for (const auto& [hash, text] : ngrams) {
    const std::uint32_t copy = profile.numbered ? copies[hash]++ : 0;
    spelling.emplace(extractor.hasher().numbered(hash, copy), copy == 0 ? text : text + "#" + std::to_string(copy + 1));
  }
  const bool fixed_point = profile.weights != WeightKind::set && profile.weights != WeightKind::tf;
  for (std::size_t i = 0; i < features.hashes.size(); ++i) {
    const double weight = features.weights.empty() ? 1 : features.weights[i] / (fixed_point ? 256.0 : 1.0);
    out.features.push_back(
        {spelling[features.hashes[i]], "", fingerprint::wide_hash(features.hashes[i], profile.bits, extractor.hasher()), weight});
  }
  std::vector<std::uint64_t> buffer;
  if (fingerprint::votes(features)) out.fingerprint = fingerprint::simhash(features, profile.bits, extractor.hasher(), buffer);
}

}  // namespace

namespace fingerprint {

void merge(Trace& trace, unsigned bits) {
  trace.sums.assign(bits, 0);
  for (const Trace::Feature& feature : trace.features)
    for (unsigned bit = 0; bit < bits; ++bit)
      trace.sums[bit] += (feature.hash.words[bit / 64] >> (bit % 64) & 1) != 0 ? feature.weight : -feature.weight;
}

Fingerprint reduce(const Trace& trace) {
  Fingerprint result;
  result.bits = static_cast<unsigned>(trace.sums.size());
  for (unsigned bit = 0; bit < result.bits; ++bit)
    if (trace.sums[bit] > 0 || (trace.sums[bit] == 0 && trace.tie_sets_bit)) result.words[bit / 64] |= std::uint64_t{1} << (bit % 64);
  return result;
}

}  // namespace fingerprint

Trace trace(std::string_view utf8, const Profile& profile) {
  (void)profile_id(profile);  // refuses contradictions
  if (profile.sketch != SketchKind::simhash)
    throw Error(ErrorCode::usage, "profile " + profile.name + ": a 1-bit MinHash has no votes that could be traced; only a SimHash has");
  Trace out;
  if (fingerprint::votes_by_tokens(profile)) {
    trace_tokens(utf8, profile, out);
  } else {
    fingerprint::ByWords(profile).trace(utf8, out);
  }
  fingerprint::merge(out, profile.bits);
  return out;
}

}  // namespace leitong
