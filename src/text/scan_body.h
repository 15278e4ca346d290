// The kernel of scan.h in terms of bit masks; included by scan_<isa>.cpp, each of which brings its own way to make the masks.
// Bit i of a mask stands for byte i of a block. Only for those files: everything is private to each, so that code compiled
// for one instruction set is never linked into another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "text/scan.h"
#include "text/wide.h"

namespace leitong::text {
namespace {  // NOLINT(google-build-namespaces): each instruction set has its copy

using Mask = std::uint64_t;

struct AsciiMasks {
  Mask letter, digit, underscore;
  Mask mid_letter;  // ' . :
  Mask mid_num;     // ' . , ;
  Mask wide;        // not ASCII
};

struct WideMasks {
  Mask han;    // first bytes of Han from U+4E00 to U+9FFF
  Mask known;  // first bytes of characters that are not hard in wide.h; may be left out, then they are looked at one by one
};

struct Block {
  AsciiMasks ascii;
  Mask han = 0;     // first bytes
  Mask joined = 0;  // bytes of U+2018 and U+2019 inside words
  unsigned size = 64;
  bool hard = false;  // the character at `size` is not known

  void cut(unsigned at, bool unknown) {
    size = at;
    hard = unknown;
  }
};

inline Mask below(unsigned n) { return n >= 64 ? ~Mask{0} : (Mask{1} << n) - 1; }
inline unsigned first_bit(Mask m) { return static_cast<unsigned>(__builtin_ctzll(m)); }
inline bool bit(Mask m, unsigned i) { return (m >> i & 1) != 0; }

// U+2018, U+2019 and the full-width mids at `at`; false if the character needs the plain path.
inline bool wide_mid(const Scan& scan, Block& block, unsigned at, Wide wide) {
  const AsciiMasks& a = block.ascii;
  const bool letter_before = at == 0 ? scan.after_letter != 0 : bit(a.letter, at - 1);
  const bool digit_before = at == 0 ? scan.after_digit != 0 : bit(a.digit, at - 1);
  const bool letter_after = bit(a.letter, at + 3), digit_after = bit(a.digit, at + 3);
  const bool between = (letter_before && letter_after) || (digit_before && digit_after);
  if (between && wide == Wide::fold_mid) return false;
  if (between) block.joined |= Mask{7} << at;
  return true;
}

inline Mask three_bytes(Mask first) { return first | first << 1 | first << 2; }

// What is not ASCII. Characters that begin in the last three bytes begin the next block, for they or their neighbours may lie beyond this
// one.
inline void find_wide(const Scan& scan, Block& block, const WideMasks& masks) {
  const AsciiMasks& a = block.ascii;
  block.han = masks.han & below(62);
  const Mask alnum = a.letter | a.digit;
  const Mask between = (alnum << 1 | scan.after_letter | scan.after_digit) & alnum >> 3;  // where a mid may join
  const Mask known = masks.known & below(61) & ~between;
  Mask rest = a.wide & ~three_bytes(block.han | known);
  while (rest != 0) {
    const unsigned at = first_bit(rest);
    if (at > 60) {
      block.cut(at, false);
      return;
    }
    const Wide wide = wide_class(scan.in[at], scan.in[at + 1], scan.in[at + 2]);
    if (wide == Wide::hard || (wide != Wide::separator && !wide_mid(scan, block, at, wide))) {
      block.cut(at, true);
      return;
    }
    rest &= ~(Mask{7} << at);
  }
}

// Writes simplified characters over traditional ones.
inline void simplify_han(const Scan& scan, Block& block) {
  for (Mask han = block.han & below(block.size); han != 0; han &= han - 1) {
    const unsigned at = first_bit(han);
    const unsigned c = (scan.in[at] & 15U) << 12 | (scan.in[at + 1] & 63U) << 6 | (scan.in[at + 2] & 63U);
    const unsigned to = scan.simplified[c - 0x4E00];
    if (to == 0) {
      block.cut(at, true);
      return;
    }
    scan.out[at] = static_cast<unsigned char>(0xE0 | to >> 12);
    scan.out[at + 1] = static_cast<unsigned char>(0x80 | (to >> 6 & 63));
    scan.out[at + 2] = static_cast<unsigned char>(0x80 | (to & 63));
  }
}

// The tokens of a block without words: each Han character ends inside it.
template <typename Kernel>
inline void write_han(Scan& scan, Mask han) {
  scan.ends[scan.ended] = scan.out_at;
  scan.ended += scan.after_token;
  const std::size_t count = Kernel::write_threes(han, scan.out_at, scan.begins + scan.begun, scan.ends + scan.ended);
  scan.begun += count;
  scan.ended += count;
  scan.after_letter = scan.after_digit = scan.after_word = scan.after_token = 0;
}

template <typename Kernel>
inline void write_tokens(Scan& scan, const Block& block) {
  const Mask inside = below(block.size);
  const AsciiMasks& a = block.ascii;
  const Mask letter = a.letter & inside, digit = a.digit & inside, han = block.han & inside;
  const Mask joined = ((letter << 1 | scan.after_letter) & letter >> 1 & a.mid_letter) |  // WB6, WB7
                      ((digit << 1 | scan.after_digit) & digit >> 1 & a.mid_num);         // WB11, WB12
  const Mask word = letter | digit | (a.underscore & inside) | joined | (block.joined & inside);
  if ((word | scan.after_word) == 0 && block.size != 0) {
    write_han<Kernel>(scan, han);
    return;
  }
  const Mask token = word | three_bytes(han);
  const Mask begins = (word & ~(word << 1 | scan.after_word)) | han;
  const Mask ends = (token << 1 | scan.after_token) & ~(token & ~begins) & inside;
  scan.begun += Kernel::write_bits(begins, scan.out_at, scan.begins + scan.begun);
  scan.ended += Kernel::write_bits(ends, scan.out_at, scan.ends + scan.ended);
  scan.underscores = scan.underscores || (a.underscore & inside) != 0;
  if (block.size == 0) return;
  const unsigned last = block.size - 1;
  scan.after_letter = letter >> last & 1;
  scan.after_digit = digit >> last & 1;
  scan.after_word = word >> last & 1;
  scan.after_token = token >> last & 1;
}

// Kernel: AsciiMasks copy(in, out) copies 64 bytes in lower case; WideMasks wide(in) looks at 66;
// write_bits(m, base, to) writes base + i for every bit i, in order, up to 72 numbers in all, and returns how many bits there are;
// write_threes(m, base, to, ends) writes base + i + 3 to `ends` as well.
template <typename Kernel>
inline ScanStop scan_blocks(Scan& caller) {
  Scan scan = caller;  // in registers, not behind a pointer that the stores might change
  const Kernel kernel;
  ScanStop stop = ScanStop::end;
  while (scan.in < scan.in_end) {
    Block block;
    block.ascii = kernel.copy(scan.in, scan.out);
    if (block.ascii.wide != 0) {
      find_wide(scan, block, kernel.wide(scan.in));
      if (scan.simplified != nullptr) simplify_han(scan, block);
    }
    // A mid at the very end waits for its neighbour.
    if (block.size == 64 && ((block.ascii.mid_letter | block.ascii.mid_num) >> 63) != 0) block.size = 63;
    write_tokens<Kernel>(scan, block);
    scan.in += block.size;
    scan.out += block.size;
    scan.out_at += block.size;
    if (block.hard) {
      stop = ScanStop::hard;
      break;
    }
    if (scan.begun > scan.limit) {
      stop = ScanStop::full;
      break;
    }
  }
  caller = scan;
  return stop;
}

}  // namespace
}  // namespace leitong::text
