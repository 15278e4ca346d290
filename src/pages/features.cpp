#include "pages/features.h"

#include <algorithm>
#include <limits>

#include "text/utf8.h"

namespace leitong::pages {
namespace {

using text::Tag;

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 32) * 0xD6E8FEB86659FD93;
  return x ^ x >> 32;
}

// 1000 a / b, 0 if there is nothing to be a part of.
int share(std::uint64_t a, std::uint64_t b) {
  if (b == 0) return 0;
  const std::uint64_t thousand = a * 1000;
  if ((thousand | b) >> 32 == 0) return static_cast<int>(static_cast<std::uint32_t>(thousand) / static_cast<std::uint32_t>(b));  // faster
  return static_cast<int>(thousand / b);
}

// Writes one number after another; what does not fit becomes the nearest that does.
class Writer {
 public:
  explicit Writer(Number* to) : begin_(to), to_(to) {}
  void put(std::int64_t value) {
    constexpr std::int64_t most = std::numeric_limits<Number>::max();
    *to_++ = static_cast<Number>(std::clamp(value, -most, most));
  }
  [[nodiscard]] std::ptrdiff_t written() const { return to_ - begin_; }

 private:
  Number* begin_;
  Number* to_;
};

std::uint32_t link_units(const Block& b) {
  const std::uint32_t bytes = b.end - b.begin;
  return bytes == 0 ? 0 : static_cast<std::uint32_t>(std::uint64_t{b.counts.units} * b.link_bytes / bytes);
}

// Running text: long enough, punctuated, and not mostly links.
bool is_good(const Block& b) {
  return b.counts.units >= 24 && b.counts.sentences + b.counts.commas > 0 && std::uint64_t{b.link_bytes} * 10 < (b.end - b.begin) * 3ULL;
}

std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return mixed(hash);
}

// Hashes of the words of a text, in lower case as far as it is ASCII; a character beyond U+2E7F is a word.
template <class Visit>
void each_word(std::string_view text, Visit visit) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < text.size();) {
    const text::Decoded c = text::decode_utf8(text, i);
    i += c.size;
    const bool capital = c.value >= 'A' && c.value <= 'Z';
    const char32_t folded = capital ? c.value + 32 : c.value;
    const bool part = folded >= 0x80 ? !(folded >= 0x2000 && folded < 0x2C00) && folded != 0xA0
                                     : (folded >= 'a' && folded <= 'z') || (folded >= '0' && folded <= '9');
    if (hash != 0 && (!part || folded >= 0x2E80)) {
      visit(hash);
      hash = 0;
    }
    if (!part) continue;
    hash = mixed(hash * 31 + folded + 1);
    if (folded >= 0x2E80) {
      visit(hash);
      hash = 0;
    }
  }
  if (hash != 0) visit(hash);
}

constexpr std::int32_t most_score = 2048, score_step = 16;

// By the compiler, so that no machine's library decides: e to the power of x, which is at most 8 away from 0.
constexpr double power_of_e(double x) {
  double sum = 1, term = 1;
  for (int i = 1; i < 80; ++i) sum += term *= x / i;
  return sum;
}

constexpr auto chances_by_score = [] {
  std::array<std::int16_t, 2 * most_score / score_step + 1> made{};
  for (std::size_t i = 0; i < made.size(); ++i) {
    const double odds = static_cast<double>(static_cast<int>(i) * score_step - most_score) / 256.0;
    const double likely = 1000.0 / (1.0 + 1.0 / power_of_e(odds < 0 ? -odds : odds));
    made[i] = static_cast<std::int16_t>((odds < 0 ? 1000.0 - likely : likely) + 0.5);
  }
  return made;
}();

constexpr std::uint32_t long_text = 40;   // units from which a block is a paragraph
constexpr std::uint32_t short_text = 60;  // units up to which a block is compared with the title

}  // namespace

void Features::group_by(const std::vector<std::uint64_t>& keys, Groups& to) {
  to.of.resize(keys.size());
  to.count = 0;
  std::size_t size = 16;
  while (size < keys.size() * 2) size *= 2;
  slots_.assign(size, none);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::size_t at = static_cast<std::size_t>(mixed(keys[i])) & (size - 1);
    while (slots_[at] != none && keys[slots_[at]] != keys[i]) at = (at + 1) & (size - 1);
    if (slots_[at] == none) {
      slots_[at] = static_cast<std::uint32_t>(i);
      to.of[i] = to.count++;
    } else {
      to.of[i] = to.of[slots_[at]];
    }
  }
}

// The elements around each block, innermost first, those with the same blocks taken as one; the outermost again where there are too few.
void Features::find_around(const Page& page) {
  up_.resize(page.elements.size());
  for (std::size_t e = 0; e < page.elements.size(); ++e) {
    const BlockElement& element = page.elements[e];
    up_[e] = element.parent;
    if (element.parent == none) continue;
    const BlockElement& parent = page.elements[element.parent];
    if (parent.first == element.first && parent.end == element.end) up_[e] = up_[element.parent];
  }
  around_.resize(page.blocks.size());
  for (std::size_t b = 0; b < page.blocks.size(); ++b) {
    std::uint32_t element = page.blocks[b].element;
    for (std::uint32_t& level : around_[b].element) {
      level = element;
      if (element != none) element = up_[element];
    }
  }
}

void Features::sum_up(const Page& page) {
  const std::size_t count = page.blocks.size();
  for (Sums* sums : {&units_, &links_, &good_, &sentences_}) sums->assign(count + 1, 0);
  good_before_.assign(count, none);
  good_after_.assign(count, none);
  std::uint32_t last = none;
  for (std::size_t i = 0; i < count; ++i) {
    const Block& b = page.blocks[i];
    const bool good = is_good(b);
    units_[i + 1] = units_[i] + b.counts.units;
    links_[i + 1] = links_[i] + link_units(b);
    good_[i + 1] = good_[i] + (good ? b.counts.units : 0);
    sentences_[i + 1] = sentences_[i] + b.counts.sentences;
    if (last != none) good_before_[i] = static_cast<std::uint32_t>(i) - last;
    if (good) last = static_cast<std::uint32_t>(i);
  }
  last = none;
  for (std::size_t i = count; i-- > 0;) {
    if (last != none) good_after_[i] = last - static_cast<std::uint32_t>(i);
    if (is_good(page.blocks[i])) last = static_cast<std::uint32_t>(i);
  }
}

void Features::group(const Page& page) {
  const std::size_t count = page.blocks.size();
  scratch_.resize(count);
  const auto add = [&](const Groups& groups, std::vector<PathSum>& sums) {
    sums.assign(groups.count, {});
    for (std::size_t i = 0; i < count; ++i) {
      PathSum& sum = sums[groups.of[i]];
      sum.units += units_[i + 1] - units_[i];
      sum.links += links_[i + 1] - links_[i];
      sum.good += good_[i + 1] - good_[i];
      ++sum.blocks;
    }
  };
  for (std::size_t i = 0; i < count; ++i) scratch_[i] = page.blocks[i].path;
  group_by(scratch_, paths_);
  add(paths_, path_sums_);
  for (std::size_t i = 0; i < count; ++i) scratch_[i] = page.blocks[i].outer_path;
  group_by(scratch_, outer_paths_);
  add(outer_paths_, outer_sums_);
  for (std::size_t i = 0; i < count; ++i)
    scratch_[i] = hash_of(std::string_view(page.text).substr(page.blocks[i].begin, page.blocks[i].end - page.blocks[i].begin));
  group_by(scratch_, texts_);
  repeats_.assign(texts_.count, 0);
  for (const std::uint32_t group : texts_.of) ++repeats_[group];
}

void Features::find_core(const Page& page) {
  const std::uint32_t good = good_.back();
  const auto all = static_cast<std::uint32_t>(page.blocks.size());
  core_.fill({0, all});
  constexpr std::array<std::uint32_t, 3> percent{50, 70, 90};
  for (const BlockElement& element : page.elements) {
    for (std::size_t i = 0; i < percent.size(); ++i) {
      const bool smaller = element.end - element.first <= core_[i].end - core_[i].first;
      if (smaller && std::uint64_t{good_[element.end] - good_[element.first]} * 100 >= std::uint64_t{good} * percent[i])
        core_[i] = {element.first, element.end};
    }
  }
}

void Features::find_title(const Page& page) {
  title_words_.clear();
  each_word(page.title, [&](std::uint64_t word) { title_words_.push_back(word); });
  std::sort(title_words_.begin(), title_words_.end());
  title_words_.erase(std::unique(title_words_.begin(), title_words_.end()), title_words_.end());
}

void Features::make_page(const Page& p) {
  Writer w(page_row.data());
  const std::uint32_t units = units_.back(), blocks = static_cast<std::uint32_t>(p.blocks.size());
  std::uint64_t bytes = 0, chinese = 0, characters = 0, digits = 0, links = 0, listed = 0, in_paragraphs = 0, commented = 0, forum = 0,
                product = 0, tabled = 0, code = 0, in_article = 0, in_main = 0;
  std::uint32_t longest = 0, good_blocks = 0;
  const auto marked = [](const Block& b, Mark mark) { return b.marks[static_cast<unsigned>(mark)] != 0; };
  for (const Block& b : p.blocks) {
    bytes += b.end - b.begin, chinese += b.counts.chinese, characters += b.counts.characters, digits += b.counts.digits, links += b.links;
    longest = std::max(longest, b.counts.units);
    good_blocks += is_good(b) ? 1U : 0U;
    listed += b.tag == Tag::li ? b.counts.units : 0U;
    in_paragraphs += b.tag == Tag::p ? b.counts.units : 0U;
    commented += marked(b, Mark::comment) ? b.counts.units : 0U;
    forum += marked(b, Mark::forum) ? b.counts.units : 0U;
    product += marked(b, Mark::product) ? b.counts.units : 0U;
    tabled += marked(b, Mark::table_tag) ? b.counts.units : 0U;
    code += marked(b, Mark::code_tag) ? b.counts.units : 0U;
    in_article += marked(b, Mark::article_tag) ? b.counts.units : 0U;
    in_main += marked(b, Mark::main_tag) ? b.counts.units : 0U;
  }
  std::uint32_t most_of_path = 0, most_good = 0;
  for (const PathSum& sum : path_sums_) most_of_path = std::max(most_of_path, sum.blocks), most_good = std::max(most_good, sum.good);
  for (const std::int64_t value : {std::int64_t{units / 4},
                                   std::int64_t{blocks},
                                   std::int64_t{good_.back() / 4},
                                   std::int64_t{share(good_.back(), units)},
                                   std::int64_t{share(links_.back(), units)},
                                   std::int64_t{share(chinese, characters)},
                                   std::int64_t{share(digits, characters)},
                                   static_cast<std::int64_t>(links),
                                   std::int64_t{longest},
                                   std::int64_t{good_blocks},
                                   std::int64_t{share(good_blocks, blocks)},
                                   std::int64_t{share(listed, units)},
                                   std::int64_t{share(in_paragraphs, units)},
                                   std::int64_t{share(commented, units)},
                                   std::int64_t{share(forum, units)},
                                   std::int64_t{share(product, units)},
                                   std::int64_t{share(tabled, units)},
                                   std::int64_t{share(code, units)},
                                   std::int64_t{share(in_article, units)},
                                   std::int64_t{share(in_main, units)},
                                   std::int64_t{most_of_path},
                                   std::int64_t{share(most_good, good_.back())},
                                   std::int64_t{path_sums_.size() < 30000 ? share(path_sums_.size(), blocks) : 0},
                                   std::int64_t{p.tables},
                                   std::int64_t{p.headings},
                                   std::int64_t{p.paragraphs},
                                   std::int64_t{p.items},
                                   std::int64_t{p.forms},
                                   std::int64_t{p.articles},
                                   std::int64_t{p.first_heading == none ? -1 : share(p.first_heading, blocks)},
                                   std::int64_t{p.kind.empty()                                     ? 0
                                                : p.kind.starts_with("article")                    ? 1
                                                : p.kind.find("product") != std::string_view::npos ? 2
                                                                                                   : 3},
                                   std::int64_t{p.date.empty() ? 0 : 1},
                                   std::int64_t{share(sentences_.back(), units)},
                                   static_cast<std::int64_t>(title_words_.size())})
    w.put(value);
}

void Features::make_row(const Page& p, std::size_t i) {
  Writer w(row(i));
  const Block& b = p.blocks[i];
  const TextCounts& c = b.counts;
  const std::size_t count = p.blocks.size();
  const std::uint32_t all_units = units_.back(), all_good = good_.back();
  const auto units = [&](std::size_t from, std::size_t to) { return units_[to] - units_[from]; };
  const auto links = [&](std::size_t from, std::size_t to) { return links_[to] - links_[from]; };
  const auto good = [&](std::size_t from, std::size_t to) { return good_[to] - good_[from]; };

  // The block itself: own_numbers.
  std::uint32_t words = 0, in_title = 0;
  const std::string_view text = std::string_view(p.text).substr(b.begin, b.end - b.begin);
  if (c.units <= short_text && !title_words_.empty())
    each_word(text, [&](std::uint64_t word) {
      ++words;
      in_title += std::binary_search(title_words_.begin(), title_words_.end(), word) ? 1U : 0U;
    });
  w.put(c.units), w.put(c.characters), w.put(share(b.link_bytes, text.size())), w.put(c.sentences), w.put(c.commas);
  w.put(share(c.chinese, c.characters)), w.put(share(c.digits, c.characters)), w.put(share(c.capitals, c.letters)), w.put(c.last),
      w.put(c.first);
  w.put(b.after_br ? 1 : 0), w.put(b.inline_tags), w.put(static_cast<int>(b.tag)), w.put(b.depth), w.put(b.links);
  w.put(b.preformatted ? 1 : 0), w.put(repeats_[texts_.of[i]]), w.put(c.units == 0 ? 0 : c.letters * 20 / c.units);
  w.put(share(in_title, words)), w.put(share(in_title, title_words_.size())), w.put(c.symbols), w.put(share(c.sentences, c.units));
  // Marks.
  for (const std::uint8_t mark : b.marks) w.put(mark);
  // The two blocks before and after: neighbour_numbers.
  for (const int step : {-2, -1, 1, 2}) {
    const auto at = static_cast<std::int64_t>(i) + step;
    if (at < 0 || at >= static_cast<std::int64_t>(count)) {
      for (int k = 0; k < 5; ++k) w.put(-1);
      continue;
    }
    const Block& n = p.blocks[static_cast<std::size_t>(at)];
    w.put(n.counts.units), w.put(share(n.link_bytes, n.end - n.begin)), w.put(static_cast<int>(n.tag)), w.put(n.counts.sentences);
    w.put(n.path == b.path ? 2 : n.outer_path == b.outer_path ? 1 : 0);
  }
  // Windows: window_numbers.
  for (const std::size_t reach : {3U, 8U, 20U}) {
    const std::size_t from = i > reach ? i - reach : 0, to = std::min(count, i + reach + 1);
    w.put(units(from, to)), w.put(share(links(from, to), units(from, to))), w.put(share(good(from, to), units(from, to)));
    w.put(share(good(from, to), all_good));
  }
  // The elements around it: level_numbers each.
  for (const std::uint32_t e : around_[i].element) {
    const std::size_t from = e == none ? 0 : p.elements[e].first, to = e == none ? count : p.elements[e].end;
    w.put(share(units(from, to), all_units)), w.put(share(links(from, to), units(from, to))), w.put(share(good(from, to), all_good));
    w.put(static_cast<std::int64_t>(to - from)), w.put(units(from, to) / (to - from)),
        w.put(e == none ? 0 : static_cast<int>(p.elements[e].tag));
    w.put(share(i - from, to - from)), w.put(share(sentences_[to] - sentences_[from], units(from, to)));
  }
  // Its path and the path around it: path_numbers.
  for (const bool outer : {false, true}) {
    const PathSum& sum = outer ? outer_sums_[outer_paths_.of[i]] : path_sums_[paths_.of[i]];
    w.put(share(sum.units, all_units)), w.put(share(sum.links, sum.units)), w.put(share(sum.good, all_good)), w.put(sum.blocks);
    w.put(sum.units / sum.blocks);
  }
  w.put(share(path_sums_[paths_.of[i]].units, outer_sums_[outer_paths_.of[i]].units));
  // Where it stands: place_numbers.
  w.put(share(i, count)), w.put(share(units_[i], all_units)), w.put(share(good_[i], all_good)), w.put(static_cast<std::int64_t>(count - i));
  w.put(p.first_heading == none ? -1000 : static_cast<std::int64_t>(i) - p.first_heading);
  w.put(good_before_[i] == none ? -1 : good_before_[i]), w.put(good_after_[i] == none ? -1 : good_after_[i]);
  w.put(good_before_[i] == none ? -1 : units(i - good_before_[i] + 1, i)),
      w.put(good_after_[i] == none ? -1 : units(i + 1, i + good_after_[i]));
  for (const Range& core : core_) {
    const bool inside = i >= core.first && i < core.end;
    w.put(inside ? 0 : i < core.first ? static_cast<std::int64_t>(core.first - i) : static_cast<std::int64_t>(i - core.end) + 1);
    w.put(inside ? 0 : i < core.first ? -1 : 1);
    w.put(share(core.end - core.first, count));
  }
  for (const Number number : page_row) w.put(number);
}

void Features::make(const Page& p) {
  find_around(p);
  sum_up(p);
  group(p);
  find_core(p);
  find_title(p);
  make_page(p);
  rows.assign(p.blocks.size() * width, 0);
  for (std::size_t i = 0; i < p.blocks.size(); ++i) make_row(p, i);
}

void Features::find_long(const Page& p) {
  const std::size_t count = p.blocks.size();
  long_before_.assign(count, none);
  long_after_.assign(count, none);
  const auto is_long = [&](std::size_t i) { return p.blocks[i].counts.units >= long_text; };
  for (std::size_t i = 1; i < count; ++i) long_before_[i] = is_long(i - 1) ? static_cast<std::uint32_t>(i - 1) : long_before_[i - 1];
  for (std::size_t i = count; i-- > 1;) long_after_[i - 1] = is_long(i) ? static_cast<std::uint32_t>(i) : long_after_[i];
}

void Features::add_context(const Page& p, const std::vector<std::int32_t>& scores) {
  const std::size_t count = p.blocks.size();
  chance_.assign(count + 1, 0), chance_units_.assign(count + 1, 0);
  std::vector<std::int32_t> chances(count);
  std::int32_t best = 0, best_long = 0;
  std::uint32_t kept_units = 0, first_kept = none, last_kept = 0;
  for (PathSum& sum : path_sums_) sum.odds = 0;
  for (PathSum& sum : outer_sums_) sum.odds = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t units = p.blocks[i].counts.units;
    chances[i] = chance_of(scores[i]);
    chance_[i + 1] = chance_[i] + static_cast<std::uint32_t>(chances[i]);
    chance_units_[i + 1] =
        chance_units_[i] + static_cast<std::uint32_t>((std::uint64_t{units} * static_cast<std::uint64_t>(chances[i]) + 500) / 1000);
    best = std::max(best, chances[i]);
    if (units >= long_text) best_long = std::max(best_long, chances[i]);
    path_sums_[paths_.of[i]].odds += std::int64_t{chances[i]} * (units + 1);
    outer_sums_[outer_paths_.of[i]].odds += std::int64_t{chances[i]} * (units + 1);
    if (chances[i] < 500) continue;
    kept_units += units;
    first_kept = first_kept == none ? static_cast<std::uint32_t>(i) : first_kept;
    last_kept = static_cast<std::uint32_t>(i);
  }
  const std::uint32_t all = chance_units_.back();
  find_long(p);
  const auto mean = [&](std::size_t from, std::size_t to) {  // by units
    const std::uint32_t units = units_[to] - units_[from];
    return units == 0 ? (to == from ? 0 : static_cast<int>((chance_[to] - chance_[from]) / (to - from)))
                      : share(chance_units_[to] - chance_units_[from], units);
  };
  std::uint32_t before = none;
  for (std::size_t i = 0; i < count; ++i) {
    Writer w(row(i) + first_stage);
    const auto at = [&](std::int64_t k) {
      return k < 0 || k >= static_cast<std::int64_t>(count) ? -1 : chances[static_cast<std::size_t>(k)];
    };
    const auto here = static_cast<std::int64_t>(i);
    w.put(scores[i]), w.put(chances[i]);
    for (const int step : {-3, -2, -1, 1, 2, 3}) w.put(at(here + step));
    w.put(chances[i] - best), w.put(chances[i] - best_long), w.put(best_long);
    for (const std::size_t reach : {2U, 5U, 12U}) {
      const std::size_t from = i > reach ? i - reach : 0, to = std::min(count, i + reach + 1);
      w.put(mean(from, to));
      w.put(static_cast<std::int64_t>(chance_[to] - chance_[from]) / static_cast<std::int64_t>(to - from));
    }
    for (const std::uint32_t e : around_[i].element) {
      const std::size_t from = e == none ? 0 : p.elements[e].first, to = e == none ? count : p.elements[e].end;
      w.put(mean(from, to));
      w.put(share(chance_units_[to] - chance_units_[from], all));
    }
    const PathSum& path = path_sums_[paths_.of[i]];
    const PathSum& outer = outer_sums_[outer_paths_.of[i]];
    w.put(path.odds / (std::int64_t{path.units} + path.blocks)), w.put(outer.odds / (std::int64_t{outer.units} + outer.blocks));
    w.put(share(kept_units, units_.back())), w.put(share(chance_units_[i], all));
    w.put(first_kept == none ? -1 : static_cast<std::int64_t>(i) - first_kept);
    w.put(first_kept == none ? -1 : static_cast<std::int64_t>(last_kept) - static_cast<std::int64_t>(i));
    w.put(before == none ? -1 : static_cast<std::int64_t>(i - before));
    w.put(mean(0, i)), w.put(mean(i + 1, count));
    w.put(std::min<std::int64_t>(mean(i > 5 ? i - 5 : 0, i), 1000)), w.put(mean(i + 1, std::min(count, i + 6)));
    w.put(share(all, units_.back()));
    w.put(kept_units / 4);
    for (const std::uint32_t near : {long_before_[i], long_after_[i]}) {
      w.put(near == none ? -1 : chances[near]);
      w.put(near == none ? -1 : p.blocks[near].outer_path == p.blocks[i].outer_path ? 1 : 0);
      w.put(near == none ? -1 : around_[near].element[1] == around_[i].element[1] ? 1 : 0);
    }
    if (chances[i] >= 500) before = static_cast<std::uint32_t>(i);
  }
}

int chance_of(std::int32_t score) {
  return chances_by_score[static_cast<std::size_t>((std::clamp(score, -most_score, most_score) + most_score) / score_step)];
}

}  // namespace leitong::pages
