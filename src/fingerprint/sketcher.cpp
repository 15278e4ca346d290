#include "fingerprint/sketcher.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "fingerprint/simhash.h"

namespace leitong::fingerprint {
namespace {

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos; }

// Linear time on average, for hashes are spread evenly: first by the top byte, then the few that are out of order.
void sort_hashes(std::vector<std::uint32_t>& hashes, std::vector<std::uint32_t>& buffer) {
  std::array<std::uint32_t, 257> begin{};
  for (const std::uint32_t hash : hashes) ++begin[(hash >> 24) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  buffer.resize(hashes.size());
  for (const std::uint32_t hash : hashes) buffer[begin[hash >> 24]++] = hash;
  for (std::size_t i = 1; i < buffer.size(); ++i) {
    const std::uint32_t hash = buffer[i];
    std::size_t j = i;
    for (; j > 0 && buffer[j - 1] > hash; --j) buffer[j] = buffer[j - 1];
    buffer[j] = hash;
  }
  hashes.swap(buffer);
}

}  // namespace

bool votes(const FeatureExtractor::Features& features) {
  if (features.weights.empty()) return !features.hashes.empty();
  return std::any_of(features.weights.begin(), features.weights.end(), [](std::uint32_t weight) { return weight != 0; });
}

Fingerprint simhash(const FeatureExtractor::Features& features, unsigned bits, const Hasher& hasher, std::vector<std::uint64_t>& buffer) {
  Fingerprint fingerprint;
  fingerprint.bits = bits;
  for (unsigned word = 0; word < fingerprint_words(bits); ++word) {
    std::span<const std::uint64_t> hashes = features.hashes;
    if (word > 0) {
      buffer.resize(hashes.size());
      for (std::size_t i = 0; i < hashes.size(); ++i) buffer[i] = hasher.widen(hashes[i], word);
      hashes = buffer;
    }
    fingerprint.words[word] = features.weights.empty() ? majority(hashes) : weighted_majority(hashes, features.weights);
  }
  return fingerprint;
}

Fingerprint fingerprint_of(const FeatureExtractor::Features& features, const Profile& profile, const Hasher& hasher,
                           std::vector<std::uint64_t>& buffer) {
  if (profile.sketch == SketchKind::minhash1) return one_bit_minhash(features.hashes, profile.bits);
  return simhash(features, profile.bits, hasher, buffer);
}

Fingerprint wide_hash(std::uint64_t feature, unsigned bits, const Hasher& hasher) {
  Fingerprint hash;
  hash.bits = bits;
  for (unsigned word = 0; word < fingerprint_words(bits); ++word) hash.words[word] = hasher.widen(feature, word);
  return hash;
}

Sketcher::Sketcher(const Profile& profile) : profile_(profile), extractor_(profile), minhash_(extractor_.hasher()) {
  if (!votes_by_tokens(profile)) by_words_.emplace(profile);
}

// The SimHash and, of it alone, the number of its features.
void Sketcher::set_fingerprint(std::string_view utf8, Sketch& out) {
  if (by_words_) {
    const Fingerprinter::Result result = (*by_words_)(utf8);
    out.has_fingerprint = result.fingerprint.has_value();
    out.fingerprint = result.fingerprint.value_or(Fingerprint{{}, profile_.bits});
    out.features = result.features;
    return;
  }
  const auto features = extractor_.features();
  out.features = static_cast<std::uint32_t>(features.hashes.size());
  out.has_fingerprint = votes(features);
  out.fingerprint = fingerprint_of(features, profile_, extractor_.hasher(), wide_);
}

void Sketcher::operator()(std::string_view utf8, Sketch& out) {
  extractor_.set_text(utf8);
  const auto hashes = extractor_.token_hashes();
  out.tokens = static_cast<std::uint32_t>(hashes.size());
  out.has_slots = false;
  out.short_features.clear();
  out.has_fingerprint = false;
  if (hashes.empty()) {
    const bool blank = is_blank(utf8);
    const XXH128_hash_t h = XXH3_128bits_withSeed(utf8.data(), utf8.size(), 1);
    out.content = blank ? std::array<std::uint64_t, 2>{} : std::array<std::uint64_t, 2>{h.low64, h.high64};
    out.features = 0;
    out.fingerprint = Fingerprint{{}, profile_.bits};
    if (by_words_) set_fingerprint(utf8, out);  // a Java program may fingerprint a text without tokens
    return;
  }
  const XXH128_hash_t h = XXH3_128bits(hashes.data(), hashes.size() * sizeof(std::uint64_t));
  out.content = {h.low64, h.high64};
  set_fingerprint(utf8, out);
  if (profile_.minhash && out.tokens >= profile_.short_tokens) out.has_slots = minhash_(extractor_.bigrams(), out.slots);
  if (out.tokens < 2 * profile_.short_tokens) {
    extractor_.keys(out.short_features);
    sort_hashes(out.short_features, sort_buffer_);
    out.short_features.erase(std::unique(out.short_features.begin(), out.short_features.end()), out.short_features.end());
  }
}

}  // namespace leitong::fingerprint
