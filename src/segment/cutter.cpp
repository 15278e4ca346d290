#include "segment/cutter.h"

#include <algorithm>
#include <limits>

#include "segment/python_text.h"
#include "segment/viterbi.h"
#include "text/utf8.h"

namespace leitong::segment {
namespace {

constexpr std::size_t pad = 4;        // characters without a label behind the last one, where look-ups run ahead
constexpr std::size_t stretch = 512;  // bytes that are worked off together, so that what is known of them stays in the first cache
constexpr double never = -std::numeric_limits<double>::infinity();

inline unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

// A Han character of a block at `at`, or 0.
inline char32_t han_at(std::string_view text, std::size_t at) {
  if (text.size() - at < 3) return 0;
  const unsigned b0 = byte_at(text, at), b1 = byte_at(text, at + 1), b2 = byte_at(text, at + 2);
  if (b0 - 0xE4U > 5U || (b1 & 0xC0U) != 0x80U || (b2 & 0xC0U) != 0x80U) return 0;
  const char32_t c = (b0 & 15U) << 12 | (b1 & 63U) << 6 | (b2 & 63U);
  return c >= block_han_first && c <= block_han_last ? c : 0;
}

// The node, or 0 if it is not a child of `parent`. By a mask: a condition would become a branch that waits for memory.
inline Node if_child(Node node, std::uint32_t parent) { return node & (Node{0} - Node{check_of(node) == parent}); }

template <typename Vector>
void at_least(Vector& vector, std::size_t size) {
  if (vector.size() < size) vector.resize(size + size / 2);
}

// Calls sink(begin, end) for letters and digits that follow each other, and for every other byte.
template <typename Sink>
void split_ascii_plain(std::string_view text, std::size_t begin, std::size_t end, const Sink& sink) {
  for (std::size_t at = begin; at < end;) {
    const std::size_t from = at++;
    if (is_ascii_alnum(byte_at(text, from))) {
      while (at < end && is_ascii_alnum(byte_at(text, at))) ++at;
    }
    sink(from, at);
  }
}

// Calls sink(begin, end) for what '[a-zA-Z0-9]+(?:\.\d+)?%?' finds and for what stands between.
template <typename Sink>
void split_ascii_model(std::string_view text, std::size_t begin, std::size_t end, const Sink& sink) {
  const auto skip = [&](std::size_t at, auto accept) {
    while (at < end && accept(byte_at(text, at))) ++at;
    return at;
  };
  const auto digit = [](unsigned c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = begin; at < end;) {
    const std::size_t from = at;
    at = skip(at, is_ascii_alnum);
    if (at == from) {
      at = skip(at, [](unsigned c) { return !is_ascii_alnum(c); });
    } else {
      if (at + 1 < end && text[at] == '.' && digit(byte_at(text, at + 1))) at = skip(at + 1, digit);
      if (at < end && text[at] == '%') ++at;
    }
    sink(from, at);
  }
}

}  // namespace

Cutter::Cutter(const Jieba& jieba, std::string_view text, Tokens& out)
    : jieba_(jieba), data_(*jieba.data_), text_(text), out_(out), classes_(jieba.classes_.data()), user_(!jieba.user_.empty()) {
  out.count_ = 0;
  out.joined_.clear();
}

void Cutter::reserve(std::size_t more) { at_least(out_.ranges_, out_.count_ + more); }

void Cutter::run(Mode mode) {
  const bool hmm = mode == Mode::hmm;
  for (std::size_t at = 0; at < text_.size();) {
    if (mode != Mode::all) {
      at = cut_apart(at, hmm);
      if (at == text_.size()) return;
      at = scan(at, hmm);
      reserve(characters_);
      user_ ? find_routes_with_user_words(characters_) : find_route(characters_);
      hmm ? emit_hmm(characters_) : emit_plain(characters_);
    } else if (begins_block(at)) {
      at = scan_block(at);
      emit_all(characters_);
    } else {
      at = cut_other_all(at);
    }
  }
}

inline bool Cutter::begins_block(std::size_t at) const {
  const ByteClass c = classes_[byte_at(text_, at)];
  return c != ByteClass::other && (c != ByteClass::han || begins_han(at));
}

bool Cutter::begins_han(std::size_t at) const { return han_at(text_, at) != 0; }

// What needs no route: characters outside of blocks, of which a line end of two is one, and blocks of letters or plain ASCII, as most of
// mixed text are. Calls sink(begin, end) for each token of one of them, after room(count), and returns where it ends; `at` if it is none.
template <typename Room, typename Sink>
std::size_t Cutter::pass_apart(std::size_t at, bool hmm, const Room& room, const Sink& sink) const {
  const auto kind = [&](std::size_t i) { return classes_[byte_at(text_, i)]; };
  const auto ends_block = [&](std::size_t i) { return i == text_.size() || !begins_block(i); };
  const ByteClass first = kind(at);
  std::size_t end = at;
  if (first == ByteClass::letter || first == ByteClass::plain) {
    while (end < text_.size() && kind(end) == ByteClass::letter) ++end;
    if (end != at && ends_block(end)) {
      room(1);
      sink(at, end);
      return end;
    }
    while (end < text_.size() && (kind(end) == ByteClass::letter || kind(end) == ByteClass::plain)) ++end;
    if (!ends_block(end)) return at;
    room(end - at);
    hmm ? split_ascii_model(text_, at, end, sink) : split_ascii_plain(text_, at, end, sink);
    return end;
  }
  if (begins_block(at)) return at;
  if (byte_at(text_, at) < 0x80) {
    end += byte_at(text_, at) == '\r' && at + 1 < text_.size() && text_[at + 1] == '\n' ? 2 : 1;
  } else {
    end += text::decode_utf8(text_, at).size;
  }
  room(1);
  sink(at, end);
  return end;
}

// Up to the next block that needs a route.
std::size_t Cutter::cut_apart(std::size_t at, bool hmm) {
  const auto room = [&](std::size_t count) { reserve(count); };
  const auto sink = [&](std::size_t begin, std::size_t end) { put(begin, end); };
  for (std::size_t end = at; at < text_.size(); at = end) {
    end = pass_apart(at, hmm, room, sink);
    if (end == at) break;
  }
  return at;
}

void Cutter::make_room(std::size_t characters) {
  Block& block = out_.block_;
  at_least(block.labels, characters + pad);
  at_least(block.offsets, characters + pad);
  at_least(block.settled, characters + pad);
}

void Cutter::close_block(std::size_t at) {
  Block& block = out_.block_;
  std::fill_n(block.labels.data() + characters_, pad, Label{0});
  std::fill_n(block.offsets.data() + characters_, pad, static_cast<std::uint32_t>(at));
  std::fill_n(block.settled.data() + characters_, pad, std::uint8_t{1});
  if (user_) read_points();
}

// Reads from `at` to an end of a block, or outside of blocks, and returns that place.
std::size_t Cutter::scan(std::size_t at, bool hmm) {
  characters_ = 0;
  do {
    at = scan_some(at, std::min(text_.size(), at + stretch), hmm);
  } while (at < text_.size() && out_.block_.settled[characters_ - 1] == 0 && begins_block(at));
  close_block(at);
  return at;
}

// Reads to `stop` or a little further, or up to several tokens that need no route: cut_apart() is cheaper for what follows them.
std::size_t Cutter::scan_some(std::size_t at, std::size_t stop, bool hmm) {
  constexpr unsigned enough_apart = 8;
  make_room(characters_ + (stop - at));
  const Label* known = data_.labels();
  const std::string_view text = text_;
  Block& block = out_.block_;
  Label* labels = block.labels.data();
  std::uint32_t* offsets = block.offsets.data();
  std::uint8_t* settled = block.settled.data();
  std::size_t n = characters_;
  unsigned apart = 0;  // tokens one after the other
  const auto add = [&](std::size_t offset, Label label, bool outside) {
    labels[n] = label;
    offsets[n] = static_cast<std::uint32_t>(offset);
    settled[n++] = outside;
    apart = outside ? apart + 1 : 0;
  };
  const auto room = [&](std::size_t count) {
    if (at + count <= stop) return;
    make_room(n + count);
    labels = block.labels.data(), offsets = block.offsets.data(), settled = block.settled.data();
  };
  while (at < stop && apart < enough_apart) {
    const unsigned b0 = byte_at(text, at);
    if (b0 - 0xE1U < 15 && b0 != 0xED && at + 2 < text.size()) {  // with any two bytes that continue it, such a byte makes a character
      const unsigned b1 = byte_at(text, at + 1) ^ 0x80U, b2 = byte_at(text, at + 2) ^ 0x80U;
      if ((b1 | b2) < 0x40U) {
        const std::uint32_t c = (b0 & 15U) << 12 | b1 << 6 | b2;
        const bool han = c - block_han_first <= block_han_last - block_han_first;
        add(at, static_cast<Label>(known[c] & (0U - han)), !han);
        at += 3;
        continue;
      }
    }
    const bool inside = n != 0 && settled[n - 1] == 0 && begins_block(at);
    const std::size_t end = inside ? at : pass_apart(at, hmm, room, [&](std::size_t from, std::size_t) { add(from, 0, true); });
    if (end == at) add(at, known[b0], false);
    at = std::max(end, at + 1);
  }
  characters_ = n;
  return at;
}

// The block that begins at `at`, in single characters; returns where it ends.
std::size_t Cutter::scan_block(std::size_t at) {
  Block& block = out_.block_;
  characters_ = 0;
  for (; at < text_.size() && begins_block(at); ++characters_) {
    if (characters_ % stretch == 0) make_room(characters_ + stretch);
    const char32_t han = han_at(text_, at);
    block.labels[characters_] = data_.labels()[han != 0 ? han : byte_at(text_, at)];
    block.offsets[characters_] = static_cast<std::uint32_t>(at);
    at += han != 0 ? 3 : 1;
  }
  close_block(at);
  return at;
}

void Cutter::read_points() {
  Block& block = out_.block_;
  at_least(block.points, characters_);
  for (std::size_t i = 0; i < characters_; ++i) block.points[i] = text::decode_utf8(text_, block.offsets[i]).value;
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

// The words of two and three characters from each on, and whether there may be longer ones. Every pass asks for what the next one needs,
// and no pass waits for memory or takes a branch.
void Cutter::look_up(std::size_t n) {
  Block& block = out_.block_;
  at_least(block.look_ups, n);
  const Label* labels = block.labels.data();
  const Node* nodes = data_.words();
  Tokens::LookUp* found = block.look_ups.data();
  for (std::size_t i = 0; i < n; ++i) {
    found[i].second = base_of(nodes[labels[i]]) + labels[i + 1];
    __builtin_prefetch(nodes + found[i].second);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Node two = if_child(nodes[found[i].second], labels[i]);
    found[i].value2 = value_of(two);
    found[i].third = base_of(two) + labels[i + 2];
    __builtin_prefetch(nodes + found[i].third);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Node three = if_child(nodes[found[i].third], found[i].second);
    found[i].value3 = value_of(three);
    found[i].fourth = base_of(three) + labels[i + 3];
    __builtin_prefetch(nodes + found[i].fourth);
  }
}

// From right to left: of all words that begin at a character, the one with which the rest scores best; the longest of several.
void Cutter::find_route(std::size_t n) {
  look_up(n);
  Block& block = out_.block_;
  at_least(block.scores, n + pad);
  at_least(block.next, n + pad);
  std::fill_n(block.scores.data() + n, pad, 0.0);
  const Label* labels = block.labels.data();
  const Tokens::LookUp* found = block.look_ups.data();
  const Node* nodes = data_.words();
  const double* word_scores = jieba_.scores_.data();
  const auto unknown = static_cast<std::uint32_t>(jieba_.scores_.size() - 1);
  constexpr double least[2] = {never, 0.0};  // outside of blocks the sum begins anew
  double* scores = block.scores.data();
  std::uint32_t* next = block.next.data();
  std::uint8_t* settled = block.settled.data();
  double score1 = 0, score2 = 0, score3 = 0;
  for (std::size_t i = n; i-- > 0;) {
    const std::uint32_t value1 = value_of(nodes[labels[i]]), value2 = found[i].value2, value3 = found[i].value3;
    const bool goes_on = check_of(nodes[found[i].fourth]) == found[i].third;
    const std::uint32_t no_value1 = value1 == 0;
    if ((static_cast<std::uint32_t>(goes_on) | (no_value1 & static_cast<std::uint32_t>((value2 | value3) != 0))) != 0) [[unlikely]] {
      score3 = score2, score2 = score1, score1 = find_any_words(i);
      continue;
    }
    const double sum1 = word_scores[value1 | (unknown & (0 - no_value1))] + score1;
    const double sum2 = word_scores[value2] + score2, sum3 = word_scores[value3] + score3;
    const double longer = std::max(sum2, sum3);
    const bool joined = longer >= sum1;
    const std::uint32_t size = 1 + (static_cast<std::uint32_t>(joined) << static_cast<std::uint32_t>(sum3 >= sum2));
    next[i] = static_cast<std::uint32_t>(i) + size;
    score3 = score2;
    score2 = score1;
    score1 = std::max(sum1, std::max(longer, least[settled[i]]));
    scores[i] = score1;
    settled[i] |= static_cast<std::uint8_t>(joined);
  }
}

// The same of one character, however long its words are.
double Cutter::find_any_words(std::size_t i) {
  Block& block = out_.block_;
  const Node* nodes = data_.words();
  const Label* labels = block.labels.data();
  std::uint32_t node = labels[i];
  double best = never;
  std::size_t best_end = i + 1;
  for (std::size_t end = i + 1;; ++end) {
    const std::uint32_t value = value_of(nodes[node]);
    const double score = jieba_.scores_[value] + block.scores[end];
    if (value != 0 && score >= best) best = score, best_end = end;
    const std::uint32_t child = base_of(nodes[node]) + labels[end];
    if (labels[end] == 0 || check_of(nodes[child]) != node) break;
    node = child;
  }
  if (best == never) best = jieba_.scores_.back() + block.scores[i + 1];
  block.scores[i] = best;
  block.next[i] = static_cast<std::uint32_t>(best_end);
  block.settled[i] = best_end != i + 1;
  return best;
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

// User words may hold characters that no block does: blocks are looked at one by one.
void Cutter::find_routes_with_user_words(std::size_t n) {
  Block& block = out_.block_;
  at_least(block.scores, n + pad);
  at_least(block.next, n + pad);
  for (std::size_t i = 0; i < n;) {
    std::size_t end = i;
    while (block.settled[end] == 0) ++end;
    find_route_with_user_words(i, end);
    for (i = end; i < n && block.settled[i] != 0; ++i) block.next[i] = static_cast<std::uint32_t>(i + 1);
  }
}

void Cutter::find_route_with_user_words(std::size_t begin, std::size_t end) {
  Block& block = out_.block_;
  block.scores[end] = 0;
  for (std::size_t i = end; i-- > begin;) {
    double best = never;
    block.next[i] = 0;
    visit_prefixes(i, end, [&](std::size_t word_end, bool is_word, double log) {
      const double score = (log - jieba_.log_total_) + block.scores[word_end];
      if (!is_word || score < best) return;
      best = score;
      block.next[i] = static_cast<std::uint32_t>(word_end);
    });
    if (block.next[i] == 0) {
      best = (0.0 - jieba_.log_total_) + block.scores[i + 1];
      block.next[i] = static_cast<std::uint32_t>(i + 1);
    }
    block.scores[i] = best;
    block.settled[i] = block.next[i] != i + 1;
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
  const std::uint32_t *next = block.next.data(), *offsets = block.offsets.data();
  const auto single = [&](std::size_t i) { return block.settled[i] == 0 && is_ascii_alnum(byte_at(text_, offsets[i])); };
  text::Range* out = out_.ranges_.data() + out_.count_;
  for (std::size_t i = 0; i < n;) {
    std::size_t end = next[i];
    if (offsets[i + 1] - offsets[i] == 1 && single(i)) {
      while (single(end)) ++end;
    }
    *out++ = {offsets[i], offsets[end]};
    i = end;
  }
  out_.count_ = static_cast<std::size_t>(out - out_.ranges_.data());
}

void Cutter::emit_hmm(std::size_t n) {
  const Block& block = out_.block_;
  const std::uint32_t* next = block.next.data();
  const std::uint8_t* settled = block.settled.data();
  for (std::size_t i = 0; i < n;) {
    std::size_t end = next[i];
    if ((settled[i] | settled[end]) == 0) {
      while (settled[end] == 0) ++end;
      emit_run(i, end);
    } else {
      put_word(i, end);
    }
    i = end;
  }
}

// At least two single characters. If they make a word that the route did not take, they stay as they are.
void Cutter::emit_run(std::size_t begin, std::size_t end) {
  const auto& offsets = out_.block_.offsets;
  if (end - begin == 2 && offsets[end] - offsets[begin] == 6 && !user_) return emit_han_pair(begin);
  if (is_word(begin, end)) return put_singles(begin, end);
  const auto han = [&](std::size_t i) { return offsets[i + 1] - offsets[i] == 3; };
  for (std::size_t i = begin; i < end;) {
    const bool model = han(i);
    const std::size_t from = i;
    while (i < end && han(i) == model) ++i;
    if (model) {
      emit_han_run(from, i);
    } else {
      split_ascii_model(text_, offsets[from], offsets[i], [&](std::size_t first, std::size_t last) { put(first, last); });
    }
  }
}

void Cutter::emit_han_pair(std::size_t begin) {
  const Block& block = out_.block_;
  const Label first = block.labels[begin], second = block.labels[begin + 1];
  const bool split = block.look_ups[begin].value2 != 0 || viterbi_splits(data_, first, second);
  const std::uint32_t* offsets = block.offsets.data() + begin;
  text::Range* out = out_.ranges_.data() + out_.count_;
  out[0] = {offsets[0], offsets[split ? 1 : 2]};
  out[1] = {offsets[1], offsets[2]};
  out_.count_ += split ? 2 : 1;
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
