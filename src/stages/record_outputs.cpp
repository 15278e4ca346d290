#include "stages/record_outputs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "leitong/error.h"
#include "outputs/output_layout.h"
#include "outputs/output_names.h"
#include "records/pack.h"

namespace leitong::stages {
namespace {

namespace fs = std::filesystem;

void remove_tree(const std::string& directory) {
  std::error_code error;
  fs::remove_all(directory, error);
  if (error) throw Error(ErrorCode::io, fmt::format("{}: cannot be removed: {}", directory, error.message()));
}

// One system call for all files, however many there are.
void make_durable(const std::string& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  const bool done = descriptor >= 0 && ::syncfs(descriptor) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!done)
    throw Error(ErrorCode::io, fmt::format("{}: cannot be written to the disk: {}", directory, std::generic_category().message(error)));
}

}  // namespace

RecordOutputs::RecordOutputs(const ApplyOptions& options, const sketches::SketchSet& set, unsigned threads)
    : threads_(threads), directory_(options.output_dir), name_(options.annotate ? "annotated" : "kept") {
  if (options.layout == OutputLayout::one) {
    one_.emplace(directory_ + "/" + outputs::lines_name(name_, options.compression.value_or(Compression::none)), threads);
    return;
  }
  outputs::InputNames all;
  for (std::size_t file = set.old_files(); file < set.files().size(); ++file) {
    const sketches::SketchMetadata& metadata = set.files()[file].metadata;
    all.add(metadata.input, metadata.sources, options.compression);
    const std::vector<std::string> names = outputs::names_by_input(metadata.input, metadata.sources, options.compression);
    for (std::uint32_t source = 0; source < names.size(); ++source) {
      if (names[source].empty()) continue;
      places_.push_back({file, source});
      names_.push_back(names[source]);
    }
  }
  all.check();
  outputs::require_own(directory_ + "/" + name_, outputs::read_layout(directory_, name_));
  staging_ = outputs::layout_list(directory_, name_) + ".new";
  remove_tree(staging_);
  storage::posix_vfs().make_directories(staging_);
}

RecordOutputs::~RecordOutputs() {
  open_.reset();
  std::error_code ignored;
  if (!staging_.empty()) fs::remove_all(staging_, ignored);
}

outputs::OutputBytes& RecordOutputs::of(std::size_t file, std::uint32_t source) {
  if (one_) return one_->bytes();
  const auto is_before = [&](const Place& place) { return std::pair(place.file, place.source) < std::pair(file, source); };
  while (opened_ == 0 || is_before(places_[opened_ - 1])) {
    if (opened_ == places_.size()) throw Error(ErrorCode::format, "a record stands in a source that the sketch file does not list");
    open_next();
  }
  return *open_;
}

void RecordOutputs::flush_if_full() {
  if (one_) return one_->flush_if_full();
  if (open_) open_->flush_if_full();
}

void RecordOutputs::open_next() {
  close();
  const std::string& name = names_[opened_++];
  const std::string path = staging_ + "/" + name;
  if (name.find('/') != std::string::npos) storage::posix_vfs().make_directories(storage::parent_directory(path));
  open_ = std::make_unique<outputs::OutputBytes>(path, records::compression_of_name(name), threads_);
}

void RecordOutputs::close() {
  if (open_) open_->finish(false);
  open_.reset();
}

void RecordOutputs::finish() {
  if (one_) return one_->finish();
  while (opened_ < places_.size()) open_next();
  close();
  make_durable(staging_);
  put_in_place();
}

// The order of steps ensures that, wherever the process is stopped, the list names at least the files that are in place.
void RecordOutputs::put_in_place() {
  const std::string place = directory_ + "/" + name_, before = outputs::layout_list(directory_, name_) + ".old";
  remove_tree(before);
  const std::vector<std::string> old = outputs::read_layout(directory_, name_);
  std::vector<std::string> both = old;
  both.insert(both.end(), names_.begin(), names_.end());
  outputs::write_layout(directory_, name_, both);
  auto& vfs = storage::posix_vfs();
  if (vfs.exists(place)) vfs.rename(place, before);
  vfs.rename(staging_, place);
  staging_.clear();
  vfs.sync_directory(directory_);
  outputs::write_layout(directory_, name_, names_);
  outputs::remove_listed(before, old);
}

void check_layout(const InputOptions& input, const std::string& output_dir, bool annotate, std::optional<Compression> compression) {
  outputs::InputNames names;
  names.add(input, records::Input(input, "").sources(), compression);
  names.check();
  const std::string name = annotate ? "annotated" : "kept";
  outputs::require_own(output_dir + "/" + name, outputs::read_layout(output_dir, name));
}

}  // namespace leitong::stages
