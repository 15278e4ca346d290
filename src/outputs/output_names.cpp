#include "outputs/output_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "leitong/error.h"
#include "records/format.h"
#include "records/pack.h"

namespace leitong::outputs {
namespace {

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// The path of a source relative to a directory; empty if the source is not in it.
std::optional<std::string_view> inside(std::string_view path, std::string_view directory) {
  if (!path.starts_with(directory)) return std::nullopt;
  path.remove_prefix(directory.size());
  if (directory.ends_with('/')) return path;
  if (!path.starts_with('/')) return std::nullopt;
  return path.substr(1);
}

// Finds the operand from which each source comes. Sources are in the order of the operands, and those from one directory ascend; so a
// source that does not ascend belongs to a later operand.
class Operands {
 public:
  explicit Operands(const std::vector<std::string>& paths) : paths_(paths) {}

  std::string_view relative(const std::string& source) {
    for (; at_ < paths_.size(); ++at_, before_ = nullptr) {
      if (source == paths_[at_]) {
        ++at_, before_ = nullptr;
        return last_name(source);
      }
      if (before_ != nullptr && source <= *before_) continue;
      if (const auto name = inside(source, paths_[at_])) {
        before_ = &source;
        return *name;
      }
    }
    return last_name(source);
  }

 private:
  const std::vector<std::string>& paths_;
  std::size_t at_ = 0;
  const std::string* before_ = nullptr;
};

// A Parquet file, whatever the format of the inputs.
std::string parquet_name_of(std::string_view relative, const std::string& format) {
  if (relative.empty()) return {};
  if (relative == "-") return "stdin.parquet";
  const auto known = format == "auto" ? records::format_of_name(relative) : records::parse_format(format);
  return std::string(relative) + (known && *known != records::Format::parquet ? ".parquet" : "");
}

// JSON Lines, whatever the format of the inputs.
std::string name_of(std::string_view relative, const std::string& format, std::optional<Compression> compression) {
  if (relative.empty()) return {};
  if (relative == "-") return std::string("stdin.jsonl").append(records::suffix_of(compression.value_or(Compression::none)));
  const std::string_view plain = records::without_packing(relative);
  if (plain.empty() || plain.ends_with('/')) return name_of(std::string(relative) + ".jsonl", format, compression);  // as of ".gz"
  const auto known = format == "auto" ? records::format_of_name(plain) : records::parse_format(format);
  std::string name(plain);
  if (known && *known != records::Format::jsonl) name += ".jsonl";
  return name.append(compression ? records::suffix_of(*compression) : relative.substr(plain.size()));
}

// A WARC file, whatever the format of the inputs.
std::string warc_name_of(std::string_view relative, Compression packing) {
  if (relative.empty()) return {};
  if (relative == "-") return std::string("stdin.warc").append(records::suffix_of(packing));
  std::string_view plain = records::without_packing(relative);
  if (plain.ends_with(".lz4")) plain.remove_suffix(4);
  std::string name(plain.empty() || plain.ends_with('/') ? relative : plain);
  if (!name.ends_with(".warc")) name += ".warc";
  return name.append(records::suffix_of(packing));
}

bool is_one_name(std::string_view part) { return !part.empty() && part != "." && part != ".."; }

// No file found in a directory has such a name. A damaged sketch file might, and must not make a run write outside its directory.
void require_inside(const std::string& name, const std::string& source) {
  constexpr std::size_t longest = 255;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view part = std::string_view(name).substr(begin, end - begin);
    if (!is_one_name(part) || part.size() > longest)
      throw Error(ErrorCode::usage, fmt::format("{}: no output file can be called {}", source, name));
    begin = end + 1;
  }
}

}  // namespace

std::string lines_name(std::string_view name, Compression compression) {
  return fmt::format("{}.jsonl{}", name, records::suffix_of(compression));
}

std::string records_name(std::string_view name, RecordFormat format, Compression compression) {
  if (format == RecordFormat::warc) return fmt::format("{}.warc{}", name, records::suffix_of(compression));
  return format == RecordFormat::parquet ? fmt::format("{}.parquet", name) : lines_name(name, compression);
}

std::vector<std::string> lines_names(std::string_view name) {
  std::vector<std::string> names;
  for (const Compression compression : {Compression::none, Compression::gzip, Compression::zstd})
    names.push_back(lines_name(name, compression));
  if (name != "kept" && name != "annotated") return names;
  names.push_back(records_name(name, RecordFormat::parquet, Compression::none));
  for (const Compression compression : {Compression::none, Compression::gzip, Compression::zstd})
    names.push_back(records_name(name, RecordFormat::warc, compression));
  return names;
}

bool is_form_of(std::string_view file, std::string_view name) { return std::ranges::count(lines_names(name), file) > 0; }

RecordFormat format_for(const records::Source& source, std::optional<RecordFormat> format) {
  const bool columns = source.format == records::Format::parquet || source.format == records::Format::arrow;
  const bool archive = source.format == records::Format::warc;
  return format.value_or(columns ? RecordFormat::parquet : archive ? RecordFormat::warc : RecordFormat::jsonl);
}

Compression packing_of_archives(std::span<const records::Source> sources) {
  const auto first = std::ranges::find(sources, records::Format::warc, &records::Source::format);
  return first == sources.end() ? Compression::none : first->compression;
}

std::vector<std::string> possible_names(std::string_view name, std::optional<RecordFormat> format, std::optional<Compression> compression) {
  std::vector<std::string> names;
  for (const RecordFormat each : {RecordFormat::jsonl, RecordFormat::parquet})
    if (format.value_or(each) == each) names.push_back(records_name(name, each, compression.value_or(Compression::none)));
  if (format.value_or(RecordFormat::warc) != RecordFormat::warc) return names;
  for (const Compression each : {Compression::none, Compression::gzip, Compression::zstd})
    if (compression.value_or(each) == each) names.push_back(records_name(name, RecordFormat::warc, each));
  return names;
}

std::vector<std::string> names_by_input(const InputOptions& input, std::span<const records::Source> sources,
                                        std::optional<Compression> compression, std::optional<RecordFormat> format) {
  Operands operands(input.paths);
  std::vector<std::string> names;
  for (const records::Source& source : sources) {
    const std::string_view relative = operands.relative(source.path);
    const RecordFormat written = format_for(source, format);
    names.push_back(written == RecordFormat::parquet ? parquet_name_of(relative, input.format)
                    : written == RecordFormat::warc  ? warc_name_of(relative, compression.value_or(records::compression_of_name(relative)))
                                                     : name_of(relative, input.format, compression));
    if (!names.back().empty()) require_inside(names.back(), source.path);
  }
  return names;
}

void InputNames::add(const InputOptions& input, std::span<const records::Source> sources, std::optional<Compression> compression,
                     std::optional<RecordFormat> format) {
  const std::vector<std::string> names = names_by_input(input, sources, compression, format);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!names[i].empty()) all_.push_back({names[i], sources[i].path});
}

void InputNames::check() {
  std::ranges::stable_sort(all_, {}, &Named::name);
  const auto advice = "give their directory as one operand, or run them apart";
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const auto& [name, source] = all_[i];
    if (i > 0 && all_[i - 1].name == name && all_[i - 1].source == source)
      throw Error(ErrorCode::usage, fmt::format("--output-layout input: {} stands twice among the inputs", source));
    if (i > 0 && all_[i - 1].name == name)
      throw Error(ErrorCode::usage, fmt::format("--output-layout input: {} and {} would both be written as {}: {}", all_[i - 1].source,
                                                source, name, advice));
    for (std::size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1)) {
      const auto file = std::ranges::lower_bound(all_, name.substr(0, slash), {}, &Named::name);
      if (file->name == std::string_view(name).substr(0, slash))
        throw Error(ErrorCode::usage, fmt::format("--output-layout input: {} would be written as {}, which is a directory for {}: {}",
                                                  file->source, file->name, source, advice));
    }
  }
}

}  // namespace leitong::outputs
