// Files of fingerprints to lines of their pairs, groups and matches.
#include "leitong/near_fingerprints.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "job/job.h"
#include "job/ordered_pipeline.h"
#include "leitong/error.h"
#include "leitong/hamming.h"
#include "outputs/output_file.h"

namespace leitong {
namespace {

constexpr std::size_t line_count = std::size_t{1} << 18;  // bytes that a sink gets at a time, and a little more
constexpr std::uint64_t batch_size = 4096;                // queries

void check_widths(std::string_view left, unsigned left_words, std::string_view right, unsigned right_words) {
  if (left_words == right_words) return;
  throw Error(ErrorCode::usage, fmt::format("{} has fingerprints of {} bits, {} of {}: only equal widths have a distance", left,
                                            64 * left_words, right, 64 * right_words));
}

HammingJoinOptions join_options(const FingerprintFile& left, const FingerprintFile* right, unsigned k, const job::Job& job) {
  if (right != nullptr && left.size() > 0 && right->size() > 0) check_widths(left.path(), left.words(), right->path(), right->words());
  HammingJoinOptions options;
  options.words = left.size() > 0 || right == nullptr ? left.words() : right->words();
  options.k = k;
  options.threads = job.threads();
  const std::uint64_t held = left.held_bytes() + (right != nullptr ? right->held_bytes() : 0);
  options.memory = job.memory() > held + job::Job::least_memory ? job.memory() - held : job::Job::least_memory;
  return options;
}

// Lines on their way to the sink.
class Lines {
 public:
  Lines(const LineSink& sink, const job::Job& job) : sink_(sink), job_(job) { buffer_.reserve(line_count + 4096); }

  fmt::appender out() { return fmt::appender(buffer_); }
  void flush_if_full() {
    if (buffer_.size() >= line_count) flush();
  }
  void flush() {
    job_.check_stop();
    if (buffer_.size() > 0) sink_({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }

 private:
  const LineSink& sink_;
  const job::Job& job_;
  fmt::memory_buffer buffer_;
};

// Rows in clusters of two or more: by cluster, the first of which is its root, ascending.
struct Grouped {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> ends;  // by root: behind its last row in `rows`
};

Grouped group(const std::vector<std::uint32_t>& roots) {
  constexpr std::uint32_t alone = 0xffffffff;
  Grouped out;
  out.ends.assign(roots.size(), 0);
  for (const std::uint32_t root : roots) ++out.ends[root];
  std::uint32_t begin = 0;
  for (std::uint32_t& entry : out.ends) {
    const std::uint32_t size = entry;
    entry = size < 2 ? alone : begin;
    begin += size < 2 ? 0 : size;
  }
  out.rows.resize(begin);
  for (std::uint32_t row = 0; row < roots.size(); ++row)
    if (std::uint32_t& at = out.ends[roots[row]]; at != alone) out.rows[at++] = row;
  return out;
}

void append_cluster(const FingerprintFile& file, std::span<const std::uint32_t> members, Lines& lines) {
  fmt::format_to(lines.out(), "{{\"cluster\":{},\"rows\":[", file.row(members.front()));
  const char* comma = "";
  for (const std::uint32_t i : members) {
    fmt::format_to(lines.out(), "{}{}", comma, file.row(i));
    comma = ",";
    lines.flush_if_full();
  }
  if (file.has_ids()) {
    fmt::format_to(lines.out(), "],\"ids\":[");
    comma = "";
    for (const std::uint32_t i : members) {
      const std::string_view id = file.id(i);
      fmt::format_to(lines.out(), "{}{}", comma, id.empty() ? "null" : id);
      comma = ",";
      lines.flush_if_full();
    }
  }
  fmt::format_to(lines.out(), "]}}\n");
  lines.flush_if_full();
}

// Queries `first` … of a file, and what was found.
struct Batch {
  std::uint64_t first = 0, count = 0;
  HammingMatches found;
  std::string lines;
  LookupCounts counts;
};

class Lookup {
 public:
  Lookup(const HammingIndex& index, const FingerprintFile& queries, const LookupOptions& options)
      : index_(index), queries_(queries), options_(options), words_(index.options().words) {}

  void answer(Batch& batch) const {
    batch.lines.clear();
    batch.counts = {.queries = batch.count};
    const std::span<const std::uint64_t> values = queries_.values().subspan(batch.first * words_, batch.count * words_);
    if (!options_.nearest || options_.k) index_.find_batch(values, options_.k.value_or(index_.options().k), batch.found);
    for (std::uint64_t i = 0; i < batch.count; ++i) {
      std::vector<HammingMatch> nearest;
      std::span<const HammingMatch> matches;
      if (options_.nearest && !options_.k) {
        nearest = index_.nearest(values.subspan(i * words_, words_), *options_.nearest);
        matches = nearest;
      } else {
        matches = batch.found.of(i);
        if (options_.nearest) matches = matches.first(std::min<std::size_t>(matches.size(), *options_.nearest));
      }
      append(batch.first + i, matches, batch);
    }
  }

 private:
  void append(std::uint64_t query, std::span<const HammingMatch> matches, Batch& batch) const {
    const std::uint64_t row = queries_.row(query);
    std::string_view key, id;
    if (queries_.has_ids() && !matches.empty()) {
      key = ",\"query_id\":";
      id = queries_.id(query).empty() ? "null" : queries_.id(query);
    }
    for (const HammingMatch& match : matches)
      fmt::format_to(std::back_inserter(batch.lines), "{{\"query\":{}{}{},\"id\":{},\"distance\":{}}}\n", row, key, id, match.id,
                     match.distance);
    batch.counts.matches += matches.size();
    batch.counts.answered += matches.empty() ? 0 : 1;
  }

  const HammingIndex& index_;
  const FingerprintFile& queries_;
  const LookupOptions& options_;
  unsigned words_;
};

}  // namespace

std::uint64_t count_near_pairs(const FingerprintFile& left, const FingerprintFile* right, const NearOptions& options) {
  const job::Job job(options.job, "join");
  const HammingJoinOptions join = join_options(left, right, options.k, job);
  return right == nullptr ? hamming_count(left.values(), join) : hamming_count(left.values(), right->values(), join);
}

std::uint64_t write_near_pairs(const FingerprintFile& left, const FingerprintFile* right, const NearOptions& options,
                               const LineSink& sink) {
  const job::Job job(options.job, "join");
  const HammingJoinOptions join = join_options(left, right, options.k, job);
  Lines lines(sink, job);
  std::uint64_t pairs = 0;
  const FingerprintFile& second = right == nullptr ? left : *right;
  const auto take = [&](std::span<const HammingPair> batch) {
    for (const HammingPair& pair : batch) {
      fmt::format_to(lines.out(), FMT_COMPILE("{},{},{}\n"), left.row(pair.a), second.row(pair.b), pair.distance);
      lines.flush_if_full();
    }
    pairs += batch.size();
  };
  if (right == nullptr) {
    hamming_self_join(left.values(), join, take);
  } else {
    hamming_join(left.values(), right->values(), join, take);
  }
  lines.flush();
  return pairs;
}

NearClusters write_near_clusters(const FingerprintFile& file, const NearOptions& options, const LineSink& sink) {
  const job::Job job(options.job, "join");
  Grouped grouped;
  {
    const std::vector<std::uint32_t> roots = hamming_clusters(file.values(), join_options(file, nullptr, options.k, job));
    grouped = group(roots);
  }
  Lines lines(sink, job);
  NearClusters counts;
  for (std::uint32_t begin = 0; begin < grouped.rows.size();) {
    const std::uint32_t end = grouped.ends[grouped.rows[begin]];
    append_cluster(file, std::span(grouped.rows).subspan(begin, end - begin), lines);
    ++counts.clusters;
    counts.rows += end - begin;
    begin = end;
  }
  lines.flush();
  return counts;
}

LookupCounts write_matches(const HammingIndex& index, const FingerprintFile& queries, const LookupOptions& options, const LineSink& sink) {
  if (queries.size() == 0) return {};
  check_widths("the index", index.options().words, queries.path().empty() ? "the query" : queries.path(), queries.words());
  const job::Job job(options.job, "search");
  const Lookup lookup(index, queries, options);
  std::uint64_t next = 0;
  LookupCounts counts;
  job::ordered_pipeline<Batch>(
      job.threads(),
      [&](Batch& batch) {
        job.check_stop();
        batch.first = next;
        batch.count = std::min(batch_size, queries.size() - next);
        next += batch.count;
        return batch.count > 0;
      },
      [&](Batch& batch, unsigned) { lookup.answer(batch); },
      [&](Batch& batch) {
        if (!batch.lines.empty()) sink(batch.lines);
        counts.queries += batch.counts.queries;
        counts.answered += batch.counts.answered;
        counts.matches += batch.counts.matches;
      });
  return counts;
}

void write_whole_file(const std::string& path, const std::function<void(const LineSink&)>& write) {
  outputs::write_under_own_name(path, [&](const std::string& temporary) {
    outputs::OutputFile file(temporary);
    write([&](std::string_view lines) {
      file.buffer() += lines;
      file.flush_if_full();
    });
    file.finish();
  });
}

void write_whole_index(const std::string& path, const HammingIndex& index) {
  outputs::write_under_own_name(path, [&](const std::string& temporary) { index.save(temporary); });
}

}  // namespace leitong
