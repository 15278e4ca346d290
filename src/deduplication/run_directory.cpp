#include "deduplication/run_directory.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "leitong/error.h"
#include "leitong/file_name.h"
#include "storage/vfs.h"

namespace leitong::deduplication {

std::string start_of_run(const std::string& output_dir) {
  simdjson::dom::parser parser;
  simdjson::dom::element run;
  std::string_view directory;
  if (parser.load(output_dir + "/run.json").get(run) != simdjson::SUCCESS) return {};
  return run["directory"].get(directory) == simdjson::SUCCESS ? named_by(directory) : std::string();
}

std::string stage_path(const std::string& output_dir, const std::string& name) {
  std::string path = output_dir + "/stages/" + name + ".ltt";
  if (!storage::posix_vfs().exists(path))
    throw Error(ErrorCode::io, fmt::format("{}: no such file; is {} the output directory of a dedup run?", path, output_dir));
  return path;
}

}  // namespace leitong::deduplication
