// Rows of sketch files back to the records that they were made of, in ascending order of rows: one sequential pass over the inputs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "records/input.h"
#include "sketches/sketch_file.h"

namespace leitong::sketches {

class RecordCursor {
 public:
  // `directory`: what relative paths of inputs count from, if they are there; empty: the working directory.
  explicit RecordCursor(const SketchSet& set, std::string directory = "") : set_(set), directory_(std::move(directory)) {}
  // Views are valid until the next call. Rows must not descend. Error(unsupported) for a row that came as a fingerprint.
  std::string_view text(std::uint64_t row);
  std::string_view raw(std::uint64_t row);
  // Appends the record of an archive as Reread::append_archived does.
  void append_archived(std::uint64_t row, records::Compression packing, std::string& out);
  // Appends the record as the outputs give it: JSON Lines untouched, of rows of a table an object of its columns, of other formats an
  // object of `id` (a JSON value; empty: null), text and source, of archives url and date too.
  void append_object(std::uint64_t row, const records::Source& source, std::string_view id, std::string& out);

 private:
  struct Position {
    std::uint32_t source;
    std::uint64_t offset, length;
  };
  void append_archived_object(const Position& at, const records::Source& source, std::string_view id, std::string& out);
  Position seek(std::uint64_t row);
  void next_file();

  const SketchSet& set_;
  std::string directory_;
  std::unique_ptr<records::Reread> reread_;
  std::unique_ptr<storage::Block> block_;
  std::size_t file_ = 0, next_block_ = 0;
  std::uint64_t file_end_ = 0, block_first_ = 0, block_end_ = 0;
};

// Texts of rows, which must not descend. Views are valid until the next call.
using TextOfRow = std::function<std::string_view(std::uint64_t row)>;
// Those of a cursor of its own.
[[nodiscard]] TextOfRow texts_of_inputs(const SketchSet& set, const std::string& directory = "");

}  // namespace leitong::sketches
