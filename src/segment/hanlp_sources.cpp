#include "segment/hanlp_sources.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "leitong/error.h"
#include "segment/file_bytes.h"
#include "segment/hanlp_members.h"
#include "segment/hanlp_text.h"
#include "segment/java_properties.h"
#include "segment/zip_file.h"

namespace leitong::segment {
namespace {

namespace fs = std::filesystem;

// A file of HanLP: the property that names it, where the jar has it, where it is looked for on disk.
struct Item {
  const char* property;
  std::string in_jar, path;
};

struct Paths {
  Item core{"CoreDictionaryPath", "data/dictionary/CoreNatureDictionary.mini.txt", {}};
  Item bigrams{"BiGramDictionaryPath", "data/dictionary/CoreNatureDictionary.ngram.mini.txt", {}};
  Item names{"PersonDictionaryPath", "data/dictionary/person/nr.txt", {}};
  Item transitions{"PersonDictionaryTrPath", "data/dictionary/person/nr.tr.txt", {}};
  Item translated{"TranslatedPersonDictionaryPath", "data/dictionary/person/nrf.txt", {}};
  Item char_types{"CharTypePath", "data/dictionary/other/CharType.bin", {}};
  Item stop_words{"CoreStopWordDictionaryPath", "data/dictionary/stopwords.txt", {}};
  Item simplified{"tcDictionaryRoot", "data/dictionary/tc/t2s.txt", {}};
  Item custom{"CustomDictionaryPath", "data/dictionary/custom/CustomDictionary.txt", {}};
  std::vector<std::string> custom_files;  // each may end in a space and the nature of its words without one
};

std::string jar_advice() { return std::string("get the jar ") + hanlp_coordinates + " from Maven Central"; }

ZipFile open_jar(const std::string& path) {
  try {
    ZipFile jar(path);
    const std::string pom = "META-INF/maven/com.hankcs/hanlp/pom.properties";
    if (jar.contains(pom)) {
      const std::vector<std::uint8_t> bytes = jar.read(pom);
      const auto properties = read_java_properties({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      const auto version = properties.find("version");
      if (version != properties.end() && version->second != "portable-1.8.1")
        throw Error(ErrorCode::unsupported, path + ": is HanLP " + version->second + ", whose words differ");
    }
    return jar;
  } catch (const Error& error) {
    throw Error(error.code(), std::string(error.what()) + "; " + jar_advice());
  }
}

std::string file_text(const fs::path& path) { return file_bytes(path.string(), "check that it is a file that may be read"); }

HanlpMember file_member(const fs::path& path) {
  const std::string bytes = file_text(path);
  return {{bytes.begin(), bytes.end()}, path.string()};
}

// "folder/words.txt ns": the file, and the nature of its words that have none.
std::pair<std::string, std::string> split_nature(const std::string& path) {
  const std::size_t name = path.rfind('/') + 1;
  const std::size_t space = path.rfind(' ');
  if (space == std::string::npos || space <= name) return {path, "n"};
  return {path.substr(0, space), path.substr(space + 1)};
}

class Loader {
 public:
  Loader(Paths paths, std::vector<fs::path> folders, const std::string& jar) : paths_(std::move(paths)), folders_(std::move(folders)) {
    if (!jar.empty()) jar_ = std::make_unique<ZipFile>(open_jar(jar));
  }

  HanlpFiles load() {
    HanlpSource& source = out_.source;
    source.natures = hanlp_natures();
    load_custom();  // before the core dictionary, as HanLP does: the order gives new natures their numbers
    source.core = either(
        paths_.core, ".bin", [&](HanlpMember member) { return read_core_bin(std::move(member), source); },
        [&](const HanlpText& text) { return read_core_text(text, source); });
    load_bigrams();
    source.names = either(paths_.names, ".bin", read_names_bin, read_names_text);
    read_transitions(only(paths_.transitions), source);
    source.translated = either(paths_.translated, ".trie.dat", read_translated_bin, read_translated_text);
    source.char_types = read_char_types(only(paths_.char_types));
    source.simplified = read_simplified(only(paths_.simplified));
    source.stop_words = either(paths_.stop_words, ".bin", read_stop_words_bin, read_stop_words_text);
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::optional<fs::path> on_disk(const std::string& path) const {
    for (const fs::path& folder : folders_) {
      if (path.empty()) break;
      if (fs::path file = folder / path; fs::is_regular_file(file)) return file;
    }
    return {};
  }
  [[nodiscard]] HanlpMember in_jar(const Item& item, const std::string& suffix) {
    const std::string name = item.in_jar + suffix;
    if (!jar_) {
      throw Error(ErrorCode::io, item.path + ": does not exist (" + item.property + " of hanlp.properties); put it there, or " +
                                     jar_advice() + " and put it beside the properties");
    }
    if (!jar_->contains(name)) throw Error(ErrorCode::format, jar_->path() + ": holds no " + name + "; " + jar_advice());
    if (!folders_.empty()) out_.warnings.push_back(item.path + ": does not exist; " + name + " of " + jar_->path() + " takes its place");
    return {jar_->read(name), jar_->path() + ": " + name};
  }

  void warn_of_old(const fs::path& cache, const fs::path& text) {
    if (fs::last_write_time(cache) < fs::last_write_time(text)) {
      out_.warnings.push_back(cache.string() + ": is older than " + text.string() +
                              ", but HanLP reads it instead; delete it if the text has changed");
    }
  }

  // What HanLP compiled if it is there, else the text, else what the jar has compiled.
  template <class ReadBinary, class ReadText>
  std::invoke_result_t<ReadBinary, HanlpMember> either(const Item& item, const std::string& suffix, ReadBinary read_binary,
                                                       ReadText read_text) {
    const auto cache = on_disk(item.path + suffix), text = on_disk(item.path);
    if (cache) {
      if (text) warn_of_old(*cache, *text);
      return read_binary(file_member(*cache));
    }
    if (text) return read_text({file_text(*text), text->string()});
    return read_binary(in_jar(item, suffix));
  }

  // What is in one form only.
  HanlpMember only(const Item& item) {
    const auto file = on_disk(item.path);
    return file ? file_member(*file) : in_jar(item, "");
  }

  // A compiled table that was made for another core dictionary is not used.
  void load_bigrams() {
    HanlpSource& source = out_.source;
    const auto cache = on_disk(paths_.bigrams.path + ".table.bin"), text = on_disk(paths_.bigrams.path);
    if (cache && text && words_of_bigrams_bin(file_member(*cache)) != source.core.size()) {
      source.bigrams = read_bigrams_text({file_text(*text), text->string()}, source);
      return;
    }
    source.bigrams = either(
        paths_.bigrams, ".table.bin", [&](HanlpMember member) { return read_bigrams_bin(std::move(member), source.core.size()); },
        [&](const HanlpText& file) { return read_bigrams_text(file, source); });
  }

  void load_custom() {
    HanlpSource& source = out_.source;
    const bool from_jar = paths_.custom_files.empty();
    if (from_jar) {
      source.custom = read_custom_bin(in_jar(paths_.custom, ".bin"), source);
      return;
    }
    if (const auto cache = on_disk(paths_.custom_files[0] + ".bin"); cache && is_current(*cache)) {
      source.custom = read_custom_bin(file_member(*cache), source);
      return;
    }
    HanlpWordMap words;
    for (const std::string& path : paths_.custom_files) load_custom_file(path, words);
    for (auto& [key, word] : words) source.custom.push_back(std::move(word));
  }

  [[nodiscard]] bool is_current(const fs::path& cache) const {
    return std::none_of(paths_.custom_files.begin(), paths_.custom_files.end(), [&](const std::string& path) {
      const auto file = on_disk(split_nature(path).first);
      return file && fs::last_write_time(*file) > fs::last_write_time(cache);
    });
  }

  void load_custom_file(const std::string& path, HanlpWordMap& words) {
    const auto [name, nature] = split_nature(path);
    if (const auto file = on_disk(name)) {
      read_custom_text({file_text(*file), file->string()}, name.ends_with(".csv"), nature, out_.source, words, out_.warnings);
    } else if (jar_ && name.ends_with(paths_.custom.in_jar)) {
      Item item = paths_.custom;
      item.path = name;
      for (HanlpWord& word : read_custom_bin(in_jar(item, ".bin"), out_.source)) {
        std::u16string key = word.word;
        words[std::move(key)] = std::move(word);
      }
    } else {
      out_.warnings.push_back(name + ": does not exist (CustomDictionaryPath of hanlp.properties), so its words are missing, as in HanLP");
    }
  }

  Paths paths_;
  std::vector<fs::path> folders_;
  std::unique_ptr<ZipFile> jar_;
  HanlpFiles out_;
};

std::vector<std::string> custom_files(const std::string& root, const std::string& value) {
  std::vector<std::string> files;
  std::string folder = root;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find(';', begin), value.size());
    const std::string item = value.substr(begin, end - begin);
    if (item.starts_with(' ')) {  // beside the one before
      const std::size_t first = item.find_first_not_of(' '), last = item.find_last_not_of(' ');
      files.push_back(folder + (first == std::string::npos ? "" : item.substr(first, last + 1 - first)));
    } else {
      files.push_back(root + item);
      if (const std::size_t slash = files.back().rfind('/'); slash != std::string::npos) folder = files.back().substr(0, slash + 1);
    }
    begin = end + 1;
  }
  while (!files.empty() && value.ends_with(';') && files.back() == root) files.pop_back();  // Java's split drops them
  return files;
}

Paths configured_paths(const std::map<std::string, std::string>& properties, const std::string& name) {
  const auto value = [&](const std::string& key, const std::string& otherwise) {
    const auto found = properties.find(key);
    return found == properties.end() ? otherwise : found->second;
  };
  if (value("Normalization", "false") == "true") {
    throw Error(ErrorCode::unsupported, name +
                                            ": Normalization=true is a mode of HanLP that Leitong does not have; without it the words are "
                                            "those of the default configuration");
  }
  std::string root = value("root", "");
  std::replace(root.begin(), root.end(), '\\', '/');
  if (!root.empty() && !root.ends_with('/')) root += '/';
  Paths paths;
  for (Item* item :
       {&paths.core, &paths.bigrams, &paths.names, &paths.transitions, &paths.translated, &paths.char_types, &paths.stop_words})
    item->path = root + value(item->property, item->in_jar);
  std::string tc = root + value("tcDictionaryRoot", "data/dictionary/tc/");
  if (!tc.ends_with('/')) tc += '/';
  paths.simplified.path = tc + "t2s.txt";
  paths.custom_files = custom_files(root, value("CustomDictionaryPath", paths.custom.in_jar));
  paths.custom.path = paths.custom_files.empty() ? root : paths.custom_files[0];
  return paths;
}

std::string jar_of(const fs::path& folder) {
  std::vector<std::string> jars;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("hanlp") && name.ends_with(".jar") && !name.ends_with("-sources.jar")) jars.push_back(entry.path().string());
  }
  return jars.size() == 1 ? jars[0] : std::string();
}

HanlpFiles read_configured(const std::map<std::string, std::string>& properties, const fs::path& folder, const std::string& name,
                           const std::string& jar) {
  return Loader(configured_paths(properties, name), {folder, fs::current_path()}, jar.empty() ? jar_of(folder) : jar).load();
}

}  // namespace

HanlpFiles read_hanlp(const std::string& source, const std::string& jar) {
  if (!fs::exists(source)) throw Error(ErrorCode::io, source + ": does not exist; " + jar_advice());
  const fs::path folder = fs::is_directory(source) ? fs::absolute(source) : fs::absolute(source).parent_path();
  if (source.ends_with(".properties")) return read_configured(read_java_properties(file_text(source)), folder, source, jar);
  if (!fs::is_directory(source)) return Loader({}, {}, source).load();
  const fs::path properties = folder / "hanlp.properties";
  if (fs::is_regular_file(properties))
    return read_configured(read_java_properties(file_text(properties)), folder, properties.string(), jar);
  if (!fs::is_directory(folder / "data/dictionary")) {
    throw Error(ErrorCode::io, source + ": holds neither hanlp.properties nor data/dictionary; " + jar_advice() +
                                   ", or give the folder that HANLP_ROOT would name");
  }
  return read_configured({{"root", folder.string()}}, folder, source, jar);
}

}  // namespace leitong::segment
