// Stage 2: finds candidate pairs in the sketch files, without reading any text.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <future>
#include <mutex>
#include <utility>

#include "candidates/band_join.h"
#include "candidates/set_join.h"
#include "job/job.h"
#include "job/ordered_pipeline.h"
#include "leitong/error.h"
#include "leitong/hamming.h"
#include "outputs/output_rule.h"
#include "sketches/sketch_file.h"
#include "stages/band_key.h"
#include "stages/candidate_plan.h"
#include "stages/stages.h"
#include "storage/external_sort.h"

namespace leitong {
namespace {

using sketches::SketchColumns;
using stages::PairColumns;
using stages::PairKind;
using storage::SortRecord;

// A pair is sorted as (a << 32 | b, kind << 32 | bits of the value), one record a pair. If a pair was nominated several times, the smallest
// kind comes first, and that nomination knows most about the pair.
SortRecord pack(std::uint32_t a, std::uint32_t b, PairKind kind, float value) {
  return {std::uint64_t{a} << 32 | b, static_cast<std::uint64_t>(kind) << 32 | std::bit_cast<std::uint32_t>(value)};
}

std::vector<std::string> all_sketches(const JoinOptions& options) {
  std::vector<std::string> paths = options.against;
  paths.insert(paths.end(), options.sketches.begin(), options.sketches.end());
  return paths;
}

class Join {
 public:
  Join(const JoinOptions& options, job::Job& job)
      : options_(options),
        job_(job),
        set_(all_sketches(options), options.against.size()),
        sorted_(storage::posix_vfs(), options.output + ".sort", std::max<std::uint64_t>(job.room() / 8, 1 << 20), true),
        flags_(set_.read_all<std::uint8_t>("flags")),
        duplicate_(set_.rows(), 0),
        bounded_(set_.rows(), 0) {
    leave_out_stored();
  }

  Counts run() {
    stages::check_goal(options_.goal, options_.k);
    group_equal();
    if (options_.k)
      by_fingerprint(*options_.k);
    else
      by_sketch();
    return write();
  }

 private:
  struct RowRange {
    std::uint64_t begin = 0, end = 0;
  };
  struct ShortPlan {
    std::vector<RowRange> tiles;  // whole blocks, any two of which fit in memory
    std::uint64_t bytes = 0;      // that all of them would take at once
  };

  // The feature sets of short texts, in the form that set_join needs.
  struct ShortTexts {
    std::vector<std::uint32_t> rows, features;
    std::vector<std::uint64_t> offsets = {0};
    std::vector<std::uint8_t> is_short;
    void clear() { rows.clear(), features.clear(), offsets.assign(1, 0), is_short.clear(); }
    void add(const ShortTexts& more);
  };
  // A block of the sketch files, and what is made of it.
  struct FromBlock {
    const sketches::SketchSet::File* file = nullptr;
    std::size_t number = 0;
    std::uint64_t first = 0;  // row
    std::unique_ptr<storage::Block> block;
    std::vector<SortRecord> records;
    ShortTexts texts;
    std::uint64_t cost = 0;
  };

  // Reads the listed columns of the blocks that begin in `rows`. work(item) runs on all threads for which there is memory, commit(item) in
  // the order of the blocks.
  template <typename Work, typename Commit>
  void from_blocks(const RowRange& rows, const std::vector<std::size_t>& columns, const Work& work, const Commit& commit) const {
    constexpr unsigned block_bits = 28;  // of the memory that is left for each block; the largest ones take a quarter of it
    const auto threads = static_cast<unsigned>(std::clamp<std::uint64_t>(job_.room() >> block_bits, 1, job_.threads()));
    std::size_t file = 0, next = 0;
    const auto read = [&](FromBlock& item) {
      for (; file < set_.files().size(); ++file, next = 0) {
        item.file = &set_.files()[file];
        while (next < item.file->table->blocks()) {
          item.number = next++;
          item.first = item.file->first_row + item.file->table->first_row(item.number);
          if (item.first >= rows.begin) return item.first < rows.end;
        }
      }
      return false;
    };
    job::ordered_pipeline<FromBlock>(
        threads, read,
        [&](FromBlock& item, unsigned) {
          job_.check_stop();
          if (!item.block) item.block = std::make_unique<storage::Block>(item.file->table->schema());
          item.file->table->read_block(item.number, columns, *item.block);
          work(item);
        },
        commit);
  }

  // Leaves out documents of stores: the stores themselves were asked what is near them (against_stores.h).
  void leave_out_stored() {
    for (const auto& file : set_.files())
      if (file.metadata.fingerprints_only)
        std::fill_n(flags_.begin() + static_cast<std::ptrdiff_t>(file.first_row), file.table->rows(), std::uint8_t{0});
  }

  // A pair of two old records does not belong to this job.
  void add(std::uint32_t a, std::uint32_t b, PairKind kind, float value) {
    if (set_.is_old(b)) return;
    const SortRecord record = pack(a, b, kind, value);
    nominate({&record, 1});
  }
  void nominate(std::span<const SortRecord> pairs) {
    const std::lock_guard lock(found_);
    sorted_.add(pairs);
  }
  void mark_bounded(std::span<const std::uint32_t> rows, std::span<const std::uint8_t> bounded) {
    const std::lock_guard lock(found_);
    for (std::size_t i = 0; i < bounded.size(); ++i) bounded_[rows[i]] |= bounded[i];
  }

  // Pairs each text with the first one that is equal after normalisation; the later ones take no further part in the join.
  void group_equal() {
    storage::ExternalSort sort(storage::posix_vfs(), options_.output + ".equal", std::max<std::uint64_t>(job_.room() / 4, 1 << 20), false);
    const auto take = [&](FromBlock& item) {
      item.records.clear();
      const auto words = item.block->column<std::uint64_t>(SketchColumns::content);
      for (std::size_t row = 0; row < words.size() / 2; ++row)
        if ((flags_[item.first + row] & sketches::flags::comparable) != 0)
          item.records.push_back({words[2 * row], (words[2 * row + 1] & 0xffffffff00000000ULL) | (item.first + row)});
    };
    from_blocks({0, set_.rows()}, {SketchColumns::content}, take, [&](FromBlock& item) { sort.add(item.records); });
    // Texts count as equal if 96 bits of their content hashes agree. Rows of equal texts are adjacent, the first row first.
    SortRecord head{};
    bool have_head = false;
    sort.drain([&](std::span<const SortRecord> records) {
      for (const SortRecord& record : records) {
        if (have_head && record.high == head.high && (record.low ^ head.low) >> 32 == 0) {
          const auto row = static_cast<std::uint32_t>(record.low);
          duplicate_[row] = 1;
          add(static_cast<std::uint32_t>(head.low), row, PairKind::equal, 1.0F);
        } else {
          head = record;
          have_head = true;
        }
      }
    });
  }

  void by_sketch() {
    if (!set_.profile().minhash)
      throw Error(ErrorCode::usage,
                  fmt::format("profile {} has no second sketch to nominate candidates: give a distance with -k", set_.profile().name));
    join_both_ways();
    method_ =
        fmt::format("{} bands of {} MinHash slots; texts below {} tokens exactly", plan_.bands, plan_.slots, set_.profile().short_tokens);
    if (options_.goal)
      method_ += fmt::format("; asked for {} of the pairs of similarity {}", options_.goal->recall, options_.goal->similarity);
    for (const double similarity : {0.5, 0.6, 0.7, 0.8, 0.9, 0.95})
      recall_.emplace_back(similarity, std::round(1e6 * candidates::predicted_recall(similarity, plan_, stages::sketch_shape)) / 1e6);
  }

  // Bands and short texts have nothing to do with each other: where there are threads and memory for both, they are joined at the same
  // time, so that what one thread does alone in one of them is not waited for by all.
  void join_both_ways() {
    const ShortPlan short_texts = plan_short();
    const bool both_fit = set_.rows() * band_row_bytes <= job_.room() / 4 && short_texts.bytes <= job_.room() / 4;
    if (job_.threads() == 1 || !both_fit) {
      join_bands(job_.threads());
      join_short(short_texts);
      return;
    }
    std::future<void> of_bands = std::async(std::launch::async, [this] { join_bands(job_.threads() / 2); });
    join_short(short_texts);
    of_bands.get();
  }

  void join_bands(unsigned threads) {
    std::vector<std::uint32_t> active;
    for (std::uint32_t row = 0; row < set_.rows(); ++row)
      if ((flags_[row] & sketches::flags::slots) != 0 && duplicate_[row] == 0) active.push_back(row);
    plan_ = stages::candidate_plan(active.size(), options_.goal);
    if (active.size() < 2) return;
    // Beside the active rows all rows have flags and a number, and the sort takes an eighth of the memory.
    constexpr std::uint64_t every_row = 8;
    const std::uint64_t held = std::min(job_.room() / 2, every_row * set_.rows());
    const std::uint64_t room = std::max<std::uint64_t>((job_.room() - held) / 16 * 13 / band_row_bytes, 1024);
    if (active.size() <= room) {
      join_rows(active, threads);
      return;
    }
    // If there are more rows than memory holds, every two tiles of rows are joined in turn. A pair may be found several times; the sort
    // removes the duplicates.
    const std::uint64_t tiles = (2 * active.size() + room - 1) / room;
    const std::uint64_t tile = (active.size() + tiles - 1) / tiles;
    const auto part = [&](std::uint64_t i) {
      return std::span(active).subspan(std::min(i * tile, active.size()),
                                       std::min(tile, active.size() - std::min(i * tile, active.size())));
    };
    for (std::uint64_t i = 0; i < tiles; ++i)
      for (std::uint64_t j = i + 1; j < tiles; ++j) {
        std::vector<std::uint32_t> both(part(i).begin(), part(i).end());
        both.insert(both.end(), part(j).begin(), part(j).end());
        join_rows(both, threads);
      }
  }

  // Calls put(i, value) with the value of rows[i] in the column, reading only blocks that contain one of the rows.
  template <typename T, typename Put>
  void gather(std::span<const std::uint32_t> rows, std::size_t column, const Put& put) {
    std::size_t next = 0;
    std::vector<std::byte> bytes;
    for (const auto& file : set_.files()) {
      const std::uint32_t width = file.table->schema().columns[column].width;
      for (std::size_t b = 0; b < file.table->blocks() && next < rows.size(); ++b) {
        const std::uint64_t first = file.first_row + file.table->first_row(b), end = first + file.table->block_rows(b);
        if (rows[next] >= end) continue;
        bytes.resize(std::size_t{width} * file.table->block_rows(b));
        file.table->read_column(column, b, bytes);
        for (; next < rows.size() && rows[next] < end; ++next)
          put(next, reinterpret_cast<const T*>(bytes.data() + (rows[next] - first) * width));
      }
    }
  }

  // The key of each row in a band is made of its slots' bytes. Bands longer than four slots take more bytes from neighbouring columns.
  void band_keys(std::span<const std::uint32_t> rows, unsigned band, std::span<std::uint32_t> keys) {
    job_.progress(band, plan_.bands, set_.rows());
    const stages::BandColumns columns(band, plan_.slots);
    std::vector<std::uint64_t> wide(plan_.slots == 4 ? 0 : rows.size(), 0);
    for (unsigned column = columns.first; column <= columns.last; ++column) {
      const std::uint32_t mask = columns.mask(column);
      gather<std::uint32_t>(rows, SketchColumns::first_band + column, [&](std::size_t i, const std::uint32_t* key) {
        if (wide.empty())
          keys[i] = *key;
        else
          wide[i] = stages::mix_band(wide[i], *key & mask);
      });
    }
    for (std::size_t i = 0; i < wide.size(); ++i) keys[i] = stages::mixed_key(wide[i]);
  }

  void join_rows(std::span<const std::uint32_t> rows, unsigned threads) {
    constexpr unsigned words = fingerprint::slot_count / 64;
    std::vector<std::uint64_t> bits(rows.size() * words);
    gather<std::uint64_t>(rows, SketchColumns::bits,
                          [&](std::size_t i, const std::uint64_t* row) { std::copy_n(row, words, &bits[i * words]); });
    candidates::BandInput input;
    input.rows = set_.rows();
    input.bands = plan_.bands;
    input.keys = [&](unsigned band, std::span<std::uint32_t> keys) { band_keys(rows, band, keys); };
    input.active = rows;
    input.bits = bits;
    input.words = words;
    input.max_distance = stages::sketch_shape.max_distance;
    input.old_rows = static_cast<std::uint32_t>(set_.old_rows());
    input.threads = threads;
    std::vector<std::uint8_t> bounded;
    std::vector<SortRecord> batch;
    candidates::band_join(
        input,
        [&](std::span<const candidates::Candidate> pairs) {
          batch.clear();
          for (const auto& pair : pairs)
            batch.push_back(pack(pair.a, pair.b, PairKind::bands, static_cast<float>(fingerprint::similarity_of_distance(pair.distance))));
          nominate(batch);
        },
        bounded);
    mark_bounded(rows, bounded);
  }

  // If there are more short texts than memory holds, every two tiles are joined in turn, as in join_bands.
  void join_short(const ShortPlan& plan) {
    const std::vector<RowRange>& tiles = plan.tiles;
    if (tiles.size() == 1) {
      join_sets({tiles[0]});
      return;
    }
    for (std::size_t i = 0; i < tiles.size(); ++i)
      for (std::size_t j = i + 1; j < tiles.size(); ++j) join_sets({tiles[i], tiles[j]});
  }

  [[nodiscard]] ShortPlan plan_short() const {
    // Memory that set_join needs: for a set, the set itself, its signature and limits; for a feature, its number and in half of the cases a
    // posting, both twice while they are collected and sorted.
    constexpr std::uint64_t set_bytes = 80, feature_bytes = 24;
    const std::uint64_t room = job_.room() / 2;
    std::vector<RowRange> tiles;
    std::uint64_t bytes = 0, all = 0;
    const auto weigh = [&](FromBlock& item) {
      item.cost = 0;
      for (std::size_t i = 0; i < item.block->rows(); ++i)
        if (const std::size_t packed = item.block->text(SketchColumns::short_features, i).size();
            packed > 0 && duplicate_[item.first + i] == 0)
          item.cost += set_bytes + packed / 4 * feature_bytes;
    };
    from_blocks({0, set_.rows()}, {SketchColumns::short_features}, weigh, [&](FromBlock& item) {
      if (tiles.empty() || bytes + item.cost > room / 2) tiles.push_back({item.first, item.first}), bytes = 0;
      bytes += item.cost;
      all += item.cost;
      tiles.back().end = item.first + item.block->rows();
    });
    if (all <= room && !tiles.empty()) tiles = {{0, tiles.back().end}};
    return {std::move(tiles), all};
  }

  void take_short_texts(FromBlock& item) const {
    ShortTexts& texts = item.texts;
    texts.clear();
    const auto tokens = item.block->column<std::uint32_t>(SketchColumns::tokens);
    for (std::size_t i = 0; i < item.block->rows(); ++i) {
      const std::string_view packed = item.block->text(SketchColumns::short_features, i);
      if (packed.empty() || duplicate_[item.first + i] != 0) continue;
      texts.rows.push_back(static_cast<std::uint32_t>(item.first + i));
      const std::size_t old = texts.features.size();
      texts.features.resize(old + packed.size() / 4);
      std::copy_n(packed.data(), packed.size() / 4 * 4, reinterpret_cast<char*>(texts.features.data() + old));
      texts.offsets.push_back(texts.features.size());
      texts.is_short.push_back(tokens[i] < set_.profile().short_tokens ? 1 : 0);
    }
  }

  void join_sets(const std::vector<RowRange>& ranges) {
    job_.check_stop();
    ShortTexts texts;
    for (const RowRange& range : ranges)
      from_blocks(
          range, {SketchColumns::tokens, SketchColumns::short_features}, [&](FromBlock& item) { take_short_texts(item); },
          [&](FromBlock& item) { texts.add(item.texts); });
    if (texts.rows.empty()) return;
    candidates::SetInput input;
    input.rows = texts.rows;
    input.offsets = texts.offsets;
    input.features = texts.features;
    input.is_short = texts.is_short;
    input.threads = job_.threads();
    input.stop = [this] { job_.check_stop(); };
    input.threshold =
        options_.threshold ? *options_.threshold : similarity::least_threshold(options_.rule, set_.profile().short_tokens - 1);
    std::vector<std::uint8_t> bounded;
    std::vector<SortRecord> batch;
    candidates::set_join(
        input,
        [&](std::span<const candidates::SetPair> pairs) {
          batch.clear();
          for (const auto& pair : pairs)
            if (!set_.is_old(pair.b)) batch.push_back(pack(pair.a, pair.b, PairKind::exact, pair.similarity));
          nominate(batch);
        },
        bounded);
    mark_bounded(texts.rows, bounded);
  }

  // Joins fingerprints within k bits. Equal fingerprints form a class that is joined once; the pairs of two classes are then formed from
  // their rows, with a bound if a class is large.
  void by_fingerprint(unsigned k) {
    const unsigned words = fingerprint_words(set_.profile().bits);
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < set_.rows(); ++row)
      if ((flags_[row] & sketches::flags::fingerprint) != 0 && duplicate_[row] == 0) rows.push_back(row);
    std::vector<std::uint64_t> values(rows.size() * words);
    gather<std::uint64_t>(rows, SketchColumns::simhash,
                          [&](std::size_t i, const std::uint64_t* row) { std::copy_n(row, words, &values[i * words]); });
    const HammingClasses classes = hamming_classes(values, words);
    for (std::uint32_t c = 0; c < classes.classes(); ++c) pair_up(rows, classes.rows_of(c), {});
    const auto value = [&](std::uint32_t c) { return std::span(classes.values).subspan(std::size_t{c} * words, words); };
    hamming_self_join(classes.values, {words, k, job_.threads()}, [&](std::span<const HammingPair> pairs) {
      job_.check_stop();
      for (const auto& pair : pairs) {
        // A bounded pairing depends on which class comes first: the one of the smaller value does.
        const bool in_order = std::ranges::lexicographical_compare(value(pair.a), value(pair.b));
        pair_up(rows, classes.rows_of(in_order ? pair.a : pair.b), classes.rows_of(in_order ? pair.b : pair.a));
      }
    });
    method_ = fmt::format("SimHash of {} bits within {} bits, exactly", set_.profile().bits, k);
  }

  // Forms all pairs within one class (b empty) or between two. In a large class each row is paired only with the first few rows of the
  // other class and, within its own class, also with those just before it; such rows are marked as bounded.
  void pair_up(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    constexpr std::size_t limit = 512, pivots = 16, window = 48;
    const bool bounded = std::max(a.size(), b.size()) > limit;
    const auto give = [&](std::size_t x, std::size_t y) {
      add(std::min(rows[x], rows[y]), std::max(rows[x], rows[y]), PairKind::hamming, 0);
    };
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (bounded) bounded_[rows[a[i]]] = 1;
      if (b.empty()) {
        const std::size_t first = bounded ? std::min(i, pivots) : i;
        for (std::size_t j = 0; j < first; ++j) give(a[i], a[j]);
        for (std::size_t j = std::max(first, i - std::min(i, window)); j < i; ++j) give(a[i], a[j]);
      } else {
        const std::size_t end = bounded && i >= pivots ? std::min(b.size(), pivots) : b.size();
        for (std::size_t j = 0; j < end; ++j) give(a[i], b[j]);
      }
    }
  }

  Counts write() {
    storage::TableWriter writer(storage::posix_vfs(), options_.output, stages::pair_schema("pairs"));
    storage::Block block(stages::pair_schema("pairs"));
    Counts counts;
    std::uint64_t last = ~0ULL;
    sorted_.drain([&](std::span<const SortRecord> records) {
      job_.check_stop();
      block.clear();
      for (const SortRecord& record : records) {
        if (record.high == last) continue;
        last = record.high;
        block.put(PairColumns::a, static_cast<std::uint32_t>(record.high >> 32));
        block.put(PairColumns::b, static_cast<std::uint32_t>(record.high));
        block.put(PairColumns::kind, static_cast<std::uint8_t>(record.low >> 32));
        block.put(PairColumns::value, std::bit_cast<float>(static_cast<std::uint32_t>(record.low)));
        ++counts.candidates;
      }
      writer.append(block);
    });
    stages::StageMetadata metadata;
    for (const auto& file : set_.files()) metadata.identities.push_back(file.table->identity());
    for (const auto& file : set_.old()) {
      counts.old_records += file.metadata.records;
      counts.old_rejected += file.metadata.rejected;
      if (!file.metadata.fingerprints_only) continue;
      counts.old_met += file.metadata.records;
      counts.old_stores += file.metadata.sources.size();
    }
    for (const auto& file : set_.new_files()) {
      counts.records += file.metadata.records;
      counts.rejected += file.metadata.rejected;
      counts.featureless += file.metadata.featureless;
      counts.bytes += file.metadata.text_bytes;
    }
    for (std::uint64_t row = set_.old_rows(); row < bounded_.size(); ++row)
      if (bounded_[row] != 0) metadata.bounded_records.push_back(row);
    counts.bounded = metadata.bounded_records.size();
    counts.recall = recall_;
    counts.bands = plan_.bands, counts.slots = plan_.slots;
    metadata.sketches = all_sketches(options_);
    metadata.old_sketches = options_.against.size();
    metadata.made_from = stages::made_from_join(options_);
    metadata.rule = options_.rule, metadata.rule_id = rule_id(options_.rule);
    metadata.method = method_;
    metadata.counts = counts;
    writer.finish(to_json(metadata, options_.output));
    job_.finish_progress(counts.candidates, counts.records);
    return counts;
  }

  // Memory for one row of join_bands: its bit sketch, an entry of the partition, the keys of this band and of the last four with their
  // positions, its row number, longer keys while they are made, and a mark.
  static constexpr std::uint64_t band_row_bytes = fingerprint::slot_count / 8 + 8 + 5 * (4 + 4) + 4 + 8 + 1;

  const JoinOptions& options_;
  job::Job& job_;
  sketches::SketchSet set_;
  storage::ExternalSort sorted_;
  std::vector<std::uint8_t> flags_, duplicate_, bounded_;
  candidates::BandPlan plan_;
  std::mutex found_;  // what both kinds of join write: sorted_, bounded_
  std::string method_;
  std::vector<std::pair<double, double>> recall_;
};

void Join::ShortTexts::add(const ShortTexts& more) {
  const std::uint64_t before = features.size();
  rows.insert(rows.end(), more.rows.begin(), more.rows.end());
  features.insert(features.end(), more.features.begin(), more.features.end());
  is_short.insert(is_short.end(), more.is_short.begin(), more.is_short.end());
  for (std::size_t i = 1; i < more.offsets.size(); ++i) offsets.push_back(before + more.offsets[i]);
}

}  // namespace

namespace stage {

Counts join(const JoinOptions& options) {
  job::Job job(options.job, "join");
  outputs::OutputRule rule;
  rule.reads(options.job.reads);
  rule.reads(options.sketches);
  rule.reads(options.against);
  rule.check(options.output, OutputForm::table);
  return Join(options, job).run();
}

}  // namespace stage
}  // namespace leitong
