// Compiled dictionaries of the segmenters: making them from what the user has, and finding them again. docs/data-files.md is the page.
//
// Nothing of HanLP or IKAnalyzer is part of Leitong: their words come from the user's jar or folder and are compiled once to a file that is
// mapped afterwards. A data file has a content id: a hash of what it was compiled from, the same on every machine, which enters the id of
// each profile that uses it. All functions are thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leitong {

enum class DataKind { jieba, hanlp, ik };

// "jieba", "hanlp", "ik": also the name of the data that a segmenter uses if it is told no other.
[[nodiscard]] std::string_view data_kind_name(DataKind kind);
// Throws Error(usage) for any other name.
[[nodiscard]] DataKind parse_data_kind(std::string_view name);

struct DataInfo {
  DataKind kind = DataKind::jieba;
  std::string name;     // the file's name without ".data"
  std::string path;     // of the data file
  std::string content;  // content id, 32 hexadecimal digits
  std::uint64_t bytes = 0;
  std::vector<std::pair<std::string, std::uint64_t>> words;  // of each list that was compiled: its name, how many words
  // What the original program passes over in silence or with a line in its log, and what its user should know; sentences without full stop.
  std::vector<std::string> warnings;
};

struct AddDataOptions {
  std::string name;    // letters, digits, '-', '_' and '.'; empty: the kind's own name
  std::string output;  // the data file's path; empty: <name>.data in data_directory()
  // HanLP: the jar for what a hanlp.properties or folder lacks; IK: for the lists that a folder or configuration lacks.
  // Empty: the one jar of that kind beside the properties or configuration, if there is one.
  std::string jar;
  // Each is a file in UTF-8 with a word a line.
  //   add_words     hanlp: CustomDictionary.insert of each line, "word" or "word nature frequency …" (the default is "nz 1");
  //                 ik: joins the main list, as ext_dict does; jieba: load_userdict, "word [frequency] [tag]"
  //   remove_words  hanlp: CustomDictionary.remove, which takes out what was inserted and nothing else: a word of the dictionary's files
  //                 stays, with a warning; ik: leaves the main list; jieba: del_word
  //   stop_words    hanlp: replaces the core stop words, as CoreStopWordDictionary.load(file, false) does; ik: joins the stop words, as
  //                 ext_stopwords does; jieba: joins the stop words of keywords, as set_stop_words does
  //   add_stop_words, remove_stop_words: to and from what there is then; hanlp: CoreStopWordDictionary.add and remove, whose first
  //                 remove does nothing unless a word was added before (with a warning)
  std::string add_words, remove_words, stop_words, add_stop_words, remove_stop_words;
};

// Compiles `source` and writes the data file durably: it exists under its name only when it is whole; one that is there is replaced.
//   jieba  the folder of the Python package (dict.txt, finalseg/, analyse/); empty: where Debian's python3-jieba puts it
//   hanlp  the jar of com.hankcs:hanlp:portable-1.8.1; a hanlp.properties; or a folder that holds one or data/dictionary/
//   ik     the jar of IKAnalyzer 3.2.8; an IKAnalyzer.cfg.xml; or a folder of .dic files
// Takes a few seconds. Errors: io (missing, unreadable; what to get and where), format (damaged, bad line, not a jar), unsupported (the jar
// of another version, a setting that the segmenter does not have), usage (names), limit (sizes).
DataInfo add_data(DataKind kind, const std::string& source, const AddDataOptions& options = {});

// Where add_data writes: $LEITONG_DATA, else $XDG_DATA_HOME/leitong, else ~/.local/share/leitong. Error(usage) where none of them is set.
[[nodiscard]] std::string data_directory();

// The data files in every folder that find_data looks in, each name of a kind once, in the order of the search; files that are damaged or
// of another version come with a warning and without content. Reads headers only.
[[nodiscard]] std::vector<DataInfo> list_data();

// The path of a data file. One that holds a '/' is taken as it stands; else <name>.data in the first folder that has it: $LEITONG_DATA;
// $XDG_DATA_HOME/leitong or ~/.local/share/leitong; share/leitong beside the program's folder; the folder of the build; that of
// also_find_data_in. Empty: the kind's own name. Error(io) where it is not: how to make it; Error(format, unsupported) for what is no data
// of this kind and version.
[[nodiscard]] std::string find_data(DataKind kind, std::string_view name_or_path);

// One more folder to look in, after all others, from now on; of several calls the last counts. For who carries the library to another
// program, and data files with it, as the Python package does.
void also_find_data_in(std::string folder);

// The content id of a data file, 32 hexadecimal digits; reads the header only. Errors as of find_data.
[[nodiscard]] std::string content_of_data(const std::string& path);

}  // namespace leitong
