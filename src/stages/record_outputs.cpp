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
#include "records/column_file.h"
#include "records/pack.h"
#include "records/spool.h"

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

void require_archive(const records::Source& source) {
  if (source.format != records::Format::warc)
    throw Error(ErrorCode::usage,
                fmt::format("{}: its records are none of a WARC file: say --output-format jsonl (with dedup --resume only this last stage "
                            "is run again)",
                            source.path));
}

}  // namespace

RecordOutputs::RecordOutputs(const ApplyOptions& options, const sketches::SketchSet& set, unsigned threads)
    : options_(options),
      wanted_(wanted_format(set, options)),
      set_(set),
      threads_(threads),
      format_(format_of_one(set, wanted_)),
      packing_(packing_of_one(set, format_, options.compression)),
      directory_(options.output_dir),
      name_(options.annotate ? "annotated" : "kept") {
  if (options.layout == OutputLayout::one) {
    const std::string path = directory_ + "/" + outputs::records_name(name_, format_, packing_);
    one_ = format_ == RecordFormat::warc ? outputs::OutputFile::of_packed(path, threads)
                                         : std::make_unique<outputs::OutputFile>(path, threads);
    return;
  }
  outputs::InputNames all;
  for (std::size_t file = set.old_files(); file < set.files().size(); ++file) {
    const sketches::SketchMetadata& metadata = set.files()[file].metadata;
    all.add(metadata.input, metadata.sources, options.compression, wanted_);
    const std::vector<std::string> names = outputs::names_by_input(metadata.input, metadata.sources, options.compression, wanted_);
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

const records::Source& RecordOutputs::source_of(const Place& place) const {
  return set_.files()[place.file].metadata.sources.at(place.source);
}

RecordOutputs::Form RecordOutputs::open(std::size_t file, std::uint32_t source) {
  const Place place{file, source};
  if (one_) {
    if (format_ == RecordFormat::parquet && rows_of_ != place) open_parquet(place);
    if (format_ == RecordFormat::warc) require_archive(source_of(place));
    return form();
  }
  const auto is_before = [&](const Place& other) { return std::pair(other.file, other.source) < std::pair(file, source); };
  while (opened_ == 0 || is_before(places_[opened_ - 1])) {
    if (opened_ == places_.size()) throw Error(ErrorCode::format, "a record stands in a source that the sketch file does not list");
    open_next();
  }
  return form();
}

parquet::Writer::Sink RecordOutputs::sink() {
  return [this](std::string_view bytes) {
    this->bytes().buffer() += bytes;
    flush_if_full();
  };
}

// The file's schema is that of the first source, or what the first objects tell.
void RecordOutputs::open_parquet(const Place& place) {
  const records::Source& source = source_of(place);
  const bool columns_known = source.format == records::Format::parquet || source.format == records::Format::arrow;
  if (columns_known ? objects_ != nullptr : rows_ != nullptr)
    throw Error(ErrorCode::usage,
                fmt::format("{}: a Parquet file cannot hold it beside the other inputs: some are files of columns, others "
                            "are not; say --output-format jsonl (with dedup --resume only this last stage is run again)",
                            source.path));
  rows_of_ = place;
  if (!columns_known) {
    if (!objects_) objects_ = std::make_unique<outputs::ParquetObjects>(sink(), key());
    return;
  }
  const sketches::SketchMetadata& metadata = set_.files()[place.file].metadata;
  const auto number = std::count_if(metadata.sources.begin(), metadata.sources.begin() + place.source, records::is_spooled);
  const std::string spool = records::is_spooled(source) && !metadata.spool.empty()
                                ? records::spool_path(metadata.spool, static_cast<std::size_t>(number))
                                : std::string();
  auto columns = records::open_columns_again(source, spool);
  if (!rows_) rows_ = std::make_unique<outputs::ParquetRows>(sink(), columns, source.path, key());
  rows_->begin(std::move(columns), source.path);
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
  const Place& place = places_[opened_ - 1];
  format_ = outputs::format_for(source_of(place), wanted_);
  packing_ = records::compression_of_name(name);
  const bool archive = format_ == RecordFormat::warc;
  if (archive) require_archive(source_of(place));
  open_ = std::make_unique<outputs::OutputBytes>(path, archive ? Compression::none : packing_, threads_);
  if (format_ == RecordFormat::parquet) open_parquet(place);
}

void RecordOutputs::finish_parquet() {
  if (rows_) rows_->finish();
  if (objects_) objects_->finish();
  rows_.reset();
  objects_.reset();
}

void RecordOutputs::close() {
  finish_parquet();
  rows_of_.reset();
  if (open_) open_->finish(false);
  open_.reset();
}

// Where nothing stays, the file has the columns of the first input that can be read, if there is one.
void RecordOutputs::open_first() {
  for (std::size_t file = set_.old_files(); file < set_.files().size(); ++file) {
    const auto& metadata = set_.files()[file].metadata;
    for (std::uint32_t source = 0; source < metadata.sources.size(); ++source) {
      const std::string& path = metadata.sources[source].path;
      if (std::ranges::find(metadata.unread, path) == metadata.unread.end()) return open_parquet({file, source});
    }
  }
  objects_ = std::make_unique<outputs::ParquetObjects>(sink(), key());
}

void RecordOutputs::finish() {
  if (one_) {
    if (format_ == RecordFormat::parquet && form() == Form::lines) open_first();
    finish_parquet();
    return one_->finish();
  }
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

std::optional<RecordFormat> wanted_format(const sketches::SketchSet& set, const ApplyOptions& options) {
  if (options.annotate && options.format == RecordFormat::warc)
    throw Error(ErrorCode::usage, "--output-format warc: a record of a WARC file cannot be annotated; say jsonl or parquet");
  if (options.annotate && !options.format && set.has_addresses()) return RecordFormat::jsonl;
  return options.format;
}

RecordFormat format_of_one(const sketches::SketchSet& set, std::optional<RecordFormat> format) {
  if (format) return *format;
  std::optional<RecordFormat> common;
  for (const auto& file : set.new_files())
    for (const records::Source& source : file.metadata.sources) {
      const RecordFormat own = outputs::format_for(source, format);
      if (common.value_or(own) != own) return RecordFormat::jsonl;
      common = own;
    }
  return common.value_or(RecordFormat::jsonl);
}

Compression packing_of_one(const sketches::SketchSet& set, RecordFormat format, std::optional<Compression> compression) {
  if (compression || format != RecordFormat::warc) return compression.value_or(Compression::none);
  return outputs::packing_of_archives(set.new_files().front().metadata.sources);
}

void check_layout(const InputOptions& input, const std::string& output_dir, bool annotate, std::optional<Compression> compression,
                  std::optional<RecordFormat> format) {
  outputs::InputNames names;
  names.add(input, records::Input(input, "").sources(), compression, format);
  names.check();
  const std::string name = annotate ? "annotated" : "kept";
  outputs::require_own(output_dir + "/" + name, outputs::read_layout(output_dir, name));
}

}  // namespace leitong::stages
