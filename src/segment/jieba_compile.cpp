#include "segment/jieba_compile.h"

#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "leitong/error.h"
#include "segment/double_array.h"
#include "segment/jieba_format.h"
#include "segment/python_literal.h"
#include "segment/python_text.h"

namespace leitong::segment {
namespace {

struct DictionaryWord {
  std::u32string word;
  std::uint64_t frequency;
};

struct IdfWord {
  std::u32string word;
  double idf;
};

[[noreturn]] void bad_line(const char* file, std::size_t line, const char* what) {
  throw Error(ErrorCode::format, std::string(file) + ":" + std::to_string(line) + ": " + what);
}

// jieba's rule: bytes stripped, then the first two fields between single spaces.
std::vector<DictionaryWord> parse_dictionary(std::string_view content) {
  std::vector<DictionaryWord> words;
  std::size_t number = 0;
  while (!content.empty()) {
    ++number;
    const std::string_view line = strip_ascii(take_line(content));
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) bad_line("dict.txt", number, "expected 'word frequency tag'");
    const std::string_view field = line.substr(space + 1, line.find(' ', space + 1) - space - 1);
    std::uint64_t frequency = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), frequency);
    if (error != std::errc() || end != field.data() + field.size() || frequency > std::uint64_t{1} << 53) {
      bad_line("dict.txt", number, "the frequency must be a whole number below 2^53");
    }
    std::u32string word;
    if (space == 0 || !decode_strict(line.substr(0, space), word)) bad_line("dict.txt", number, "the word must be UTF-8 and not empty");
    words.push_back({std::move(word), frequency});
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

class FileBuilder {
 public:
  FileBuilder() : bytes_(sizeof(JiebaHeader) + sizeof(JiebaSectionEntry) * section_count, '\0') {}

  void add(JiebaSection id, std::size_t item_size, const void* data, std::size_t count) {
    bytes_.resize((bytes_.size() + section_alignment - 1) / section_alignment * section_alignment);
    entries_.push_back({static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(item_size), bytes_.size(), count});
    if (count != 0) bytes_.append(static_cast<const char*>(data), item_size * count);
  }
  template <typename Item>
  void add(JiebaSection id, const std::vector<Item>& items) {
    add(id, sizeof(Item), items.data(), items.size());
  }

  std::string finish(JiebaHeader header) {
    std::memcpy(header.magic, jieba_magic, sizeof jieba_magic);
    header.byte_order = byte_order_mark;
    header.version = jieba_version;
    header.file_size = bytes_.size();
    header.section_count = static_cast<std::uint32_t>(entries_.size());
    std::memcpy(bytes_.data(), &header, sizeof header);
    std::memcpy(bytes_.data() + sizeof header, entries_.data(), entries_.size() * sizeof entries_[0]);
    header.checksum = XXH3_64bits(bytes_.data(), bytes_.size());
    std::memcpy(bytes_.data(), &header, sizeof header);
    return std::move(bytes_);
  }

 private:
  static constexpr std::size_t section_count = static_cast<std::size_t>(JiebaSection::count);
  std::string bytes_;
  std::vector<JiebaSectionEntry> entries_;
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

class Compiler {
 public:
  explicit Compiler(const JiebaSources& sources)
      : sources_(sources),
        words_(parse_dictionary(sources.dictionary)),
        idf_(parse_idf(sources.idf)),
        emissions_(read_python_dictionary(sources.emissions, "prob_emit.py")) {
    for (const auto& entry : words_) labels_.count(entry.word);
    for (const auto& entry : idf_) labels_.count(entry.word);
    for (const auto& state : emissions_) {
      for (const auto& entry : state.entries) labels_.count(entry.first);
    }
    labels_.assign();
  }

  std::string run() {
    JiebaHeader header{};
    header.label_count = static_cast<std::uint32_t>(labels_.size());
    add_labels();
    header.total = add_words();
    file_.add(JiebaSection::hmm, build_hmm(sources_.start, sources_.transitions));
    add_emissions();
    file_.add(JiebaSection::ascii_marks, build_ascii_marks(words_));
    header.median_idf = add_idf();
    std::string stop_words;
    for (const std::string& word : read_python_strings(sources_.stop_words, "STOP_WORDS = set((", "tfidf.py")) stop_words += word + "\n";
    file_.add(JiebaSection::stop_words, 1, stop_words.data(), stop_words.size());
    return file_.finish(header);
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
    file_.add(JiebaSection::labels, near);
    file_.add(JiebaSection::far_labels, 2 * sizeof(std::uint32_t), far.data(), far.size() / 2);
  }

  // Returns the sum of all frequencies; a word that stands there twice counts twice in it, as in jieba.
  std::uint64_t add_words() {
    std::uint64_t total = 0;
    Ranks<std::uint64_t> ranks;
    for (const auto& entry : words_) {
      total += entry.frequency;
      if (entry.frequency != 0) ranks.add(entry.frequency);
    }
    if (total == 0 || total > std::uint64_t{1} << 62)
      throw Error(ErrorCode::limit, "dict.txt: the sum of the frequencies must be between 1 and 2^62");
    ranks.assign(0);
    std::vector<LabelledWord> labelled;
    for (const auto& entry : words_) labelled.push_back({labels_.of(entry.word), entry.frequency == 0 ? 0 : ranks.of(entry.frequency)});
    file_.add(JiebaSection::words, build_double_array(std::move(labelled), labels_.size()));
    file_.add(JiebaSection::frequencies, ranks.values());
    std::vector<double> logs;
    for (const std::uint64_t f : ranks.values()) logs.push_back(f == 0 ? 0.0 : std::log(static_cast<double>(f)));
    file_.add(JiebaSection::logs, logs);
    return total;
  }

  void add_emissions() {
    std::vector<double> table(labels_.size() * state_count, min_float);
    for (const LiteralEntry& state : emissions_) {
      const std::size_t column = state_of(state.key, "prob_emit.py");
      for (const auto& [key, probability] : state.entries) {
        if (key.size() == 1) table[labels_.of(key)[0] * state_count + column] = probability;
      }
    }
    file_.add(JiebaSection::emissions, state_count * sizeof(double), table.data(), labels_.size());
  }

  double add_idf() {
    Ranks<double> ranks;
    std::map<std::u32string, double> last;  // of a word's values the last counts
    for (const auto& entry : idf_) last[entry.word] = entry.idf;
    std::vector<double> sorted;
    for (const auto& entry : last) ranks.add(entry.second), sorted.push_back(entry.second);
    if (sorted.empty()) throw Error(ErrorCode::format, "idf.txt: it is empty");
    ranks.assign(0);
    std::vector<LabelledWord> labelled;
    for (const auto& [word, idf] : last) labelled.push_back({labels_.of(word), ranks.of(idf)});
    file_.add(JiebaSection::idf_words, build_double_array(std::move(labelled), labels_.size()));
    file_.add(JiebaSection::idf_values, ranks.values());
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }

  const JiebaSources& sources_;
  std::vector<DictionaryWord> words_;
  std::vector<IdfWord> idf_;
  std::vector<LiteralEntry> emissions_;
  Labels labels_;
  FileBuilder file_;
};

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  if (!in) throw Error(ErrorCode::io, path + ": cannot be read; on Debian it comes with the package python3-jieba");
  return std::move(content).str();
}

}  // namespace

std::string compile_jieba(const JiebaSources& sources) { return Compiler(sources).run(); }

std::string compile_jieba(const std::string& folder) {
  return compile_jieba(JiebaSources{read_file(folder + "/dict.txt"), read_file(folder + "/finalseg/prob_start.py"),
                                    read_file(folder + "/finalseg/prob_trans.py"), read_file(folder + "/finalseg/prob_emit.py"),
                                    read_file(folder + "/analyse/idf.txt"), read_file(folder + "/analyse/tfidf.py")});
}

}  // namespace leitong::segment
