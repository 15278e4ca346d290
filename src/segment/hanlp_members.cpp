#include "segment/hanlp_members.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <sstream>
#include <string_view>

#include "leitong/error.h"
#include "text/utf16.h"

namespace leitong::segment {
namespace {

constexpr std::string_view role_letters = "BCDEFGKLMUVXYZAS";

// Big-endian numbers from a member, with its name and offset in every error.
class Reader {
 public:
  explicit Reader(HanlpMember member) : bytes_(std::move(member.bytes)), name_(std::move(member.name)) {}

  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

  std::uint32_t number(unsigned size) {
    if (bytes_.size() - at_ < size) broken("ends too early");
    std::uint32_t value = 0;
    for (unsigned i = 0; i < size; ++i) value = value << 8U | bytes_[at_++];
    return value;
  }
  std::int32_t integer() { return static_cast<std::int32_t>(number(4)); }
  void rewind() { at_ = 0; }
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
    throw Error(ErrorCode::format, name_ + ": offset " + std::to_string(at_) + ": " + what + "; get the file again: the jar " +
                                       hanlp_coordinates + " of Maven Central has it");
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
      state = static_cast<std::size_t>(check[from]);  // above 0: parent[] names no other cells
      if (state >= size) in.broken("has a broken trie");
    }
    std::reverse(key.begin(), key.end());
    keys[value] = std::move(key);
  }
  return keys;
}

std::vector<HanlpWord> read_words(Reader& in, std::size_t natures) {
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
    if (word.frequency < 0) in.broken("has a negative frequency");
  }
  std::vector<std::u16string> keys = double_array_keys(in, words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (keys[i].empty() || (i > 0 && keys[i] <= keys[i - 1])) in.broken("has words out of order");
    words[i].word = std::move(keys[i]);
  }
  return words;
}

// Two int[] as Java's ObjectOutputStream writes them: the class descriptor in full, then by reference. Returns the first one's length.
std::size_t begin_bigrams(Reader& in) {
  using namespace std::string_view_literals;
  in.skip("\xAC\xED\x00\x05\x75\x72\x00\x02\x5B\x49\x4D\xBA\x60\x26\x76\xEA\xB2\xA5\x02\x00\x00\x78\x70"sv);
  return in.count(4);
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

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) out.push_back(field);
  return out;
}

std::uint8_t role_number(const std::string& name, const Reader& in) {
  const std::size_t role = name.size() == 1 ? role_letters.find(name[0]) : std::string_view::npos;
  if (role == std::string_view::npos) in.broken("has an unknown role " + name);
  return static_cast<std::uint8_t>(role);
}

}  // namespace

std::vector<HanlpWord> read_core_bin(HanlpMember member, const HanlpSource& source) {
  Reader in(std::move(member));
  return read_words(in, source.natures.size());
}

std::vector<HanlpWord> read_custom_bin(HanlpMember member, HanlpSource& source) {
  Reader in(std::move(member));
  if (const std::int32_t names = in.integer(); names >= 0) {
    in.rewind();
  } else {
    for (std::int32_t i = names; i < 0; ++i) {
      std::u16string name(in.count(2), u'\0');
      for (char16_t& c : name) c = static_cast<char16_t>(in.number(2));
      source.nature(text::to_utf8(name));
    }
  }
  return read_words(in, source.natures.size());
}

std::size_t words_of_bigrams_bin(HanlpMember member) {
  Reader in(std::move(member));
  const std::size_t starts = begin_bigrams(in);
  return starts == 0 ? 0 : starts - 1;
}

std::vector<HanlpBigram> read_bigrams_bin(HanlpMember member, std::size_t words) {
  using namespace std::string_view_literals;
  Reader in(std::move(member));
  std::vector<std::uint32_t> starts(begin_bigrams(in));
  for (std::uint32_t& start : starts) start = in.number(4);
  in.skip("\x75\x71\x00\x7E\x00\x00"sv);
  const std::size_t numbers = in.count(4);
  if (starts.size() != words + 1 || starts.empty() || starts.front() != 0 || std::size_t{starts.back()} * 2 != numbers)
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

std::vector<HanlpNameWord> read_names_bin(HanlpMember member) {
  Reader in(std::move(member));
  std::vector<HanlpNameWord> names(in.count(4));
  for (HanlpNameWord& name : names) {
    std::map<NameRole, std::int32_t> roles;
    for (std::size_t i = in.count(8); i > 0; --i) {
      const std::uint32_t role = in.number(4);
      if (role >= name_roles) in.broken("has an unknown role");
      roles[static_cast<NameRole>(role)] = in.integer();
    }
    name.roles.assign(roles.begin(), roles.end());
  }
  std::vector<std::u16string> keys = double_array_keys(in, names.size());
  for (std::size_t i = 0; i < names.size(); ++i) names[i].word = std::move(keys[i]);
  std::sort(names.begin(), names.end(), [](const HanlpNameWord& a, const HanlpNameWord& b) { return a.word < b.word; });
  return names;
}

std::vector<std::u16string> read_translated_bin(HanlpMember member) {
  Reader in(std::move(member));
  // The file holds a trie only; each end cell has another value below the number of cells.
  std::vector<std::u16string> keys = double_array_keys(in, in.bytes().size() / 8);
  std::erase(keys, std::u16string());
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::vector<std::uint8_t> read_char_types(HanlpMember member) {
  Reader in(std::move(member));
  std::vector<std::uint8_t> types(0x10000);
  while (!in.at_end()) {
    const std::uint32_t first = in.number(2), last = in.number(2);
    const auto type = static_cast<std::uint8_t>(in.number(1));
    for (std::uint32_t c = first; c <= last; ++c) types[c] = type;
  }
  return types;
}

// The paths of HanLP's word graph (a DAWG): letter, end mark, first child, number of children.
std::vector<std::u16string> read_stop_words_bin(HanlpMember member) {
  Reader in(std::move(member));
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
  std::size_t visits = 0;  // a forged graph has more paths than there is time
  const auto visit = [&](const auto& self, const Node& from, std::u16string& prefix) -> void {
    if (from.end) words.push_back(prefix);
    if (from.children == 0) return;
    if (prefix.size() > 255 || ++visits > 10'000'000 || from.first > nodes.size() || nodes.size() - from.first < from.children)
      in.broken("has a broken graph");
    for (std::uint32_t i = 0; i < from.children; ++i) {
      prefix.push_back(nodes[from.first + i].letter);
      self(self, nodes[from.first + i], prefix);
      prefix.pop_back();
    }
  };
  std::u16string prefix;
  visit(visit, root, prefix);
  std::sort(words.begin(), words.end());
  return words;
}

std::vector<std::pair<std::u16string, std::u16string>> read_simplified(HanlpMember member) {
  const Reader in(std::move(member));
  std::map<std::u16string, std::u16string> table;  // of a key that comes twice the last value holds
  for (const std::string& line : lines_of(in)) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos || equals == 0) continue;
    table[text::to_utf16(std::string_view(line).substr(0, equals))] = text::to_utf16(std::string_view(line).substr(equals + 1));
  }
  if (table.empty()) in.broken("holds no pairs");
  return {table.begin(), table.end()};
}

void read_transitions(HanlpMember member, HanlpSource& source) {
  const Reader in(std::move(member));
  const std::vector<std::string> lines = lines_of(in);
  if (lines.empty()) in.broken("is empty");
  const std::vector<std::string> head = fields(lines[0]);
  for (std::size_t i = 1; i < head.size(); ++i) source.name_states.push_back(role_number(head[i], in));
  source.name_transitions.assign(name_roles * name_roles, 0);
  for (std::size_t row = 1; row < lines.size(); ++row) {
    const std::vector<std::string> cells = fields(lines[row]);
    if (cells.size() != head.size()) in.broken("has a short row");
    const std::size_t from = role_number(cells[0], in);
    for (std::size_t i = 1; i < cells.size(); ++i) {
      if (cells[i].empty() || cells[i].size() > 8 || cells[i].find_first_not_of("0123456789") != std::string::npos)
        in.broken("has a cell that is no count");
      source.name_transitions[from * name_roles + source.name_states[i - 1]] = std::stoi(cells[i]);
    }
  }
}

}  // namespace leitong::segment
