// A user's IKAnalyzer dictionaries (a folder of .dic files, perhaps with an IKAnalyzer.cfg.xml) to word lists.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "segment/ik_dictionary.h"

namespace leitong::segment {

struct IkSources {
  IkWords words;
  std::vector<std::string> warnings;  // extension files that the configuration names and that do not exist: IKAnalyzer skips them too
};

// What IKAnalyzer reads from a .dic file: UTF-8, one word a line (ended by \n, \r\n or \r), trimmed of everything up to U+0020.
void add_ik_words(std::string_view dic, std::vector<std::u16string>& words);

// The file names of one key of IKAnalyzer.cfg.xml ("ext_dict", "ext_stopwords"), split at semicolons and trimmed; none if the key is
// missing.
[[nodiscard]] std::vector<std::string> ik_configured_files(std::string_view xml, std::string_view key);

// `folder` holds main.dic, surname.dic, quantifier.dic, suffix.dic, preposition.dic and stopword.dic, either directly or under
// org/wltea/analyzer/dic as in the jar. Extension files are looked for in `folder`. Throws Error (io) naming the missing file.
[[nodiscard]] IkSources read_ik_folder(const std::filesystem::path& folder);

}  // namespace leitong::segment
