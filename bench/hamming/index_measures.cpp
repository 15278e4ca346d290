// The index: built from an unsorted array, asked in batches and one by one, added to and erased from while it is read.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <optional>
#include <thread>
#include <unordered_set>

#include "articles.h"
#include "leitong/hamming_index.h"
#include "settings.h"

namespace bench_hamming {
namespace {

using leitong::HammingIndex;
using leitong::HammingMatches;

constexpr std::size_t asked_singly = 20'000, asked_nearest = 1'000, asked_nearest_far = 20, most_added = 1'000'000;

Tally tally_of(const HammingMatches& matches, std::size_t queries) {
  Tally tally;
  for (std::size_t q = 0; q < queries; ++q)
    for (const auto& match : matches.of(q)) tally.add(q, match.id, match.distance);
  return tally;
}

bool is_ordered(const HammingMatches& matches) {
  for (std::size_t q = 0; q < matches.ends.size(); ++q)
    if (!std::ranges::is_sorted(
            matches.of(q), [](const auto& a, const auto& b) { return a.distance != b.distance ? a.distance < b.distance : a.id < b.id; }))
      return false;
  return true;
}

class IndexMeasures {
 public:
  explicit IndexMeasures(const Settings& settings)
      : s_(settings), words_(settings.set.words), rows_(make_rows(s_.set)), queries_(make_queries(s_.set, rows_, s_.queries)) {}

  void run() {
    build();
    look_up();
    if (!s_.grow) return;
    nearest("nearest, planted", 1, asked_nearest);
    nearest("nearest, random", 0, std::clamp<std::size_t>(200'000'000 / s_.set.rows, 4, asked_nearest_far));
    if (!s_.out.empty()) save_and_map();
    grow();
  }

 private:
  [[nodiscard]] leitong::HammingIndexOptions options() const { return {.words = words_, .k = s_.set.k, .threads = s_.threads[0]}; }
  [[nodiscard]] double n() const { return static_cast<double>(s_.set.rows); }
  [[nodiscard]] std::span<const std::uint64_t> query(std::size_t q) const { return std::span(queries_).subspan(q * words_, words_); }
  [[nodiscard]] std::size_t some(std::size_t most) const { return std::min(most, s_.queries); }

  void build() {
    Samples sort, build;
    std::uint64_t growth = 0;
    for (int round = 0; round < s_.rounds; ++round) {
      index_.reset();
      sort_rows(rows_, words_, sort);
      release_memory();
      const auto before = resident_bytes();
      build.take([&] { index_.emplace(rows_, std::span<const std::uint64_t>{}, options()); });
      growth = resident_bytes() - std::min(before, resident_bytes());
    }
    Record record = s_.record("build");
    record.add("threads", s_.threads[0]).add_times("leitong", build, n()).add_ratio(build, sort, "std::sort");
    record.add("bytes_a_row", static_cast<double>(index_->bytes()) / n()).add("resident_bytes_a_row", static_cast<double>(growth) / n());
    record.add("plan", index_->plan(s_.set.k)).write(s_.json);
  }

  void look_up() {
    Samples exact, batch, single;
    HammingMatches found;
    find_in_set(exact, batch, found);
    const std::size_t alone = some(asked_singly);
    std::uint64_t matches = 0;
    for (int round = 0; round < s_.rounds; ++round)
      single.take([&] {
        for (std::size_t q = 0; q < alone; ++q) matches += index_->find(query(q), s_.set.k).size();
      });
    const auto asked = static_cast<double>(s_.queries);
    if (words_ == 1) s_.record("exact look-up").add_times("std::unordered_set", exact, asked).write(s_.json);
    Record record = s_.record("look-up in batches");
    record.add("threads", s_.threads[0]).add_times("leitong", batch, asked);
    if (words_ == 1) record.add_ratio(batch, exact, "std::unordered_set::find");
    check_matches(found, record);
    record.add("plan", index_->plan(s_.set.k)).write(s_.json);
    Record alone_record = s_.record("look-up, one by one");
    alone_record.add_times("leitong", single, static_cast<double>(alone));
    alone_record.add_check("matches as in the batch", matches == static_cast<std::uint64_t>(s_.rounds) * tally_of(found, alone).count)
        .write(s_.json);
  }

  // std::unordered_set and the index in turn; the set is gone afterwards.
  void find_in_set(Samples& exact, Samples& batch, HammingMatches& found) {
    std::unordered_set<std::uint64_t> set;
    if (words_ == 1) {
      set.reserve(rows_.size());
      set.insert(rows_.begin(), rows_.end());
    }
    std::uint64_t hits = 0;
    index_->find_batch(queries_, s_.set.k, found);  // once unmeasured: `found` keeps its memory, as it does for a caller who asks on and on
    for (int round = 0; round < s_.rounds; ++round) {
      exact.take([&] {
        for (const auto q : queries_) hits += set.count(q);
      });
      batch.take([&] { index_->find_batch(queries_, s_.set.k, found); });
    }
    if (hits == UINT64_MAX) fmt::print("\n");  // the look-ups must not be optimised away
  }

  void check_matches(const HammingMatches& found, Record& record) const {
    const bool ordered = is_ordered(found);
    record.add_tally(tally_of(found, s_.queries));
    if (words_ == 1 && s_.set.k <= 3 && s_.set.kind == "uniform") {
      const FourTables tables(rows_);
      Tally expected;
      for (std::size_t q = 0; q < s_.queries; ++q) tables.find(queries_[q], q, s_.set.k, expected);
      record.add_check("four tables of 16 bits, all queries; ordered", ordered && expected == tally_of(found, s_.queries));
      return;
    }
    const std::size_t checked =
        some(s_.queries_checked > 0 ? s_.queries_checked : std::max<std::size_t>(2'000'000'000 / s_.set.rows / words_, 10));
    const Tally expected = scan_queries(rows_, std::span(queries_).first(checked * words_), words_, s_.set.k);
    record.add_check(fmt::format("{} queries compared with every row; ordered", checked), ordered && expected == tally_of(found, checked));
  }

  // Queries of one parity: odd ones are planted, even ones random. Their nearest row beyond the reach of any table is the index's hardest
  // case.
  void nearest(const std::string& name, std::size_t parity, std::size_t most) {
    const std::size_t asked = std::min(most, s_.queries / 2);
    std::vector<leitong::HammingMatch> found(asked);
    Samples times;
    times.take([&] {
      for (std::size_t i = 0; i < asked; ++i) {
        const auto matches = index_->nearest(query(2 * i + parity), 1);
        if (!matches.empty()) found[i] = matches[0];
      }
    });
    bool equal = true;
    for (std::size_t i = 0; i < std::min<std::size_t>(asked, 10); ++i) {
      leitong::HammingMatch best{0, UINT32_MAX};
      for (std::size_t row = 0; row < s_.set.rows; ++row) {
        const unsigned distance = distance_of(&rows_[row * words_], query(2 * i + parity).data(), words_);
        if (distance < best.distance) best = {row, distance};
      }
      equal = equal && best == found[i];
    }
    Record record = s_.record(name);
    record.add_times("leitong", times, static_cast<double>(asked)).add_check("10 queries compared with every row", equal).write(s_.json);
  }

  // To a file and back. The mapped index is asked at once, while its pages are still in the system's memory.
  void save_and_map() {
    Samples save, map, check, batch;
    HammingMatches found, mapped;
    const auto asked = std::span(queries_).first(some(asked_singly) * words_);
    index_->find_batch(asked, s_.set.k, found);
    save.take([&] { index_->save(s_.out); });
    check.take([&] { HammingIndex::check(s_.out); });
    std::optional<HammingIndex> opened;
    map.take([&] { opened.emplace(HammingIndex::map(s_.out)); });
    batch.take([&] { opened->find_batch(asked, s_.set.k, mapped); });
    s_.record("save").add_times("leitong", save, n()).write(s_.json);
    s_.record("check of a file").add_times("leitong", check, n()).write(s_.json);
    Record record = s_.record("map and ask");
    record.add_times("leitong, in batches", batch, static_cast<double>(asked.size() / words_)).add("map_seconds", map.median());
    record.add_check("matches as before saving", found.matches == mapped.matches && found.ends == mapped.ends).write(s_.json);
    std::remove(s_.out.c_str());
  }

  void grow() {
    const std::size_t count = std::min(most_added, std::max<std::size_t>(s_.set.rows / 10, 1));
    DataSet more = s_.set;
    more.rows = count;
    more.seed += 1000;
    const Values added = make_rows(more),
                 asked = make_queries(more, added, some(std::clamp<std::size_t>(4'000'000'000 / s_.set.rows, 20, 200)));
    const std::string how = fmt::format("{} queries compared with every row", asked.size() / words_);
    Samples adds, erases;
    adds.take([&] { add_all(added, count); });
    const bool found_added = holds(asked, added, count);
    erases.take([&] { erase_all(count); });
    const bool gone = holds(asked, {}, 0);
    s_.record("add, one by one").add_times("leitong", adds, static_cast<double>(count)).add_check(how, found_added).write(s_.json);
    s_.record("erase, one by one").add_times("leitong", erases, static_cast<double>(count)).add_check(how, gone).write(s_.json);
    read_while_adding(added, count);
  }

  void add_all(const Values& added, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) index_->add(s_.set.rows + i, std::span(added).subspan(i * words_, words_));
  }
  void erase_all(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) index_->erase(s_.set.rows + i);
  }
  [[nodiscard]] bool holds(const Values& asked, const Values& added, std::size_t count) const {
    HammingMatches found;
    index_->find_batch(asked, s_.set.k, found);
    Values all = rows_;
    all.insert(all.end(), added.begin(), added.begin() + static_cast<std::ptrdiff_t>(count * words_));
    return tally_of(found, asked.size() / words_) == scan_queries(all, asked, words_, s_.set.k);
  }

  // A second thread asks one by one while rows are added: how long does the slowest answer take, and was each row of the index found?
  void read_while_adding(const Values& added, std::size_t count) {
    std::atomic<bool> done = false;
    std::vector<double> waits;
    bool all_found = true;
    std::thread reader([&] {
      for (std::size_t row = 0; !done.load(); row = (row + 7919) % s_.set.rows) {
        const double start = wall_seconds();
        const auto matches = index_->find(std::span(rows_).subspan(row * words_, words_), s_.set.k);
        waits.push_back(wall_seconds() - start);
        all_found = all_found && std::ranges::any_of(matches, [&](const auto& m) { return m.id == row && m.distance == 0; });
      }
    });
    Samples adds;
    adds.take([&] { add_all(added, count); });
    done = true;
    reader.join();
    std::ranges::sort(waits);
    const auto at = [&](double share) {
      return waits.empty() ? 0 : waits[static_cast<std::size_t>(share * static_cast<double>(waits.size() - 1))] * 1e6;
    };
    Record record = s_.record("add while read");
    record.add_times("leitong", adds, static_cast<double>(count)).add("reads", waits.size());
    record.add("read_median_us", at(.5)).add("read_999_us", at(.999)).add("read_slowest_us", at(1));
    record.add_check("every read found its own row", all_found).write(s_.json);
  }

  const Settings& s_;
  unsigned words_;
  Values rows_, queries_;
  std::optional<HammingIndex> index_{};
};

}  // namespace

void measure_index(const Settings& settings) { IndexMeasures(settings).run(); }

}  // namespace bench_hamming
