#include "text/normalize.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/normal_form.h"
#include "text/unicode_tables.h"
#include "text/utf8.h"

namespace leitong::text {
namespace {

using unicode::combining_class;
using unicode::normal_record;
using unicode::NormalRecord;

constexpr char32_t l_base = 0x1100, v_base = 0x1161, t_base = 0x11A7, s_base = 0xAC00;
constexpr char32_t l_count = 19, v_count = 21, t_count = 28, s_count = l_count * v_count * t_count;

// The primary composite of a pair, or 0.
char32_t compose_pair(char32_t a, char32_t b) {
  if (b - v_base < v_count && a - l_base < l_count) return s_base + ((a - l_base) * v_count + (b - v_base)) * t_count;
  if (b > t_base && b - t_base < t_count && a - s_base < s_count && (a - s_base) % t_count == 0) return a + (b - t_base);
  const std::uint64_t pair = static_cast<std::uint64_t>(a) << 32 | b;
  const auto* const end = unicode::compositions + unicode::composition_count;
  const auto* const found =
      std::lower_bound(unicode::compositions, end, pair, [](const unicode::Composition& c, std::uint64_t p) { return c.pair < p; });
  return found != end && found->pair == pair ? found->composite : 0;
}

void append_decomposed(char32_t c, std::vector<char32_t>& out) {
  const NormalRecord& record = normal_record(c);
  // A Hangul syllable stays whole: it can only gain a trailing consonant, which compose_pair knows.
  if (&record == unicode::normal_records || record.identity != 0) {
    out.push_back(c);
    return;
  }
  const char32_t* const first = unicode::normal_pool + record.decomposed;
  out.insert(out.end(), first, first + record.decomposed_size);
}

// Stable, by class. Long runs are counted, so that a text of nothing but marks costs no more a mark than any other.
void sort_marks(std::span<char32_t> marks) {
  constexpr std::size_t few = 32;
  if (marks.size() <= few) {
    for (std::size_t i = 1; i < marks.size(); ++i) {
      const char32_t mark = marks[i];
      std::size_t to = i;
      for (; to != 0 && combining_class(marks[to - 1]) > combining_class(mark); --to) marks[to] = marks[to - 1];
      marks[to] = mark;
    }
    return;
  }
  std::array<std::size_t, 257> begins{};
  for (const char32_t mark : marks) ++begins[combining_class(mark) + 1U];
  for (std::size_t k = 1; k < begins.size(); ++k) begins[k] += begins[k - 1];
  const std::vector<char32_t> unsorted(marks.begin(), marks.end());
  for (const char32_t mark : unsorted) marks[begins[combining_class(mark)]++] = mark;
}

// Canonical ordering: each run of non-starters.
void order_marks(std::vector<char32_t>& run) {
  for (std::size_t i = 0; i < run.size();) {
    if (combining_class(run[i]) == 0) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (end < run.size() && combining_class(run[end]) != 0) ++end;
    sort_marks(std::span(run).subspan(i, end - i));
    i = end;
  }
}

// Canonical composition in place (section 3.11 of the standard).
void compose(std::vector<char32_t>& run) {
  constexpr std::size_t none = ~std::size_t{0};
  std::size_t starter = none, size = 0;
  unsigned last_class = 0;
  for (const char32_t c : run) {
    const unsigned k = combining_class(c);
    const bool adjacent = starter != none && starter + 1 == size;
    if (starter != none && (adjacent || (last_class < k && last_class != 0))) {
      if (const char32_t both = compose_pair(run[starter], c)) {
        run[starter] = both;
        continue;
      }
    }
    if (k == 0) starter = size;
    last_class = k;
    run[size++] = c;
  }
  run.resize(size);
}

void decode_all(std::string_view utf8, NormalText& text) {
  text.raw.clear();
  text.raw_begin.clear();
  for (std::size_t i = 0; i < utf8.size();) {
    const Decoded d = decode_utf8(utf8, i);
    text.raw.push_back(d.value);
    text.raw_begin.push_back(static_cast<std::uint32_t>(i));
    i += d.size;
  }
  text.raw_begin.push_back(static_cast<std::uint32_t>(utf8.size()));
}

// The raw characters [begin, end) that normalise independently of all others.
void append_run(std::size_t begin, std::size_t end, NormalText& text) {
  const NormalRecord& record = normal_record(text.raw[begin]);
  if (end - begin == 1) {
    if (&record == unicode::normal_records || record.identity != 0) {
      text.points.push_back(text.raw[begin]);
    } else {
      const char32_t* const first = unicode::normal_pool + record.composed;
      text.points.insert(text.points.end(), first, first + record.composed_size);
    }
    return;
  }
  text.run.clear();
  for (std::size_t i = begin; i < end; ++i) append_decomposed(text.raw[i], text.run);
  order_marks(text.run);
  compose(text.run);
  text.points.insert(text.points.end(), text.run.begin(), text.run.end());
}

}  // namespace

void normalize(std::string_view utf8, bool with_sources, NormalText& text) {
  decode_all(utf8, text);
  text.points.clear();
  text.sources.clear();
  for (std::size_t i = 0; i < text.raw.size();) {
    std::size_t end = i + 1;
    while (end < text.raw.size() && normal_record(text.raw[end]).boundary_before == 0) ++end;
    append_run(i, end, text);
    if (with_sources) text.sources.resize(text.points.size(), {text.raw_begin[i], text.raw_begin[end]});
    i = end;
  }
}

std::string nfkc_casefold(std::string_view utf8) {
  NormalText text;
  normalize(utf8, false, text);
  std::string out;
  out.reserve(utf8.size());
  for (const char32_t c : text.points) append_utf8(c, out);
  return out;
}

bool is_valid_utf8(std::string_view utf8) { return simdjson::validate_utf8(utf8.data(), utf8.size()); }

std::string repair_utf8(std::string_view utf8) {
  if (is_valid_utf8(utf8)) return std::string(utf8);
  std::string out;
  out.reserve(utf8.size() + 16);
  for (std::size_t i = 0; i < utf8.size();) {
    const Decoded d = decode_utf8(utf8, i);
    if (d.valid) {
      out.append(utf8, i, d.size);
    } else {
      append_utf8(replacement, out);
    }
    i += d.size;
  }
  return out;
}

}  // namespace leitong::text
