#include "cli/named_choices.h"

namespace leitong::cli {

FeatureKind feature_kind(const std::string& name) {
  return name == "character-ngrams" ? FeatureKind::character_ngrams : FeatureKind::token_ngrams;
}

WeightKind weight_kind(const std::string& name) {
  if (name == "tf") return WeightKind::tf;
  if (name == "sqrt") return WeightKind::sqrt;
  if (name == "log") return WeightKind::log;
  if (name == "table") return WeightKind::table;
  return name == "tfidf" ? WeightKind::tfidf : WeightKind::set;
}

WordKind word_kind(const std::string& name) {
  if (name == "jieba") return WordKind::jieba;
  if (name == "jieba-plain") return WordKind::jieba_plain;
  if (name == "jieba-search") return WordKind::jieba_search;
  if (name == "jieba-all") return WordKind::jieba_all;
  if (name == "hanlp") return WordKind::hanlp;
  return name == "ik" ? WordKind::ik : WordKind::tokens;
}

FingerprintFormat fingerprint_format(const std::string& name) {
  if (name == "bits") return FingerprintFormat::bits;
  if (name == "signed") return FingerprintFormat::signed_decimal;
  return name == "decimal" ? FingerprintFormat::decimal : FingerprintFormat::hex;
}

Verify verify_kind(const std::string& name) {
  if (name == "none") return Verify::none;
  return name == "sketch" ? Verify::sketch : Verify::text;
}

Compression compression(const std::string& name) {
  if (name == "zst") return Compression::zstd;
  return name == "gz" ? Compression::gzip : Compression::none;
}

When when(const std::string& name) {
  if (name == "always") return When::always;
  return name == "never" ? When::never : When::automatic;
}

}  // namespace leitong::cli
