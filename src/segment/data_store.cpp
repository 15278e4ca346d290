#include "segment/data_store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "leitong/error.h"
#include "segment/file_bytes.h"
#include "segment/hanlp_data.h"
#include "segment/hanlp_sections.h"
#include "segment/hanlp_sources.h"
#include "segment/hanlp_text.h"
#include "segment/ik_dictionary.h"
#include "segment/ik_image.h"
#include "segment/ik_sources.h"
#include "segment/jieba.h"
#include "segment/jieba_compile.h"
#include "segment/section_file.h"
#include "text/utf16.h"

namespace leitong {
namespace {

namespace fs = std::filesystem;

struct Kind {
  DataKind kind;
  std::string_view name, magic;
  std::uint32_t version;
  const char* owner;
  const char* source;  // what to get, and the end of the command that takes it
  const char* argument;
};
const std::array<Kind, 3> kinds = {{
    {DataKind::jieba, "jieba", segment::jieba_magic, segment::jieba_version, "jieba",
     "the folder of the Python package jieba (Debian: python3-jieba, /usr/lib/python3/dist-packages/jieba)", "FOLDER"},
    {DataKind::hanlp, "hanlp", segment::hanlp_magic, segment::hanlp_version, "HanLP",
     "the jar com.hankcs:hanlp:portable-1.8.1 from Maven Central (mvn dependency:copy -Dartifact=com.hankcs:hanlp:portable-1.8.1)",
     "FILE.jar"},
    {DataKind::ik, "ik", segment::ik_magic, segment::ik_version, "IKAnalyzer", "the jar of IKAnalyzer 3.2.8 or its folder of .dic files",
     "FILE.jar|DIR"},
}};

const Kind& of(DataKind kind) { return kinds[static_cast<std::size_t>(kind)]; }

const Kind* by_magic(std::string_view magic) {
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) { return kind.magic == magic; });
  return found == kinds.end() ? nullptr : &*found;
}

std::string command(const Kind& kind, std::string_view name = {}) {
  std::string text = "leitong data add " + std::string(kind.name) + " " + kind.argument;
  if (!name.empty() && name != kind.name) text += " --name " + std::string(name);
  return text;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

// $XDG_DATA_HOME/leitong, or its usual place; empty without a home.
std::string user_folder() {
  if (const std::string data = variable("XDG_DATA_HOME"); !data.empty()) return data + "/leitong";
  const std::string home = variable("HOME");
  return home.empty() ? std::string() : home + "/.local/share/leitong";
}

// The folder of also_find_data_in.
struct CarriedData {
  std::mutex mutex;
  std::string folder;
};
CarriedData& carried_data() {
  static CarriedData data;
  return data;
}

std::vector<std::string> search_folders() {
  std::vector<std::string> folders{variable("LEITONG_DATA"), user_folder()};
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back((program.parent_path().parent_path() / "share/leitong").string());
#ifdef LEITONG_BUILT_DATA
  folders.emplace_back(LEITONG_BUILT_DATA);
#endif
  {
    const std::lock_guard lock(carried_data().mutex);
    folders.push_back(carried_data().folder);
  }
  std::vector<std::string> out;
  for (std::string& folder : folders) {
    if (!folder.empty() && std::find(out.begin(), out.end(), folder) == out.end()) out.push_back(std::move(folder));
  }
  return out;
}

bool is_there(const std::string& path) {
  std::error_code error;  // a folder that may not be entered is as good as missing
  return fs::exists(path, error);
}

void check_name(std::string_view name) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
  if (!name.empty() && name[0] != '.' && name.find_first_not_of(letters) == std::string_view::npos) return;
  throw Error(ErrorCode::usage,
              "'" + std::string(name) + "' is no name of a data file: use letters, digits, '-', '_' and '.', or a path that holds a '/'");
}

[[noreturn]] void missing(const Kind& kind, const std::string& name) {
  std::string folders;
  for (const std::string& folder : search_folders()) folders += (folders.empty() ? "" : ", ") + folder;
  std::string message = "the data of " + std::string(kind.owner) + " (" + name + ".data) are in none of " + folders + "; get " +
                        kind.source + " and run: " + command(kind, name);
  if (is_there(name)) message += "; for the file " + name + " of this folder, write ./" + name;
  throw Error(ErrorCode::io, message);
}

// The kind that a header says; throws unless this program can read it.
const Kind& kind_of(const segment::SectionSummary& summary, const std::string& path) {
  const Kind* kind = by_magic(summary.magic);
  if (kind == nullptr) throw Error(ErrorCode::format, path + ": is no data file of Leitong; make one with leitong data add");
  if (summary.version != kind->version) {
    throw Error(ErrorCode::unsupported, path + ": has version " + std::to_string(summary.version) + ", this program reads version " +
                                            std::to_string(kind->version) + "; compile it again: " + command(*kind));
  }
  return *kind;
}

// The lines of the section that add_data wrote.
void read_about(std::string_view about, DataInfo& info) {
  while (!about.empty()) {
    const std::string_view line = about.substr(0, about.find('\n'));
    about.remove_prefix(std::min(line.size() + 1, about.size()));
    if (line.starts_with("warning ")) info.warnings.emplace_back(line.substr(8));
    const std::size_t space = line.rfind(' ');
    std::uint64_t count = 0;
    if (!line.starts_with("words ") || space < 6) continue;
    if (std::from_chars(line.data() + space + 1, line.data() + line.size(), count).ec == std::errc())
      info.words.emplace_back(line.substr(6, space - 6), count);
  }
}

DataInfo describe(const std::string& path) {
  DataInfo info;
  info.path = path;
  info.name = fs::path(path).stem().string();
  const segment::SectionSummary summary = segment::read_summary(path, segment::about_section);
  info.bytes = summary.bytes;
  info.kind = kind_of(summary, path).kind;
  info.content = summary.content.hex();
  read_about(summary.section.value_or(""), info);
  return info;
}

}  // namespace

std::string_view data_kind_name(DataKind kind) { return of(kind).name; }

DataKind parse_data_kind(std::string_view name) {
  for (const Kind& kind : kinds) {
    if (kind.name == name) return kind.kind;
  }
  throw Error(ErrorCode::usage, "'" + std::string(name) + "' is no kind of data: use jieba, hanlp or ik");
}

std::string data_directory() {
  if (const std::string folder = variable("LEITONG_DATA"); !folder.empty()) return folder;
  if (const std::string folder = user_folder(); !folder.empty()) return folder;
  throw Error(ErrorCode::usage, "there is no folder for data files: set LEITONG_DATA to one");
}

void also_find_data_in(std::string folder) {
  const std::lock_guard lock(carried_data().mutex);
  carried_data().folder = std::move(folder);
}

std::string find_data(DataKind kind, std::string_view name_or_path) {
  const Kind& wanted = of(kind);
  std::string path(name_or_path);
  if (path.find('/') == std::string::npos) {
    const std::string name = path.empty() ? std::string(wanted.name) : path;
    check_name(name);
    path.clear();
    for (const std::string& folder : search_folders()) {
      const std::string candidate = folder + "/" + name + ".data";
      if (path.empty() && is_there(candidate)) path = candidate;
    }
    if (path.empty()) missing(wanted, name);
  } else if (!is_there(path)) {
    throw Error(ErrorCode::io, path + ": does not exist; get " + wanted.source + " and run: " + command(wanted) + " --output " + path);
  }
  const Kind& found = kind_of(segment::read_summary(path), path);
  if (found.kind != kind) {
    throw Error(ErrorCode::format,
                path + ": holds the data of " + found.owner + ", not of " + wanted.owner + "; make these with: " + command(wanted));
  }
  return path;
}

std::string content_of_data(const std::string& path) {
  const segment::SectionSummary summary = segment::read_summary(path);
  kind_of(summary, path);
  return summary.content.hex();
}

std::vector<DataInfo> list_data() {
  std::vector<DataInfo> list;
  std::set<std::string> seen;
  for (const std::string& folder : search_folders()) {
    std::error_code error;
    std::vector<std::string> names;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      const std::string name = at->path().filename().string();
      if (name.ends_with(".data") && !name.starts_with('.')) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      if (!seen.insert(name).second) continue;  // hidden by a folder that is looked in before
      DataInfo info;
      info.path = folder + "/" + name;
      info.name = fs::path(name).stem().string();
      try {
        info = describe(info.path);
      } catch (const Error& problem) {
        info.warnings.emplace_back(problem.what());
      }
      list.push_back(std::move(info));
    }
  }
  return list;
}

DataInfo add_data(DataKind kind, const std::string& source, const AddDataOptions& options) {
  return segment::add_data(storage::posix_vfs(), kind, source, options);
}

namespace segment {
namespace {

struct Compiled {
  std::vector<std::byte> bytes;
  std::vector<std::pair<std::string, std::uint64_t>> words;
  std::vector<std::string> warnings;
};

// An option's file; nothing without the option.
HanlpText read_option(const std::string& path) {
  if (path.empty()) return {};
  return {file_bytes(path, "it must be a file with a word a line"), path};
}

// A list with the words of one file added, then those of another taken out.
std::vector<std::u16string> changed(std::vector<std::u16string> list, const std::string& add, const std::string& remove) {
  if (add.empty() && remove.empty()) return list;
  std::set<std::u16string> words(list.begin(), list.end());
  for (std::u16string& word : read_word_lines(read_option(add))) words.insert(std::move(word));
  for (const std::u16string& word : read_word_lines(read_option(remove))) words.erase(word);
  return {words.begin(), words.end()};
}

Compiled compile_jieba_data(const std::string& source, const AddDataOptions& options) {
  JiebaSources sources = read_jieba_folder(source.empty() ? "/usr/lib/python3/dist-packages/jieba" : source);
  sources.user_words = read_option(options.add_words).bytes;
  sources.deleted_words = read_option(options.remove_words).bytes;
  sources.more_stop_words = read_option(options.stop_words).bytes + "\n" + read_option(options.add_stop_words).bytes;
  sources.no_stop_words = read_option(options.remove_stop_words).bytes;
  JiebaCounts counts;
  Compiled out;
  out.bytes = compile_jieba(sources, &counts);
  out.words = {{"words", counts.words}, {"idf", counts.idf}, {"stop", counts.stop_words}};
  if (counts.user_words != 0) out.words.emplace_back("added", counts.user_words);
  if (counts.deleted_words != 0) out.words.emplace_back("removed", counts.deleted_words);
  if (!options.add_words.empty()) {  // bad lines are found now, with the file's name, not by the first who cuts
    JiebaSources plain = sources;
    plain.user_words.clear();
    Jieba jieba(std::make_shared<const JiebaData>(JiebaData::from_bytes(compile_jieba(plain), source)));
    jieba.load_user_words(sources.user_words, options.add_words);
  }
  return out;
}

// CoreStopWordDictionary.add of each word, then .remove. HanLP 1.8.1 keeps its loaded stop words packed, and remove() of a packed set only
// unpacks it: the first call takes nothing out, unless add() was called before. The words of the user's fingerprints were made with that.
void change_stop_words(const AddDataOptions& options, std::vector<std::u16string>& stop_words, std::vector<std::string>& warnings) {
  const std::vector<std::u16string> added = read_word_lines(read_option(options.add_stop_words));
  const HanlpText removed = read_option(options.remove_stop_words);
  std::set<std::u16string> words(stop_words.begin(), stop_words.end());
  words.insert(added.begin(), added.end());
  bool packed = added.empty();
  for (const std::u16string& word : read_word_lines(removed)) {
    if (std::exchange(packed, false)) {
      warnings.push_back(
          removed.name + ": " + text::to_utf8(word) +
          ": stays a stop word, as in HanLP, whose first CoreStopWordDictionary.remove does nothing; give it twice to remove it");
    } else if (words.erase(word) == 0) {
      warnings.push_back(removed.name + ": " + text::to_utf8(word) + ": is no stop word, so nothing is removed");
    }
  }
  stop_words.assign(words.begin(), words.end());
}

Compiled compile_hanlp_data(const std::string& source, const AddDataOptions& options) {
  HanlpFiles files = read_hanlp(source, options.jar);
  HanlpSource& words = files.source;
  std::size_t removed = 0;
  if (!options.add_words.empty()) insert_custom_text(read_option(options.add_words), words);
  if (!options.remove_words.empty()) removed = remove_custom_text(read_option(options.remove_words), words, files.warnings);
  if (!options.stop_words.empty()) words.stop_words = read_stop_words_text(read_option(options.stop_words));
  change_stop_words(options, words.stop_words, files.warnings);
  Compiled out;
  out.bytes = compile_hanlp(words);
  out.words = {{"core", words.core.size()},      {"pairs", words.bigrams.size()},         {"custom", words.custom.size()},
               {"persons", words.names.size()},  {"translated", words.translated.size()}, {"simplified", words.simplified.size()},
               {"stop", words.stop_words.size()}};
  if (!options.add_words.empty()) out.words.emplace_back("added", words.added.size());
  if (removed != 0) out.words.emplace_back("removed", removed);
  out.warnings = std::move(files.warnings);
  return out;
}

Compiled compile_ik_data(const std::string& source, const AddDataOptions& options) {
  IkSources sources = read_ik(source, options.jar);
  auto& main = sources.words[static_cast<std::size_t>(IkList::main)];
  auto& stop = sources.words[static_cast<std::size_t>(IkList::stop)];
  main = changed(std::move(main), options.add_words, options.remove_words);
  if (!options.stop_words.empty()) add_ik_file(options.stop_words, stop);
  stop = changed(std::move(stop), options.add_stop_words, options.remove_stop_words);
  for (std::size_t i = 0; i < ik_list_count; ++i) {
    const auto broken = std::count_if(sources.words[i].begin(), sources.words[i].end(),
                                      [](const std::u16string& word) { return word.find(u'\xFFFD') != std::u16string::npos; });
    if (broken > 0)
      sources.warnings.push_back(
          fmt::format("{}: {} words hold bytes that are no UTF-8 (another encoding?); IKAnalyzer reads them as they are: "
                      "convert the file to UTF-8",
                      ik_list_names[i], broken));
  }
  Compiled out;
  out.bytes = compile_ik(sources.words);
  const IkDictionary dictionary = IkDictionary::from_bytes(out.bytes, source);
  for (std::size_t i = 0; i < ik_list_count; ++i) out.words.emplace_back(ik_list_names[i], dictionary.words(static_cast<IkList>(i)));
  out.warnings = std::move(sources.warnings);
  return out;
}

Compiled compile(DataKind kind, const std::string& source, const AddDataOptions& options) {
  try {
    switch (kind) {
      case DataKind::jieba:
        return compile_jieba_data(source, options);
      case DataKind::hanlp:
        return compile_hanlp_data(source, options);
      case DataKind::ik:
        return compile_ik_data(source, options);
    }
  } catch (const fs::filesystem_error& error) {
    throw Error(ErrorCode::io, error.path1().string() + ": " + error.code().message() + "; check that it may be read");
  }
  throw Error(ErrorCode::usage, "no such kind of data");
}

// The compiled file with the section of what a person wants to know of it.
std::vector<std::byte> with_about(const Kind& kind, const Compiled& compiled) {
  std::string about;
  for (const auto& [list, count] : compiled.words) about += "words " + list + " " + std::to_string(count) + "\n";
  for (std::string warning : compiled.warnings) {
    std::replace(warning.begin(), warning.end(), '\n', ' ');
    about += "warning " + warning + "\n";
  }
  const SectionFile file(compiled.bytes, "the compiled data", kind.magic, kind.version, "this is a fault of Leitong");
  SectionWriter writer{std::span(compiled.bytes)};
  writer.add_text(about_section, about);
  return writer.finish(kind.magic, kind.version, file.content());
}

// Opens what was written as its users will.
void try_open(DataKind kind, const std::string& path) {
  switch (kind) {
    case DataKind::jieba:
      return void(JiebaData::open(path));
    case DataKind::hanlp:
      return void(HanlpData(path));
    case DataKind::ik:
      return void(IkDictionary::open(path));
  }
}

void write_durably(storage::Vfs& vfs, DataKind kind, const std::string& path, std::span<const std::byte> bytes) {
  const std::string folder = storage::parent_directory(path), temporary = path + "." + std::to_string(::getpid()) + ".tmp";
  vfs.make_directories(folder);
  try {
    const auto file = vfs.create(temporary);
    file->append(bytes);
    file->sync();
    file->close();
    if (&vfs == &storage::posix_vfs()) try_open(kind, temporary);
    vfs.rename(temporary, path);
  } catch (...) {
    try {
      vfs.remove(temporary);
    } catch (...) {
      // The first error is the one to tell.
    }
    throw;
  }
  vfs.sync_directory(folder);
}

}  // namespace

DataInfo add_data(storage::Vfs& vfs, DataKind kind, const std::string& source, const AddDataOptions& options) {
  const std::string name = options.name.empty() ? std::string(of(kind).name) : options.name;
  check_name(name);
  const std::string path = options.output.empty() ? data_directory() + "/" + name + ".data" : options.output;
  const Compiled compiled = compile(kind, source, options);
  const std::vector<std::byte> bytes = with_about(of(kind), compiled);
  write_durably(vfs, kind, path, bytes);
  DataInfo info;
  info.kind = kind;
  info.name = options.output.empty() ? name : fs::path(path).stem().string();
  info.path = path;
  info.bytes = bytes.size();
  info.content = SectionFile(compiled.bytes, path, of(kind).magic, of(kind).version, "").content().hex();
  info.words = compiled.words;
  info.warnings = compiled.warnings;
  return info;
}

}  // namespace segment
}  // namespace leitong
