#include "segment/hanlp_jar.h"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string_view>

#include "leitong/error.h"
#include "segment/zip_file.h"

namespace leitong::segment {
namespace {

// The tags of HanLP 1.8.1 in the order of its numbers; the dictionaries store the number.
constexpr std::string_view kNatures =
    "bg mg nl nx qg ud uj uz ug ul uv yg zg n nr nrj nrf nr1 nr2 ns nsf nt ntc ntcf ntcb ntch nto ntu nts nth nh nhm nhd nn nnt nnd ng nf "
    "ni "
    "nit nic nis nm nmc nb nba nbc nbp nz g gm gp gc gb gbc gg gi j i l t tg s f v vd vn vshi vyou vf vx vi vl vg a ad an ag al b bl z r "
    "rr rz "
    "rzt rzs rzv ry ryt rys ryv rg Rg m mq Mg q qv qt d dg dl p pba pbei c cc u uzhe ule uguo ude1 ude2 ude3 usuo udeng uyy udh uls uzhi "
    "ulian "
    "e y o h k x xx xu w wkz wky wyz wyy wj ww wt wd wf wn wm ws wp wb wh end begin";
constexpr std::string_view kRoles = "BCDEFGKLMUVXYZAS";
constexpr std::string_view kFolder = "data/dictionary/";

// Big-endian numbers from a member, with its name and offset in every error.
class Reader {
 public:
  Reader(std::vector<std::uint8_t> bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {}

  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

  std::uint32_t number(unsigned size) {
    if (bytes_.size() - at_ < size) broken("ends too early");
    std::uint32_t value = 0;
    for (unsigned i = 0; i < size; ++i) value = value << 8U | bytes_[at_++];
    return value;
  }
  std::int32_t integer() { return static_cast<std::int32_t>(number(4)); }
  // A count of things of at least `size` bytes each.
  std::size_t count(std::size_t size) {
    const std::int32_t value = integer();
    if (value < 0 || static_cast<std::size_t>(value) > (bytes_.size() - at_) / size) broken("has an impossible count");
    return static_cast<std::size_t>(value);
  }
  void skip(std::string_view expected) {
    if (bytes_.size() - at_ < expected.size() || !std::equal(
                                                     expected.begin(), expected.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                     [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; })) {
      broken("is not the expected Java object stream");
    }
    at_ += expected.size();
  }
  [[noreturn]] void broken(const std::string& what) const {
    throw Error(ErrorCode::format, name_ + ": offset " + std::to_string(at_) + ": " + what + "; use the jar " +
                                       std::string(kHanlpCoordinates) + " from Maven Central");
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::string name_;
  std::size_t at_ = 0;
};

// Keys of a double array, by value. HanLP's arrays: state b has the child for unit c at b + c + 1, whose check is b; a key's end is
// the cell b itself, with base -value - 1.
std::vector<std::u16string> double_array_keys(Reader& in, std::size_t values) {
  const std::size_t size = in.count(8);
  std::vector<std::int32_t> base(size), check(size);
  for (std::size_t i = 0; i < size; ++i) {
    base[i] = in.integer();
    check[i] = in.integer();
  }
  if (!in.at_end()) in.broken("has bytes after its trie");
  // From each end cell upwards is impossible (a cell does not know its parent), so: which cell leads to state b, for every b.
  std::vector<std::uint32_t> parent(size, 0);
  for (std::size_t cell = 1; cell < size; ++cell) {
    if (base[cell] > 0 && check[cell] > 0 && static_cast<std::size_t>(base[cell]) < size)
      parent[static_cast<std::size_t>(base[cell])] = static_cast<std::uint32_t>(cell);
  }
  std::vector<std::u16string> keys(values);
  for (std::size_t cell = 1; cell < size; ++cell) {
    if (base[cell] >= 0 || check[cell] != static_cast<std::int32_t>(cell)) continue;
    const std::size_t value = static_cast<std::size_t>(-(static_cast<std::int64_t>(base[cell]) + 1));
    if (value >= values) in.broken("has a value that no word has");
    std::u16string key;
    std::size_t state = cell;
    while (state != 1) {
      const std::size_t from = parent[state];
      const std::int64_t unit = from == 0 ? -1 : static_cast<std::int64_t>(from) - check[from] - 1;
      if (unit < 0 || unit > 0xFFFF || key.size() > 4096) in.broken("has a broken trie");
      key.push_back(static_cast<char16_t>(unit));
      state = static_cast<std::size_t>(check[from]);
    }
    std::reverse(key.begin(), key.end());
    keys[value] = std::move(key);
  }
  return keys;
}

std::vector<HanlpWord> read_words(Reader in, std::size_t natures) {
  std::vector<HanlpWord> words(in.count(8));
  for (HanlpWord& word : words) {
    word.frequency = in.integer();
    word.natures.resize(in.count(8));
    if (word.natures.empty()) in.broken("has a word without a nature");
    for (auto& [nature, frequency] : word.natures) {
      const std::uint32_t number = in.number(4);
      if (number >= natures) in.broken("has an unknown nature");
      nature = static_cast<std::uint16_t>(number);
      frequency = in.integer();
    }
  }
  std::vector<std::u16string> keys = double_array_keys(in, words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (keys[i].empty() || (i > 0 && keys[i] <= keys[i - 1])) in.broken("has words out of order");
    words[i].word = std::move(keys[i]);
  }
  return words;
}

// Two int[] as Java's ObjectOutputStream writes them: the class descriptor in full, then by reference.
std::vector<HanlpBigram> read_bigrams(Reader in, std::size_t words) {
  using namespace std::string_view_literals;
  in.skip("\xAC\xED\x00\x05\x75\x72\x00\x02\x5B\x49\x4D\xBA\x60\x26\x76\xEA\xB2\xA5\x02\x00\x00\x78\x70"sv);
  std::vector<std::uint32_t> starts(in.count(4));
  for (std::uint32_t& start : starts) start = in.number(4);
  in.skip("\x75\x71\x00\x7E\x00\x00"sv);
  const std::size_t numbers = in.count(4);
  if (starts.size() != words + 1 || starts.front() != 0 || std::size_t{starts.back()} * 2 != numbers)
    in.broken("does not fit the core dictionary");
  std::vector<HanlpBigram> bigrams;
  bigrams.reserve(numbers / 2);
  for (std::uint32_t first = 0; first < words; ++first) {
    if (starts[first] > starts[first + 1] || starts[first + 1] > starts.back()) in.broken("has ranges out of order");
    for (std::uint32_t i = starts[first]; i < starts[first + 1]; ++i) {
      const std::uint32_t second = in.number(4);
      if (second >= words || (i > starts[first] && second <= bigrams.back().second)) in.broken("has pairs out of order");
      bigrams.push_back({first, second, in.integer()});
    }
  }
  return bigrams;
}

std::vector<HanlpNameWord> read_names(Reader in) {
  std::vector<HanlpNameWord> names(in.count(4));
  for (HanlpNameWord& name : names) {
    std::map<NameRole, std::int32_t> roles;
    for (std::size_t i = in.count(8); i > 0; --i) {
      const std::uint32_t role = in.number(4);
      if (role >= kNameRoles) in.broken("has an unknown role");
      roles[static_cast<NameRole>(role)] = in.integer();
    }
    name.roles.assign(roles.begin(), roles.end());
  }
  std::vector<std::u16string> keys = double_array_keys(in, names.size());
  for (std::size_t i = 0; i < names.size(); ++i) names[i].word = std::move(keys[i]);
  return names;
}

std::vector<std::u16string> read_translated(Reader in) {
  // The file holds a trie only; each end cell has another value below the number of cells.
  std::vector<std::u16string> keys = double_array_keys(in, in.bytes().size() / 8);
  std::erase(keys, std::u16string());
  return keys;
}

std::vector<std::uint8_t> read_char_types(Reader in) {
  std::vector<std::uint8_t> types(0x10000);
  while (!in.at_end()) {
    const std::uint32_t first = in.number(2), last = in.number(2);
    const auto type = static_cast<std::uint8_t>(in.number(1));
    for (std::uint32_t c = first; c <= last; ++c) types[c] = type;
  }
  return types;
}

// The paths of HanLP's word graph (a DAWG): letter, end mark, first child, number of children.
std::vector<std::u16string> read_stop_words(Reader in) {
  struct Node {
    char16_t letter = 0;
    bool end = false;
    std::uint32_t first = 0, children = 0;
  };
  const auto node = [&in] {
    Node result;
    result.letter = static_cast<char16_t>(in.number(2));
    result.end = in.number(1) == 1;
    result.first = in.number(4);
    result.children = in.number(4);
    return result;
  };
  for (std::size_t i = in.count(2); i > 0; --i) in.number(2);
  const Node root = node();
  std::vector<Node> nodes(in.count(11));
  for (Node& each : nodes) each = node();
  std::vector<std::u16string> words;
  const auto visit = [&](const auto& self, const Node& from, std::u16string& prefix) -> void {
    if (from.end) words.push_back(prefix);
    if (from.children == 0) return;
    if (prefix.size() > 255 || words.size() > 1'000'000 || from.first > nodes.size() || nodes.size() - from.first < from.children)
      in.broken("has a broken graph");
    for (std::uint32_t i = 0; i < from.children; ++i) {
      prefix.push_back(nodes[from.first + i].letter);
      self(self, nodes[from.first + i], prefix);
      prefix.pop_back();
    }
  };
  std::u16string prefix;
  visit(visit, root, prefix);
  return words;
}

void append_utf16(char32_t c, std::u16string& out) {
  if (c >= 0x10000) {
    out.push_back(static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10U)));
    c = 0xDC00 + ((c - 0x10000) & 0x3FFU);
  }
  out.push_back(static_cast<char16_t>(c));
}

// The jar's text members are valid UTF-8; anything else there is damage.
std::u16string utf16(std::string_view text, const Reader& in) {
  std::u16string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const unsigned size = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (size == 0 || text.size() - i < size) in.broken("is not UTF-8");
    char32_t c = size == 1 ? lead : lead & (0x7FU >> size);
    for (unsigned k = 1; k < size; ++k) c = c << 6U | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    append_utf16(c, out);
    i += size;
  }
  return out;
}

std::vector<std::string> lines_of(const Reader& in) {
  std::istringstream text(std::string(in.bytes().begin(), in.bytes().end()));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::pair<std::u16string, std::u16string>> read_simplified(const Reader& in) {
  std::map<std::u16string, std::u16string> table;  // of a key that comes twice the last value holds
  for (const std::string& line : lines_of(in)) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos || equals == 0) continue;
    table[utf16(std::string_view(line).substr(0, equals), in)] = utf16(std::string_view(line).substr(equals + 1), in);
  }
  if (table.empty()) in.broken("holds no pairs");
  return {table.begin(), table.end()};
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) out.push_back(field);
  return out;
}

std::uint8_t role_number(const std::string& name, const Reader& in) {
  const std::size_t role = name.size() == 1 ? kRoles.find(name[0]) : std::string_view::npos;
  if (role == std::string_view::npos) in.broken("has an unknown role " + name);
  return static_cast<std::uint8_t>(role);
}

void read_transitions(const Reader& in, HanlpSource& source) {
  const std::vector<std::string> lines = lines_of(in);
  if (lines.empty()) in.broken("is empty");
  const std::vector<std::string> head = fields(lines[0]);
  for (std::size_t i = 1; i < head.size(); ++i) source.name_states.push_back(role_number(head[i], in));
  source.name_transitions.assign(kNameRoles * kNameRoles, 0);
  for (std::size_t row = 1; row < lines.size(); ++row) {
    const std::vector<std::string> cells = fields(lines[row]);
    if (cells.size() != head.size()) in.broken("has a short row");
    const std::size_t from = role_number(cells[0], in);
    for (std::size_t i = 1; i < cells.size(); ++i) {
      if (cells[i].empty() || cells[i].size() > 9 || cells[i].find_first_not_of("0123456789") != std::string::npos)
        in.broken("has a cell that is no count");
      source.name_transitions[from * kNameRoles + source.name_states[i - 1]] = std::stoi(cells[i]);
    }
  }
}

}  // namespace

std::uint16_t HanlpSource::nature(const std::string& name) {
  const auto place = static_cast<std::size_t>(std::find(natures.begin(), natures.end(), name) - natures.begin());
  if (place == natures.size()) natures.push_back(name);
  return static_cast<std::uint16_t>(place);
}

void HanlpSource::insert_custom(const std::u16string& word, std::vector<std::pair<std::string, std::int32_t>> tags) {
  HanlpWord entry;
  entry.word = word;
  for (const auto& [name, frequency] : tags) {
    entry.natures.emplace_back(nature(name), frequency);
    entry.frequency += frequency;
  }
  if (word.empty() || tags.empty()) throw Error(ErrorCode::usage, "a custom word needs at least one unit and one nature");
  const auto same = [&](const HanlpWord& other) { return other.word == word; };
  for (std::vector<HanlpWord>* list : {&custom, &added}) {
    if (const auto found = std::find_if(list->begin(), list->end(), same); found != list->end()) {
      *found = std::move(entry);
      return;
    }
  }
  added.push_back(std::move(entry));
}

HanlpSource read_hanlp_jar(const std::string& path) {
  const auto open = [&] {
    try {
      return ZipFile(path);
    } catch (const Error& error) {
      throw Error(error.code(), std::string(error.what()) + ". HanLP's data are in the jar " + kHanlpCoordinates + " of Maven Central");
    }
  };
  const ZipFile jar = open();
  const auto member = [&](std::string_view name) {
    const std::string whole = std::string(kFolder) + std::string(name);
    if (!jar.contains(whole)) {
      throw Error(ErrorCode::format, path + ": holds no " + whole + "; use the jar " + kHanlpCoordinates + " of Maven Central");
    }
    return Reader(jar.read(whole), path + ": " + whole);
  };
  HanlpSource source;
  std::istringstream names{std::string(kNatures)};
  for (std::string name; names >> name;) source.natures.push_back(name);
  source.core = read_words(member("CoreNatureDictionary.mini.txt.bin"), source.natures.size());
  source.bigrams = read_bigrams(member("CoreNatureDictionary.ngram.mini.txt.table.bin"), source.core.size());
  source.custom = read_words(member("custom/CustomDictionary.txt.bin"), source.natures.size());
  source.names = read_names(member("person/nr.txt.bin"));
  read_transitions(member("person/nr.tr.txt"), source);
  source.translated = read_translated(member("person/nrf.txt.trie.dat"));
  source.char_types = read_char_types(member("other/CharType.bin"));
  source.simplified = read_simplified(member("tc/t2s.txt"));
  source.stop_words = read_stop_words(member("stopwords.txt.bin"));
  return source;
}

}  // namespace leitong::segment
