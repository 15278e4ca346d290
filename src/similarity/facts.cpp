#include "similarity/facts.h"

#include <algorithm>
#include <cctype>

#include "similarity/fact_words.h"

namespace leitong::similarity {
namespace {

// FactToken::kind, from the low end: what the token is, what kind of number it belongs to, and its pair of opposites.
constexpr std::uint32_t is_number = 1, begins_run = 2, is_wide = 4, is_negation = 8, is_second = 16;
constexpr unsigned number_shift = 5, opposites_shift = 8, affirmed_shift = 16;
enum class NumberKind : std::uint32_t { none, quantity, numeral, name };

NumberKind number_kind(std::uint32_t kind) { return static_cast<NumberKind>(kind >> number_shift & 7); }
std::uint32_t opposites_of(std::uint32_t kind) { return kind >> opposites_shift & 0xff; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return !is_digit(c) && (static_cast<unsigned char>(c) >= 0x80 || std::isalpha(static_cast<unsigned char>(c)) != 0);
}

std::size_t digits_in(std::string_view token) { return static_cast<std::size_t>(std::count_if(token.begin(), token.end(), is_digit)); }
bool is_plain(std::string_view token) { return digits_in(token) == token.size(); }

// What stands before "st", "nd", "rd", "th" in an ordinal; empty: it is none.
std::string_view ordinal(std::string_view token) {
  if (token.size() < 3 || token.size() > 5 || !is_plain(token.substr(0, token.size() - 2))) return {};
  for (const std::string_view end : {"st", "nd", "rd", "th"})
    if (token.ends_with(end)) return token.substr(0, token.size() - 2);
  return {};
}

// Digits and letters in one ("150ppm", "w1j6hl"), but for an ordinal or a percentage.
bool is_mixed(std::string_view token) {
  if (digits_in(token) == 0 || std::none_of(token.begin(), token.end(), is_letter) || !ordinal(token).empty()) return false;
  return !token.ends_with("pct") || !is_plain(token.substr(0, token.size() - 3));
}

bool is_year(std::string_view token) { return token.size() == 4 && (token.starts_with("19") || token.starts_with("20")); }

// Han, Kana and what else is one token a character.
bool is_one_character(std::string_view token) {
  return token.size() >= 3 && token.size() <= 4 && static_cast<unsigned char>(token[0]) >= 0xE2 &&
         token.size() == (static_cast<unsigned char>(token[0]) >= 0xF0 ? 4U : 3U);
}

// The apostrophe of print is that of the table.
std::string_view with_plain_apostrophe(std::string_view token, std::string& buffer) {
  const std::size_t at = token.find("\xE2\x80\x99");
  if (at == std::string_view::npos) return token;
  buffer.assign(token);
  buffer.replace(at, 3, "'");
  return buffer;
}

// Tokens [begin, end) of one text, adjacent, all numbers.
struct Run {
  std::size_t begin, end;
};

class Reader {
 public:
  Reader(const fingerprint::FeatureExtractor& extractor, std::vector<FactToken>& out)
      : extractor_(extractor), tokens_(extractor.tokens()), first_(out.size()), out_(out) {}

  void read() {
    const auto hashes = extractor_.token_hashes();
    out_.resize(first_ + tokens_.size());
    traits_.clear();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      traits_.push_back(&traits_of(with_plain_apostrophe(tokens_[i], buffer_)));
      set(i, hashes[i]);
    }
    for (std::size_t i = 0; i < tokens_.size();) {
      if (!number(i)) {
        ++i;
        continue;
      }
      const Run run{i, end_of_run(i)};
      mark(run);
      i = run.end;
    }
  }

 private:
  FactToken& at(std::size_t i) { return out_[first_ + i]; }
  [[nodiscard]] bool number(std::size_t i) const { return traits_[i]->number || traits_[i]->date || is_digit(tokens_[i][0]); }

  void set(std::size_t i, std::uint64_t hash) {
    const WordTraits& traits = *traits_[i];
    FactToken& token = at(i);
    const std::string_view digits = traits.digits.empty() ? ordinal(tokens_[i]) : traits.digits;
    token.token = upper(digits.empty() ? hash : hash_of(digits));
    token.kind = (is_one_character(tokens_[i]) ? is_wide : 0) | (traits.negation ? is_negation : 0) |
                 (traits.second_of_pair ? is_second : 0) | std::uint32_t{traits.opposites} << opposites_shift;
    // Sixteen bits of what it would be without its "not" are enough to know it beside its neighbours.
    if (!traits.affirmed.empty()) token.kind |= (upper(hash_of(traits.affirmed)) & 0xffffU) << affirmed_shift;
  }
  static std::uint32_t upper(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  [[nodiscard]] std::uint64_t hash_of(std::string_view word) const { return extractor_.hasher().bytes(word.data(), word.size()); }

  // Dates are facts by themselves; other numbers that stand side by side are one.
  [[nodiscard]] std::size_t end_of_run(std::size_t begin) const {
    std::size_t end = begin + 1;
    if (traits_[begin]->date) return end;
    while (end < tokens_.size() && number(end) && !traits_[end]->date) ++end;
    return end;
  }

  void mark(const Run& run) {
    const auto kind = static_cast<std::uint32_t>(kind_of(run)) << number_shift;
    for (std::size_t i = run.begin; i < run.end; ++i) at(i).kind |= is_number | kind;
    at(run.begin).kind |= begins_run;
  }

  // Of an entry in a list, a section, an article: "§ 57" at the beginning of a text, "[12]: https:", 第三条.
  [[nodiscard]] bool names_place(const Run& run) const {
    if (run.begin == 0) return true;
    if (run.end == tokens_.size()) return false;
    const WordTraits& next = *traits_[run.end];
    return next.link || (next.part && tokens_[run.begin - 1] == "第");
  }

  // A telephone number, a code, the number of a section names something; it may differ between two copies of one message.
  [[nodiscard]] NumberKind kind_of(const Run& run) const {
    if (traits_[run.begin]->date) return NumberKind::quantity;
    bool mixed = false, numerals = true, separated = false;
    std::size_t digits = 0;
    for (std::size_t i = run.begin; i < run.end; ++i) {
      const std::string_view token = tokens_[i];
      mixed |= is_mixed(token);
      numerals &= traits_[i]->numeral;
      separated |= is_digit(token[0]) && !is_plain(token);
      digits += digits_in(token);
    }
    if (mixed || names_place(run)) return NumberKind::name;
    const bool named = run.begin > 0 && traits_[run.begin - 1]->names_number;
    if (numerals) return named ? NumberKind::name : NumberKind::numeral;
    if ((run.end < tokens_.size() && traits_[run.end]->unit) || (separated && digits <= 12)) return NumberKind::quantity;
    const std::string_view first = tokens_[run.begin];
    const bool long_run = run.end - run.begin > 1 && digits >= 7;
    const bool long_number = run.end - run.begin == 1 && is_plain(first) && first.size() >= 4 && !is_year(first);
    return named || long_run || long_number ? NumberKind::name : NumberKind::quantity;
  }

  const fingerprint::FeatureExtractor& extractor_;
  const text::Tokens& tokens_;
  std::size_t first_;
  std::vector<FactToken>& out_;
  std::vector<const WordTraits*> traits_;
  std::string buffer_;
};

std::uint64_t join(std::uint32_t left, std::uint32_t right) { return std::uint64_t{left} << 32 | right; }

bool has(const std::vector<std::uint32_t>& sorted, std::uint32_t token) { return std::binary_search(sorted.begin(), sorted.end(), token); }

void sort_distinct(std::vector<std::uint32_t>& tokens) {
  std::sort(tokens.begin(), tokens.end());
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
}

std::size_t end_of_run(std::span<const FactToken> text, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < text.size() && (text[end].kind & (is_number | begins_run)) == is_number) ++end;
  return end;
}

// Distinct runs of one kind: those that the other text does not have, and those that stand in both in the same surroundings.
struct Runs {
  std::vector<std::uint64_t> other, same;

  void finish() {
    for (auto* runs : {&other, &same}) {
      std::sort(runs->begin(), runs->end());
      runs->erase(std::unique(runs->begin(), runs->end()), runs->end());
    }
    std::erase_if(same, [&](std::uint64_t run) { return std::binary_search(other.begin(), other.end(), run); });
  }
};

Runs runs_of(std::span<const FactToken> text, const std::vector<bool>& shared, const std::vector<std::uint32_t>& loose_numbers_of_other,
             NumberKind kind) {
  Runs runs;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i].kind & begins_run) == 0 || number_kind(text[i].kind) != kind) continue;
    bool all_shared = true, known = true;
    std::uint64_t value = 0;
    for (std::size_t j = i, end = end_of_run(text, i); j < end; ++j) {
      all_shared &= shared[j];
      known &= has(loose_numbers_of_other, text[j].token);
      value = (value ^ text[j].token) * 0x9e3779b97f4a7c15ULL + 1;
    }
    if (all_shared)
      runs.same.push_back(value);
    else if (!known)
      runs.other.push_back(value);
  }
  runs.finish();
  return runs;
}

// Of the words in `a` that `b` does not have: how many have their contrary among those of `b` that `a` does not have.
unsigned count_opposites(std::span<const FactToken> a, const std::vector<bool>& a_shared, const std::vector<std::uint32_t>& all_of_b,
                         std::span<const FactToken> b, const std::vector<bool>& b_shared, const std::vector<std::uint32_t>& all_of_a) {
  std::vector<std::uint32_t> first, second;  // pairs of opposites: whose first list has a word here, whose second has one there
  const auto collect = [](std::span<const FactToken> text, const std::vector<bool>& shared, const std::vector<std::uint32_t>& others,
                          std::vector<std::uint32_t>& out) {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (opposites_of(text[i].kind) != 0 && !shared[i] && !has(others, text[i].token))
        out.push_back(opposites_of(text[i].kind) << 1 | ((text[i].kind & is_second) != 0 ? 1U : 0U));
    sort_distinct(out);
  };
  collect(a, a_shared, all_of_b, first);
  collect(b, b_shared, all_of_a, second);
  return static_cast<unsigned>(std::count_if(first.begin(), first.end(), [&](std::uint32_t word) { return has(second, word ^ 1U); }));
}

// Words of `a` that negate where `b` has the same without: "is not due" and "is due", "isn't due" and "is due".
unsigned count_negations(std::span<const FactToken> a, const std::vector<bool>& shared, std::span<const FactToken> b) {
  unsigned count = 0;
  for (std::size_t i = 1; i + 1 < a.size(); ++i) {
    if ((a[i].kind & is_negation) == 0 || shared[i]) continue;
    const std::uint32_t affirmed = a[i].kind >> affirmed_shift;
    for (std::size_t j = 0; j + 1 < b.size(); ++j) {
      if (b[j].token != a[i - 1].token) continue;
      const bool left_out = b[j + 1].token == a[i + 1].token;
      const bool turned = affirmed != 0 && j + 2 < b.size() && (b[j + 1].token & 0xffffU) == affirmed && b[j + 2].token == a[i + 1].token;
      if (left_out || turned) {
        ++count;
        break;
      }
    }
  }
  return count;
}

double shared_words(std::span<const FactToken> text, const std::vector<bool>& shared) {
  constexpr double of_a_character = 0.6;  // a Chinese word has some 1.6 characters
  double words = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (shared[i] && (text[i].kind & is_number) == 0) words += (text[i].kind & is_wide) != 0 ? of_a_character : 1;
  return words;
}

}  // namespace

void read_facts(const fingerprint::FeatureExtractor& extractor, std::vector<FactToken>& out) { Reader(extractor, out).read(); }

void FactComparison::list_bigrams(std::span<const FactToken> text, std::vector<Bigram>& out) {
  out.clear();
  for (std::uint32_t i = 0; i + 1 < text.size(); ++i) out.push_back({join(text[i].token, text[i + 1].token), i});
  std::sort(out.begin(), out.end(),
            [](const Bigram& x, const Bigram& y) { return x.tokens != y.tokens ? x.tokens < y.tokens : x.at < y.at; });
}

// A bigram that stands k times here and m times there makes the first min(k, m) of each shared.
void FactComparison::find_shared(std::span<const FactToken> a, std::span<const FactToken> b) {
  list_bigrams(a, bigrams_[0]);
  list_bigrams(b, bigrams_[1]);
  shared_[0].assign(a.size(), false);
  shared_[1].assign(b.size(), false);
  for (std::size_t i = 0, j = 0; i < bigrams_[0].size() && j < bigrams_[1].size();) {
    const Bigram &x = bigrams_[0][i], &y = bigrams_[1][j];
    if (x.tokens == y.tokens) {
      shared_[0][x.at] = shared_[0][x.at + 1] = true;
      shared_[1][y.at] = shared_[1][y.at + 1] = true;
    }
    if (x.tokens <= y.tokens) ++i;
    if (y.tokens <= x.tokens) ++j;
  }
}

Disagreement FactComparison::operator()(std::span<const FactToken> a, std::span<const FactToken> b) {
  find_shared(a, b);
  const std::span<const FactToken> texts[2] = {a, b};
  for (int side = 0; side < 2; ++side) {
    loose_numbers_[side].clear(), all_[side].clear();
    for (std::size_t i = 0; i < texts[side].size(); ++i) all_[side].push_back(texts[side][i].token);
    // All tokens of a run that is not shared as a whole.
    for (std::size_t i = 0; i < texts[side].size(); ++i) {
      if ((texts[side][i].kind & begins_run) == 0) continue;
      const std::size_t end = end_of_run(texts[side], i);
      const auto begin_of_shared = shared_[side].begin() + static_cast<std::ptrdiff_t>(i);
      if (std::all_of(begin_of_shared, begin_of_shared + static_cast<std::ptrdiff_t>(end - i), [](bool s) { return s; })) continue;
      for (std::size_t j = i; j < end; ++j) loose_numbers_[side].push_back(texts[side][j].token);
    }
    sort_distinct(loose_numbers_[side]);
    sort_distinct(all_[side]);
  }
  Disagreement found;
  for (const NumberKind kind : {NumberKind::quantity, NumberKind::numeral}) {
    const Runs of_a = runs_of(a, shared_[0], loose_numbers_[1], kind), of_b = runs_of(b, shared_[1], loose_numbers_[0], kind);
    if (!of_a.other.empty() && !of_b.other.empty()) found.other += static_cast<double>(of_a.other.size() + of_b.other.size()) / 2;
    found.same += static_cast<double>(std::min(of_a.same.size(), of_b.same.size()));
  }
  found.opposites = count_opposites(a, shared_[0], all_[1], b, shared_[1], all_[0]);
  found.negations = count_negations(a, shared_[0], b) + count_negations(b, shared_[1], a);
  found.shared = (shared_words(a, shared_[0]) + shared_words(b, shared_[1])) / 2;
  return found;
}

bool FactComparison::differ(std::span<const FactToken> a, std::span<const FactToken> b, const Rule& rule) {
  const double weight = weight_of((*this)(a, b), rule.fact_share);
  return weight > 0 && weight >= rule.fact_weight;
}

double weight_of(const Disagreement& found, double least_share) {
  const unsigned contrary = found.opposites + found.negations;
  const double facts = found.other + found.same;
  if (contrary == 0 && (found.other == 0 || found.other <= least_share * facts)) return 0;
  return (found.other + 2.0 * contrary) / std::max(found.shared, 1.0);
}

}  // namespace leitong::similarity
