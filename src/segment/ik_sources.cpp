#include "segment/ik_sources.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <type_traits>

#include "leitong/error.h"
#include "text/utf16.h"

namespace leitong::segment {
namespace {

namespace fs = std::filesystem;

// By IkList.
constexpr std::array<const char*, ik_list_count> file_names = {"main.dic",   "surname.dic",     "quantifier.dic",
                                                               "suffix.dic", "preposition.dic", "stopword.dic"};
constexpr std::size_t longest_word = 4096;  // units; beyond IKAnalyzer's own buffer a word could never match

std::string read_all(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error(ErrorCode::io, file.string() + ": cannot open; an IK folder holds main.dic and five more .dic files");
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) throw Error(ErrorCode::io, file.string() + ": cannot read");
  return bytes;
}

// java.lang.String.trim
template <typename View>
View trim(View s) {
  while (!s.empty() && static_cast<std::make_unsigned_t<typename View::value_type>>(s.front()) <= 0x20) s.remove_prefix(1);
  while (!s.empty() && static_cast<std::make_unsigned_t<typename View::value_type>>(s.back()) <= 0x20) s.remove_suffix(1);
  return s;
}

void add_file(const fs::path& file, std::vector<std::u16string>& words) {
  const std::size_t before = words.size();
  add_ik_words(read_all(file), words);
  for (std::size_t i = before; i < words.size(); ++i) {
    if (words[i].size() <= longest_word) continue;
    throw Error(ErrorCode::format, file.string() + ": a word has " + std::to_string(words[i].size()) +
                                       " UTF-16 units; a .dic file has one word a line, of at most " + std::to_string(longest_word));
  }
}

void replace_all(std::string& s, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = s.find(from, at)) != std::string::npos; at += to.size()) s.replace(at, from.size(), to);
}

std::string without_comments(std::string_view xml) {
  std::string out;
  while (!xml.empty()) {
    const std::size_t begin = xml.find("<!--");
    out += xml.substr(0, begin);
    if (begin == std::string_view::npos) break;
    const std::size_t end = xml.find("-->", begin + 4);
    if (end == std::string_view::npos) break;
    xml.remove_prefix(end + 3);
  }
  return out;
}

std::string unescape(std::string_view text) {
  std::string out(text);
  replace_all(out, "&lt;", "<");
  replace_all(out, "&gt;", ">");
  replace_all(out, "&quot;", "\"");
  replace_all(out, "&apos;", "'");
  replace_all(out, "&amp;", "&");
  return out;
}

// The text of the last <entry key="..."> with this key, as java.util.Properties keeps it.
std::string entry(const std::string& xml, std::string_view key) {
  std::string value;
  for (std::size_t at = 0; (at = xml.find("<entry", at)) != std::string::npos;) {
    const std::size_t close = xml.find('>', at);
    if (close == std::string::npos) break;
    const std::string_view tag = std::string_view(xml).substr(at, close - at);
    const bool wanted = tag.find("\"" + std::string(key) + "\"") != std::string_view::npos ||
                        tag.find("'" + std::string(key) + "'") != std::string_view::npos;
    at = close + 1;
    if (!wanted || tag.back() == '/') continue;
    const std::size_t end = xml.find("</entry", at);
    if (end == std::string::npos) break;
    value = unescape(std::string_view(xml).substr(at, end - at));
  }
  return value;
}

// Names are those of a class path: a leading slash means its root, which is the folder here.
fs::path extension_file(const fs::path& folder, const std::string& name) {
  const std::size_t begin = name.find_first_not_of('/');
  const fs::path relative = begin == std::string::npos ? fs::path() : fs::path(name.substr(begin));
  if (relative.empty()) return {};
  for (const fs::path& file : {folder / relative, folder / relative.filename()}) {
    if (fs::is_regular_file(file)) return file;
  }
  return {};
}

void add_extensions(const fs::path& folder, const std::string& xml, const char* key, IkList list, IkSources& sources) {
  for (const std::string& name : ik_configured_files(xml, key)) {
    const fs::path file = extension_file(folder, name);
    if (file.empty()) {
      sources.warnings.push_back("IKAnalyzer.cfg.xml: " + std::string(key) + " names " + name + ", which is not in " + folder.string());
    } else {
      add_file(file, sources.words[static_cast<std::size_t>(list)]);
    }
  }
}

}  // namespace

void add_ik_words(std::string_view dic, std::vector<std::u16string>& words) {
  const std::u16string units = text::to_utf16(dic);
  std::u16string_view rest = units;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(u"\r\n"), rest.size());
    const std::u16string_view word = trim(rest.substr(0, end));
    if (!word.empty()) words.emplace_back(word);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

std::vector<std::string> ik_configured_files(std::string_view xml, std::string_view key) {
  const std::string value = entry(without_comments(xml), key);
  std::vector<std::string> files;
  std::string_view rest = value;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view name = trim(rest.substr(0, end));
    if (!name.empty()) files.emplace_back(name);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return files;
}

IkSources read_ik_folder(const fs::path& folder) {
  const fs::path inner = folder / "org/wltea/analyzer/dic";
  const fs::path lists = fs::exists(folder / file_names[0]) || !fs::exists(inner / file_names[0]) ? folder : inner;
  IkSources sources;
  for (std::size_t i = 0; i < ik_list_count; ++i) add_file(lists / file_names[i], sources.words[i]);
  const fs::path configuration = folder / "IKAnalyzer.cfg.xml";
  if (fs::exists(configuration)) {
    const std::string xml = read_all(configuration);
    add_extensions(folder, xml, "ext_dict", IkList::main, sources);
    add_extensions(folder, xml, "ext_stopwords", IkList::stop, sources);
  }
  return sources;
}

}  // namespace leitong::segment
