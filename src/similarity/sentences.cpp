#include "similarity/sentences.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "fingerprint/hash.h"
#include "text/utf8.h"

namespace leitong::similarity {
namespace {

// Ends whatever follows: 。 ｡ ！ ？ … ‼ ⁇ ⁈ ⁉ and the full stops of Arabic, Urdu, Armenian, Devanagari, Burmese, Ethiopic and Khmer.
constexpr std::array<char32_t, 18> always{0x3002, 0xFF61, 0xFF01, 0xFF1F, 0x2026, 0x203C, 0x2047, 0x2048, 0x2049,
                                          0x061F, 0x06D4, 0x0589, 0x0964, 0x0965, 0x104A, 0x104B, 0x1362, 0x17D4};

// Ends only before white space, a closing mark or a script without spaces: not in 3.14, "e.g., this", ../file.
bool is_latin_end(char32_t c) { return c == '.' || c == '!' || c == '?' || c == 0xFF0E; }

// Scripts that are written without spaces begin about here; a line break between two of the others is only a space.
bool is_wide(char32_t c) { return c >= 0x2E80; }

// The character that ends right before `at`; 0 at the beginning.
char32_t before(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && at - begin < 4 && (static_cast<unsigned char>(text[begin - 1]) & 0xC0) == 0x80) --begin;
  if (begin > 0) --begin;
  return at == 0 ? 0 : text::decode_utf8(text, begin).value;
}

bool may_follow_end(char32_t c) {
  constexpr std::u32string_view closing = U"\"')]}\u2019\u201D\u00BB*_<";  // the last three: marks of Markdown and HTML
  return c <= ' ' || c == 0x85 || c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || is_wide(c) || closing.find(c) != closing.npos;
}

char32_t after(std::string_view text, std::size_t at) { return at < text.size() ? text::decode_utf8(text, at).value : 0; }

struct Sentence {
  std::uint32_t tokens = 0;
  std::uint64_t hash = 0;
  friend bool operator==(const Sentence&, const Sentence&) = default;
};

bool is_longer(const Sentence& x, const Sentence& y) { return x.tokens != y.tokens ? x.tokens > y.tokens : x.hash > y.hash; }

}  // namespace

bool ends_sentence(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  unsigned lines = 0;
  for (std::size_t at = begin; at < end;) {
    const text::Decoded c = text::decode_utf8(text, at);
    at += c.size;
    if (std::find(always.begin(), always.end(), c.value) != always.end()) return true;
    if (is_latin_end(c.value) && may_follow_end(after(text, at))) return true;
    if (c.value == '\n' || c.value == 0x2029) ++lines;
  }
  if (lines == 0) return false;
  return lines > 1 || is_wide(before(text, begin)) || is_wide(after(text, end));
}

SentenceSignature longest_sentences(std::string_view text, std::span<const std::uint64_t> tokens, std::span<const text::Range> source,
                                    unsigned most) {
  const fingerprint::Hasher hasher;
  std::vector<Sentence> sentences;
  Sentence now;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    now.hash = now.tokens == 0 ? tokens[i] : hasher.join(now.hash, tokens[i]);
    ++now.tokens;
    if (i + 1 < tokens.size() && !ends_sentence(text, source[i].end, source[i + 1].begin)) continue;
    sentences.push_back(now);
    now = {};
  }
  std::sort(sentences.begin(), sentences.end(), is_longer);
  sentences.erase(std::unique(sentences.begin(), sentences.end()), sentences.end());
  sentences.resize(std::min<std::size_t>(sentences.size(), most));
  SentenceSignature result;
  for (const Sentence& sentence : sentences) {
    result.sentences.push_back(sentence.hash);
    result.signature = hasher.join(result.signature, sentence.hash);
  }
  return result;
}

SentenceOverlap sentence_overlap(const SentenceSignature& a, const SentenceSignature& b) {
  SentenceOverlap result;
  result.a = a.signature;
  result.b = b.signature;
  result.equal = a.signature == b.signature && a.signature != 0;
  for (const std::uint64_t sentence : a.sentences) {
    result.shared += std::find(b.sentences.begin(), b.sentences.end(), sentence) != b.sentences.end() ? 1 : 0;
  }
  result.of = static_cast<unsigned>(std::max(a.sentences.size(), b.sentences.size()));
  return result;
}

}  // namespace leitong::similarity
