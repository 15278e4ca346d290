#include "hamming/index_rows_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "hamming/bits.h"
#include "hamming/hamming.h"
#include "hamming/index_nearest.h"

namespace leitong::hamming {
namespace {

constexpr std::uint32_t slice_size = 4096;     // rows compared at once
constexpr std::size_t queries_at_once = 64;    // looked up in one word at once
constexpr unsigned bits_of_word = 3;           // an index of a word is cheap up to here
constexpr std::uint64_t least_indexed = 2048;  // fewer rows are sooner compared
constexpr double candidate_cost = 30;          // nanoseconds to compare a row that stands anywhere

// Words that k bits are shared out to where each is to have bits_of_word at most.
unsigned words_for(unsigned k, unsigned words) { return std::min(words, (k + 1 + bits_of_word) / (bits_of_word + 1)); }

// Σ(most + 1) = k + 1, evenly.
std::array<unsigned, 4> shared_out(unsigned k, unsigned used) {
  std::array<unsigned, 4> most{};
  for (unsigned i = 0; i < used; ++i) most[i] = (k + 1) / used + (i < (k + 1) % used ? 1 : 0) - 1;
  return most;
}

}  // namespace

RowsRun::RowsRun(const RunRows& rows, const RunShape& shape) : words_(shape.words), n_(rows.values.size() / shape.words) {
  std::uint64_t* values = memory_.reserve(n_ * (words_ + 1));
  std::copy(rows.values.begin(), rows.values.end(), values);
  std::uint64_t* ids = values + n_ * words_;
  for (std::uint64_t i = 0; i < n_; ++i) ids[i] = rows.ids.empty() ? rows.first_id + i : rows.ids[i];
  values_ = values;
  ids_ = ids;
  if (words_ > 1 && n_ >= least_indexed) build_indexes(shape);
}

RowsRun::RowsRun(std::shared_ptr<const storage::ColumnFile> file, std::uint64_t first, unsigned words)
    : words_(words), file_(std::move(file)) {
  const RunRecord record = file_->column<RunRecord>(first, 1)[0];
  n_ = record.rows;
  if (n_ > most_rows || record.indexes > words) file_->damaged("has a run of an impossible shape");
  values_ = file_->column<std::uint64_t>(first + 1, n_ * words).data();
  ids_ = file_->column<std::uint64_t>(first + 2, n_).data();
  for (std::uint64_t i = 0; i < record.indexes; ++i) {
    if (record.word[i] >= words) file_->damaged("has an index of a word that is not there");
    const auto word = static_cast<unsigned>(record.word[i]);
    indexes_.push_back({word, record.alike[i], HalfIndex(file_, first + (i + 1) * columns_of_index)});
    if (indexes_.back().index.rows() != n_) file_->damaged("has an index of another number of rows");
  }
}

// As many words as make k bits cheap, those first that tell rows apart best.
void RowsRun::build_indexes(const RunShape& shape) {
  const unsigned used = words_for(shape.k, words_);
  const std::array<unsigned, 4> most = shared_out(shape.k, used);
  double cost = 0;
  for (unsigned i = 0; i < used; ++i) cost += HalfIndex::expected_cost(n_, most[i]);
  if (most[0] > HalfIndex::most_k || cost > scan_cost()) return;
  std::vector<std::pair<double, unsigned>> by_use;
  for (unsigned w = 0; w < words_; ++w) by_use.emplace_back(alike_in(w), w);
  std::sort(by_use.begin(), by_use.end());
  Buffer<std::uint64_t> memory;
  std::uint64_t* column = memory.reserve(n_);
  for (unsigned i = 0; i < used; ++i) {
    const auto [alike, word] = by_use[i];
    if (alike * static_cast<double>(n_) * candidate_cost > scan_cost()) break;
    for (std::uint64_t row = 0; row < n_; ++row) column[row] = values_[row * words_ + word];
    indexes_.push_back(
        {word, alike, HalfIndex({column, n_}, {}, 0, {.threads = shape.threads, .group_bits = {}, .first_bits = {}, .kernels = nullptr})});
  }
}

double RowsRun::alike_in(unsigned word) const {
  constexpr std::uint64_t sample_size = 128;
  const std::uint64_t count = std::min(sample_size, n_);
  std::vector<std::uint64_t> sample;
  for (std::uint64_t i = 0; i < count; ++i) {  // evenly, but not at a fixed stride: data may have a period
    const std::uint64_t width = n_ / count;
    sample.push_back(values_[(width * i + (i * 0x9e3779b97f4a7c15U >> 32) % width) * words_ + word]);
  }
  double pairs = 0, near = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j, ++pairs) near += bits_in(sample[i] ^ sample[j]) <= bits_of_word ? 1 : 0;
  }
  return pairs == 0 ? 0 : near / pairs;
}

RowsRun::Division RowsRun::divide(unsigned k) const {
  Division best;
  best.nanoseconds = scan_cost();
  for (unsigned used = 1; used <= std::min<std::size_t>(indexes_.size(), k + 1); ++used) {
    Division division{used, shared_out(k, used), 0};
    if (division.most[0] > HalfIndex::most_k) continue;
    for (unsigned i = 0; i < used; ++i)
      division.nanoseconds += indexes_[i].index.cost(division.most[i]) + indexes_[i].alike * static_cast<double>(n_) * candidate_cost;
    if (division.nanoseconds < best.nanoseconds) best = division;
  }
  return best;
}

std::string RowsRun::plan(unsigned k) const {
  const Division division = divide(k);
  if (division.used == 0) return "every row is compared";
  std::string words;
  for (unsigned i = 0; i < division.used; ++i)
    words += fmt::format("{}word {} within {} bits", i == 0 ? "" : ", ", indexes_[i].word, division.most[i]);
  return words;
}

void RowsRun::find(std::span<const std::uint64_t> queries, unsigned k, std::vector<Found>& found) const {
  const Division division = divide(k);
  if (division.used == 0) return scan(queries, k, found);
  std::vector<std::uint32_t> scanned;
  const std::size_t count = queries.size() / words_;
  for (std::size_t first = 0; first < count; first += queries_at_once) {
    const auto part = queries.subspan(first * words_, std::min(queries_at_once, count - first) * words_);
    const auto from = static_cast<std::ptrdiff_t>(found.size());
    std::array<bool, queries_at_once> full{};
    for (unsigned place = 0; place < division.used; ++place) find_by_word(division, place, part, k, full, found);
    const auto is_full = [&](const Found& f) { return full[f.query]; };  // what one word gave is left to the scan, too
    found.erase(std::remove_if(found.begin() + from, found.end(), is_full), found.end());
    for (auto f = found.begin() + from; f != found.end(); ++f) f->query += static_cast<std::uint32_t>(first);
    for (std::size_t q = 0; q < queries_at_once; ++q) {
      if (full[q]) scanned.push_back(static_cast<std::uint32_t>(first + q));
    }
  }
  if (scanned.empty()) return;
  scan_some(queries, words_, scanned, found, [&](std::span<const std::uint64_t> some, std::vector<Found>& into) { scan(some, k, into); });
}

// What an index names for some queries: `numbers` of the queries that it was asked.
struct RowsRun::Candidates {
  std::vector<Found> rows;  // the query: a place in numbers; the id: a row
  std::array<std::uint32_t, queries_at_once> numbers;
};

// A query with so many candidates that comparing all rows is cheaper is called full, and is not looked up any more.
void RowsRun::ask_word(const Division& division, unsigned place, std::span<const std::uint64_t> queries, std::span<bool> full,
                       Candidates& candidates) const {
  std::array<std::uint64_t, queries_at_once> column;
  std::size_t count = 0;
  for (std::uint32_t q = 0; q < queries.size() / words_; ++q) {
    if (full[q]) continue;
    candidates.numbers[count] = q;
    column[count++] = queries[std::size_t{q} * words_ + indexes_[place].word];
  }
  candidates.rows.clear();
  std::vector<std::uint32_t> too_full;
  indexes_[place].index.find(std::span(column).first(count), division.most[place], candidates.rows, &too_full);
  for (const std::uint32_t q : too_full) full[candidates.numbers[q]] = true;
  std::array<std::uint64_t, queries_at_once> of_query{};
  for (const Found& candidate : candidates.rows) ++of_query[candidate.query];
  for (std::size_t q = 0; q < count; ++q) {
    if (static_cast<double>(of_query[q]) * candidate_cost > scan_cost()) full[candidates.numbers[q]] = true;
  }
}

void RowsRun::find_by_word(const Division& division, unsigned place, std::span<const std::uint64_t> queries, unsigned k,
                           std::span<bool> full, std::vector<Found>& found) const {
  thread_local Candidates candidates;
  ask_word(division, place, queries, full, candidates);
  constexpr std::size_t look_ahead = 8;
  const std::size_t count = candidates.rows.size();
  for (std::size_t c = 0; c < count; ++c) {
    if (c + look_ahead < count) __builtin_prefetch(values_ + candidates.rows[c + look_ahead].id * words_);
    const std::uint32_t query = candidates.numbers[candidates.rows[c].query];
    const std::uint64_t row = candidates.rows[c].id;
    if (row >= n_) file_->damaged("has an index that names a row that is not there");
    if (full[query]) continue;
    touch_rows(row, 1);
    const std::uint64_t* asked = queries.data() + std::size_t{query} * words_;
    const std::uint64_t* have = values_ + row * words_;
    const unsigned bits = distance(asked, have, words_);
    if (bits > k) continue;
    bool earlier = false;
    for (unsigned i = 0; i < place; ++i) {
      const unsigned word = indexes_[i].word;
      earlier = earlier || bits_in(asked[word] ^ have[word]) <= division.most[i];
    }
    if (!earlier) found.push_back({query, bits, ids_[row]});
  }
}

void RowsRun::scan(std::span<const std::uint64_t> queries, unsigned k, std::vector<Found>& found) const {
  std::vector<std::uint32_t> hits(std::min<std::uint64_t>(slice_size, n_));
  for (std::uint64_t at = 0; at < n_; at += slice_size) {
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(slice_size, n_ - at));
    const std::uint64_t* rows = values_ + at * words_;
    touch_rows(at, count);
    for (std::uint32_t q = 0; q < queries.size() / words_; ++q) {
      const std::uint64_t* query = queries.data() + std::size_t{q} * words_;
      const std::uint32_t got = compare(query, rows, count, words_, k, hits.data());
      for (std::uint32_t h = 0; h < got; ++h)
        found.push_back({q, distance(query, rows + std::size_t{hits[h]} * words_, words_), ids_[at + hits[h]]});
    }
  }
}

void RowsRun::nearest(std::span<const std::uint64_t> query, Nearest& best) const {
  std::vector<std::uint32_t> hits(std::min<std::uint64_t>(slice_size, n_));
  for (std::uint64_t at = 0; at < n_; at += slice_size) {
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(slice_size, n_ - at));
    const std::uint64_t* rows = values_ + at * words_;
    touch_rows(at, count);
    const std::uint32_t got = compare(query.data(), rows, count, words_, best.radius(), hits.data());
    for (std::uint32_t h = 0; h < got; ++h)
      best.offer(distance(query.data(), rows + std::size_t{hits[h]} * words_, words_), ids_[at + hits[h]]);
  }
}

void RowsRun::copy_rows(std::uint64_t* values, std::uint64_t* ids) const {
  touch_rows(0, n_);
  std::copy_n(values_, n_ * words_, values);
  std::copy_n(ids_, n_, ids);
}

std::uint64_t RowsRun::bytes() const {
  std::uint64_t bytes = n_ * (words_ + 1) * sizeof(std::uint64_t);
  for (const WordIndex& index : indexes_) bytes += index.index.bytes();
  return bytes;
}

void RowsRun::write(storage::ColumnFileWriter& file, std::uint64_t first) const {
  RunRecord record{RunRecord::kind_rows, n_, indexes_.size(), {}, {}};
  for (std::size_t i = 0; i < indexes_.size(); ++i) {
    record.word[i] = indexes_[i].word;
    record.alike[i] = indexes_[i].alike;
  }
  touch_rows(0, n_);  // lest a rotten byte of a mapped file get a good checksum
  file.add(first, &record, 1);
  file.add(first + 1, values_, n_ * words_);
  file.add(first + 2, ids_, n_);
  for (std::size_t i = 0; i < indexes_.size(); ++i) indexes_[i].index.write(file, first + (i + 1) * columns_of_index);
}

}  // namespace leitong::hamming
