// The public Fingerprinter, hexadecimal form and distance.
#include "leitong/fingerprint.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

#include "fingerprint/sketcher.h"
#include "leitong/error.h"

namespace leitong {

std::string to_hex(const Fingerprint& fingerprint) {
  if (fingerprint.bits < 64) return fmt::format("{:0{}x}", fingerprint.words[0], fingerprint.bits / 4);
  std::string hex;
  for (unsigned word = fingerprint.bits / 64; word-- > 0;) hex += fmt::format("{:016x}", fingerprint.words[word]);
  return hex;
}

std::string to_bits(const Fingerprint& fingerprint, bool least_first) {
  std::string text(fingerprint.bits, '0');
  for (unsigned bit = 0; bit < fingerprint.bits; ++bit)
    if ((fingerprint.words[bit / 64] >> (bit % 64) & 1) != 0) text[least_first ? bit : fingerprint.bits - 1 - bit] = '1';
  return text;
}

std::string to_decimal(const Fingerprint& fingerprint) {
  std::array<std::uint64_t, 4> rest = fingerprint.words;
  std::string digits;
  do {  // long division by ten, from the highest word down
    std::uint64_t remainder = 0;
    for (std::size_t word = rest.size(); word-- > 0;) {
      __extension__ using Wide = unsigned __int128;
      const Wide value = static_cast<Wide>(remainder) << 64 | rest[word];
      rest[word] = static_cast<std::uint64_t>(value / 10);
      remainder = static_cast<std::uint64_t>(value % 10);
    }
    digits.push_back(static_cast<char>('0' + remainder));
  } while (rest != std::array<std::uint64_t, 4>{});
  return {digits.rbegin(), digits.rend()};
}

std::string to_signed_decimal(const Fingerprint& fingerprint) {
  const unsigned top = fingerprint.bits - 1;
  if ((fingerprint.words[top / 64] >> (top % 64) & 1) == 0) return to_decimal(fingerprint);
  Fingerprint negated = fingerprint;  // two's complement: every bit turned, plus one
  bool carry = true;
  for (unsigned word = 0; word < fingerprint_words(fingerprint.bits); ++word) {
    negated.words[word] = ~fingerprint.words[word] + (carry ? 1 : 0);
    carry = carry && negated.words[word] == 0;
  }
  if (fingerprint.bits < 64) negated.words[0] &= (std::uint64_t{1} << fingerprint.bits) - 1;
  return "-" + to_decimal(negated);
}

Fingerprint reversed(const Fingerprint& fingerprint) {
  Fingerprint result{{}, fingerprint.bits};
  for (unsigned bit = 0; bit < fingerprint.bits; ++bit) {
    const unsigned from = fingerprint.bits - 1 - bit;
    result.words[bit / 64] |= (fingerprint.words[from / 64] >> (from % 64) & 1) << (bit % 64);
  }
  return result;
}

bool writes_least_bit_first(Program program) { return program == Program::java_000 || program == Program::java_004; }

Fingerprint fingerprint_from_hex(std::string_view hex) {
  if (hex.size() != 8 && hex.size() != 16 && hex.size() != 32 && hex.size() != 64)
    throw Error(ErrorCode::format, fmt::format("\"{}\" is no fingerprint: 8, 16, 32 or 64 hexadecimal digits are", hex.substr(0, 80)));
  Fingerprint fingerprint;
  fingerprint.bits = static_cast<unsigned>(hex.size() * 4);
  const std::size_t words = fingerprint_words(fingerprint.bits), digits = hex.size() / words;
  for (std::size_t i = 0; i < words; ++i) {
    const char* const begin = hex.data() + digits * i;
    const auto [end, error] = std::from_chars(begin, begin + digits, fingerprint.words[words - 1 - i], 16);
    if (error != std::errc() || end != begin + digits)
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
  explicit Impl(const Profile& p) : profile(p), extractor(p) {
    if (!fingerprint::votes_by_tokens(profile)) by_words.emplace(profile);
  }
  Profile profile;
  fingerprint::FeatureExtractor extractor;
  std::optional<fingerprint::ByWords> by_words;
  std::vector<std::uint64_t> buffer;
};

Fingerprinter::Fingerprinter(const Profile& profile) : impl_(std::make_unique<Impl>(profile)) {}
Fingerprinter::~Fingerprinter() = default;
Fingerprinter::Fingerprinter(Fingerprinter&&) noexcept = default;
Fingerprinter& Fingerprinter::operator=(Fingerprinter&&) noexcept = default;

Fingerprinter::Result Fingerprinter::operator()(std::string_view utf8) {
  if (impl_->by_words) return (*impl_->by_words)(utf8);
  impl_->extractor.set_text(utf8);
  const auto features = impl_->extractor.features();
  Result result;
  result.features = static_cast<std::uint32_t>(features.hashes.size());
  if (fingerprint::votes(features))
    result.fingerprint = fingerprint::fingerprint_of(features, impl_->profile, impl_->extractor.hasher(), impl_->buffer);
  return result;
}

}  // namespace leitong
