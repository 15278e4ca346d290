// A run: rows that never change, in two or three memory-mapped files. NAME.table holds the rows sorted by their keys (docs/file-format.md,
// kind "documents"). NAME.index finds rows by fingerprint and NAME.keys finds rows by key; both contain row numbers, and both can be made
// again from the table.
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

// Column names. A column is absent if the shape does not have it, or if it would only hold the usual value.
namespace column {
inline constexpr const char* key = "key";            // 8 bytes; not with numeric ids
inline constexpr const char* id = "id";              // 8 bytes with numeric ids, otherwise variable
inline constexpr const char* sequence = "sequence";  // 4 bytes: less the metadata's first_sequence; 8 bytes if they differ too much
inline constexpr const char* flags = "flags";        // 1 byte; absent: every row has a fingerprint and no other flag
inline constexpr const char* simhash = "simhash";    // 8 bytes for each word
inline constexpr const char* sketch = "sketch";
inline constexpr const char* metadata = "metadata";
inline constexpr const char* text = "text";
}  // namespace column

inline constexpr const char* run_kind = "documents";
inline constexpr std::uint32_t run_version = 1;

[[nodiscard]] std::string table_name(std::uint64_t number);
[[nodiscard]] std::string index_name(std::uint64_t number);
[[nodiscard]] std::string keys_name(std::uint64_t number);
[[nodiscard]] std::array<std::string, 3> run_names(std::uint64_t number);  // of all files, whether they exist or not

// Calls a function that reads derived files (indexes, keys), and adds a remedy to its errors.
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

// Thread-safe for reading. Errors: io and format. Before data is used for the first time, it is compared with its checksum. So a damaged
// byte causes an error in the function that reads it, and never a wrong answer.
class Run {
 public:
  // With `only_table` rows can only be read in order and found by id, which is enough to make the other files again.
  Run(storage::Vfs& vfs, const std::string& directory, std::uint64_t number, const Shape& shape, bool only_table = false);

  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] std::uint64_t rows() const { return table_.rows(); }
  [[nodiscard]] std::uint64_t bytes() const;                      // of all its files
  [[nodiscard]] ManifestRun named() const;                        // the entry for it in a manifest
  [[nodiscard]] std::uint64_t erased() const { return erased_; }  // number of erasing rows
  [[nodiscard]] std::uint64_t first_sequence() const { return first_sequence_; }
  [[nodiscard]] std::uint64_t last_sequence() const { return last_sequence_; }
  // Whether rows may have flags other than `fingerprint`.
  [[nodiscard]] bool has_flags() const { return flags_ >= 0; }
  [[nodiscard]] const std::string& identity() const { return table_.identity(); }
  // Views are valid as long as the run exists.
  [[nodiscard]] Row row(std::uint64_t number) const;
  // A row without `sketch`, `metadata` and `text`, so that their pages are not read.
  [[nodiscard]] Row head(std::uint64_t number) const;
  // Only flags and `sketch`.
  [[nodiscard]] Row outline(std::uint64_t number) const;
  [[nodiscard]] std::uint64_t key_at(std::uint64_t row) const;
  // The row of an id, or rows() if there is none.
  [[nodiscard]] std::uint64_t find_id(std::uint64_t key, std::string_view id) const;
  // Prefetch parts of a row.
  void prefetch_key(std::uint64_t row) const;
  void prefetch_head(std::uint64_t row) const;
  void prefetch_outline(std::uint64_t row) const;
  // The index by fingerprint. Its ids are row numbers; each must be checked by index_row().
  [[nodiscard]] std::span<const std::shared_ptr<const hamming::Run>> index() const { return index_; }
  [[nodiscard]] std::uint64_t index_row(std::uint64_t id) const {
    if (id >= rows()) bad_index_row();
    return id;
  }
  // Only if the shape has keys; otherwise null.
  [[nodiscard]] const Postings* postings() const { return postings_.get(); }
  // Throws Error(io) if the system could not read a mapped page so far. Must be called after reading, before the result is used.
  void require_readable() const;
  // Compare all files with their checksums, or only the table, from which the others can be made.
  void verify_bytes() const;
  void verify_table() const;
  // As verify_bytes(), and also checks the order and flags of the rows, and the index against the rows. Memory: 16 bytes a row, and 8 bytes
  // a word.
  void verify() const;
  // Copies all files, durably, to another directory.
  void copy_to(storage::Vfs& vfs, const std::string& directory) const;

 private:
  [[nodiscard]] std::string_view id_at(storage::TableMap::Place at) const;
  void open_index(storage::Vfs& vfs);
  void verify_index() const;
  [[noreturn]] void bad_index_row() const;
  // Unreadable pages read as zeros and look like damage; in that case the error is the failure to read.
  [[noreturn]] void damaged(const std::string& what) const;

  std::uint64_t number_;
  Shape shape_;
  storage::TableMap table_;
  std::ptrdiff_t key_, id_, sequence_, flags_, simhash_, sketch_, metadata_, text_;  // columns, or -1
  std::uint64_t first_sequence_ = 0, last_sequence_ = 0, erased_ = 0, indexed_ = 0;
  std::string index_path_;
  std::shared_ptr<const storage::ColumnFile> index_file_;
  std::vector<std::shared_ptr<const hamming::Run>> index_;  // empty: no row has a fingerprint
  std::unique_ptr<const Postings> postings_;
};

}  // namespace leitong::store
