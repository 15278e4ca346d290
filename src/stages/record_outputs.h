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
  // Where records of a source are appended. Files, and sources within a file, must not descend; old files have no outputs.
  outputs::OutputBytes& of(std::size_t file, std::uint32_t source);
  void flush_if_full();
  void finish();

 private:
  struct Place {
    std::size_t file = 0;
    std::uint32_t source = 0;
  };
  void open_next();
  void close();
  void put_in_place();

  unsigned threads_;
  std::optional<outputs::OutputFile> one_;
  std::string directory_, name_, staging_;  // with OutputLayout::input
  std::vector<Place> places_;               // of the files to be written
  std::vector<std::string> names_;
  std::size_t opened_ = 0;  // number of places_ whose files were opened
  std::unique_ptr<outputs::OutputBytes> open_;
};

// Throws Error(usage) if the records cannot be written to one file for each input: because two files would have the same name, or because
// the directory contains files that no run has made.
void check_layout(const InputOptions& input, const std::string& output_dir, bool annotate, std::optional<Compression> compression);

}  // namespace leitong::stages
