// Runs of plain bytes found one by one.
#include "text/scan_body.h"

namespace leitong::text {
namespace {

enum Class : unsigned char { letter = 1, digit = 2, underscore = 4, mid_letter = 8, mid_num = 16, wide = 32 };

struct Tables {
  unsigned char classes[256] = {}, lower[256] = {};

  constexpr Tables() {
    for (unsigned c = 0; c < 256; ++c) {
      const bool upper = c >= 'A' && c <= 'Z';
      lower[c] = static_cast<unsigned char>(upper ? c + 32 : c);
      if (lower[c] >= 'a' && lower[c] <= 'z') classes[c] = letter;
      if (c >= '0' && c <= '9') classes[c] = digit;
      if (c >= 0x80) classes[c] = wide;
    }
    classes[static_cast<unsigned>('_')] = underscore;
    classes[static_cast<unsigned>('.')] = classes[static_cast<unsigned>('\'')] = mid_letter | mid_num;
    classes[static_cast<unsigned>(':')] = mid_letter;
    classes[static_cast<unsigned>(',')] = classes[static_cast<unsigned>(';')] = mid_num;
  }
};
constexpr Tables tables;

// An 8 by 8 bit matrix across its diagonal: byte k of the result holds bit k of every byte.
inline std::uint64_t transpose(std::uint64_t x) {
  std::uint64_t t = (x ^ x >> 7) & 0x00AA00AA00AA00AAU;
  x ^= t ^ t << 7;
  t = (x ^ x >> 14) & 0x0000CCCC0000CCCCU;
  x ^= t ^ t << 14;
  t = (x ^ x >> 28) & 0x00000000F0F0F0F0U;
  return x ^ t ^ t << 28;
}

struct Portable {
  static std::size_t write_bits(Mask bits, std::uint32_t base, std::uint32_t* to) {
    std::size_t count = 0;
    for (; bits != 0; bits &= bits - 1) to[count++] = base + first_bit(bits);
    return count;
  }

  static std::size_t write_threes(Mask bits, std::uint32_t base, std::uint32_t* to, std::uint32_t* ends) {
    const std::size_t count = write_bits(bits, base, to);
    for (std::size_t i = 0; i < count; ++i) ends[i] = to[i] + 3;
    return count;
  }

  static AsciiMasks copy(const unsigned char* in, unsigned char* out) {
    AsciiMasks m{};
    for (unsigned i = 0; i < 64; i += 8) {
      std::uint64_t classes = 0;
      for (unsigned k = 0; k < 8; ++k) {
        classes |= static_cast<std::uint64_t>(tables.classes[in[i + k]]) << 8 * k;
        out[i + k] = tables.lower[in[i + k]];
      }
      const std::uint64_t rows = transpose(classes);
      m.letter |= (rows & 255) << i;
      m.digit |= (rows >> 8 & 255) << i;
      m.underscore |= (rows >> 16 & 255) << i;
      m.mid_letter |= (rows >> 24 & 255) << i;
      m.mid_num |= (rows >> 32 & 255) << i;
      m.wide |= (rows >> 40 & 255) << i;
    }
    return m;
  }

  static WideMasks wide(const unsigned char* in) {
    WideMasks m{};
    for (unsigned i = 0; i < 62; ++i) {
      const bool lead = in[i] >= 0xE4 && in[i] <= 0xE9 && (in[i + 1] & 0xC0) == 0x80 && (in[i + 2] & 0xC0) == 0x80;
      if (lead && (in[i] != 0xE4 || in[i + 1] >= 0xB8)) m.han |= Mask{1} << i;
    }
    return m;
  }
};

}  // namespace

ScanStop scan_portable(Scan& scan) { return scan_blocks<Portable>(scan); }

}  // namespace leitong::text
