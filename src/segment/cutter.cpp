#include "segment/cutter.h"

#include <algorithm>

#include "segment/python_text.h"
#include "segment/viterbi.h"
#include "text/utf8.h"

namespace leitong::segment {
namespace {

constexpr std::size_t pad = 4;  // labels 0 after the block, where look-ups run ahead

inline unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

// A Han character of a block at `at`, or 0.
inline char32_t han_at(std::string_view text, std::size_t at) {
  if (text.size() - at < 3) return 0;
  const unsigned b0 = byte_at(text, at), b1 = byte_at(text, at + 1), b2 = byte_at(text, at + 2);
  if (b0 - 0xE4U > 5U || (b1 & 0xC0U) != 0x80U || (b2 & 0xC0U) != 0x80U) return 0;
  const char32_t c = (b0 & 15U) << 12 | (b1 & 63U) << 6 | (b2 & 63U);
  return c >= block_han_first && c <= block_han_last ? c : 0;
}

template <typename Vector>
void at_least(Vector& vector, std::size_t size) {
  if (vector.size() < size) vector.resize(size + size / 2);
}

}  // namespace

Cutter::Cutter(const Jieba& jieba, std::string_view text, Tokens& out)
    : jieba_(jieba), data_(*jieba.data_), text_(text), out_(out), classes_(jieba.classes_.data()), user_(!jieba.user_.empty()) {
  out.count_ = 0;
  out.joined_.clear();
}

void Cutter::reserve(std::size_t more) { at_least(out_.ranges_, out_.count_ + more); }

void Cutter::run(Mode mode) {
  for (std::size_t at = 0; at < text_.size();) {
    if (!begins_block(at)) {
      at = mode == Mode::all ? cut_other_all(at) : cut_other(at);
    } else if (mode == Mode::all) {
      at = scan_block(at);
      emit_all(characters_);
    } else {
      at = cut_block(at, mode);
    }
  }
}

std::size_t Cutter::cut_block(std::size_t at, Mode mode) {
  const std::size_t plain_end = skip_plain(at);
  if (plain_end != at && (plain_end == text_.size() || !begins_block(plain_end))) {
    reserve(plain_end - at);
    mode == Mode::hmm&& plain_end - at > 1 ? emit_ascii_model(at, plain_end) : emit_ascii_plain(at, plain_end);
    return plain_end;
  }
  const std::size_t end = scan_block(at);
  reserve(characters_);
  user_ ? find_route_with_user_words(characters_) : find_route(characters_);
  mode == Mode::hmm ? emit_hmm(characters_) : emit_plain(characters_);
  return end;
}

bool Cutter::begins_block(std::size_t at) const {
  const ByteClass c = classes_[byte_at(text_, at)];
  return c != ByteClass::other && (c != ByteClass::han || han_at(text_, at) != 0);
}

// Most blocks of mixed text are a Latin word or number: nothing has to be looked up for them.
std::size_t Cutter::skip_plain(std::size_t at) const {
  while (at < text_.size() && classes_[byte_at(text_, at)] == ByteClass::plain) ++at;
  return at;
}

// Fills the block with the run that begins at `at`, and returns where it ends. It is worked off in stretches for which there is room.
std::size_t Cutter::scan_block(std::size_t at) {
  Block& block = out_.block_;
  const Label* known = data_.labels();
  const ByteClass* classes = classes_;
  const std::string_view text = text_;
  std::size_t n = 0;
  for (bool more = at < text.size(); more;) {
    const std::size_t room = n + std::max<std::size_t>(n, 1024);
    at_least(block.labels, room + pad);
    at_least(block.offsets, room + 1);
    Label* labels = block.labels.data();
    std::uint32_t* offsets = block.offsets.data();
    const std::size_t from = n;
    for (; n < room; ++n) {
      more = at < text.size();
      if (!more) break;
      const unsigned byte = byte_at(text, at);
      offsets[n] = static_cast<std::uint32_t>(at);
      if (classes[byte] == ByteClass::han) {
        const char32_t c = han_at(text, at);
        more = c != 0;
        if (!more) break;
        labels[n] = known[c];
        at += 3;
      } else {
        more = classes[byte] != ByteClass::other;
        if (!more) break;
        labels[n] = known[byte];
        ++at;
      }
    }
    if (user_) read_points(from, n);
  }
  block.offsets[n] = static_cast<std::uint32_t>(at);
  std::fill_n(block.labels.begin() + static_cast<std::ptrdiff_t>(n), pad, Label{0});
  characters_ = n;
  return at;
}

void Cutter::read_points(std::size_t from, std::size_t to) {
  Block& block = out_.block_;
  at_least(block.points, to);
  for (std::size_t i = from; i < to; ++i) block.points[i] = text::decode_utf8(text_, block.offsets[i]).value;
}

// Outside of blocks every character is a token, except a line end of two.
std::size_t Cutter::cut_other(std::size_t at) {
  do {
    const std::size_t from = at;
    const unsigned byte = byte_at(text_, at);
    if (byte < 0x80) {
      at += byte == '\r' && at + 1 < text_.size() && text_[at + 1] == '\n' ? 2 : 1;
    } else {
      at += text::decode_utf8(text_, at).size;
    }
    reserve(1);
    put(from, at);
  } while (at < text_.size() && !begins_block(at));
  return at;
}

// White space is cut out, and what stands before, between and after it is one token each, even if it is nothing.
std::size_t Cutter::cut_other_all(std::size_t at) {
  std::size_t begin = at;
  while (at < text_.size() && !begins_block(at)) {
    const text::Decoded c = text::decode_utf8(text_, at);
    const std::size_t size = text_.compare(at, 2, "\r\n") == 0 ? 2 : c.size;
    if (is_python_space(c.value)) {
      reserve(2);
      put(begin, at);
      put(at, at + size);
      begin = at + size;
    }
    at += size;
  }
  reserve(1);
  put(begin, at);
  return at;
}

// From right to left: of all words that begin at a character, the one with which the rest scores best; the longest of several.
void Cutter::find_route(std::size_t n) {
  Block& block = out_.block_;
  at_least(block.scores, n + pad);
  at_least(block.next, n + 1);
  const Label* labels = block.labels.data();
  const Node* nodes = data_.words();
  const double* word_scores = jieba_.scores_.data();
  double* scores = block.scores.data();
  std::uint32_t* next = block.next.data();
  const double never = word_scores[0];
  std::fill_n(scores + n, pad, 0.0);
  for (std::size_t i = n; i-- > 0;) {
    const std::uint32_t id1 = labels[i];
    const Node one = nodes[id1];
    const std::uint32_t id2 = base_of(one) + labels[i + 1];
    const Node two = check_of(nodes[id2]) == id1 ? nodes[id2] : 0;
    const std::uint32_t id3 = base_of(two) + labels[i + 2];
    const double score1 = word_scores[value_of(one)] + scores[i + 1];
    const double score2 = word_scores[value_of(two)] + scores[i + 2];
    const bool longer = score2 >= score1;
    double best = longer ? score2 : score1;
    next[i] = static_cast<std::uint32_t>(i + 1 + longer);
    if (check_of(nodes[id3]) == id2) best = longer_words(i, id3, best);
    if (best == never) {
      best = (0.0 - jieba_.log_total_) + scores[i + 1];
      next[i] = static_cast<std::uint32_t>(i + 1);
    }
    scores[i] = best;
  }
}

// Words of three characters and more, of which `node` is the third.
double Cutter::longer_words(std::size_t i, std::uint32_t node, double best) {
  Block& block = out_.block_;
  const Node* nodes = data_.words();
  for (std::size_t end = i + 3;; ++end) {
    const Node at = nodes[node];
    if (value_of(at) != 0) {
      const double score = jieba_.scores_[value_of(at)] + block.scores[end];
      if (score >= best) {
        best = score;
        block.next[i] = static_cast<std::uint32_t>(end);
      }
    }
    const std::uint32_t child = base_of(at) + block.labels[end];
    if (check_of(nodes[child]) != node) return best;
    node = child;
  }
}

// Calls visit(end, frequency is not 0, log of it) for everything from `i` on that the dictionary or the user's words know.
template <typename Visit>
void Cutter::visit_prefixes(std::size_t i, std::size_t n, const Visit& visit) const {
  const Block& block = out_.block_;
  const Node* nodes = data_.words();
  constexpr std::uint32_t gone = no_parent;
  std::uint32_t node = block.labels[i], user = user_ ? 0 : UserWords::none;
  for (std::size_t end = i; end < n;) {
    if (end != i && node != gone) {
      const std::uint32_t child = base_of(nodes[node]) + block.labels[end];
      node = check_of(nodes[child]) == node ? child : gone;
    }
    if (user != UserWords::none) user = jieba_.user_.step(user, block.points[end]);
    if (node == gone && user == UserWords::none) return;
    ++end;
    const UserWords::Word* word = user == UserWords::none ? nullptr : &jieba_.user_.word(user);
    if (word != nullptr && word->set) {
      visit(end, word->frequency != 0, word->log);
    } else {
      const std::uint32_t rank = node == gone ? 0 : value_of(nodes[node]);
      visit(end, rank != 0, data_.logs()[rank]);
    }
  }
}

void Cutter::find_route_with_user_words(std::size_t n) {
  Block& block = out_.block_;
  at_least(block.scores, n + pad);
  at_least(block.next, n + 1);
  block.scores[n] = 0;
  for (std::size_t i = n; i-- > 0;) {
    double best = jieba_.scores_[0];
    block.next[i] = 0;
    visit_prefixes(i, n, [&](std::size_t end, bool is_word, double log) {
      const double score = (log - jieba_.log_total_) + block.scores[end];
      if (!is_word || score < best) return;
      best = score;
      block.next[i] = static_cast<std::uint32_t>(end);
    });
    if (block.next[i] == 0) {
      best = (0.0 - jieba_.log_total_) + block.scores[i + 1];
      block.next[i] = static_cast<std::uint32_t>(i + 1);
    }
    block.scores[i] = best;
  }
}

bool Cutter::is_word(std::size_t begin, std::size_t end) const {
  const Block& block = out_.block_;
  if (user_) {
    const UserWords::Word* word = jieba_.user_.find({block.points.data() + begin, end - begin});
    if (word != nullptr && word->set) return word->frequency != 0;
  }
  return find_value(data_.words(), std::span(block.labels.data() + begin, end - begin)) != 0;
}

bool Cutter::is_split(std::size_t begin, std::size_t end) const {
  if (!jieba_.user_.any_force_split()) return false;
  const UserWords::Word* word = jieba_.user_.find({out_.block_.points.data() + begin, end - begin});
  return word != nullptr && word->force_split;
}

void Cutter::put_singles(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) put_word(i, i + 1);
}

// Single letters and digits that follow each other are one token.
void Cutter::emit_plain(std::size_t n) {
  const Block& block = out_.block_;
  const auto single = [&](std::size_t i) { return block.next[i] == i + 1 && is_ascii_alnum(byte_at(text_, block.offsets[i])); };
  for (std::size_t i = 0; i < n;) {
    std::size_t end = block.next[i];
    if (single(i)) {
      while (end < n && single(end)) ++end;
    }
    put_word(i, end);
    i = end;
  }
}

void Cutter::emit_hmm(std::size_t n) {
  const std::uint32_t* next = out_.block_.next.data();
  for (std::size_t i = 0; i < n;) {
    std::size_t end = next[i];
    if (end == i + 1 && end < n && next[end] == end + 1) {
      while (end < n && next[end] == end + 1) ++end;
      emit_run(i, end);
    } else {
      put_word(i, end);
    }
    i = end;
  }
}

// At least two single characters. If they make a word that the route did not take, they stay as they are.
void Cutter::emit_run(std::size_t begin, std::size_t end) {
  if (is_word(begin, end)) return put_singles(begin, end);
  const auto& offsets = out_.block_.offsets;
  const auto han = [&](std::size_t i) { return offsets[i + 1] - offsets[i] == 3; };
  for (std::size_t i = begin; i < end;) {
    const bool model = han(i);
    const std::size_t from = i;
    while (i < end && han(i) == model) ++i;
    model ? emit_han_run(from, i) : emit_ascii_model(offsets[from], offsets[i]);
  }
}

void Cutter::emit_han_run(std::size_t begin, std::size_t end) {
  Block& block = out_.block_;
  viterbi(data_, {block.labels.data() + begin, end - begin}, block.back, block.states);
  std::size_t word = begin, done = begin;
  for (std::size_t i = begin; i < end; ++i) {
    const unsigned state = block.states[i - begin];
    if (state == state_b) word = i;
    if (state == state_e) put_model_word(word, i + 1);
    if (state == state_s) put_word(i, i + 1);
    if (state == state_e || state == state_s) done = i + 1;
  }
  if (done < end) put_model_word(done, end);
}

void Cutter::put_model_word(std::size_t begin, std::size_t end) {
  if (is_split(begin, end)) return put_singles(begin, end);
  put_word(begin, end);
}

void Cutter::emit_ascii_plain(std::size_t begin, std::size_t end) {
  for (std::size_t at = begin; at < end;) {
    const std::size_t from = at++;
    if (is_ascii_alnum(byte_at(text_, from))) {
      while (at < end && is_ascii_alnum(byte_at(text_, at))) ++at;
    }
    put(from, at);
  }
}

// Split by '[a-zA-Z0-9]+(?:\.\d+)?%?': the matches and what stands between them.
void Cutter::emit_ascii_model(std::size_t begin, std::size_t end) {
  const auto skip = [&](std::size_t at, auto accept) {
    while (at < end && accept(byte_at(text_, at))) ++at;
    return at;
  };
  const auto digit = [](unsigned c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = begin; at < end;) {
    const std::size_t from = at;
    at = skip(at, is_ascii_alnum);
    if (at == from) {
      at = skip(at, [](unsigned c) { return !is_ascii_alnum(c); });
    } else {
      if (at + 1 < end && text_[at] == '.' && digit(byte_at(text_, at + 1))) at = skip(at + 1, digit);
      if (at < end && text_[at] == '%') ++at;
    }
    put(from, at);
  }
}

// All words that the dictionary sees. Letters and digits are collected until another character comes, even over words found meanwhile.
void Cutter::emit_all(std::size_t n) {
  const Block& block = out_.block_;
  const auto offset = [&](std::size_t i) { return block.offsets[i]; };
  std::size_t covered = 0;  // one more than jieba's old_j
  bool collecting = false;
  text::Range pending;
  std::string pieces;  // of a collection that is no stretch of the text
  const auto flush = [&] {
    reserve(1);
    collecting = false;
    if (pieces.empty()) return put(pending.begin, pending.end);
    const std::size_t begin = text_.size() + out_.joined_.size();
    out_.joined_ += pieces;
    put(begin, begin + pieces.size());
    pieces.clear();
  };
  const auto collect = [&](std::size_t begin, std::size_t end) {
    if (!collecting) {
      pending = {offset(begin), offset(end)};
    } else if (pieces.empty() && pending.end == offset(begin)) {
      pending.end = offset(end);
    } else {
      if (pieces.empty()) pieces = text_.substr(pending.begin, pending.end - pending.begin);
      pieces += text_.substr(offset(begin), offset(end) - offset(begin));
    }
    collecting = true;
  };
  for (std::size_t k = 0; k < n; ++k) {
    const bool letter = is_ascii_alnum(byte_at(text_, offset(k)));
    if (collecting && !letter) flush();
    std::size_t words = 0, last = k + 1;
    visit_prefixes(k, n, [&](std::size_t end, bool is_word, double) {
      if (is_word) ++words, last = end;
    });
    if (words <= 1 && k >= covered) {
      if (letter) {
        collect(k, last);
      } else {
        reserve(1);
        put_word(k, last);
      }
      covered = last;
      continue;
    }
    visit_prefixes(k, n, [&](std::size_t end, bool is_word, double) {
      if (!is_word || end == k + 1) return;
      reserve(1);
      put_word(k, end);
      covered = end;
    });
  }
  if (collecting) flush();
}

void Cutter::refine_for_search() {
  std::swap(out_.ranges_, out_.words_);
  const std::size_t count = out_.count_;
  out_.count_ = 0;
  std::u32string points;
  std::vector<std::uint32_t> offsets;
  for (std::size_t w = 0; w < count; ++w) {
    const text::Range range = out_.words_[w];
    if (range.end - range.begin > 2) {
      points.clear();
      offsets.clear();
      for (std::size_t at = range.begin; at < range.end;) {
        const text::Decoded c = text::decode_utf8(text_, at);
        points.push_back(c.value);
        offsets.push_back(static_cast<std::uint32_t>(at));
        at += c.size;
      }
      offsets.push_back(range.end);
      reserve(2 * points.size());
      for (const std::size_t size : {std::size_t{2}, std::size_t{3}}) {
        for (std::size_t i = 0; points.size() > size && i + size <= points.size(); ++i) {
          if (jieba_.frequency({points.data() + i, size}).value_or(0) != 0) put(offsets[i], offsets[i + size]);
        }
      }
    }
    reserve(1);
    put(range.begin, range.end);
  }
}

}  // namespace leitong::segment
