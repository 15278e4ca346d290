#include "segment/hanlp_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "leitong/error.h"
#include "text/utf16.h"

namespace leitong::segment {
namespace {

using Fields = std::vector<std::u16string_view>;

// java.io.BufferedReader.readLine
template <class Take>
void for_each_line(std::u16string_view text, Take take) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find_first_of(u"\r\n"), text.size());
    if (!take(text.substr(0, end), number)) return;
    const std::size_t ended = text.substr(end, 2) == u"\r\n" ? 2 : end < text.size() ? 1 : 0;
    text.remove_prefix(end + ended);
  }
}

bool is_java_space(char16_t c) { return c == u' ' || (c >= 9 && c <= 13); }  // \s of java.util.regex

// java.lang.String.split: empty fields at the end are dropped, so that a line of separators has no field at all; an empty line has one.
template <class IsSeparator>
Fields split(std::u16string_view line, IsSeparator is_separator) {
  Fields fields;
  for (std::size_t begin = 0, i = 0; i <= line.size(); ++i) {
    if (i < line.size() && !is_separator(line[i])) continue;
    fields.push_back(line.substr(begin, i - begin));
    begin = i + 1;
  }
  if (line.empty()) return fields;
  while (!fields.empty() && fields.back().empty()) fields.pop_back();
  return fields;
}

// java.lang.Integer.parseInt; negative frequencies are refused: HanLP's arithmetic breaks down with them.
std::optional<std::int32_t> parse_frequency(std::u16string_view field) {
  if (field.size() > 1 && field[0] == u'+') field.remove_prefix(1);
  std::string digits;
  for (const char16_t c : field) {
    if (c < u'0' || c > u'9') return {};
    digits.push_back(static_cast<char>(c));
  }
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

std::string place(const HanlpText& text, std::size_t line) { return text.name + ":" + std::to_string(line) + ": "; }

[[noreturn]] void bad_line(const HanlpText& text, std::size_t line, const std::string& what) {
  throw Error(ErrorCode::format, place(text, line) + what);
}

// "nature frequency" pairs from fields[first] on, a last odd field ignored; false where HanLP would throw an exception.
bool read_natures(const Fields& fields, std::size_t first, HanlpSource& source, HanlpWord& word) {
  std::int64_t total = 0;
  for (std::size_t i = first; i + 1 < fields.size(); i += 2) {
    const std::optional<std::int32_t> frequency = parse_frequency(fields[i + 1]);
    if (!frequency) return false;
    word.natures.emplace_back(source.nature(text::to_utf8(fields[i])), *frequency);
    total += *frequency;
  }
  word.frequency = static_cast<std::int32_t>(total);
  return total <= std::numeric_limits<std::int32_t>::max();
}

std::vector<HanlpWord> values_of(HanlpWordMap words) {
  std::vector<HanlpWord> out;
  for (auto& [key, word] : words) out.push_back(std::move(word));
  return out;
}

std::int64_t core_id(const HanlpSource& source, std::u16string_view word) {
  const auto found =
      std::lower_bound(source.core.begin(), source.core.end(), word, [](const HanlpWord& a, std::u16string_view b) { return a.word < b; });
  return found != source.core.end() && found->word == word ? found - source.core.begin() : -1;
}

std::optional<NameRole> name_role(std::u16string_view name) {
  static constexpr std::u16string_view roles = u"BCDEFGKLMUVXYZAS";
  const std::size_t at = name.size() == 1 ? roles.find(name[0]) : std::u16string_view::npos;
  return at == std::u16string_view::npos ? std::nullopt : std::optional(static_cast<NameRole>(at));
}

std::u16string_view without_mark(std::u16string_view text) { return text.starts_with(u'\xFEFF') ? text.substr(1) : text; }

// Lines of a list of words: without what Java's trim() takes off, without a byte-order mark before the first.
template <class Take>
void for_each_word_line(const HanlpText& text, Take take) {
  const std::u16string units = text::to_utf16(text.bytes);
  for_each_line(without_mark(units), [&](std::u16string_view line, std::size_t number) {
    while (!line.empty() && line.front() <= u' ') line.remove_prefix(1);
    while (!line.empty() && line.back() <= u' ') line.remove_suffix(1);
    if (!line.empty()) take(line, number);
    return true;
  });
}

}  // namespace

std::vector<HanlpWord> read_core_text(const HanlpText& text, HanlpSource& source) {
  HanlpWordMap words;
  for_each_line(text::to_utf16(text.bytes), [&](std::u16string_view line, std::size_t number) {
    const Fields fields = split(line, is_java_space);
    HanlpWord word;
    if (!fields.empty() && fields[0].empty()) return true;
    if (fields.size() < 3 || !read_natures(fields, 1, source, word)) bad_line(text, number, "expected 'word nature frequency …'");
    word.word = fields[0];
    words[word.word] = std::move(word);
    return true;
  });
  if (words.empty()) throw Error(ErrorCode::format, text.name + ": holds no words");
  return values_of(std::move(words));
}

std::vector<HanlpBigram> read_bigrams_text(const HanlpText& text, const HanlpSource& source) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> pairs;
  for_each_line(text::to_utf16(text.bytes), [&](std::u16string_view line, std::size_t number) {
    const Fields fields = split(line, is_java_space);
    if (fields.empty()) bad_line(text, number, "expected 'word@word frequency'");
    const std::size_t at = fields[0].find(u'@');
    const std::int64_t first = core_id(source, fields[0].substr(0, at));
    if (first < 0) return true;
    if (at == std::u16string_view::npos) bad_line(text, number, "expected 'word@word frequency'");
    const std::int64_t second = core_id(source, fields[0].substr(at + 1));
    if (second < 0) return true;
    const std::optional<std::int32_t> frequency = fields.size() < 2 ? std::nullopt : parse_frequency(fields[1]);
    if (!frequency) bad_line(text, number, "expected 'word@word frequency'");
    pairs[{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second)}] = *frequency;
    return true;
  });
  std::vector<HanlpBigram> bigrams;
  for (const auto& [pair, frequency] : pairs) {
    if (frequency > 0) bigrams.push_back({pair.first, pair.second, frequency});  // 0 is as good as missing
  }
  return bigrams;
}

void read_custom_text(const HanlpText& text, bool csv, const std::string& default_nature, HanlpSource& source, HanlpWordMap& words,
                      std::vector<std::string>& warnings) {
  const std::u16string units = text::to_utf16(text.bytes);
  for_each_line(without_mark(units), [&](std::u16string_view line, std::size_t number) {
    const Fields fields = csv ? split(line, [](char16_t c) { return c == u','; }) : split(line, is_java_space);
    if (!fields.empty() && fields[0].empty()) return true;
    HanlpWord word;
    if (fields.empty() || !read_natures(fields, 1, source, word)) {
      warnings.push_back(place(text, number) +
                         "expected 'word [nature frequency …]'; HanLP stops reading the file here, so the rest of it is left out");
      return false;
    }
    if (word.natures.empty()) {
      word.natures.emplace_back(source.nature(default_nature), 1000);
      word.frequency = 1000;
    }
    word.word = fields[0];
    words[word.word] = std::move(word);
    return true;
  });
}

std::vector<HanlpNameWord> read_names_text(const HanlpText& text) {
  std::map<std::u16string, std::map<NameRole, std::int32_t>> names;
  for_each_line(text::to_utf16(text.bytes), [&](std::u16string_view line, std::size_t number) {
    const Fields fields = split(line, is_java_space);
    if (fields.size() % 2 == 0) bad_line(text, number, "expected 'word role frequency …'");
    std::map<NameRole, std::int32_t> roles;
    for (std::size_t i = 1; i < fields.size(); i += 2) {
      const std::optional<NameRole> role = name_role(fields[i]);
      const std::optional<std::int32_t> frequency = parse_frequency(fields[i + 1]);
      if (!role || !frequency) bad_line(text, number, "expected 'word role frequency …', roles B C D E F G K L M U V X Y Z A S");
      roles[*role] = *frequency;
    }
    names[std::u16string(fields[0])] = std::move(roles);
    return true;
  });
  names[u" "] = {{NameRole::K, 1}, {NameRole::A, 1}};
  std::vector<HanlpNameWord> out;
  for (auto& [word, roles] : names) {
    if (!word.empty()) out.push_back({word, {roles.begin(), roles.end()}});
  }
  return out;
}

std::vector<std::u16string> read_translated_text(const HanlpText& text) {
  constexpr std::u16string_view too_common = u"不赞";
  std::set<std::u16string> pieces{u"·"};
  std::map<char16_t, std::size_t> count;
  for_each_line(text::to_utf16(text.bytes), [&](std::u16string_view line, std::size_t) {
    if (!line.empty()) pieces.emplace(line);
    for (const char16_t c : line) {
      if (too_common.find(c) == std::u16string_view::npos) ++count[c];
    }
    return true;
  });
  for (const auto& [c, lines] : count) {
    if (lines >= 10) pieces.emplace(1, c);
  }
  return {pieces.begin(), pieces.end()};
}

std::vector<std::u16string> read_stop_words_text(const HanlpText& text) {
  std::set<std::u16string> words;
  for_each_line(text::to_utf16(text.bytes), [&](std::u16string_view line, std::size_t) {
    if (!line.empty()) words.emplace(line);
    return true;
  });
  return {words.begin(), words.end()};
}

std::vector<std::u16string> read_word_lines(const HanlpText& text) {
  std::vector<std::u16string> words;
  for_each_word_line(text, [&](std::u16string_view line, std::size_t) { words.emplace_back(line); });
  return words;
}

// CoreDictionary.Attribute.create: pairs between single spaces; of an odd number of fields the whole is one nature, once.
std::size_t insert_custom_text(const HanlpText& text, HanlpSource& source) {
  std::size_t inserted = 0;
  for_each_word_line(text, [&](std::u16string_view line, std::size_t number) {
    const std::size_t space =
        std::min(static_cast<std::size_t>(std::find_if(line.begin(), line.end(), is_java_space) - line.begin()), line.size());
    std::u16string_view rest = line.substr(std::min(space + 1, line.size()));
    while (!rest.empty() && is_java_space(rest.front())) rest.remove_prefix(1);
    std::vector<std::pair<std::string, std::int32_t>> tags;
    const Fields fields = split(rest, [](char16_t c) { return c == u' '; });
    if (rest.empty()) {
      tags.emplace_back("nz", 1);
    } else if (fields.size() % 2 != 0) {
      tags.emplace_back(text::to_utf8(rest), 1);
    } else {
      HanlpWord word;
      if (!read_natures(fields, 0, source, word)) bad_line(text, number, "expected 'word' or 'word nature frequency …'");
      for (const auto& [nature, frequency] : word.natures) tags.emplace_back(source.natures[nature], frequency);
    }
    source.insert_custom(std::u16string(line.substr(0, space)), tags);
    ++inserted;
  });
  return inserted;
}

std::size_t remove_custom_text(const HanlpText& text, HanlpSource& source, std::vector<std::string>& warnings) {
  std::size_t removed = 0;
  for_each_word_line(text, [&](std::u16string_view line, std::size_t number) {
    if (source.remove_custom(std::u16string(line))) {
      ++removed;
    } else if (line.size() == 1) {
      warnings.push_back(place(text, number) + text::to_utf8(line) + ": CustomDictionary.remove leaves words of one character as they are");
    } else {
      warnings.push_back(place(text, number) + text::to_utf8(line) +
                         ": was not inserted, so CustomDictionary.remove leaves it as it is; to take a word out of HanLP's own dictionary, "
                         "take its line out of the dictionary's file");
    }
  });
  return removed;
}

}  // namespace leitong::segment
