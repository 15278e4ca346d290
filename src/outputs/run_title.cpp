#include "outputs/run_title.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "leitong/file_name.h"
#include "report/numbers.h"

namespace leitong::outputs {
namespace {

constexpr std::size_t most_named = 3;

std::string shown(std::string path) {
  if (path == "-") return "standard input";
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return shown_name(path);
}

std::string last_name(const std::string& path) { return shown_name(path.substr(path.rfind('/') + 1)); }

std::string list(const std::vector<std::string>& names, const char* more) {
  if (names.size() <= most_named) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} {}", fmt::join(names | std::views::take(2), ", "), report::count_text(names.size() - 2), more);
}

// The number and names of the files found in the operands, unless the operands already name them.
std::string files_of(const std::vector<std::string>& paths, std::span<const records::Source> sources) {
  if (std::ranges::equal(paths, sources, {}, {}, &records::Source::path)) return "";
  if (sources.empty()) return " (no files)";
  if (sources.size() == 1) return fmt::format(" ({})", last_name(sources.front().path));
  if (sources.size() <= most_named) {
    std::vector<std::string> names;
    for (const records::Source& source : sources) names.push_back(last_name(source.path));
    return fmt::format(" ({})", fmt::join(names, ", "));
  }
  const std::string files = report::count_text(sources.size()) + " files";
  if (paths.size() > 1) return fmt::format(" ({})", files);
  return fmt::format(" ({}, {} to {})", files, last_name(sources.front().path), last_name(sources.back().path));
}

}  // namespace

std::string title_of_inputs(const std::vector<std::string>& paths, std::span<const records::Source> sources) {
  std::vector<std::string> names;
  for (const std::string& path : paths) names.push_back(shown(path));
  return list(names, "more inputs") + files_of(paths, sources);
}

std::string title_of_inputs(std::span<const sketches::SketchSet::File> files) {
  std::vector<records::Source> sources;
  for (const sketches::SketchSet::File& file : files)
    sources.insert(sources.end(), file.metadata.sources.begin(), file.metadata.sources.end());
  return title_of_inputs(sketches::inputs_of(files), sources);
}

}  // namespace leitong::outputs
