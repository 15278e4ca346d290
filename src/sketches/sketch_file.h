// The sketch file: columns of the table, its metadata, and several files read as one collection of rows.
// docs/file-format.md specifies it ("kind sketch").
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/sketcher.h"
#include "leitong/input.h"
#include "leitong/profile.h"
#include "records/input.h"
#include "storage/table.h"

namespace leitong::sketches {

inline constexpr unsigned band_columns = fingerprint::slot_count / 4;  // four slots a column

namespace flags {
inline constexpr std::uint8_t fingerprint = 1;  // the text has features
inline constexpr std::uint8_t slots = 2;        // the band columns hold its MinHash
inline constexpr std::uint8_t comparable = 4;   // `content` is set: the text is not blank
}  // namespace flags

// Column numbers, in the order of the schema. Band columns come last, "b00" to "b79".
struct SketchColumns {
  enum Index : std::size_t {
    record,
    source,
    offset,
    length,
    line,
    text_bytes,
    tokens,
    features,
    flags,
    content,
    simhash,
    bits,
    short_features,
    id,
    fields,
    first_band
  };
};

[[nodiscard]] storage::Schema sketch_schema(unsigned fingerprint_bits);

// The columns of a row that are its sketch's, but for those of bands.
void put_sketch(const fingerprint::Sketch& sketch, storage::Block& block);

// What a sketch file's metadata says.
struct SketchMetadata {
  Profile profile;
  std::string profile_id;
  InputOptions input;  // how to read the sources again
  std::vector<records::Source> sources;
  std::vector<std::uint64_t> rejected_of;  // bad records by source; may be shorter than sources
  std::vector<std::string> notes;          // what a person should know of the inputs
  std::vector<std::string> unread;         // inputs that could not be read to their end
  std::string spool;                       // empty: none
  bool fingerprints_only = false;          // the rows came as fingerprints, under ids: there are no records to read again
  std::uint64_t records = 0, rejected = 0, text_bytes = 0, featureless = 0;
  std::uint64_t pages = 0, pages_fallen_back = 0;  // records that are web pages; those of them whose main content was not found
  std::string page_model;                          // that chose their text; empty: there are no pages, or their whole text was taken
  std::string made_from;                           // what the file was made from: equal for equal inputs and options
};
[[nodiscard]] std::string to_json(const SketchMetadata&);
[[nodiscard]] SketchMetadata sketch_metadata_from_json(const std::string& json, const std::string& path);

// Several sketch files as one range of rows, in the order given. Thread-safe for reading.
class SketchSet {
 public:
  // The first `old_files` of them are of an old collection, which the others are held against. Throws Error(usage) if the files' profiles
  // differ, naming the difference. `tables`: what of the inputs stands in memory, to be read again.
  explicit SketchSet(const std::vector<std::string>& paths, std::size_t old_files = 0, const InMemory& tables = {});

  struct File {
    std::unique_ptr<storage::TableReader> table;
    SketchMetadata metadata;
    std::uint64_t first_row = 0;
    std::uint64_t first_record = 0;  // record numbers of a job run on from file to file, those of an old collection by themselves
  };
  [[nodiscard]] const std::vector<File>& files() const { return files_; }
  [[nodiscard]] std::size_t old_files() const { return old_files_; }
  [[nodiscard]] std::span<const File> new_files() const { return std::span(files_).subspan(old_files_); }
  [[nodiscard]] std::span<const File> old() const { return std::span(files_).first(old_files_); }
  [[nodiscard]] std::uint64_t old_rows() const { return new_files().front().first_row; }
  [[nodiscard]] bool is_old(std::uint64_t row) const { return row < old_rows(); }
  // An old row of a file of fingerprints only.
  [[nodiscard]] bool is_stored(std::uint64_t row) const { return is_old(row) && files_[file_of(row)].metadata.fingerprints_only; }
  [[nodiscard]] const Profile& profile() const { return files_.front().metadata.profile; }
  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::size_t file_of(std::uint64_t row) const;
  // Whether some source is an archive, whose records have addresses.
  [[nodiscard]] bool has_addresses() const;
  // The address of a record of this file, from its packed fields; empty: it has none. A view into these.
  [[nodiscard]] std::string_view url(std::size_t file, std::string_view packed_fields) const;

  template <typename T>
  [[nodiscard]] std::vector<T> read_all(std::string_view name) const {
    std::vector<T> all;
    all.reserve(rows_);
    for (const File& file : files_) {
      const auto part = file.table->read_all<T>(name);
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }
  // Calls visit(first row, block) for every block of every file in order, with the listed columns filled.
  void for_each_block(const std::vector<std::size_t>& columns,
                      const std::function<void(std::uint64_t first, const storage::Block& block)>& visit) const;

 private:
  [[nodiscard]] const File* other_pages(const SketchMetadata& m) const;
  std::vector<File> files_;
  std::size_t old_files_;
  std::uint64_t rows_ = 0;
};

// The inputs that the files were made of, as they were given.
[[nodiscard]] std::vector<std::string> inputs_of(std::span<const SketchSet::File> files);

// Rows of a set in ascending order, the listed columns of their block at hand. Reads only blocks that hold one of them.
class RowReader {
 public:
  RowReader(const SketchSet& set, std::vector<std::size_t> columns) : set_(set), columns_(std::move(columns)) {}
  // Rows must not descend. What was read of a row is valid until the next call.
  void seek(std::uint64_t row);
  [[nodiscard]] std::size_t file() const { return file_; }
  // Of a fixed column of rows of `count` values each.
  template <typename T>
  [[nodiscard]] std::span<const T> values(std::size_t column, std::size_t count) const {
    return block_->column<T>(column).subspan(at_ * count, count);
  }
  template <typename T>
  [[nodiscard]] T value(std::size_t column) const {
    return block_->column<T>(column)[at_];
  }
  [[nodiscard]] std::string_view text(std::size_t column) const { return block_->text(column, at_); }

 private:
  const SketchSet& set_;
  std::vector<std::size_t> columns_;
  std::unique_ptr<storage::Block> block_;  // of the file
  std::size_t file_ = 0, next_block_ = 0, at_ = 0;
  std::uint64_t first_ = 0, end_ = 0;  // rows of the block
};

// Fields carried along for the keep policy and, behind them, the address of a record that has one, packed into one byte string: each a
// little-endian u32 length and its bytes.
void pack_fields(const std::vector<std::string_view>& fields, std::string& out);
[[nodiscard]] std::vector<std::string_view> unpack_fields(std::string_view packed);

}  // namespace leitong::sketches
