// An index of 64-bit rows for exact look-ups within k bits: 20 bytes a row and a directory; 24 where ids do not lie within 2^32 of each
// other.
//
// The four blocks of 16 bits make four tables, each a column of 16-bit filters (the other block of the same half) in the order of its
// block. A look-up within 3 bits reads four buckets and keeps what differs in at most one bit, one in 4,000; larger k probes keys near
// the query's, as many as the thresholds ask for. A table names a whole half by key and filter, so only two of the four hold more: the
// low half's first table has the high half and the id of each row, the high half's first table has the low half.
//
// Inside a bucket, rows are in groups by the parity of the filter and by its top bits, as many as keep groups at some 20 rows: one
// differing bit is looked for among the filters of the other parity only, an equal half in one group.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hamming/bit_order.h"
#include "hamming/index_run.h"
#include "hamming/probe_kernels.h"
#include "hamming/table.h"

namespace leitong::hamming {

// Where the groups of a table begin: 32 bits for sixteen groups and 16 bits for each, or 32 bits for each where that is not enough.
struct HalfDirectory {
  const std::uint32_t* bases = nullptr;
  const std::uint16_t* offsets = nullptr;  // null: bases has one for each group
  [[nodiscard]] std::uint32_t start(std::uint32_t group) const noexcept {
    return offsets != nullptr ? bases[group >> 4] + offsets[group] : bases[group];
  }
  void prefetch(std::uint32_t group) const noexcept {
    if (offsets != nullptr) {
      __builtin_prefetch(offsets + group);
      __builtin_prefetch(bases + (group >> 4));
    } else {
      __builtin_prefetch(bases + group);
    }
  }
};

// What is written to the file as it is.
struct HalfShape {
  std::uint32_t rows = 0;
  std::uint32_t group_bits = 0;  // of a bucket: none, or one for the parity and the rest for the filter's top bits
  std::uint32_t wide_directory = 0, wide_ids = 0, has_order = 0;
  std::uint32_t zero = 0;
  std::uint64_t first_id = 0;  // added to narrow ids
  double usual_rows = 0;       // filters read by a query that is not worth thresholds of its own
  std::array<std::uint8_t, 64> order{};
};
static_assert(sizeof(HalfShape) == 104, "these are bytes of the file");

class HalfIndex {
 public:
  static constexpr unsigned most_k = 12;
  static constexpr unsigned tables = 4;
  static constexpr unsigned most_group_bits = 7;

  struct Options {
    unsigned threads = 1;                   // that build tables at once
    std::optional<unsigned> group_bits;     // of a bucket, 0 … most_group_bits; absent: by the number of rows
    std::optional<unsigned> first_bits;     // that the first pass of building sorts by, 8 … 11; absent: by the number of rows
    const ProbeKernels* kernels = nullptr;  // null: those of this process
  };

  // ids may be empty: then rows are numbered from first_id. At most Run::most_rows rows.
  HalfIndex(std::span<const std::uint64_t> values, std::span<const std::uint64_t> ids, std::uint64_t first_id, const Options& options);
  // Of columns `first` … `first` + 15 of a file.
  HalfIndex(std::shared_ptr<const storage::ColumnFile> file, std::uint64_t first);
  HalfIndex(HalfIndex&&) noexcept = default;
  HalfIndex& operator=(HalfIndex&&) noexcept = delete;
  ~HalfIndex() = default;
  void write(storage::ColumnFileWriter& file, std::uint64_t first) const;

  // Adds the rows within k (0 … most_k) bits of each query. Where so many rows are alike that comparing all is cheaper, that is done; or,
  // if `full` is given, the numbers of such queries are added to it instead.
  void find(std::span<const std::uint64_t> queries, unsigned k, std::vector<Found>& found,
            std::vector<std::uint32_t>* full = nullptr) const;
  // find() of up to few_queries queries within up to most_at_once bits in several indexes: found[i] gets what indexes[i] has. Each waits
  // for memory while others work, so that several cost little more than one; of many queries or wider radii that is so already.
  static constexpr std::size_t few_queries = 8;
  static constexpr unsigned most_at_once = 3;
  static void find_in_all(std::span<const HalfIndex* const> indexes, std::span<const std::uint64_t> queries, unsigned k,
                          std::span<std::vector<Found>* const> found);
  // The same by comparing all rows; any k.
  void scan(std::span<const std::uint64_t> queries, unsigned k, std::vector<Found>& found) const;
  // Offers the rows that may be among the nearest.
  void nearest(std::uint64_t query, Nearest& best) const;
  // All rows and ids, in some order. ids may be null.
  void copy_rows(std::uint64_t* values, std::uint64_t* ids) const;

  [[nodiscard]] std::uint32_t rows() const { return shape_.rows; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  // The model's nanoseconds of a query within k bits (most_k at most) …
  [[nodiscard]] double cost(unsigned k) const { return costs_[k < most_k ? k : most_k]; }
  // … and what they would be for so many evenly spread rows.
  [[nodiscard]] static double expected_cost(std::uint64_t rows, unsigned k);

 private:
  enum Place : unsigned { place_low, place_low_swapped, place_high, place_high_swapped };
  struct Table {
    HalfDirectory directory;
    const std::uint16_t* filters = nullptr;
  };
  struct Thresholds {  // of keys, by table; -1: the table is not asked. low and high: the most bits in which that half may differ
    std::array<int, tables> key;
    int low, high;
    double price;  // in filters read, where it was asked for
  };
  struct Asked {  // what a probe looks for
    std::uint32_t tag;
    std::uint16_t key, filter;
  };
  enum Step { step_probes, step_high_halves, step_low_halves };  // what a look-up reads: its own probes, then halves that hits named
  static constexpr Step all_steps[] = {step_probes, step_high_halves, step_low_halves};
  struct Settle {  // whose hits, and where matches go
    std::span<const std::uint64_t> queries;
    unsigned k;
    std::uint32_t first_query;
    std::vector<Found>& found;
  };
  struct Batch;
  class Builder;

  [[nodiscard]] std::uint32_t groups() const noexcept { return 65536U << shape_.group_bits; }
  [[nodiscard]] std::uint32_t group_of(std::uint32_t key, std::uint32_t filter) const noexcept;
  [[nodiscard]] std::uint32_t bucket_start(unsigned table, std::uint32_t key) const noexcept {
    return tables_[table].directory.start(key << shape_.group_bits);
  }
  // Items of a column are about to be read. Of a mapped file: Error(format) if they are damaged. Directories were verified by opening it.
  template <typename T>
  void touch(const T* items, std::size_t count) const {
    if (file_ != nullptr) file_->touch(items, count);
  }
  void touch_rows(std::uint32_t first, std::uint32_t count) const {  // as table place_low has them
    touch(tables_[place_low].filters + first, count);
    touch(payload_ + std::size_t{first} * stride_, std::size_t{count} * stride_);
  }
  [[nodiscard]] std::uint64_t id_of(std::uint32_t row) const noexcept {
    const std::uint32_t* id = payload_ + std::size_t{row} * stride_ + 1;
    return shape_.wide_ids != 0 ? id[0] | std::uint64_t{id[1]} << 32 : shape_.first_id + id[0];
  }
  [[nodiscard]] std::uint32_t high_half(std::uint32_t row) const noexcept { return payload_[std::size_t{row} * stride_]; }

  [[nodiscard]] static Thresholds usual_thresholds(unsigned k);
  [[nodiscard]] Thresholds best_thresholds(std::uint64_t query, unsigned k) const;
  [[nodiscard]] std::array<double, most_k + 2> prices(std::uint64_t query, unsigned table, unsigned most) const;
  void prefetch_directories(std::uint64_t query) const;
  [[nodiscard]] double rows_of_buckets(std::uint64_t query) const;
  [[nodiscard]] bool add_usual(std::uint64_t query, std::uint32_t number, unsigned k, const Thresholds& usual, Batch& batch) const;
  void add_exact(std::uint64_t query, std::uint32_t number, const Thresholds& t, Batch& batch) const;
  void add_query(std::uint64_t query, std::uint32_t number, const Thresholds& t, Batch& batch) const;
  Probe* add_range(const Asked& asked, std::uint32_t first_group, std::uint32_t last_group, unsigned least, unsigned most, Probe* to,
                   std::uint64_t& filters) const;
  Probe* add_bucket(const Asked& asked, unsigned least, unsigned most, Probe* to, std::uint64_t& filters) const;
  void add_equal(const Asked& asked, Batch& batch) const;
  [[nodiscard]] ProbeScan scan_of(Batch& batch) const;
  bool read_probes(ProbeScan& scan, Batch& batch) const;
  void touch_probes(const Batch& batch) const;
  void prefetch_row(const ProbeHit& hit) const;
  template <typename Use>
  void each_slice(const Use& use) const;
  void use_hits(Step step, const Settle& settle, Batch& batch) const;
  void add_halves(Step step, Batch& batch) const;
  void settle(const Settle& settle, Batch& batch) const;
  void settle_high(const Settle& settle, std::uint32_t number, std::uint32_t high, std::uint32_t low, Batch& batch) const;

  [[nodiscard]] static double model(unsigned k, double bucket, bool parted);
  void fill_costs();
  void open_columns(std::uint64_t first);
  void check_directories() const;

  const ProbeKernels* kernels_;
  HalfShape shape_;
  std::uint32_t stride_ = 2;       // of payload_
  std::optional<BitOrder> order_;  // of the values in the tables
  std::optional<BitOrder> back_;   // its inverse
  std::uint64_t bytes_ = 0;
  std::array<double, most_k + 1> costs_{};
  double most_usual_ = 0;          // filters read by the usual thresholds; a query that reads more gets its own
  Buffer<std::uint64_t> columns_;  // one piece, on huge pages, or half the time of a look-up goes into finding pages
  std::shared_ptr<const storage::ColumnFile> file_;
  std::array<Table, tables> tables_;
  const std::uint32_t* payload_ = nullptr;     // in the order of table place_low: the high half, the id in one word or two
  const std::uint32_t* low_halves_ = nullptr;  // in the order of table place_high
};

// Key and filter of the four tables as shifts of a value.
constexpr unsigned half_key_shift[HalfIndex::tables] = {16, 0, 48, 32};
constexpr unsigned half_filter_shift[HalfIndex::tables] = {0, 16, 32, 48};
constexpr std::uint32_t half_block(std::uint64_t value, unsigned shift) noexcept {
  return static_cast<std::uint32_t>(value >> shift) & 0xffff;
}

// A query reads about 4 × agreement × rows filters. Four times as many are a reason to look for thresholds of its own, and so is a share of
// all rows, however many agree.
constexpr double usual_slack = 64, usual_times = 16, usual_share = 1.0 / 16;

// Rows above which a group is in order of filters.
constexpr std::uint32_t sorted_group = 512;

inline std::uint32_t HalfIndex::group_of(std::uint32_t key, std::uint32_t filter) const noexcept {
  const std::uint32_t bits = shape_.group_bits;
  if (bits == 0) return key;
  const auto odd = static_cast<std::uint32_t>(__builtin_parity(filter));
  return (key << 1 | odd) << (bits - 1) | filter >> (17 - bits);
}

}  // namespace leitong::hamming
