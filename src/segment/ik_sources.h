// A user's IKAnalyzer 3.2.8 dictionaries to word lists: a folder of .dic files, an IKAnalyzer.cfg.xml, or the jar.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "segment/ik_dictionary.h"

namespace leitong::segment {

inline constexpr const char* ik_list_names[ik_list_count] = {"main", "surname", "quantifier", "suffix", "preposition", "stopword"};

struct IkSources {
  IkWords words;
  std::vector<std::string> warnings;  // extension files that the configuration names and that do not exist: IKAnalyzer skips them too
};

// What IKAnalyzer reads from a .dic file: UTF-8, one word a line (ended by \n, \r\n or \r), trimmed of everything up to U+0020.
void add_ik_words(std::string_view dic, std::vector<std::u16string>& words);
// The same of a file. Error (io), or (format) for a word that IKAnalyzer's buffer could not hold.
void add_ik_file(const std::string& file, std::vector<std::u16string>& words);

// The file names of one key of IKAnalyzer.cfg.xml ("ext_dict", "ext_stopwords"), split at semicolons and trimmed; none if the key is
// missing. `name` is for messages: Error (format) for what is not XML.
[[nodiscard]] std::vector<std::string> ik_configured_files(std::string_view xml, std::string_view key, const std::string& name);

// `source` is a folder, an .xml file or a jar. main.dic, surname.dic, quantifier.dic, suffix.dic, preposition.dic and stopword.dic are
// looked for in the folder (that of the configuration), under its org/wltea/analyzer/dic, and in the jar: `jar`, or the one IKAnalyzer*.jar
// of the folder. Extension files are names of a class path: looked for in the folder, by their path and by their last name, and in the jar.
// Throws Error (io) naming what is missing, (format) for what is no jar, (unsupported) for the jar of IKAnalyzer 2012.
[[nodiscard]] IkSources read_ik(const std::string& source, const std::string& jar = {});

}  // namespace leitong::segment
