// Joins from an unsorted array, nothing prepared, beside std::sort of the same array.
#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>

#include "leitong/hamming.h"
#include "settings.h"

namespace bench_hamming {
namespace {

using leitong::HammingPair;

constexpr std::size_t compare_all = 20'000;           // rows up to which every pair is compared
constexpr std::size_t tables_all = 20'000'000;        // rows up to which the sorted tables are the check
constexpr std::size_t most_compared = 4'000'000'000;  // words, for a sample of rows

template <std::size_t Words>
void sort_wide(const Values& values, Samples& times) {
  struct Row {
    std::uint64_t word[Words];
    bool operator<(const Row& other) const { return std::lexicographical_compare(word, word + Words, other.word, other.word + Words); }
  };
  std::vector<Row> rows(values.size() / Words);
  std::memcpy(rows.data(), values.data(), values.size() * sizeof(std::uint64_t));
  times.take([&] { std::sort(rows.begin(), rows.end()); });
}

// One public call, what it gave, and what it should have given.
class Call {
 public:
  Call(const Settings& settings, const Values& values)
      : s_(settings), values_(values), left_(settings.call == "cross" ? settings.set.rows : 0) {
    const std::size_t rows = values.size() / s_.set.words;
    if (s_.call == "pairs" && rows > compare_all && (rows > tables_all || s_.set.k > 3))
      sample_.emplace(problem(), std::clamp<std::size_t>(most_compared / values.size(), 16, 256));
  }

  // What is measured: a counting sink, or the call's own result. Where the check is a sample, the measured sink does it: large joins run
  // once.
  void run(unsigned threads) {
    const auto options = options_for(threads);
    if (sample_) {
      found_ = {};
      sample_->forget();
      join(options, [&](std::span<const HammingPair> pairs) {
        for (const auto& p : pairs) found_.add(p.a, p.b, p.distance), sample_->add(p.a, p.b, p.distance);
      });
    } else if (s_.call == "pairs" || s_.call == "cross") {
      count_ = 0;
      join(options, [&](std::span<const HammingPair> pairs) { count_ += pairs.size(); });
    } else if (s_.call == "count") {
      count_ = leitong::hamming_count(values_, options);
    } else if (s_.call == "clusters") {
      clusters_ = leitong::hamming_clusters(values_, options);
    } else if (s_.call == "classes") {
      classes_ = leitong::hamming_classes(values_, s_.set.words);
    } else {
      throw std::invalid_argument(s_.call + " is no call of join");
    }
  }

  // Every run, on any number of threads, gives as many pairs as the first.
  void expect_same_count() {
    const std::uint64_t count = sample_ ? found_.count : count_;
    if (!first_count_) first_count_ = count;
    if (count != *first_count_)
      throw std::runtime_error("a join gave " + std::to_string(count) + " pairs, and " + std::to_string(*first_count_) + " before");
  }

  void check(Record& record) {
    if (s_.call == "count") return check_count(record);
    if (s_.call == "clusters") return check_clusters(record);
    if (s_.call == "classes") return check_classes(record);
    if (sample_) {
      record.add_tally(found_).add_check(sample_->how(), sample_->holds());
      return;
    }
    Tally found;  // in a run of its own, so that the measured sink only counts; with the most threads, since the others' counts are known
    join(options_for(s_.threads.back()), [&](std::span<const HammingPair> pairs) {
      for (const auto& p : pairs) found.add(p.a, p.b, p.distance);
    });
    const bool all = problem().rows() <= compare_all;
    const Tally expected = all ? every_pair(problem()) : sorted_tables(problem());
    record.add_tally(found).add_check(all ? "every pair compared" : "sorted tables of three blocks",
                                      found == expected && found.count == count_);
  }

 private:
  [[nodiscard]] Problem problem() const { return {values_, s_.set.words, s_.set.k, left_}; }
  [[nodiscard]] leitong::HammingJoinOptions options_for(unsigned threads) const {
    return {.words = s_.set.words, .k = s_.set.k, .threads = threads, .memory = s_.memory};
  }
  void join(const leitong::HammingJoinOptions& options, const leitong::HammingPairSink& sink) const {
    const std::span<const std::uint64_t> all(values_);
    if (left_ > 0)
      leitong::hamming_join(all.first(left_ * s_.set.words), all.subspan(left_ * s_.set.words), options, sink);
    else
      leitong::hamming_self_join(all, options, sink);
  }

  void check_count(Record& record) const {
    record.add("count", count_);
    record.add_check("classes of equal rows and sorted tables",
                     count_ == count_by_classes(distinct_rows(values_, s_.set.words), s_.set.words, s_.set.k));
  }
  void check_clusters(Record& record) const {
    std::uint64_t heads = 0;
    for (std::size_t i = 0; i < clusters_.size(); ++i) heads += clusters_[i] == i;
    record.add("count", heads);
    record.add_check("classes of equal rows, sorted tables, union-find: row for row",
                     clusters_ == clusters_by_classes(distinct_rows(values_, s_.set.words), s_.set.words, s_.set.k));
  }
  void check_classes(Record& record) const {
    const Distinct expected = distinct_rows(values_, s_.set.words);
    bool equal = classes_.classes() == expected.size.size() && classes_.rows.size() == expected.class_of_row.size();
    for (std::size_t c = 0; equal && c < classes_.classes(); ++c) {
      const auto rows = classes_.rows_of(c);
      const auto of = expected.class_of_row[rows[0]];
      equal = rows.size() == expected.size[of] && rows[0] == expected.first_row[of] && std::ranges::is_sorted(rows);
      for (const auto row : rows) equal = equal && expected.class_of_row[row] == of;
    }
    record.add("count", classes_.classes()).add_check("rows sorted: row for row", equal);
  }

  const Settings& s_;
  const Values& values_;
  std::size_t left_;
  std::uint64_t count_ = 0;
  std::optional<std::uint64_t> first_count_{};
  Tally found_{};
  std::optional<RowSample> sample_{};
  std::vector<std::uint32_t> clusters_{};
  leitong::HammingClasses classes_{};
};

Values rows_of(const Settings& settings) {
  Values values = make_rows(settings.set);
  if (settings.call != "cross") return values;
  const Values right = make_queries(settings.set, values, settings.set.rows);  // half of them near a row of the left side
  values.insert(values.end(), right.begin(), right.end());
  return values;
}

}  // namespace

void sort_rows(const Values& values, unsigned words, Samples& times) {
  if (words == 2) return sort_wide<2>(values, times);
  if (words == 4) return sort_wide<4>(values, times);
  Values copy = values;
  times.take([&] { std::sort(copy.begin(), copy.end()); });
}

void measure_join(const Settings& s) {
  const Values values = rows_of(s);
  const auto rows = static_cast<double>(values.size() / s.set.words);
  Call call(s, values);
  Samples sort, touch;
  if (s.keep) {
    keep_memory();
    for (const unsigned threads : s.threads) call.run(threads);
  }
  std::vector<Samples> ours(s.threads.size());
  std::vector<std::uint64_t> most(s.threads.size());
  for (int round = 0; round < s.rounds; ++round) {
    sort_rows(values, s.set.words, sort);
    if (!s.keep) release_memory();
    for (std::size_t t = 0; t < s.threads.size(); ++t) {
      const auto before = resident_bytes();
      reset_peak();
      ours[t].take([&] { call.run(s.threads[t]); });
      most[t] = std::max(most[t], peak_bytes() - std::min(peak_bytes(), before));
      call.expect_same_count();
    }
    if (!s.keep) touch.take([&] { touch_new_memory(most[0]); });
  }
  s.record("sort").add("call", s.call).add("threads", 1).add_times("std::sort", sort, rows).write(s.json);
  for (std::size_t t = 0; t < s.threads.size(); ++t) {
    Record record = s.record("join");
    record.add("call", s.call).add("threads", s.threads[t]).add_times("leitong", ours[t], rows).add_ratio(ours[t], sort, "std::sort");
    if (!s.keep) record.add("bytes_a_row", static_cast<double>(most[t]) / rows);
    if (!s.keep && t == 0) record.add("touch_ns", touch.median() / rows * 1e9);
    if (t > 0) record.add("times_as_fast", ours[0].median() / ours[t].median());
    if (t == 0) {
      record.add("plan", leitong::hamming_join_plan(values.size() / s.set.words, {.words = s.set.words, .k = s.set.k, .memory = s.memory}));
      call.check(record);
    }
    record.write(s.json);
  }
}

}  // namespace bench_hamming
