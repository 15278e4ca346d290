// The names of a run's outputs, and which of them exist in a directory.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/input.h"
#include "leitong/output.h"
#include "records/input.h"

namespace leitong::outputs {

// For example "kept.jsonl.zst"; `name` is "kept", "removed", ...
[[nodiscard]] std::string lines_name(std::string_view name, Compression compression);
// "kept.parquet", "kept.warc.gz", or as lines_name().
[[nodiscard]] std::string records_name(std::string_view name, RecordFormat format, Compression compression);
// All names that such an output can have, the uncompressed one first; of records, "kept" and "annotated", the Parquet file too.
[[nodiscard]] std::vector<std::string> lines_names(std::string_view name);
[[nodiscard]] bool is_form_of(std::string_view file, std::string_view name);  // whether `file` is one of them

// How records of archives are packed if nobody says: as the first source that is an archive.
[[nodiscard]] Compression packing_of_archives(std::span<const records::Source> sources);

// What the records of a source are written as.
[[nodiscard]] RecordFormat format_for(const records::Source& source, std::optional<RecordFormat> format);

// All names that the one file of records may get, before the inputs are known.
[[nodiscard]] std::vector<std::string> possible_names(std::string_view name, std::optional<RecordFormat> format,
                                                      std::optional<Compression> compression);

// For OutputLayout::input: the name of each source's output file, relative to the directory. Empty if the source is not a file but a
// directory that could not be listed. `compression` and
// `format`: as in ApplyOptions.
[[nodiscard]] std::vector<std::string> names_by_input(const InputOptions& input, std::span<const records::Source> sources,
                                                      std::optional<Compression> compression, std::optional<RecordFormat> format = {});

// The inputs of a run and the names that its outputs by input would have.
class InputNames {
 public:
  void add(const InputOptions& input, std::span<const records::Source> sources, std::optional<Compression> compression,
           std::optional<RecordFormat> format = {});
  // Throws Error(usage) if two outputs have the same name, or if one has the name of a directory that another one needs.
  void check();

 private:
  struct Named {
    std::string name, source;
  };
  std::vector<Named> all_;
};

}  // namespace leitong::outputs
