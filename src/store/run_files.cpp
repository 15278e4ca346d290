#include "store/run_files.h"

#include <algorithm>
#include <charconv>

#include "leitong/error.h"
#include "store/manifest.h"
#include "store/run_writer.h"

namespace leitong::store {
namespace {

std::shared_ptr<const Run> write_rows(const RunPlace& place, std::uint64_t number, const RunRange& range, RowSource& source) {
  {
    RunWriter writer(place.vfs, place.directory, number, place.shape, place.keys_of, range);
    for (Row row; source.next(row);) {
      writer.append(row);
      if (place.stop != nullptr && writer.rows() % 65536 == 0 && place.stop->load(std::memory_order_relaxed))
        throw Error(ErrorCode::interrupted, "merging was stopped");
    }
    if (writer.rows() == 0) return nullptr;
    writer.finish(place.threads);
  }
  auto run = std::make_shared<const Run>(place.vfs, place.directory, number, place.shape);
  run->verify_bytes();
  return run;
}

}  // namespace

std::shared_ptr<const Run> write_run(const RunPlace& place, std::uint64_t number, const View::Frozen& frozen, bool drop_erased) {
  const Memtable& table = *frozen.table;
  if (frozen.visible == 0) return nullptr;
  RunRange range{table.first_sequence(), table.first_sequence() + frozen.visible - 1, false};
  for (std::uint32_t row = 0; row < frozen.visible && !range.flags; ++row) range.flags = table.row(row).flags != flags::fingerprint;
  std::vector<std::unique_ptr<RowSource>> sources;
  sources.push_back(rows_of(frozen.table, frozen.visible));
  return write_rows(place, number, range, *merged(std::move(sources), drop_erased));
}

std::shared_ptr<const Run> write_run(const RunPlace& place, std::uint64_t number, std::span<const std::shared_ptr<const Run>> runs,
                                     bool drop_erased) {
  RunRange range{~std::uint64_t{0}, 0, false};
  std::vector<std::unique_ptr<RowSource>> sources;
  for (const auto& run : runs) {
    run->verify_table();
    range.first_sequence = std::min(range.first_sequence, run->first_sequence());
    range.last_sequence = std::max(range.last_sequence, run->last_sequence());
    range.flags = range.flags || run->has_flags();
    sources.push_back(rows_of(run));
  }
  return write_rows(place, number, range, *merged(std::move(sources), drop_erased));
}

void remove_file(storage::Vfs& vfs, const std::string& path) {
  try {
    if (vfs.exists(path)) vfs.remove(path);
  } catch (const Error&) {
    // No manifest names this file, so the next writer removes it.
  }
}

void remove_run(storage::Vfs& vfs, const std::string& directory, std::uint64_t number) {
  for (const std::string& name : run_names(number)) remove_file(vfs, directory + "/" + name);
}

void remove_log(storage::Vfs& vfs, const std::string& directory, std::uint64_t number) { remove_file(vfs, log_path(directory, number)); }

std::uint64_t number_in(std::string_view name) {
  constexpr std::string_view temporary = ".tmp";
  if (name.ends_with(temporary)) name.remove_suffix(temporary.size());
  const bool run = name.starts_with("run-");
  if (!run && !name.starts_with("log-")) return 0;
  name.remove_prefix(4);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const std::string_view ending(end, static_cast<std::size_t>(name.data() + name.size() - end));
  const bool known = run ? ending == ".table" || ending == ".index" || ending == ".keys" : ending == ".log";
  return error == std::errc() && end - name.data() >= 6 && known ? number : 0;
}

std::vector<std::string> strays_in(storage::Vfs& vfs, const std::string& directory, const Manifest& manifest) {
  std::vector<std::string> named, strays;
  for (const ManifestRun& run : manifest.runs)
    for (std::string& name : run_names(run.number)) named.push_back(std::move(name));
  for (const ManifestLog& log : manifest.logs) named.push_back(log_name(log.number));
  for (std::string& name : vfs.list(directory)) {
    const bool ours = number_in(name) != 0 || name == "MANIFEST.tmp";
    if (ours && std::find(named.begin(), named.end(), name) == named.end()) strays.push_back(std::move(name));
  }
  return strays;
}

}  // namespace leitong::store
