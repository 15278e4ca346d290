// A run: rows that never change, in two or three mapped files. NAME.table holds the rows in order of their keys (docs/file-format.md, kind
// "documents"); NAME.index finds those with a fingerprint, by row number, NAME.keys those with a key. The table alone is enough to make
// both again.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hamming/index_run.h"
#include "leitong/error.h"
#include "storage/table_map.h"
#include "storage/vfs.h"
#include "store/manifest.h"
#include "store/postings.h"
#include "store/row.h"

namespace leitong::store {

// Column names. Columns that a shape does not have, or that would hold nothing but the usual, are absent.
namespace column {
inline constexpr const char* key = "key";            // 8: not with numeric ids
inline constexpr const char* id = "id";              // 8 with numeric ids, else variable
inline constexpr const char* sequence = "sequence";  // 4: less the metadata's first_sequence; 8 where they lie too far apart
inline constexpr const char* flags = "flags";        // 1; absent: every row has a fingerprint and no other flag
inline constexpr const char* simhash = "simhash";    // 8 × words
inline constexpr const char* sketch = "sketch";
inline constexpr const char* metadata = "metadata";
inline constexpr const char* text = "text";
}  // namespace column

inline constexpr const char* run_kind = "documents";
inline constexpr std::uint32_t run_version = 1;

[[nodiscard]] std::string table_name(std::uint64_t number);
[[nodiscard]] std::string index_name(std::uint64_t number);
[[nodiscard]] std::string keys_name(std::uint64_t number);
[[nodiscard]] std::array<std::string, 3> run_names(std::uint64_t number);  // all of them, whether there or not

// Reads files that are made of tables: what to do is added to an error.
template <typename Read>
decltype(auto) with_remedy(const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(error.code(),
                std::string(error.what()) +
                    "; compacting the collection makes the file again, and leitong collection check says whether all is good");
  }
}

// Thread-safe for reading. Errors: io and format. What is read is compared with its checksum first, once, so that a rotten byte is an error
// of the function that comes upon it and never gives a wrong answer.
class Run {
 public:
  // With `only_table` it is rows in order and by id, to make the other files of.
  Run(storage::Vfs& vfs, const std::string& directory, std::uint64_t number, const Shape& shape, bool only_table = false);

  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] std::uint64_t rows() const { return table_.rows(); }
  [[nodiscard]] std::uint64_t bytes() const;                      // of both files
  [[nodiscard]] ManifestRun named() const;                        // as a manifest names it
  [[nodiscard]] std::uint64_t erased() const { return erased_; }  // rows that only erase
  [[nodiscard]] std::uint64_t first_sequence() const { return first_sequence_; }
  [[nodiscard]] std::uint64_t last_sequence() const { return last_sequence_; }
  // Whether rows have other flags than a fingerprint's.
  [[nodiscard]] bool has_flags() const { return flags_ >= 0; }
  [[nodiscard]] const std::string& identity() const { return table_.identity(); }
  // Views live as long as the run.
  [[nodiscard]] Row row(std::uint64_t number) const;
  // Rows without `sketch`, `metadata` and `text`, whose pages are then not touched.
  [[nodiscard]] Row head(std::uint64_t number) const;
  // Only flags and `sketch`.
  [[nodiscard]] Row outline(std::uint64_t number) const;
  [[nodiscard]] std::uint64_t key_at(std::uint64_t row) const;
  // The row of an id, or rows().
  [[nodiscard]] std::uint64_t find_id(std::uint64_t key, std::string_view id) const;
  // Ask for the memory of a row.
  void prefetch_key(std::uint64_t row) const;
  void prefetch_head(std::uint64_t row) const;
  void prefetch_outline(std::uint64_t row) const;
  // Rows by fingerprint: what is found has row numbers as ids, each to be checked by index_row().
  [[nodiscard]] std::span<const std::shared_ptr<const hamming::Run>> index() const { return index_; }
  [[nodiscard]] std::uint64_t index_row(std::uint64_t id) const {
    if (id >= rows()) bad_index_row();
    return id;
  }
  // Of a shape with keys.
  [[nodiscard]] const Postings* postings() const { return postings_.get(); }
  // Error(io) if the system failed to give a mapped page so far. Reading functions whose answers count are followed by it.
  void require_readable() const;
  // Compares all files with their checksums, or the one that others can be made of.
  void verify_bytes() const;
  void verify_table() const;
  // That, the order and flags of the rows, and the index with the rows. 16 bytes of memory a row, and 8 a word.
  void verify() const;
  // Writes copies of both files, durable, into another directory.
  void copy_to(storage::Vfs& vfs, const std::string& directory) const;

 private:
  [[nodiscard]] std::string_view id_at(storage::TableMap::Place at) const;
  void open_index(storage::Vfs& vfs);
  void verify_index() const;
  [[noreturn]] void bad_index_row() const;
  // What cannot be read is zeros in the maps: then that is the error.
  [[noreturn]] void damaged(const std::string& what) const;

  std::uint64_t number_;
  Shape shape_;
  storage::TableMap table_;
  std::ptrdiff_t key_, id_, sequence_, flags_, simhash_, sketch_, metadata_, text_;  // columns, or -1
  std::uint64_t first_sequence_ = 0, last_sequence_ = 0, erased_ = 0, indexed_ = 0;
  std::string index_path_;
  std::shared_ptr<const storage::ColumnFile> index_file_;
  std::vector<std::shared_ptr<const hamming::Run>> index_;  // none: no row has a fingerprint
  std::unique_ptr<const Postings> postings_;
};

}  // namespace leitong::store
