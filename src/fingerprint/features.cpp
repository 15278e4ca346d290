#include "fingerprint/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <fstream>

#include "leitong/error.h"

namespace leitong::fingerprint {
namespace {

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

}  // namespace

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

void Occurrences::operator()(std::span<const std::uint64_t> hashes, std::vector<std::uint32_t>& copies) {
  const auto n = static_cast<std::uint32_t>(hashes.size());
  copies.resize(n);
  if (n == 0) return;
  const unsigned log_size = static_cast<unsigned>(std::bit_width(n)) + 2;
  const unsigned shift = 64 - log_size;
  first_.assign(std::size_t{1} << log_size, 0);
  count_.assign(n, 0);
  overflow_.resize(n);
  // A slot belongs to the first hash that comes to it; no branch depends on whether a hash was seen before, which nobody could predict.
  // A hash whose slot is another's goes, with all its copies, to the second round.
  std::uint32_t overflowed = 0;
  std::uint32_t* const first = first_.data();
  std::uint32_t* const count = count_.data();
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint64_t h = hashes[i];
    const std::uint64_t slot = h >> shift;
    const std::uint32_t found = first[slot];
    const std::uint32_t owner = found == 0 ? i : found - 1;
    first[slot] = owner + 1;
    const auto same = static_cast<std::uint32_t>(hashes[owner] == h);
    const std::uint32_t seen = count[owner];
    count[owner] = seen + same;
    copies[i] = seen & (0 - same);
    overflow_[overflowed] = i;
    overflowed += 1 - same;
  }
  if (overflowed == 0) return;
  const std::size_t mask = first_.size() - 1;
  std::fill(first_.begin(), first_.end(), 0);
  for (std::uint32_t k = 0; k < overflowed; ++k) {
    const std::uint32_t i = overflow_[k];
    std::size_t slot = (hashes[i] * 0x9e3779b97f4a7c15ULL) >> shift;
    while (first[slot] != 0 && hashes[first[slot] - 1] != hashes[i]) slot = (slot + 1) & mask;
    if (first[slot] == 0) first[slot] = i + 1, count[i] = 0;
    copies[i] = count[first[slot] - 1]++;
  }
}

FeatureExtractor::FeatureExtractor(const Profile& profile) : profile_(profile), hasher_(key_bytes(profile.key)) {
  (void)profile_id(profile);  // refuses contradictions
  options_.fold_traditional = profile.fold_traditional;
  if (profile.weights == WeightKind::tfidf) load_idf(profile.idf_file);
}

void FeatureExtractor::load_idf(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorCode::io, fmt::format("{}: cannot be read; an idf table holds \"token idf\" a line", path));
  std::string line;
  double sum = 0;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    if (line.empty()) continue;
    const std::size_t space = line.rfind(' ');
    double value = 0;
    if (space == std::string::npos || space == 0 ||
        std::from_chars(line.data() + space + 1, line.data() + line.size(), value).ec != std::errc() || !(value >= 0 && value < 1e6))
      throw Error(ErrorCode::format, fmt::format("{}:{}: expected \"token idf\" with idf from 0 to 1000000", path, number));
    const auto fixed = static_cast<std::uint32_t>(value * 256 + 0.5);
    idf_[hasher_.bytes(line.data(), space)] = fixed;
  }
  for (const auto& [hash, idf] : idf_) sum += idf;
  mean_idf_ = idf_.empty() ? 256 : static_cast<std::uint32_t>(sum / static_cast<double>(idf_.size()));
}

void FeatureExtractor::set_text(std::string_view utf8, bool with_source) {
  options_.with_source = with_source;
  text::tokenize(utf8, options_, tokens_);
  const std::size_t n = tokens_.size();
  token_hashes_.resize(n);
  const char* const bytes = tokens_.bytes.data();
  for (std::size_t i = 0; i < n; ++i)
    token_hashes_[i] = hasher_.padded_bytes(bytes + tokens_.tokens[i].begin, tokens_.tokens[i].end - tokens_.tokens[i].begin);
  have_bigrams_ = have_numbered_ = false;
}

void FeatureExtractor::token_ngrams(unsigned size, std::vector<std::uint64_t>& out) const {
  const std::size_t n = token_hashes_.size();
  if (n < size) return;
  const std::size_t base = out.size(), count = n - size + 1;
  out.resize(base + count);
  std::uint64_t* const grams = out.data() + base;
  std::copy_n(token_hashes_.data(), count, grams);
  for (unsigned j = 1; j < size; ++j)
    for (std::size_t i = 0; i < count; ++i) grams[i] = hasher_.join(grams[i], token_hashes_[i + j]);
}

void FeatureExtractor::character_ngrams(unsigned size, std::vector<std::uint64_t>& out) {
  joined_.clear();
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (i > 0 && !is_wide(tokens_[i - 1], true) && !is_wide(tokens_[i], false)) joined_.push_back(' ');
    joined_ += tokens_[i];
  }
  if (joined_.empty()) return;
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < joined_.size(); ++i)
    if ((static_cast<unsigned char>(joined_[i]) & 0xC0) != 0x80) starts.push_back(i);
  starts.push_back(joined_.size());
  const std::size_t characters = starts.size() - 1;
  const std::size_t width = std::min<std::size_t>(size, characters);  // a text shorter than n is one feature
  for (std::size_t i = 0; i + width <= characters; ++i) out.push_back(hasher_.bytes(joined_.data() + starts[i], starts[i + width] - starts[i]));
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

void FeatureExtractor::number(std::span<const std::uint64_t> plain, std::vector<std::uint64_t>& out) {
  occurrences_(plain, copies_);
  out.resize(plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) out[i] = hasher_.numbered(plain[i], copies_[i]);
}

FeatureExtractor::Bigrams FeatureExtractor::bigrams() {
  if (!have_bigrams_) {
    bigrams_.clear();
    token_ngrams(2, bigrams_);
    number(bigrams_, numbered_bigrams_);
    have_bigrams_ = true;
  }
  return {numbered_bigrams_, bigrams_};
}

FeatureExtractor::Features FeatureExtractor::features() {
  if (!profile_.numbered) {
    weigh();
    return {distinct_, profile_.weights == WeightKind::set ? std::span<const std::uint32_t>() : std::span<const std::uint32_t>(weights_)};
  }
  if (have_numbered_) return {numbered_, {}};
  have_numbered_ = true;
  // The default's shape, T12 with numbered occurrences: bigrams are shared with the second sketch. A bigram equals no unigram, so numbering them
  // apart is numbering them together.
  if (profile_.features == FeatureKind::token_ngrams && profile_.ngram_sizes == std::vector<unsigned>{1, 2}) {
    number(token_hashes_, numbered_);
    const auto pairs = bigrams().numbered;
    numbered_.insert(numbered_.end(), pairs.begin(), pairs.end());
    return {numbered_, {}};
  }
  collect_plain();
  number(plain_, numbered_);
  return {numbered_, {}};
}

void FeatureExtractor::weigh() {
  collect_plain();
  occurrences_(plain_, copies_);
  // A feature's count is one more than the number of its last copy: sort by (hash, copy) and take the last of each hash.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> counted(plain_.size());
  for (std::size_t i = 0; i < plain_.size(); ++i) counted[i] = {plain_[i], copies_[i] + 1};
  std::sort(counted.begin(), counted.end());
  std::unordered_map<std::uint64_t, std::uint32_t> idf_of;  // of n-grams: mean of their tokens' idf
  if (profile_.weights == WeightKind::tfidf) {
    std::vector<std::uint64_t> grams;
    for (const unsigned size : profile_.ngram_sizes) {
      grams.clear();
      const auto n = static_cast<unsigned>(std::min<std::size_t>(size, token_hashes_.size()));
      token_ngrams(n, grams);
      for (std::size_t i = 0; i < grams.size(); ++i) {
        std::uint64_t sum = 0;
        for (unsigned j = 0; j < n; ++j) {
          const auto found = idf_.find(token_hashes_[i + j]);
          sum += found == idf_.end() ? mean_idf_ : found->second;
        }
        idf_of.emplace(grams[i], static_cast<std::uint32_t>(sum / n));
      }
    }
  }
  distinct_.clear();
  weights_.clear();
  for (std::size_t i = 0; i < counted.size(); ++i) {
    if (i + 1 < counted.size() && counted[i + 1].first == counted[i].first) continue;
    const std::uint32_t tf = counted[i].second;
    std::uint64_t weight = 1;
    switch (profile_.weights) {
      case WeightKind::set: break;
      case WeightKind::tf: weight = tf; break;
      case WeightKind::sqrt: weight = sqrt_weight(tf); break;
      case WeightKind::log: weight = log_weight(tf); break;
      case WeightKind::tfidf: weight = static_cast<std::uint64_t>(tf) * idf_of[counted[i].first]; break;
    }
    distinct_.push_back(counted[i].first);
    weights_.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(weight, 0xffffffffU)));
  }
}

void FeatureExtractor::numbered_features(std::vector<std::uint64_t>& out) {
  if (profile_.numbered) {
    const auto all = features().hashes;
    out.assign(all.begin(), all.end());
  } else {
    collect_plain();
    number(plain_, out);
  }
}

void FeatureExtractor::sorted_features(std::vector<std::uint64_t>& out) {
  numbered_features(out);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());  // only a collision of the hash could leave two
}

}  // namespace leitong::fingerprint
