#include "deduplication/collection_texts.h"

#include <fmt/format.h>

#include <filesystem>

#include "collection/place.h"
#include "leitong/access.h"
#include "leitong/collection.h"
#include "leitong/error.h"
#include "leitong/input.h"
#include "outputs/output_file.h"
#include "records/json_object.h"
#include "storage/vfs.h"

namespace leitong::deduplication {

namespace {

// Finds an unused file name: the file with the texts that an earlier run compared with may still be needed.
std::string free_name(const std::string& directory) {
  for (std::size_t i = 0;; ++i)
    if (std::string path = fmt::format("{}/against-{}.jsonl", directory, i); !storage::posix_vfs().exists(path)) return path;
}

}  // namespace

std::vector<std::string> with_collections_as_files(const std::vector<std::string>& paths, const InputOptions& input,
                                                   const std::string& directory) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!collection::is_collection(paths[i])) {
      out.push_back(paths[i]);
      continue;
    }
    if (input.format != "auto" && input.format != "jsonl")
      throw Error(ErrorCode::usage,
                  fmt::format("--against {}: a collection is read as jsonl, so --format {} cannot hold for it", paths[i], input.format));
    CollectionOpen open;
    open.only_stored = true;
    const Collection collection(paths[i], Access::read, open);
    out.push_back(free_name(directory));
    outputs::OutputFile file(out.back());
    collection.scan([&](const CollectionEntry& entry) {
      file.buffer() += records::JsonObject().text(input.id_field, entry.id).text(input.text_field, entry.text).str() + "\n";
      file.flush_if_full();
    });
    file.finish();
  }
  return out;
}

}  // namespace leitong::deduplication
