// Words of UAX #29 by the rules as they are written; the fast path is tested against it.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "leitong/error.h"
#include "text/plain.h"
#include "text/segment.h"
#include "text/simplify.h"
#include "text/tokenize.h"
#include "text/unicode_tables.h"
#include "text/utf8.h"

namespace leitong::text {
namespace {

using unicode::Properties;
using unicode::WordBreak;

// What WB4 leaves with the character before it.
bool is_mark(char32_t c) {
  const WordBreak w = Properties(c).word_break();
  return w == WordBreak::extend || w == WordBreak::format || w == WordBreak::zwj;
}

class PlainTokenizer {
 public:
  PlainTokenizer(const NormalText& text, bool with_source, std::size_t bytes_begin, Tokens& out)
      : text_(text), with_source_(with_source), at_(bytes_begin), out_(out) {}

  void word(std::size_t begin, std::size_t end) {
    bool letter = false, single = false;
    for (std::size_t i = begin; i < end; ++i) {
      const Properties properties(text_.points[i]);
      letter = letter || properties.letter_or_digit();
      single = single || properties.single();
    }
    if (!letter) return;
    if (single && end - begin > 1) {
      cut(begin, end);
    } else {
      emit(begin, end);
    }
  }

  [[nodiscard]] std::size_t bytes_end() const { return at_; }

 private:
  // Clusters with a character of the single scripts are tokens by themselves, the stretches between them are tokens.
  void cut(std::size_t begin, std::size_t end) {
    const std::span<const char32_t> word(text_.points.data(), end);
    std::size_t stretch = begin;
    for (std::size_t i = begin; i < end;) {
      std::size_t next = grapheme_end(word, i);
      while (next < end && is_mark(text_.points[next])) next = grapheme_end(word, next);  // as in U+1019 U+102C, which are two clusters
      if (has_single(i, next)) {
        piece(stretch, i);
        piece(i, next);
        stretch = next;
      }
      i = next;
    }
    piece(stretch, end);
  }

  [[nodiscard]] bool has_single(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (Properties(text_.points[i]).single()) return true;
    }
    return false;
  }

  void piece(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (Properties(text_.points[i]).letter_or_digit()) {
        emit(begin, end);
        return;
      }
    }
  }

  void emit(std::size_t begin, std::size_t end) {
    const std::size_t first = at_;
    reserve_bytes(out_, at_ + 4 * (end - begin));
    char* to = out_.bytes.data() + at_;
    for (std::size_t i = begin; i < end; ++i) to = encode_utf8(text_.points[i], to);
    at_ = static_cast<std::size_t>(to - out_.bytes.data());
    out_.tokens.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(at_)});
    if (with_source_) out_.source.push_back({text_.sources[begin].begin, text_.sources[end - 1].end});
  }

  const NormalText& text_;
  bool with_source_;
  std::size_t at_;
  Tokens& out_;
};

}  // namespace

void reserve_bytes(Tokens& out, std::size_t used) {
  if (used > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorCode::limit, "a text has more than 4 GiB after normalisation; split it or limit the size of records");
  }
  if (out.bytes.size() < used + Tokens::padding) out.bytes.resize(used + used / 2 + Tokens::padding);
}

std::size_t append_plain(std::string_view utf8, const TokenizeOptions& options, std::size_t bytes_begin, NormalText& text, Tokens& out) {
  normalize(utf8, options.with_source, text);
  if (options.fold_traditional) {
    for (char32_t& c : text.points) c = simplify(c);
  }
  PlainTokenizer tokenizer(text, options.with_source, bytes_begin, out);
  for (std::size_t i = 0; i < text.points.size();) {
    const std::size_t end = word_end(text.points, i);
    tokenizer.word(i, end);
    i = end;
  }
  return tokenizer.bytes_end();
}

void tokenize_plain(std::string_view utf8, const TokenizeOptions& options, Tokens& out) {
  out.tokens.clear();
  out.source.clear();
  reserve_bytes(out, 0);
  NormalText text;
  append_plain(utf8, options, 0, text, out);
}

}  // namespace leitong::text
