#include "deduplication/run_directory.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "leitong/error.h"
#include "leitong/file_name.h"
#include "records/json_value.h"
#include "storage/vfs.h"

namespace leitong::deduplication {

std::string start_of_run(const std::string& output_dir) {
  std::ostringstream json;
  json << std::ifstream(output_dir + "/run.json", std::ios::binary).rdbuf();
  records::JsonParser parser;
  records::JsonValue run;
  std::string_view directory;
  return parser.parse(json.view(), run) && run["directory"].get(directory) ? named_by(directory) : std::string();
}

std::string stage_path(const std::string& output_dir, const std::string& name) {
  std::string path = output_dir + "/stages/" + name + ".ltt";
  if (!storage::posix_vfs().exists(path))
    throw Error(ErrorCode::io, fmt::format("{}: no such file; is {} the output directory of a dedup run?", path, output_dir));
  return path;
}

}  // namespace leitong::deduplication
