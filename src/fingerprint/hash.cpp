#include "fingerprint/hash.h"

#include <string>

namespace leitong::fingerprint {
namespace {

// First 64 bits of the fractional parts of the square roots of the first eight primes.
constexpr std::array<std::uint64_t, 8> public_constants = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

}  // namespace

Hasher::Hasher(std::string_view key) : k_(public_constants) {
  if (key.empty()) return;
  // Each constant is replaced by the public hash of its number followed by the key.
  const Hasher plain;
  std::array<std::uint64_t, 8> keyed{};
  for (unsigned i = 0; i < keyed.size(); ++i) {
    std::string material(1, static_cast<char>('0' + i));
    material += key;
    keyed[i] = plain.bytes(material.data(), material.size());
  }
  k_ = keyed;
}

}  // namespace leitong::fingerprint
