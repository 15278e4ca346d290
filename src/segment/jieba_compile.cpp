#include "segment/jieba_compile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "leitong/error.h"
#include "segment/content_hash.h"
#include "segment/double_array.h"
#include "segment/file_bytes.h"
#include "segment/jieba_format.h"
#include "segment/python_literal.h"
#include "segment/python_text.h"
#include "segment/section_file.h"

namespace leitong::segment {
namespace {

struct DictionaryWord {
  std::u32string word;
  std::uint64_t frequency;
  std::string tag;
};

struct IdfWord {
  std::u32string word;
  double idf;
};

[[noreturn]] void bad_line(const char* file, std::size_t line, const char* what) {
  throw Error(ErrorCode::format, std::string(file) + ":" + std::to_string(line) + ": " + what);
}

// jieba's rule: bytes stripped, then the first two fields between single spaces; what follows the third space is no part of the tag.
std::vector<DictionaryWord> parse_dictionary(std::string_view content) {
  std::vector<DictionaryWord> words;
  std::size_t number = 0;
  while (!content.empty()) {
    ++number;
    const std::string_view line = strip_ascii(take_line(content));
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) bad_line("dict.txt", number, "expected 'word frequency tag'");
    const std::size_t second = std::min(line.find(' ', space + 1), line.size());
    const std::string_view field = line.substr(space + 1, second - space - 1);
    const std::string_view rest = line.substr(std::min(second + 1, line.size()));
    std::uint64_t frequency = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), frequency);
    if (error != std::errc() || end != field.data() + field.size() || frequency > std::uint64_t{1} << 53) {
      bad_line("dict.txt", number, "the frequency must be a whole number below 2^53");
    }
    std::u32string word;
    if (space == 0 || !decode_strict(line.substr(0, space), word)) bad_line("dict.txt", number, "the word must be UTF-8 and not empty");
    words.push_back({std::move(word), frequency, std::string(rest.substr(0, rest.find(' ')))});
  }
  return words;
}

std::vector<IdfWord> parse_idf(std::string_view content) {
  std::vector<IdfWord> words;
  std::size_t number = 0;
  while (!content.empty()) {
    ++number;
    const std::string_view line = strip_ascii(take_line(content));
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) bad_line("idf.txt", number, "expected 'word idf'");
    double idf = 0;
    const auto [end, error] = std::from_chars(line.data() + space + 1, line.data() + line.size(), idf);
    if (error != std::errc() || end != line.data() + line.size() || !std::isfinite(idf))
      bad_line("idf.txt", number, "the idf must be a number");
    std::u32string word;
    if (space == 0 || !decode_strict(line.substr(0, space), word)) bad_line("idf.txt", number, "the word must be UTF-8 and not empty");
    words.push_back({std::move(word), idf});
  }
  return words;
}

// Numbers the characters by how often words hold them: what is frequent shares cache lines.
class Labels {
 public:
  void count(const std::u32string& word) {
    for (const char32_t c : word) ++counts_[c];
  }
  void assign() {
    std::vector<std::pair<std::uint64_t, char32_t>> order;
    for (const auto& [c, n] : counts_) order.emplace_back(n, c);
    std::sort(order.begin(), order.end(),
              [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
    if (order.size() > 65535) throw Error(ErrorCode::limit, "the dictionary has more than 65,535 different characters");
    for (const auto& entry : order) labels_.emplace(entry.second, static_cast<Label>(labels_.size() + 1));
  }
  [[nodiscard]] std::size_t size() const { return labels_.size() + 1; }
  [[nodiscard]] std::u16string of(const std::u32string& word) const {
    std::u16string out;
    for (const char32_t c : word) out.push_back(labels_.at(c));
    return out;
  }
  [[nodiscard]] const std::map<char32_t, Label>& all() const { return labels_; }

 private:
  std::map<char32_t, std::uint64_t> counts_;
  std::map<char32_t, Label> labels_;
};

// Ranks of the different values; rank 0 stands for none.
template <typename Value>
class Ranks {
 public:
  void add(Value value) { values_.push_back(value); }
  void assign(Value none) {
    std::sort(values_.begin(), values_.end());
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    values_.insert(values_.begin(), none);
  }
  [[nodiscard]] std::uint32_t of(Value value) const {
    return static_cast<std::uint32_t>(std::lower_bound(values_.begin() + 1, values_.end(), value) - values_.begin());
  }
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }

 private:
  std::vector<Value> values_;
};

std::size_t state_of(const std::u32string& key, const char* file) {
  constexpr std::u32string_view names = U"BEMS";
  const std::size_t at = key.size() == 1 ? names.find(key[0]) : std::u32string_view::npos;
  if (at == std::u32string_view::npos) throw Error(ErrorCode::format, std::string(file) + ": a state that is not B, E, M or S");
  return at;
}

std::vector<double> build_hmm(const std::string& start, const std::string& transitions) {
  std::vector<double> hmm(state_count + state_count * state_count, min_float);
  for (const LiteralEntry& entry : read_python_dictionary(start, "prob_start.py")) hmm[state_of(entry.key, "prob_start.py")] = entry.number;
  for (const LiteralEntry& entry : read_python_dictionary(transitions, "prob_trans.py")) {
    const std::size_t row = state_count + state_count * state_of(entry.key, "prob_trans.py");
    for (const auto& [to, probability] : entry.entries) hmm[row + state_of(to, "prob_trans.py")] = probability;
  }
  return hmm;
}

// One character of every ASCII word of several; none that starts letters-and-digits text, if the word has another.
std::vector<std::uint64_t> build_ascii_marks(const std::vector<DictionaryWord>& words) {
  std::vector<std::uint64_t> marks(2);
  for (const DictionaryWord& entry : words) {
    const char32_t mark = ascii_mark(entry.word);
    if (mark != 0) marks[mark >> 6] |= std::uint64_t{1} << (mark & 63);
  }
  return marks;
}

// Each stop word once, in order.
std::set<std::string> all_stop_words(const JiebaSources& sources) {
  std::set<std::string> words;
  for (std::string& word : read_python_strings(sources.stop_words, "STOP_WORDS = set((", "tfidf.py")) words.insert(std::move(word));
  for (const std::string_view line : split_lines(sources.more_stop_words)) {
    if (!line.empty()) words.emplace(line);
  }
  for (const std::string_view line : split_lines(sources.no_stop_words)) words.erase(std::string(line));
  return words;
}

// Lines without white space around them, none empty.
std::vector<std::string> stripped_lines(std::string_view content) {
  std::vector<std::string> lines;
  while (!content.empty()) {
    if (const std::string_view line = strip_ascii(take_line(content)); !line.empty()) lines.emplace_back(line);
  }
  return lines;
}

template <class Lines>
std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

class Compiler {
 public:
  explicit Compiler(const JiebaSources& sources)
      : words_(parse_dictionary(sources.dictionary)),
        idf_(parse_idf(sources.idf)),
        hmm_(build_hmm(sources.start, sources.transitions)),
        emissions_(read_python_dictionary(sources.emissions, "prob_emit.py")),
        stop_words_(all_stop_words(sources)),
        user_words_(stripped_lines(sources.user_words)),
        deleted_words_(stripped_lines(sources.deleted_words)) {
    for (const auto& entry : words_) labels_.count(entry.word);
    for (const auto& entry : idf_) labels_.count(entry.word);
    for (const auto& state : emissions_) {
      for (const auto& entry : state.entries) labels_.count(entry.first);
    }
    labels_.assign();
  }

  std::vector<std::byte> run(JiebaCounts* counts) {
    add_labels();
    add_words();
    file_.add(jieba_hmm, hmm_);
    add_emissions();
    file_.add(jieba_ascii_marks, build_ascii_marks(words_));
    add_idf();
    file_.add_text(jieba_stop_words, joined(stop_words_));
    file_.add_text(jieba_user_words, joined(user_words_));
    file_.add_text(jieba_deleted_words, joined(deleted_words_));
    constants_.label_count = static_cast<std::uint32_t>(labels_.size());
    file_.add(jieba_constants, std::vector<JiebaConstants>{constants_});
    hash_.real(constants_.median_idf);
    hash_.number(constants_.total);
    for (const double number : hmm_) hash_.real(number);
    hash_lines(stop_words_);
    hash_lines(user_words_);
    hash_lines(deleted_words_);
    if (counts != nullptr) *counts = {last_.size(), idf_count_, stop_words_.size(), user_words_.size(), deleted_words_.size()};
    return file_.finish(jieba_magic, jieba_version, hash_.id());
  }

 private:
  void add_labels() {
    std::vector<Label> near(65536);
    std::vector<std::uint32_t> far;
    for (const auto& [c, label] : labels_.all()) {
      if (c < near.size()) {
        near[c] = label;
      } else {
        far.insert(far.end(), {static_cast<std::uint32_t>(c), label});
      }
    }
    file_.add(jieba_labels, near);
    file_.add(jieba_far_labels, far);
  }

  // A word that stands there twice counts twice in the sum of all frequencies, as in jieba; else its last line holds.
  void add_words() {
    Ranks<std::uint64_t> ranks;
    for (const auto& entry : words_) {
      constants_.total += entry.frequency;
      if (entry.frequency != 0) ranks.add(entry.frequency);
      last_[entry.word] = &entry;
    }
    if (constants_.total == 0 || constants_.total > std::uint64_t{1} << 62)
      throw Error(ErrorCode::limit, "dict.txt: the sum of the frequencies must be between 1 and 2^62");
    ranks.assign(0);
    std::vector<LabelledWord> labelled;
    hash_.number(last_.size());
    for (const auto& [word, entry] : last_) {
      labelled.push_back({labels_.of(word), entry->frequency == 0 ? 0 : ranks.of(entry->frequency)});
      hash_.units<char32_t>(word);
      hash_.number(entry->frequency);
      hash_.text(entry->tag);
    }
    const std::vector<Node> nodes = build_double_array(std::move(labelled), labels_.size());
    add_tags(nodes);
    file_.add(jieba_words, nodes);
    file_.add(jieba_frequencies, ranks.values());
    std::vector<double> logs;
    for (const std::uint64_t f : ranks.values()) logs.push_back(f == 0 ? 0.0 : std::log(static_cast<double>(f)));
    file_.add(jieba_logs, logs);
  }

  // Beside the nodes, not in them: cutting reads nodes only, and pays nothing for tags.
  void add_tags(const std::vector<Node>& nodes) {
    std::map<std::string, std::uint8_t> numbers;
    for (const auto& [word, entry] : last_) {
      if (!entry->tag.empty()) numbers.emplace(entry->tag, std::uint8_t{0});
    }
    if (numbers.size() > 255) throw Error(ErrorCode::limit, "dict.txt: there are more than 255 different tags");
    std::string names;
    for (std::uint8_t next = 1; auto& [name, number] : numbers) {
      number = next++;
      names += name + "\n";
    }
    std::vector<std::uint8_t> tags(nodes.size());
    for (const auto& [word, entry] : last_) {
      const std::u16string labels = labels_.of(word);
      std::uint32_t node = labels[0];
      for (std::size_t i = 1; i < labels.size(); ++i) node = base_of(nodes[node]) + labels[i];
      if (!entry->tag.empty()) tags[node] = numbers.at(entry->tag);
    }
    file_.add(jieba_tags, tags);
    file_.add_text(jieba_tag_names, names);
  }

  void add_emissions() {
    std::vector<double> table(labels_.size() * state_count, min_float);
    std::map<std::u32string, std::array<double, state_count>> by_character;  // of what comes twice the last value holds
    for (const LiteralEntry& state : emissions_) {
      const std::size_t column = state_of(state.key, "prob_emit.py");
      for (const auto& [key, probability] : state.entries) {
        if (key.size() != 1) continue;
        table[labels_.of(key)[0] * state_count + column] = probability;
        by_character.try_emplace(key, std::array{min_float, min_float, min_float, min_float}).first->second[column] = probability;
      }
    }
    for (const auto& [key, probabilities] : by_character) {
      hash_.units<char32_t>(key);
      for (const double probability : probabilities) hash_.real(probability);
    }
    file_.add(jieba_emissions, table);
  }

  void add_idf() {
    Ranks<double> ranks;
    std::map<std::u32string, double> last;  // of a word's values the last counts
    for (const auto& entry : idf_) last[entry.word] = entry.idf;
    std::vector<double> sorted;
    for (const auto& entry : last) ranks.add(entry.second), sorted.push_back(entry.second);
    if (sorted.empty()) throw Error(ErrorCode::format, "idf.txt: it is empty");
    ranks.assign(0);
    std::vector<LabelledWord> labelled;
    hash_.number(last.size());
    for (const auto& [word, idf] : last) {
      labelled.push_back({labels_.of(word), ranks.of(idf)});
      hash_.units<char32_t>(word);
      hash_.real(idf);
    }
    file_.add(jieba_idf_words, build_double_array(std::move(labelled), labels_.size()));
    file_.add(jieba_idf_values, ranks.values());
    std::sort(sorted.begin(), sorted.end());
    constants_.median_idf = sorted[sorted.size() / 2];
    idf_count_ = last.size();
  }

  template <class Lines>
  void hash_lines(const Lines& lines) {
    hash_.number(lines.size());
    for (const std::string& line : lines) hash_.text(line);
  }

  std::vector<DictionaryWord> words_;
  std::vector<IdfWord> idf_;
  std::vector<double> hmm_;
  std::vector<LiteralEntry> emissions_;
  std::set<std::string> stop_words_;
  std::vector<std::string> user_words_, deleted_words_;
  std::map<std::u32string, const DictionaryWord*> last_;
  std::size_t idf_count_ = 0;
  Labels labels_;
  JiebaConstants constants_;
  ContentHash hash_;
  SectionWriter file_;
};

std::string read_file(const std::string& path) {
  return file_bytes(path, "on Debian it comes with the package python3-jieba: leitong data add jieba FOLDER");
}

}  // namespace

std::vector<std::byte> compile_jieba(const JiebaSources& sources, JiebaCounts* counts) { return Compiler(sources).run(counts); }

JiebaSources read_jieba_folder(const std::string& folder) {
  return {read_file(folder + "/dict.txt"),
          read_file(folder + "/finalseg/prob_start.py"),
          read_file(folder + "/finalseg/prob_trans.py"),
          read_file(folder + "/finalseg/prob_emit.py"),
          read_file(folder + "/analyse/idf.txt"),
          read_file(folder + "/analyse/tfidf.py"),
          {},
          {},
          {},
          {}};
}

}  // namespace leitong::segment
