// The output files for the records of a run: one file, or a directory with one file for each input file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "leitong/input.h"
#include "leitong/output.h"
#include "leitong/stages.h"
#include "outputs/output_file.h"
#include "outputs/parquet_objects.h"
#include "outputs/parquet_rows.h"
#include "sketches/sketch_file.h"

namespace leitong::stages {

// One file is open at a time. The directory is written under a temporary name and renamed when it is complete. The file ".leitong-NAME"
// beside it lists the files that were made, each name terminated by NUL, so that the next run knows what it may replace.
class RecordOutputs {
 public:
  // The output is "annotated" if `options.annotate` is set, otherwise "kept". Output of an earlier run is replaced.
  RecordOutputs(const ApplyOptions& options, const sketches::SketchSet& set, unsigned threads);
  ~RecordOutputs();
  RecordOutputs(const RecordOutputs&) = delete;
  RecordOutputs& operator=(const RecordOutputs&) = delete;
  // What the output of a source takes: lines, appended to bytes(); objects, given to objects(); rows, by their numbers, to rows();
  // records of archives, packed as packing() says and appended to bytes().
  enum class Form : std::uint8_t { lines, objects, rows, archive };
  // Opens it. Files, and sources within a file, must not descend; old files have no outputs. Throws Error(usage) if the records cannot be
  // written as the options want.
  Form open(std::size_t file, std::uint32_t source);
  [[nodiscard]] Form form() const {
    return rows_ ? Form::rows : objects_ ? Form::objects : format_ == RecordFormat::warc ? Form::archive : Form::lines;
  }
  [[nodiscard]] Compression packing() const { return packing_; }
  outputs::OutputBytes& bytes() { return one_ ? one_->bytes() : *open_; }
  outputs::ParquetRows& rows() { return *rows_; }
  outputs::ParquetObjects& objects() { return *objects_; }
  void flush_if_full();
  void finish();

 private:
  struct Place {
    std::size_t file = 0;
    std::uint32_t source = 0;
    bool operator==(const Place&) const = default;
  };
  void open_next();
  void open_parquet(const Place& place);
  void open_first();
  [[nodiscard]] parquet::Writer::Sink sink();
  // Empty: no columns are added.
  [[nodiscard]] std::string key() const { return options_.annotate ? options_.annotate_key : std::string(); }
  void finish_parquet();
  void close();
  void put_in_place();
  [[nodiscard]] const records::Source& source_of(const Place& place) const;

  const ApplyOptions& options_;
  std::optional<RecordFormat> wanted_;
  const sketches::SketchSet& set_;
  unsigned threads_;
  RecordFormat format_ = RecordFormat::jsonl;         // of the open file
  Compression packing_ = Compression::none;           // of archives
  std::unique_ptr<outputs::ParquetRows> rows_;        // writes to the open file
  std::unique_ptr<outputs::ParquetObjects> objects_;  // or this
  std::optional<Place> rows_of_;                      // the source that rows_ began with last
  std::unique_ptr<outputs::OutputFile> one_;
  std::string directory_, name_, staging_;  // with OutputLayout::input
  std::vector<Place> places_;               // of the files to be written
  std::vector<std::string> names_;
  std::size_t opened_ = 0;  // number of places_ whose files were opened
  std::unique_ptr<outputs::OutputBytes> open_;
};

// Throws Error(usage) if the records cannot be written to one file for each input: because two files would have the same name, or because
// the directory contains files that no run has made.
void check_layout(const InputOptions& input, const std::string& output_dir, bool annotate, std::optional<Compression> compression,
                  std::optional<RecordFormat> format);

// ApplyOptions::format, but that annotated records of archives are JSON Lines. Throws Error(usage) for annotated WARC.
[[nodiscard]] std::optional<RecordFormat> wanted_format(const sketches::SketchSet& set, const ApplyOptions& options);

// What a run that leaves one file writes: as wanted_format() says.
[[nodiscard]] RecordFormat format_of_one(const sketches::SketchSet& set, std::optional<RecordFormat> format);
// And how it is packed.
[[nodiscard]] Compression packing_of_one(const sketches::SketchSet& set, RecordFormat format, std::optional<Compression> compression);

}  // namespace leitong::stages
