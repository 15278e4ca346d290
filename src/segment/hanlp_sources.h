// Where HanLP 1.8.1 would read its dictionaries from: the jar alone, or the files that a hanlp.properties names, with the jar for the rest.
#pragma once

#include <string>
#include <vector>

#include "segment/hanlp_jar.h"

namespace leitong::segment {

struct HanlpFiles {
  HanlpSource source;
  std::vector<std::string> warnings;  // sentences without full stop
};

// `source` is the jar; a .properties file; or a folder that holds a hanlp.properties or, as HANLP_ROOT of HanLP, data/dictionary/. Paths of
// the properties that are not absolute are looked for in their folder, then in the working folder. What is in none of them comes from the
// jar: `jar`, or the one hanlp*.jar beside the properties.
//
// A ".bin" (".table.bin", ".trie.dat") that HanLP has left beside a text file is read instead of it when HanLP would do so: always, but for
// the custom dictionary, where it must not be older than any of its text files, and t2s.txt, of which the text is read.
// Errors as of read_hanlp_jar; Error (io) names the property whose file is missing, Error (unsupported) for Normalization=true.
[[nodiscard]] HanlpFiles read_hanlp(const std::string& source, const std::string& jar = {});

}  // namespace leitong::segment
