#include "server/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "leitong/collection.h"
#include "leitong/error.h"
#include "server/assets.h"
#include "server/json_reader.h"
#include "server/writer.h"

namespace leitong::server {
namespace {

namespace fs = std::filesystem;

constexpr const char* name = "sample";
constexpr const char* unfinished = ".sample.unfinished";  // no name of a collection: never served
constexpr unsigned depth = 8;

// Hidden entries do not count: what an earlier start left unfinished is one.
bool holds_nothing(const fs::path& directory) {
  const auto is_hidden = [](const fs::directory_entry& entry) { return entry.path().filename().string().starts_with('.'); };
  return !fs::exists(directory) || std::all_of(fs::directory_iterator(directory), fs::directory_iterator(), is_hidden);
}

// None: a line that shows what other commands do without an id or a text, and that no collection keeps.
std::optional<Document> document_of(JsonReader& json, std::string_view line) {
  json.read(line, {});
  Document out;
  out.id = json.text("id").value_or("");
  out.text = json.text("text").value_or("");
  if (out.id.empty() || out.text.empty()) return std::nullopt;
  out.metadata = fmt::format("{{\"source\":{},\"date\":{}}}", json.raw("source").value_or("null"), json.raw("date").value_or("null"));
  return out;
}

std::vector<Document> documents_of(std::string_view lines) {
  JsonReader json(depth);
  std::vector<Document> out;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    if (end > 0)
      if (auto document = document_of(json, lines.substr(0, end))) out.push_back(std::move(*document));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return out;
}

std::size_t fill(const std::string& where, const ServerOptions& options) {
  CollectionOptions kept;
  kept.profile = load_profile("leitong-1");
  kept.texts = kept.metadata = true;
  Collection::create(where, kept);
  CollectionOpen open;
  open.threads = options.threads;
  open.memory = options.memory;
  Collection collection(where, Access::write, open);
  const std::vector<Document> documents = documents_of(asset("sample.jsonl"));
  std::vector<CollectionDocument> views;
  for (const Document& one : documents) views.push_back({one.id, one.text, one.metadata});
  collection.add(views, Acknowledge::durable);
  CollectionClusterOptions clusters;
  clusters.job.threads = options.threads;
  collection.update_clusters(clusters);
  const std::size_t count = collection.stats().documents;
  collection.close();
  return count;
}

}  // namespace

void add_sample(const ServerOptions& options) {
  if (options.where.size() != 1 || is_store_url(options.where[0]))
    throw Error(ErrorCode::usage, "--sample fills one directory: name it, and nothing else");
  const fs::path directory = options.where[0];
  const auto note = [&](const std::string& what) {
    if (options.note) options.note(what);
  };
  try {
    if (!holds_nothing(directory)) return note(fmt::format("{} is not empty, and stays as it is: no sample is added", directory.string()));
    fs::create_directories(directory);
    fs::remove_all(directory / unfinished);
    const std::size_t documents = fill((directory / unfinished).string(), options);
    fs::rename(directory / unfinished, directory / name);
    note(fmt::format("{} documents were added as the collection {}", documents, name));
  } catch (const fs::filesystem_error& error) {
    throw Error(ErrorCode::io, fmt::format("{}: the sample cannot be added: {}", directory.string(), error.code().message()));
  }
}

}  // namespace leitong::server
