// Where the records of a run go: into one file, or into a directory with one file for each input file.
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

// One file is open at a time. The directory is made beside its place, and stands there when all of it is whole; ".leitong-NAME" beside it
// lists what was made, each name ended by NUL, so that the next run knows what it may replace.
class RecordOutputs {
 public:
  // `options.annotate` says whether it is "kept" or "annotated". What another run left in the place is replaced.
  RecordOutputs(const ApplyOptions& options, const sketches::SketchSet& set, unsigned threads);
  ~RecordOutputs();
  RecordOutputs(const RecordOutputs&) = delete;
  RecordOutputs& operator=(const RecordOutputs&) = delete;
  // Where to append the records of a source. Files and their sources must not descend; old files have no outputs.
  std::string& of(std::size_t file, std::uint32_t source);
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
  std::string directory_, name_, staging_;  // of OutputLayout::input
  std::vector<Place> places_;               // of the files to be written
  std::vector<std::string> names_;
  std::size_t opened_ = 0;  // so many of them
  std::unique_ptr<outputs::OutputBytes> open_;
};

// Throws Error(usage) if the run cannot put its records by input: two would be called the same, or what is not of a run stands in the
// place.
void check_layout(const InputOptions& input, const std::string& output_dir, bool annotate, std::optional<Compression> compression);

}  // namespace leitong::stages
