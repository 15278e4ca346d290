// Removed records back from the inputs (or the spool) of a finished run.

#include <filesystem>

#include "corpus/cluster_reader.h"
#include "corpus/record_cursor.h"
#include "corpus/run_directory.h"
#include "corpus/stages.h"
#include "leitong/dedup.h"
#include "leitong/error.h"

namespace leitong {

using corpus::SketchColumns;

std::uint64_t restore(const std::string& output_dir, std::optional<std::uint64_t> cluster,
                      const std::function<void(std::string_view record)>& sink) {
  // Of stages that were run one by one there is only the cluster file.
  const bool is_directory = std::filesystem::is_directory(output_dir);
  const std::string path = is_directory ? corpus::stage_path(output_dir, "clusters") : output_dir;
  if (!storage::posix_vfs().exists(path)) throw Error(ErrorCode::io, path + ": no such directory or file");
  const auto table = corpus::open_stage_file(path, "clusters");
  const auto metadata = corpus::stage_metadata_from_json(table.metadata(), path);
  const corpus::SketchSet set(metadata.sketches, metadata.old_sketches);
  corpus::RowReader reader(set, {SketchColumns::source, SketchColumns::id});
  corpus::RecordCursor cursor(set, corpus::start_of_run(output_dir));
  corpus::ClusterReader clusters(table, set.rows());
  std::uint64_t count = 0;
  std::string object;
  for (; const corpus::ClusterRow* row = clusters.head(); clusters.next()) {
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
