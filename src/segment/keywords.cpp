#include "segment/keywords.h"

#include <algorithm>
#include <unordered_map>

#include "segment/python_text.h"

namespace leitong::segment {
namespace {

// Whether a token can be a keyword: at least two characters. Tokens of several characters are Han and ASCII, except "\r\n".
bool is_long(std::string_view token) {
  const std::size_t first = static_cast<unsigned char>(token[0]) < 0x80 ? 1 : static_cast<unsigned char>(token[0]) < 0xE0 ? 2 : 3;
  return token.size() > first && static_cast<unsigned char>(token[0]) < 0xF0 && token[0] != '\r';
}

std::string lower_ascii(std::string_view token) {
  std::string out(token);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

}  // namespace

Keywords::Keywords(const Jieba& jieba) : jieba_(jieba) { add_stop_words(jieba.data().stop_words()); }

void Keywords::add_stop_words(std::string_view content) {
  for (const std::string_view line : split_lines(content)) stop_words_.emplace(line);
}

std::vector<Keyword> Keywords::extract(std::string_view text, std::size_t top) const {
  Tokens tokens;
  jieba_.cut(text, true, tokens);
  std::vector<Keyword> words;  // in the order of their first appearance; the weight counts
  std::unordered_map<std::string_view, std::size_t> places;
  double total = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view token = tokens.view(text, i);
    if (!is_long(token)) continue;
    const auto [found, added] = places.try_emplace(token, words.size());
    if (added) {
      if (stop_words_.contains(lower_ascii(token))) {
        found->second = static_cast<std::size_t>(-1);
      } else {
        words.push_back({std::string(token), 0});
      }
    }
    if (found->second == static_cast<std::size_t>(-1)) continue;
    words[found->second].weight += 1;
    total += 1;
  }
  std::u32string points;
  for (Keyword& word : words) {
    decode_strict(word.word, points);
    word.weight *= jieba_.data().idf(points) / total;
  }
  std::stable_sort(words.begin(), words.end(), [](const Keyword& a, const Keyword& b) { return a.weight > b.weight; });
  if (top != 0 && words.size() > top) words.resize(top);
  return words;
}

}  // namespace leitong::segment
