#include "store/manifest.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "leitong/error.h"
#include "records/json_object.h"

namespace leitong::store {
namespace {

constexpr std::size_t end_size = 18;  // a newline, 16 digits, a newline
constexpr std::uint64_t most_bytes = 64U << 20U;

std::string ending_of(std::string_view json) { return fmt::format("\n{:016x}\n", XXH3_64bits(json.data(), json.size())); }

[[noreturn]] void damaged(const std::string& path, const char* what) {
  throw Error(ErrorCode::format, fmt::format("{}: the manifest is damaged ({}); restore the collection from a backup", path, what));
}

std::string to_json(const Manifest& m) {
  records::JsonObject shape;
  shape.number("words", m.shape.words).number("k", m.shape.k).boolean("numeric_ids", m.shape.numeric_ids);
  shape.boolean("sketches", m.shape.sketches)
      .boolean("metadata", m.shape.metadata)
      .boolean("texts", m.shape.texts)
      .boolean("keys", m.shape.keys);
  shape.text("id_seed", fmt::format("{:016x}", m.shape.id_seed));
  std::string runs, logs;
  for (const ManifestRun& run : m.runs) {
    records::JsonObject o;
    o.number("number", run.number).number("rows", run.rows).text("identity", run.identity);
    o.text("index", fmt::format("{:016x}", run.index)).text("keys", fmt::format("{:016x}", run.keys));
    runs += (runs.empty() ? "" : ",") + o.str();
  }
  for (const ManifestLog& log : m.logs) {
    records::JsonObject o;
    o.number("number", log.number).number("length", log.length);
    logs += (logs.empty() ? "" : ",") + o.str();
  }
  records::JsonObject json;
  json.text("leitong", "store").number("version", manifest_version);
  json.text("store", fmt::format("{:016x}{:016x}", m.store[0], m.store[1])).number("epoch", m.epoch);
  json.raw("shape", shape.str()).raw("about", m.about.empty() ? "{}" : m.about);
  json.number("next_sequence", m.next_sequence).number("next_file", m.next_file).number("clean_file", m.clean_file);
  json.raw("runs", "[" + runs + "]").raw("logs", "[" + logs + "]");
  return json.str();
}

std::uint64_t hex64(std::string_view digits, const std::string& path) {
  if (digits.size() != 16) damaged(path, "a number has too few or too many digits");
  std::uint64_t value = 0;
  for (const char c : digits) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(c);
    if (digit == std::string_view::npos) damaged(path, "a number is not hexadecimal");
    value = value << 4U | digit;
  }
  return value;
}

records::JsonValue member(const records::JsonReader& json, std::string_view key, const std::string& path) {
  const records::JsonValue value = json.root()[key];
  if (!value) damaged(path, "a member is missing or of another kind");
  return value;
}

Manifest from_json(const std::string& text, const std::string& path) {
  const records::JsonReader json(text, path);
  const auto root = json.root();
  if (json.text(root, "leitong") != "store") damaged(path, "it is of something else");
  const std::uint64_t version = json.number(root, "version");
  if (version > manifest_version)
    throw Error(ErrorCode::unsupported, fmt::format("{}: a collection of version {}; this Leitong reads up to {}: use a newer one", path,
                                                    version, manifest_version));
  Manifest m;
  const std::string store = json.text(root, "store");
  if (store.size() != 32) damaged(path, "the store's number is too short or too long");
  m.store[0] = hex64(std::string_view(store).substr(0, 16), path);
  m.store[1] = hex64(std::string_view(store).substr(16), path);
  m.epoch = json.number(root, "epoch");
  const records::JsonValue shape = member(json, "shape", path);
  m.shape.words = static_cast<unsigned>(json.number(shape, "words"));
  m.shape.k = static_cast<unsigned>(json.number(shape, "k"));
  m.shape.numeric_ids = json.boolean(shape, "numeric_ids");
  m.shape.sketches = json.boolean(shape, "sketches");
  m.shape.metadata = json.boolean(shape, "metadata");
  m.shape.texts = json.boolean(shape, "texts");
  m.shape.keys = json.boolean(shape, "keys");
  m.shape.id_seed = hex64(json.text(shape, "id_seed"), path);
  if ((m.shape.words != 1 && m.shape.words != 2 && m.shape.words != 4) || m.shape.k > 64 * m.shape.words)
    damaged(path, "an impossible shape");
  m.about = member(json, "about", path).minified();
  m.next_sequence = json.number(root, "next_sequence");
  m.next_file = json.number(root, "next_file");
  m.clean_file = json.number(root, "clean_file");
  for (const auto run : json.array(root, "runs"))
    m.runs.push_back({json.number(run, "number"), json.number(run, "rows"), json.text(run, "identity"),
                      hex64(json.text(run, "index"), path), hex64(json.text(run, "keys"), path)});
  for (const auto log : json.array(root, "logs")) m.logs.push_back({json.number(log, "number"), json.number(log, "length")});
  for (std::size_t i = 0; i + 1 < m.logs.size(); ++i)
    if (m.logs[i].length == 0) damaged(path, "an open log is not the last");
  return m;
}

}  // namespace

std::string manifest_path(const std::string& directory) { return directory + "/MANIFEST"; }
std::string log_name(std::uint64_t number) { return fmt::format("log-{:06}.log", number); }

std::string log_path(const std::string& directory, std::uint64_t number) { return directory + "/" + log_name(number); }
storage::LogName name_of_log(const Manifest& manifest, std::uint64_t number) { return {{manifest.store[0], manifest.store[1]}, number}; }

void write_manifest(storage::Vfs& vfs, const std::string& directory, const Manifest& manifest) {
  const std::string path = manifest_path(directory), temporary = path + ".tmp", json = to_json(manifest), text = json + ending_of(json);
  const auto file = vfs.create(temporary);
  file->append(std::as_bytes(std::span(text)));
  file->sync();
  file->close();
  vfs.rename(temporary, path);
  vfs.sync_directory(directory);
}

Manifest read_manifest(storage::Vfs& vfs, const std::string& directory) {
  const std::string path = manifest_path(directory);
  if (!vfs.exists(path))
    throw Error(ErrorCode::usage,
                fmt::format("{}: is no collection of Leitong (there is no MANIFEST); make one with: leitong collection create", directory));
  const auto file = vfs.open(path);
  if (file->size() < end_size || file->size() > most_bytes) damaged(path, "it is too short or too long");
  std::string text(static_cast<std::size_t>(file->size()), '\0');
  file->read(0, std::as_writable_bytes(std::span(text)));
  const std::string json = text.substr(0, text.size() - end_size);
  if (text.substr(json.size()) != ending_of(json)) damaged(path, "its checksum differs");
  return from_json(json, path);
}

}  // namespace leitong::store
