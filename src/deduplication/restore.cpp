// Restores the removed records of a finished run from its inputs (or the spool).

#include <filesystem>

#include "deduplication/run_directory.h"
#include "leitong/dedup.h"
#include "leitong/error.h"
#include "sketches/record_cursor.h"
#include "stages/cluster_reader.h"
#include "stages/stages.h"

namespace leitong {

using sketches::SketchColumns;

std::uint64_t restore(const std::string& output_dir, std::optional<std::uint64_t> cluster,
                      const std::function<void(std::string_view record)>& sink) {
  // If the stages were run one by one, the argument is the cluster file, since there is no directory of results.
  const bool is_directory = std::filesystem::is_directory(output_dir);
  const std::string path = is_directory ? deduplication::stage_path(output_dir, "clusters") : output_dir;
  if (!storage::posix_vfs().exists(path)) throw Error(ErrorCode::io, path + ": no such directory or file");
  const auto table = stages::open_stage_file(path, "clusters");
  const auto metadata = stages::stage_metadata_from_json(table.metadata(), path);
  const sketches::SketchSet set(metadata.sketches, metadata.old_sketches);
  sketches::RowReader reader(set, {SketchColumns::source, SketchColumns::id});
  sketches::RecordCursor cursor(set, deduplication::start_of_run(output_dir));
  stages::ClusterReader clusters(table, set.rows());
  std::uint64_t count = 0;
  std::string object;
  for (; const stages::ClusterRow* row = clusters.head(); clusters.next()) {
    if (row->row == row->kept || (cluster && row->cluster != *cluster)) continue;
    reader.seek(row->row);
    const auto& source = set.files()[reader.file()].metadata.sources.at(reader.value<std::uint32_t>(SketchColumns::source));
    object.clear();
    cursor.append_object(row->row, source, reader.text(SketchColumns::id), object);
    sink(object);
    ++count;
  }
  return count;
}

}  // namespace leitong
