// Removed records back from the inputs (or the spool) of a finished run.

#include <fmt/format.h>

#include <filesystem>

#include "corpus/json_object.h"
#include "corpus/record_cursor.h"
#include "corpus/stages.h"
#include "leitong/dedup.h"
#include "leitong/error.h"

namespace leitong {

using corpus::ClusterColumns;
using corpus::SketchColumns;

namespace {

// Where the run was started, which is what its relative paths count from; empty if that is not known any more.
std::string directory_of_run(const std::string& output_dir) {
  simdjson::dom::parser parser;
  simdjson::dom::element run;
  std::string_view directory;
  if (parser.load(output_dir + "/run.json").get(run) != simdjson::SUCCESS) return {};
  return run["directory"].get(directory) == simdjson::SUCCESS ? std::string(directory) : std::string();
}

}  // namespace

std::uint64_t restore(const std::string& output_dir, std::optional<std::uint64_t> cluster,
                      const std::function<void(std::string_view record)>& sink) {
  // Of stages that were run one by one there is only the cluster file.
  const bool is_directory = std::filesystem::is_directory(output_dir);
  const std::string path = is_directory ? output_dir + "/stages/clusters.ltt" : output_dir;
  if (!storage::posix_vfs().exists(path))
    throw Error(ErrorCode::io, is_directory ? fmt::format("{}: no such file; is {} the output directory of a dedup run?", path, output_dir)
                                            : path + ": no such directory or file");
  const auto table = corpus::open_stage_file(path, "clusters");
  const auto metadata = corpus::stage_metadata_from_json(table.metadata(), path);
  const corpus::SketchSet set(metadata.sketches);
  std::vector<std::uint32_t> rows;
  storage::Block block(table.schema());
  const std::vector<std::size_t> columns = {ClusterColumns::row, ClusterColumns::kept, ClusterColumns::cluster};
  for (std::size_t b = 0; b < table.blocks(); ++b) {
    table.read_block(b, columns, block);
    const auto row = block.column<std::uint32_t>(ClusterColumns::row), kept = block.column<std::uint32_t>(ClusterColumns::kept);
    const auto number = block.column<std::uint32_t>(ClusterColumns::cluster);
    for (std::size_t i = 0; i < block.rows(); ++i)
      if (row[i] != kept[i] && row[i] < set.rows() && (!cluster || number[i] == *cluster)) rows.push_back(row[i]);
  }
  corpus::RecordCursor cursor(set, directory_of_run(output_dir));
  std::size_t next = 0;
  std::string object;
  set.for_each_block({SketchColumns::source, SketchColumns::id}, [&](std::uint64_t first, const storage::Block& sketches) {
    for (; next < rows.size() && rows[next] < first + sketches.rows(); ++next) {
      const std::size_t i = rows[next] - first;
      const auto& source =
          set.files()[set.file_of(rows[next])].metadata.sources.at(sketches.column<std::uint32_t>(SketchColumns::source)[i]);
      object.clear();
      cursor.append_object(rows[next], source, sketches.text(SketchColumns::id, i), object);
      sink(object);
    }
  });
  return rows.size();
}

}  // namespace leitong
