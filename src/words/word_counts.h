// In how many documents each word occurs, counted in a bounded amount of memory: a table a thread, sorted runs in scratch files, one merge.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/scratch_file.h"
#include "storage/vfs.h"

namespace leitong::words {

// A word and the documents that hold it. `first` and `last` are numbers of documents: a document that was being read when a table was
// written out is in two runs, and the merge takes it back once where the last of one run is the first of the next.
struct CountedWord {
  std::string_view word;
  std::uint64_t documents = 0, first = 0, last = 0;
};

// Words in ascending order of their bytes.
class WordSource {
 public:
  WordSource() = default;
  virtual ~WordSource() = default;
  WordSource(const WordSource&) = delete;
  WordSource& operator=(const WordSource&) = delete;
  // False at the end. current() is valid until the next call.
  virtual bool next() = 0;
  [[nodiscard]] const CountedWord& current() const { return current_; }

 protected:
  CountedWord current_;
};

// Counts the documents of one thread.
class WordCounts {
 public:
  // Scratch files are named `scratch` and a number. `number` is that of the thread: documents of different threads are different ones.
  // `memory` in bytes; a word that is longer than that is counted all the same.
  WordCounts(storage::Vfs& vfs, std::string scratch, std::uint64_t memory, unsigned number);
  ~WordCounts();
  WordCounts(const WordCounts&) = delete;
  WordCounts& operator=(const WordCounts&) = delete;

  void start_document() { ++document_; }
  void add(std::string_view word);
  // Ends adding. What was counted, as few sources as `most` asks for (at least 1). They live as long as this object.
  [[nodiscard]] std::vector<std::unique_ptr<WordSource>> sources(std::size_t most);
  [[nodiscard]] std::uint64_t runs_written() const { return runs_written_; }

 private:
  struct Entry {
    std::string_view word;
    std::uint64_t hash = 0, documents = 0, first = 0, last = 0;
  };
  struct Run {
    std::uint64_t begin = 0, end = 0;  // in the level's file
  };
  struct Level {  // runs that were merged equally often; older ones first
    std::unique_ptr<storage::ScratchFile> file;
    std::vector<Run> runs;
  };
  class TableSource;
  class RunSource;

  void grow_slots();
  [[nodiscard]] std::uint64_t used() const;
  [[nodiscard]] std::string_view keep(std::string_view word);
  void sort_table();
  void spill();
  void clear_table();
  Run write_run(Level& level, std::vector<std::unique_ptr<WordSource>> sources);
  void compact(std::size_t level);
  [[nodiscard]] std::vector<std::unique_ptr<WordSource>> run_sources(std::size_t first_level, std::size_t end_level);
  [[nodiscard]] Level& level(std::size_t number);

  storage::Vfs& vfs_;
  std::string scratch_;
  std::uint64_t memory_, document_;
  std::vector<std::unique_ptr<Entry[]>> entries_;  // blocks, so that nothing is copied when there are more
  std::size_t size_ = 0;
  std::vector<std::uint32_t> slots_;                 // entry + 1, by hash; when sorted: entries in the order of their words
  std::vector<std::unique_ptr<char[]>> characters_;  // blocks of words
  std::size_t block_used_ = 0, block_size_ = 0;
  std::uint64_t character_bytes_ = 0;
  std::vector<Level> levels_;
  std::uint64_t files_ = 0, runs_written_ = 0;
};

// All words of the sources in order, equal ones added up.
void merge_words(std::vector<std::unique_ptr<WordSource>> sources, const std::function<void(const CountedWord&)>& sink);

}  // namespace leitong::words
