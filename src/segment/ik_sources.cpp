#include "segment/ik_sources.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "leitong/error.h"
#include "segment/file_bytes.h"
#include "segment/xml_properties.h"
#include "segment/zip_file.h"
#include "text/utf16.h"

namespace leitong::segment {
namespace {

namespace fs = std::filesystem;

constexpr const char* inner_folder = "org/wltea/analyzer/dic";
constexpr const char* configuration_name = "IKAnalyzer.cfg.xml";
constexpr std::size_t longest_word = 4096;  // units; beyond IKAnalyzer's own buffer a word could never match
constexpr const char* what_is_needed = "leitong data add ik takes the jar of IKAnalyzer 3.2.8 or a folder with its six .dic files";

std::string read_all(const fs::path& file) { return file_bytes(file.string(), what_is_needed); }

// java.lang.String.trim
template <typename View>
View trim(View s) {
  while (!s.empty() && static_cast<std::make_unsigned_t<typename View::value_type>>(s.front()) <= 0x20) s.remove_prefix(1);
  while (!s.empty() && static_cast<std::make_unsigned_t<typename View::value_type>>(s.back()) <= 0x20) s.remove_suffix(1);
  return s;
}

void add_named(std::string_view bytes, const std::string& name, std::vector<std::u16string>& words) {
  const std::size_t before = words.size();
  add_ik_words(bytes, words);
  for (std::size_t i = before; i < words.size(); ++i) {
    if (words[i].size() <= longest_word) continue;
    throw Error(ErrorCode::format, name + ": a word has " + std::to_string(words[i].size()) +
                                       " UTF-16 units; a .dic file has one word a line, of at most " + std::to_string(longest_word));
  }
}

// The class path that IKAnalyzer would have: a folder, then a jar; each may be missing.
class ClassPath {
 public:
  ClassPath(fs::path folder, const std::string& jar) : folder_(std::move(folder)) {
    if (jar.empty()) return;
    jar_ = std::make_unique<ZipFile>(jar);
    if (jar_->contains(std::string(inner_folder) + "/main2012.dic") || jar_->contains("org/wltea/analyzer/core/IKSegmenter.class"))
      throw Error(ErrorCode::unsupported, jar + ": is IKAnalyzer 2012, another algorithm with another dictionary; " + what_is_needed);
  }

  // The bytes and the name for messages; nothing when it is nowhere.
  [[nodiscard]] std::optional<std::pair<std::string, std::string>> find(const fs::path& name) const {
    if (!folder_.empty()) {
      if (const fs::path file = folder_ / name; fs::is_regular_file(file)) return {{read_all(file), file.string()}};
    }
    if (!jar_ || !jar_->contains(name.string())) return {};
    const std::vector<std::uint8_t> bytes = jar_->read(name.string());
    return {{std::string(bytes.begin(), bytes.end()), jar_->path() + ": " + name.string()}};
  }
  [[nodiscard]] std::string where() const {
    const std::string folder = folder_.string();
    return !jar_ ? folder : folder.empty() ? jar_->path() : folder + " and " + jar_->path();
  }

 private:
  fs::path folder_;
  std::unique_ptr<ZipFile> jar_;
};

void add_list(const ClassPath& path, const std::string& list, std::vector<std::u16string>& words) {
  for (const fs::path& name : {fs::path(list + ".dic"), fs::path(inner_folder) / (list + ".dic")}) {
    if (const auto found = path.find(name)) return add_named(found->first, found->second, words);
  }
  throw Error(ErrorCode::io, list + ".dic: is not in " + path.where() + "; " + what_is_needed);
}

// Names are those of a class path: a leading slash means its root.
void add_extensions(const ClassPath& path, const std::pair<std::string, std::string>& configuration, const char* key,
                    std::vector<std::u16string>& words, std::vector<std::string>& warnings) {
  for (const std::string& name : ik_configured_files(configuration.first, key, configuration.second)) {
    const std::size_t begin = name.find_first_not_of('/');
    if (begin == std::string::npos) continue;
    const fs::path relative = name.substr(begin);
    auto found = path.find(relative);
    if (!found) found = path.find(relative.filename());
    if (found) {
      add_named(found->first, found->second, words);
    } else {
      warnings.push_back(configuration.second + ": " + key + " names " + name + ", which is not in " + path.where());
    }
  }
}

// The only IKAnalyzer*.jar of a folder, or an empty name.
std::string jar_of(const fs::path& folder) {
  std::vector<std::string> jars;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("IKAnalyzer") && name.ends_with(".jar")) jars.push_back(entry.path().string());
  }
  return jars.size() == 1 ? jars[0] : std::string();
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

void add_ik_file(const std::string& file, std::vector<std::u16string>& words) { add_named(read_all(file), file, words); }

std::vector<std::string> ik_configured_files(std::string_view xml, std::string_view key, const std::string& name) {
  const std::string value = xml_property(xml, key, name);
  std::vector<std::string> files;
  std::string_view rest = value;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view file = trim(rest.substr(0, end));
    if (!file.empty()) files.emplace_back(file);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return files;
}

IkSources read_ik(const std::string& source, const std::string& jar) {
  if (!fs::exists(source)) throw Error(ErrorCode::io, source + ": does not exist; " + what_is_needed);
  const bool is_folder = fs::is_directory(source), is_xml = !is_folder && source.ends_with(".xml");
  const fs::path folder = is_folder ? fs::path(source) : is_xml ? fs::absolute(source).parent_path() : fs::path();
  const ClassPath path(folder, folder.empty() ? source : jar.empty() ? jar_of(folder) : jar);
  IkSources sources;
  for (std::size_t i = 0; i < ik_list_count; ++i) add_list(path, ik_list_names[i], sources.words[i]);
  const auto configuration = is_xml ? std::make_optional(std::make_pair(read_all(source), source)) : path.find(configuration_name);
  if (configuration) {
    add_extensions(path, *configuration, "ext_dict", sources.words[static_cast<std::size_t>(IkList::main)], sources.warnings);
    add_extensions(path, *configuration, "ext_stopwords", sources.words[static_cast<std::size_t>(IkList::stop)], sources.warnings);
  }
  return sources;
}

}  // namespace leitong::segment
