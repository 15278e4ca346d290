#include "calibration/calibration_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "leitong/error.h"
#include "leitong/version.h"
#include "records/json_object.h"
#include "storage/vfs.h"

namespace leitong::calibration {
namespace {

std::string joined(const std::vector<std::string>& objects, const char* between) { return fmt::format("{}", fmt::join(objects, between)); }

std::string cell_json(const Cell& cell) {
  records::JsonObject object;
  object.number("step", cell.step).number("distance_band", cell.distance).boolean("taken", cell.taken).boolean("current", cell.current);
  return object.number("population", cell.population).real("nominated", cell.nominated).str();
}

std::string pair_json(std::size_t number, const DrawnPair& pair) {
  records::JsonObject object;
  object.number("pair", number).number("a", pair.a).number("b", pair.b).number("cell", pair.cell).real("similarity", pair.similarity);
  if (pair.distance < 0)
    object.null("distance");
  else
    object.number("distance", static_cast<std::uint64_t>(pair.distance));
  return object.str();
}

std::string text_json(const PairText& text) {
  records::JsonObject object;
  return object.text("id", text.id).text("source", text.source).text("text", text.text).boolean("cut", text.cut).str();
}

PairText text_from(const records::JsonReader& reader, records::JsonValue parent, std::string_view key, const std::string& path) {
  const records::JsonValue element = parent[key];
  if (!element) throw Error(ErrorCode::format, fmt::format("{}: a pair lacks its text {}; draw the pairs again", path, key));
  return {reader.text(element, "id"), reader.text(element, "source"), reader.text(element, "text"), reader.boolean(element, "cut")};
}

PairLabel label_of(std::string_view word, const std::string& where) {
  if (word == "yes") return PairLabel::yes;
  if (word == "no") return PairLabel::no;
  if (word == "unsure") return PairLabel::unsure;
  throw Error(ErrorCode::format, fmt::format("{}: the label \"{}\" is not yes, no or unsure", where, word));
}

// What the labels file says, in the order of its entries.
class Labels {
 public:
  Labels(const std::string& sample, std::size_t count) : sample_(sample), labels_(count, PairLabel::none) {}

  void take_entry(records::JsonValue entry, const std::string& where) {
    std::uint64_t pair = 0;
    std::string_view label;
    if (!entry["pair"].get(pair) || !entry["label"].get(label))
      throw Error(ErrorCode::format, fmt::format("{}: expected {{\"pair\":N,\"label\":\"yes|no|unsure\"}}", where));
    if (pair == 0 || pair > labels_.size())
      throw Error(ErrorCode::format, fmt::format("{}: there is no pair {}: the sample has 1 to {}", where, pair, labels_.size()));
    labels_[pair - 1] = label_of(label, where);
  }

  void take_entries(const records::JsonElements& entries, const std::string& path) {
    std::size_t number = 0;
    for (const records::JsonValue entry : entries) take_entry(entry, fmt::format("{}: entry {}", path, ++number));
  }

  void check_sample(records::JsonValue object, const std::string& where) const {
    std::string_view sample;
    if (object["sample"].get(sample) && sample != sample_)
      throw Error(ErrorCode::usage, fmt::format("{}: these are labels of another sample ({}, not {}): the pairs were drawn again since, or "
                                                "belong to another directory",
                                                where, sample, sample_));
  }

  [[nodiscard]] std::vector<PairLabel> take() { return std::move(labels_); }

 private:
  const std::string& sample_;
  std::vector<PairLabel> labels_;
};

void read_lines(const std::string& content, const std::string& path, Labels& labels) {
  records::JsonParser parser;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < content.size(); ++number) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    const std::string line = content.substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string where = fmt::format("{}:{}", path, number + 1);
    records::JsonValue entry;
    if (!parser.parse(line, entry)) throw Error(ErrorCode::format, where + ": not JSON: expected {\"pair\":N,\"label\":\"yes|no|unsure\"}");
    labels.check_sample(entry, where);
    labels.take_entry(entry, where);
  }
}

}  // namespace

CalibrationPaths::CalibrationPaths(const std::string& directory)
    : stages(directory + "/stages"),
      sketch(stages + "/sketch.ltt"),
      pairs(stages + "/pairs.ltt"),
      edges(stages + "/edges.ltt"),
      taken(stages + "/taken.ltt"),
      spool(stages + "/spool"),
      rejected(directory + "/rejected.jsonl"),
      sample(directory + "/sample.json"),
      texts(directory + "/pairs.jsonl"),
      page(directory + "/label.html"),
      labels(directory + "/labels.json"),
      result(directory + "/calibration.json"),
      report(directory + "/calibration.html"),
      rule(directory + "/rule.toml") {}

std::string to_json(const Sample& sample) {
  records::JsonObject object;
  std::vector<std::string> cells, pairs;
  for (const Cell& cell : sample.cells) cells.push_back(cell_json(cell));
  for (std::size_t i = 0; i < sample.pairs.size(); ++i) pairs.push_back(pair_json(i + 1, sample.pairs[i]));
  object.text("leitong", version()).text("sample", sample.id).text("title", sample.title).text("profile", to_toml(sample.profile));
  object.text("profile_id", sample.profile_id).text("rule", to_toml(sample.rule)).text("rule_id", sample.rule_id);
  object.real("least_similarity", sample.least_similarity).number("per_band", sample.per_band).number("seed", sample.seed);
  object.number("records", sample.records).number("equal", sample.equal).number("candidates", sample.candidates);
  object.number("bounded", sample.bounded).text("method", sample.method).boolean("predicts_recall", sample.predicts_recall);
  object.raw("cells", "[\n" + joined(cells, ",\n") + "\n]").raw("pairs", "[\n" + joined(pairs, ",\n") + "\n]");
  return object.str() + "\n";
}

Sample sample_from_json(const std::string& json, const std::string& path) {
  const records::JsonReader reader(json, path);
  const auto root = reader.root();
  Sample sample;
  sample.id = reader.text(root, "sample"), sample.title = reader.text(root, "title"), sample.method = reader.text(root, "method");
  sample.profile = parse_profile(reader.text(root, "profile"), path), sample.profile_id = reader.text(root, "profile_id");
  sample.rule = parse_rule(reader.text(root, "rule"), path), sample.rule_id = reader.text(root, "rule_id");
  sample.least_similarity = reader.real(root, "least_similarity");
  sample.per_band = static_cast<std::uint32_t>(reader.number(root, "per_band"));
  sample.seed = reader.number(root, "seed"), sample.records = reader.number(root, "records"), sample.equal = reader.number(root, "equal");
  sample.candidates = reader.number(root, "candidates"), sample.bounded = reader.number(root, "bounded");
  sample.predicts_recall = reader.boolean(root, "predicts_recall");
  const auto broken = [&](const char* what) { return Error(ErrorCode::format, fmt::format("{}: {}; draw the pairs again", path, what)); };
  for (const auto entry : reader.array(root, "cells")) {
    const std::uint64_t step = reader.number(entry, "step"), band = reader.number(entry, "distance_band");
    if (step >= steps || band >= distance_bands) throw broken("a cell is out of range");
    sample.cells.push_back({static_cast<unsigned>(step), reader.boolean(entry, "taken"), reader.boolean(entry, "current"),
                            static_cast<unsigned>(band), reader.number(entry, "population"), reader.real(entry, "nominated")});
  }
  for (const auto entry : reader.array(root, "pairs")) {
    const std::uint64_t cell = reader.number(entry, "cell");
    if (cell >= sample.cells.size()) throw broken("a pair names a cell that is not there");
    std::int64_t distance = -1;
    if (!entry["distance"].is_null()) distance = reader.signed_number(entry, "distance");
    sample.pairs.push_back({static_cast<std::uint32_t>(cell), reader.real(entry, "similarity"), static_cast<int>(distance),
                            reader.number(entry, "a"), reader.number(entry, "b")});
  }
  return sample;
}

Sample read_sample(const std::string& directory) {
  const CalibrationPaths paths(directory);
  if (!storage::posix_vfs().exists(paths.sample))
    throw Error(ErrorCode::usage,
                fmt::format("{}: no calibration: draw pairs first, with leitong calibrate INPUT... --output-dir {}", directory, directory));
  return sample_from_json(read_small_file(paths.sample), paths.sample);
}

std::string to_json_lines(const std::vector<PairToLabel>& pairs) {
  std::string out;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    records::JsonObject object;
    out += object.number("pair", i + 1).raw("a", text_json(pairs[i].a)).raw("b", text_json(pairs[i].b)).str() + "\n";
  }
  return out;
}

std::vector<PairToLabel> read_pair_texts(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::io, path + ": cannot be read; draw the pairs again");
  std::vector<PairToLabel> pairs;
  for (std::string line; std::getline(file, line);) {
    const records::JsonReader reader(line, fmt::format("{}:{}", path, pairs.size() + 1));
    pairs.push_back({text_from(reader, reader.root(), "a", path), text_from(reader, reader.root(), "b", path)});
  }
  return pairs;
}

std::vector<PairLabel> read_labels(const std::string& path, const std::string& sample, std::size_t count) {
  std::string content = read_small_file(path);
  if (content.starts_with("\xEF\xBB\xBF")) content.erase(0, 3);  // what some editors put there
  Labels labels(sample, count);
  records::JsonParser parser;
  records::JsonValue root;
  records::JsonElements entries;
  const bool one_document = parser.parse(content, root);
  if (one_document && root["labels"].get(entries)) {
    labels.check_sample(root, path);
    labels.take_entries(entries, path);
  } else if (one_document && root.get(entries)) {
    labels.take_entries(entries, path);
  } else {
    read_lines(content, path, labels);
  }
  return labels.take();
}

bool are_labels_of(const std::string& path, const std::string& sample) {
  records::JsonParser parser;
  records::JsonValue root;
  records::JsonElements entries;
  std::string_view named;
  return parser.parse(read_small_file(path), root) && root["labels"].get(entries) && root["sample"].get(named) && named == sample;
}

std::string labels_json(const std::string& sample, const std::vector<PairLabel>& labels) {
  static constexpr const char* words[] = {"", "yes", "no", "unsure"};
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] != PairLabel::none)
      entries.push_back(fmt::format("{{\"pair\":{},\"label\":\"{}\"}}", i + 1, words[static_cast<std::size_t>(labels[i])]));
  records::JsonObject object;
  return object.text("sample", sample).raw("labels", "[\n" + joined(entries, ",\n") + "\n]").str() + "\n";
}

std::string read_small_file(const std::string& path) {
  constexpr std::streamoff most = 256LL << 20;
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw Error(ErrorCode::io, path + ": a directory, not a file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::io, path + ": cannot be read");
  if (const auto size = std::filesystem::file_size(path, error); !error && size > static_cast<std::uintmax_t>(most))
    throw Error(ErrorCode::limit, path + ": longer than 256 MiB, which no file of labels is");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace leitong::calibration
