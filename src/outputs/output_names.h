// What the outputs of a run are called, and which of them a directory holds.
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

// "kept.jsonl.zst"; `name` is "kept", "removed", ...
[[nodiscard]] std::string lines_name(std::string_view name, Compression compression);
// All that such an output may be called, the plain one first.
[[nodiscard]] std::vector<std::string> lines_names(std::string_view name);
[[nodiscard]] bool is_form_of(std::string_view file, std::string_view name);  // one of them

// OutputLayout::input: what the file of each source is called, relative to the directory; empty: the source is no file (a directory that
// could not be listed). `compression`: as of ApplyOptions.
[[nodiscard]] std::vector<std::string> names_by_input(const InputOptions& input, std::span<const records::Source> sources,
                                                      std::optional<Compression> compression);

// The inputs of one run and what its outputs by input would be called.
class InputNames {
 public:
  void add(const InputOptions& input, std::span<const records::Source> sources, std::optional<Compression> compression);
  // Throws Error(usage) if two are called the same, or one as a directory of another.
  void check();

 private:
  struct Named {
    std::string name, source;
  };
  std::vector<Named> all_;
};

}  // namespace leitong::outputs
