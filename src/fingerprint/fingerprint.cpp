#include "leitong/fingerprint.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

#include "fingerprint/sketcher.h"
#include "leitong/error.h"

namespace leitong {

std::string to_hex(const Fingerprint& fingerprint) {
  std::string hex;
  for (unsigned word = fingerprint.bits / 64; word-- > 0;) hex += fmt::format("{:016x}", fingerprint.words[word]);
  return hex;
}

Fingerprint fingerprint_from_hex(std::string_view hex) {
  if (hex.size() != 16 && hex.size() != 32 && hex.size() != 64)
    throw Error(ErrorCode::format, fmt::format("\"{}\" is no fingerprint: 16, 32 or 64 hexadecimal digits are", hex.substr(0, 80)));
  Fingerprint fingerprint;
  fingerprint.bits = static_cast<unsigned>(hex.size() * 4);
  const std::size_t words = hex.size() / 16;
  for (std::size_t i = 0; i < words; ++i) {
    const char* const begin = hex.data() + 16 * i;
    const auto [end, error] = std::from_chars(begin, begin + 16, fingerprint.words[words - 1 - i], 16);
    if (error != std::errc() || end != begin + 16)
      throw Error(ErrorCode::format, fmt::format("\"{}\" is no fingerprint: it holds something else than hexadecimal digits", hex));
  }
  return fingerprint;
}

unsigned distance(const Fingerprint& a, const Fingerprint& b) {
  if (a.bits != b.bits)
    throw Error(ErrorCode::usage, fmt::format("a fingerprint of {} bits has no distance to one of {} bits", a.bits, b.bits));
  int differing = 0;
  for (std::size_t i = 0; i < a.words.size(); ++i) differing += std::popcount(a.words[i] ^ b.words[i]);
  return static_cast<unsigned>(differing);
}

struct Fingerprinter::Impl {
  explicit Impl(const Profile& profile) : extractor(profile), bits(profile.bits) {}
  fingerprint::FeatureExtractor extractor;
  unsigned bits;
  std::vector<std::uint64_t> buffer;
};

Fingerprinter::Fingerprinter(const Profile& profile) : impl_(std::make_unique<Impl>(profile)) {}
Fingerprinter::~Fingerprinter() = default;
Fingerprinter::Fingerprinter(Fingerprinter&&) noexcept = default;
Fingerprinter& Fingerprinter::operator=(Fingerprinter&&) noexcept = default;

Fingerprinter::Result Fingerprinter::operator()(std::string_view utf8) {
  impl_->extractor.set_text(utf8);
  const auto features = impl_->extractor.features();
  Result result;
  result.features = static_cast<std::uint32_t>(features.hashes.size());
  if (fingerprint::votes(features))
    result.fingerprint = fingerprint::simhash(features, impl_->bits, impl_->extractor.hasher(), impl_->buffer);
  return result;
}

}  // namespace leitong
