// A run: rows of an index that never change, in whatever layout finds them best. Runs are read by any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "storage/column_file.h"

namespace leitong::hamming {

struct Found {
  std::uint32_t query, distance;
  std::uint64_t id;
};

// Rows on their way into a run.
struct RunRows {
  std::span<const std::uint64_t> values;  // rows × words
  std::span<const std::uint64_t> ids;     // may be empty: then rows are numbered from first_id
  std::uint64_t first_id = 0;
};

struct RunShape {
  unsigned words = 1, k = 3, threads = 1;
};

// Of a vector that a thread keeps from call to call: what one large answer took.
template <typename T>
void give_back(std::vector<T>& kept) {
  constexpr std::size_t most = std::size_t{1} << 20;  // bytes
  if (kept.capacity() * sizeof(T) > most) std::vector<T>().swap(kept);
}

class HalfIndex;
class Nearest;

class Run {
 public:
  static constexpr std::uint64_t most_rows = 0xffffff00;

  Run() = default;
  virtual ~Run() = default;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  [[nodiscard]] virtual std::uint64_t rows() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  // Adds the rows within k bits of each query, in no order, but those of an earlier query first where that costs nothing.
  virtual void find(std::span<const std::uint64_t> queries, unsigned k, std::vector<Found>& found) const = 0;
  // What HalfIndex::find_in_all() may be asked instead of find(); null: nothing.
  [[nodiscard]] virtual const HalfIndex* halves(unsigned) const { return nullptr; }
  // Writes all rows and their ids, in no order.
  virtual void copy_rows(std::uint64_t* values, std::uint64_t* ids) const = 0;
  // Offers all rows that may be among the nearest.
  virtual void nearest(std::span<const std::uint64_t> query, Nearest& best) const = 0;
  // The model's nanoseconds of a query in a batch, and in words how it is done.
  [[nodiscard]] virtual double cost(unsigned k) const = 0;
  [[nodiscard]] virtual std::string plan(unsigned k) const = 0;
  // Columns of ids `first` … `first` + run_columns - 1.
  virtual void write(storage::ColumnFileWriter& file, std::uint64_t first) const = 0;
};
constexpr std::uint64_t run_columns = 256;

// A run's first column. Its word indexes have columns_of_index columns each, from the second such number on; rows and ids stand between.
struct RunRecord {
  enum Kind : std::uint64_t { kind_rows, kind_halves };
  std::uint64_t kind, rows, indexes;
  std::uint64_t word[4];  // of each index
  double alike[4];        // the share of row pairs that are near in that word, in a sample
};
static_assert(sizeof(RunRecord) == 88, "these are bytes of the file");
constexpr std::uint64_t columns_of_index = 16;

// Nanoseconds to compare a word of a row.
constexpr double compared_word = 0.4;

// scan(queries, found) for some of the queries only.
template <typename Scan>
void scan_some(std::span<const std::uint64_t> queries, unsigned words, std::span<const std::uint32_t> numbers, std::vector<Found>& found,
               const Scan& scan) {
  std::vector<std::uint64_t> some;
  for (const std::uint32_t number : numbers) {
    const auto query = queries.subspan(std::size_t{number} * words, words);
    some.insert(some.end(), query.begin(), query.end());
  }
  std::size_t f = found.size();
  scan(std::span<const std::uint64_t>(some), found);
  for (; f < found.size(); ++f) found[f].query = numbers[found[f].query];
}

// find() in several runs: found[i] gets what runs[i] has. Few queries are looked up in all runs at once.
void find_in_runs(std::span<const Run* const> runs, std::span<const std::uint64_t> queries, unsigned k,
                  std::span<std::vector<Found>* const> found);
// At most Run::most_rows rows.
[[nodiscard]] std::shared_ptr<const Run> make_run(const RunRows& rows, const RunShape& shape);
// A run that was written; `file` lives as long as the run.
[[nodiscard]] std::shared_ptr<const Run> map_run(std::shared_ptr<const storage::ColumnFile> file, std::uint64_t first,
                                                 const RunShape& shape);

}  // namespace leitong::hamming
