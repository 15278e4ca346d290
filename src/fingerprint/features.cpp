#include "fingerprint/features.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "fingerprint/hash_kernels.h"
#include "fingerprint/profile_names.h"
#include "leitong/error.h"

namespace leitong::fingerprint {
namespace {

bool is_wide(std::string_view token, bool at_end) {
  // Whether the character at the token's edge is U+2E80 or above: three or more bytes, lead byte E2 BA or higher.
  std::size_t i = 0;
  if (at_end) {
    i = token.size() - 1;
    while (i > 0 && (static_cast<unsigned char>(token[i]) & 0xC0) == 0x80) --i;
  }
  const auto lead = static_cast<unsigned char>(token[i]);
  if (lead != 0xE2) return lead > 0xE2;
  return i + 1 < token.size() && static_cast<unsigned char>(token[i + 1]) >= 0xBA;
}

// A token behind another, as texts are written: with a space where both edges are of a script that has spaces.
void append_after(std::string_view last, std::string_view token, std::string& joined) {
  if (!last.empty() && !is_wide(last, true) && !is_wide(token, false)) joined.push_back(' ');
  joined += token;
}

}  // namespace

std::string key_bytes(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16);
    if (error != std::errc() || end != hex.data() + i + 2) throw Error(ErrorCode::usage, "key: not hexadecimal");
    bytes.push_back(static_cast<char>(value));
  }
  return bytes;
}

std::uint32_t log_weight(std::uint32_t tf) noexcept {
  if (tf == 0) return 0;
  const auto whole = static_cast<std::uint32_t>(std::bit_width(tf) - 1);
  std::uint64_t x = (static_cast<std::uint64_t>(tf) << 31) >> whole;  // 1.31 fixed point, in [1, 2)
  std::uint32_t fraction = 0;
  for (int bit = 0; bit < 8; ++bit) {
    x = (x * x) >> 31;
    fraction <<= 1;
    if (x >= (1ULL << 32)) fraction |= 1, x >>= 1;
  }
  return 256 * (1 + whole) + fraction;
}

std::uint32_t sqrt_weight(std::uint32_t tf) noexcept {
  const std::uint64_t square = static_cast<std::uint64_t>(tf) << 16;
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(square)));
  while (root * root > square) --root;
  while ((root + 1) * (root + 1) <= square) ++root;
  return static_cast<std::uint32_t>(root);
}

FeatureExtractor::FeatureExtractor(const Profile& profile) : profile_(profile), hasher_(key_bytes(profile.key)) {
  check_profile(profile);
  options_.fold_traditional = profile.fold_traditional;
  if (votes_by_tokens(profile) && profile.weights == WeightKind::tfidf) idf_ = IdfTable(profile.idf_file, hasher_);
}

void FeatureExtractor::set_text(std::string_view utf8, bool with_source) {
  options_.with_source = with_source;
  text::tokenize(utf8, options_, tokens_);
  const std::size_t n = tokens_.size();
  const char* const bytes = tokens_.bytes.data();
  hash_kernels().tokens(hasher_.keys(), bytes, tokens_.tokens.data(), n, token_hashes_.reset(n));
  have_bigrams_ = have_numbered_ = false;
}

std::size_t FeatureExtractor::ngram_count(unsigned size) const { return token_hashes_.size() < size ? 0 : token_hashes_.size() - size + 1; }

void FeatureExtractor::token_ngrams(unsigned size, std::uint64_t* grams) const {
  const std::size_t count = ngram_count(size);
  const std::uint64_t* const hashes = token_hashes_.data();
  const std::uint64_t* left = hashes;
  if (size == 1) std::copy_n(left, count, grams);
  for (unsigned j = 1; j < size; ++j, left = grams) hash_kernels().joins(hasher_.keys(), left, hashes + j, count, grams);
}

void FeatureExtractor::token_ngrams(unsigned size, std::vector<std::uint64_t>& out) const {
  const std::size_t base = out.size();
  out.resize(base + ngram_count(size));
  token_ngrams(size, out.data() + base);
}

void FeatureExtractor::character_ngrams(unsigned size, std::vector<std::uint64_t>& out, std::vector<std::string>* texts) {
  joined_.clear();
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    append_after(i > 0 ? tokens_[i - 1] : std::string_view(), tokens_[i], joined_);
  }
  if (joined_.empty()) return;
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < joined_.size(); ++i)
    if ((static_cast<unsigned char>(joined_[i]) & 0xC0) != 0x80) starts.push_back(i);
  starts.push_back(joined_.size());
  const std::size_t characters = starts.size() - 1;
  const std::size_t width = std::min<std::size_t>(size, characters);  // a text shorter than n is one feature
  for (std::size_t i = 0; i + width <= characters; ++i) {
    out.push_back(hasher_.bytes(joined_.data() + starts[i], starts[i + width] - starts[i]));
    if (texts != nullptr) texts->push_back(joined_.substr(starts[i], starts[i + width] - starts[i]));
  }
}

void FeatureExtractor::collect_plain() {
  plain_.clear();
  if (token_hashes_.empty()) return;
  for (const unsigned size : profile_.ngram_sizes) {
    if (profile_.features == FeatureKind::character_ngrams)
      character_ngrams(size, plain_);
    else
      token_ngrams(size, plain_);
  }
  // A text shorter than every n-gram is one feature: the whole of it.
  if (plain_.empty()) token_ngrams(static_cast<unsigned>(token_hashes_.size()), plain_);
}

std::span<const std::uint64_t> FeatureExtractor::plain_features(std::vector<std::string>& texts) {
  texts.clear();
  collect_plain();
  const auto token_texts = [&](std::size_t size) {
    for (std::size_t i = 0; i + size <= tokens_.size(); ++i) {
      std::string& text = texts.emplace_back(tokens_[i]);
      for (std::size_t j = i + 1; j < i + size; ++j) append_after(tokens_[j - 1], tokens_[j], text);
    }
  };
  std::vector<std::uint64_t> again;
  for (const unsigned size : profile_.ngram_sizes) {
    if (profile_.features == FeatureKind::character_ngrams) {
      character_ngrams(size, again, &texts);
    } else {
      token_texts(size);
    }
  }
  if (texts.empty() && tokens_.size() != 0) token_texts(tokens_.size());
  return plain_;
}

FeatureExtractor::Bigrams FeatureExtractor::bigrams() {
  const std::size_t tokens = token_hashes_.size(), count = ngram_count(2);
  if (!have_bigrams_) {
    token_ngrams(2, bigrams_.reset(count));
    occurrences_(bigrams_, hasher_, numbered_apart_.reset(tokens + count) + tokens);
    have_bigrams_ = true;
  }
  return {{numbered_apart_.data() + tokens, count}, bigrams_};
}

FeatureExtractor::Features FeatureExtractor::features() {
  if (!profile_.numbered) {
    weigh();
    return {distinct_, profile_.weights == WeightKind::set ? std::span<const std::uint32_t>() : std::span<const std::uint32_t>(weights_)};
  }
  return {numbered_features(), {}};
}

// The default's shape, T12 with numbered occurrences: bigrams are shared with the second sketch. A bigram equals no unigram, so numbering
// them apart is numbering them together.
bool FeatureExtractor::numbers_apart() const {
  return profile_.numbered && profile_.features == FeatureKind::token_ngrams && profile_.ngram_sizes == std::vector<unsigned>{1, 2};
}

std::span<const std::uint64_t> FeatureExtractor::numbered_features() {
  const bool apart = numbers_apart();
  if (!have_numbered_ && apart) {
    (void)bigrams();
    occurrences_(token_hashes_, hasher_, numbered_apart_.data());
  } else if (!have_numbered_) {
    collect_plain();
    occurrences_(plain_, hasher_, numbered_.reset(plain_.size()));
  }
  have_numbered_ = true;
  return apart ? numbered_apart_ : numbered_;
}

void FeatureExtractor::weigh() {
  collect_plain();
  std::sort(plain_.begin(), plain_.end());
  std::unordered_map<std::uint64_t, std::uint32_t> idf_of;  // of n-grams: mean of their tokens' idf
  if (profile_.weights == WeightKind::tfidf && !token_hashes_.empty()) {
    std::vector<std::uint64_t> grams;
    for (const unsigned size : profile_.ngram_sizes) {
      grams.clear();
      const auto n = static_cast<unsigned>(std::min<std::size_t>(size, token_hashes_.size()));
      token_ngrams(n, grams);
      for (std::size_t i = 0; i < grams.size(); ++i) {
        std::uint64_t sum = 0;
        for (unsigned j = 0; j < n; ++j) sum += idf_(token_hashes_[i + j]);
        idf_of.emplace(grams[i], static_cast<std::uint32_t>(sum / n));
      }
    }
  }
  distinct_.clear();
  weights_.clear();
  for (std::size_t begin = 0, end = 0; begin < plain_.size(); begin = end) {
    while (end < plain_.size() && plain_[end] == plain_[begin]) ++end;
    const auto tf = static_cast<std::uint32_t>(end - begin);
    std::uint64_t weight = 1;
    switch (profile_.weights) {
      case WeightKind::set:
        break;
      case WeightKind::tf:
        weight = tf;
        break;
      case WeightKind::sqrt:
        weight = sqrt_weight(tf);
        break;
      case WeightKind::log:
        weight = log_weight(tf);
        break;
      case WeightKind::table:  // of words only (WordSimHash)
        break;
      case WeightKind::tfidf:
        weight = static_cast<std::uint64_t>(tf) * idf_of[plain_[begin]];
        break;
    }
    distinct_.push_back(plain_[begin]);
    weights_.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(weight, 0xffffffffU)));
  }
}

void FeatureExtractor::keys(std::vector<std::uint32_t>& out) {
  const auto features = numbered_features();
  out.resize(features.size());
  for (std::size_t i = 0; i < features.size(); ++i) out[i] = static_cast<std::uint32_t>(features[i] >> 32);
}

void FeatureExtractor::sorted_features(std::vector<std::uint64_t>& out) {
  const auto features = numbered_features();
  out.assign(features.begin(), features.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());  // only a collision of the hash could leave two
}

}  // namespace leitong::fingerprint
