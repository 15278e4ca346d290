// Stage 3: candidate pairs to edges, the pairs whose similarity reaches the profile's threshold.
//
// Texts of pairs that need one are read again in one sequential pass. A pair is decided when its later text comes by; the features of the
// earlier one wait in memory until their last pair is decided, or in a spill file when the budget is met.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "corpus/job.h"
#include "corpus/record_cursor.h"
#include "corpus/sketch_file.h"
#include "corpus/stages.h"
#include "leitong/error.h"
#include "similarity/common_order.h"
#include "similarity/feature_table.h"
#include "storage/external_sort.h"

namespace leitong {
namespace {

using corpus::PairColumns;
using corpus::PairKind;
using corpus::SketchColumns;

struct Pair {
  std::uint32_t a = 0, b = 0;
  PairKind kind = PairKind::equal;
  float value = 0;
};

// Feature sets of earlier texts, waiting for later ones.
class Waiting {
 public:
  Waiting(std::uint64_t budget, std::string path) : budget_(budget), path_(std::move(path)) {}
  ~Waiting() {
    if (reader_ || writer_) try {
        storage::posix_vfs().remove(path_);
      } catch (const Error&) {
        // The spill file is only litter now.
      }
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  void put(std::uint32_t row, std::span<const std::uint32_t> features, std::uint32_t uses) {
    Entry entry;
    entry.uses = uses;
    entry.size = features.size();
    const std::uint64_t bytes = features.size_bytes();
    if (held_ + bytes <= budget_) {
      entry.features.assign(features.begin(), features.end());
      held_ += bytes;
    } else {
      if (!writer_) writer_ = storage::posix_vfs().create(path_);
      entry.offset = spilled_;
      entry.in_file = true;
      writer_->append(std::as_bytes(features));
      spilled_ += bytes;
    }
    entries_.emplace(row, std::move(entry));
  }

  // The features of a row that was put, valid until done(row).
  std::span<const std::uint32_t> get(std::uint32_t row) {
    Entry& entry = entries_.at(row);
    if (!entry.in_file) return entry.features;
    if (!reader_) reader_ = storage::posix_vfs().open(path_);
    from_file_.resize(entry.size);
    reader_->read(entry.offset, std::as_writable_bytes(std::span(from_file_)));
    return from_file_;
  }
  // Ends one use; a row is forgotten after its last.
  void done(std::uint32_t row) {
    const auto found = entries_.find(row);
    if (--found->second.uses > 0) return;
    held_ -= found->second.features.size() * sizeof(std::uint32_t);
    entries_.erase(found);
  }

 private:
  struct Entry {
    std::vector<std::uint32_t> features;
    std::uint64_t offset = 0, size = 0;
    std::uint32_t uses = 0;
    bool in_file = false;
  };
  std::uint64_t budget_, held_ = 0, spilled_ = 0;
  std::string path_;
  std::unordered_map<std::uint32_t, Entry> entries_;
  std::vector<std::uint32_t> from_file_;
  std::unique_ptr<storage::WritableFile> writer_;
  std::unique_ptr<storage::ReadableFile> reader_;
};

std::string thresholds_of(const Profile& p) {
  std::string text;
  for (const auto& [limit, similarity] : p.thresholds) {
    text += text.empty() ? "" : ", ";
    text += limit == 0xffffffffU ? fmt::format("{}{}", similarity, text.empty() ? "" : " above")
                                 : fmt::format("{} up to {} tokens", similarity, limit);
  }
  return text + fmt::format("; of more than {} tokens below {} only with {} of the tokens in the same order", p.order_tokens,
                            p.order_similarity, p.order_lcs);
}

class VerifyJob {
 public:
  VerifyJob(const VerifyOptions& options, corpus::Job& job)
      : options_(options),
        job_(job),
        pairs_(corpus::open_stage_file(options.pairs, "pairs")),
        metadata_(corpus::stage_metadata_from_json(pairs_.metadata(), options.pairs)),
        set_(metadata_.sketches),
        tokens_(set_.read_all<std::uint32_t>("tokens")),
        sorted_(storage::posix_vfs(), options.output + ".sort", std::max<std::uint64_t>(job.memory() / 8, 4 << 20), true) {}

  Counts run() {
    check_identities();
    if (options_.verify == Verify::text)
      read_pairs();
    else
      decide_by_sketch();
    if (!by_text_.empty()) compare_texts();
    return write();
  }

 private:
  void check_identities() const {
    for (std::size_t i = 0; i < set_.files().size(); ++i)
      if (set_.files()[i].table->identity() != metadata_.identities.at(i))
        throw Error(ErrorCode::format,
                    fmt::format("{} is not the file that {} was made from; run join again", set_.files()[i].table->path(), options_.pairs));
  }

  [[nodiscard]] double threshold(std::uint32_t a, std::uint32_t b) const {
    return options_.threshold ? *options_.threshold : corpus::threshold_of(set_.profile(), std::min(tokens_[a], tokens_[b]));
  }

  void accept(const Pair& pair, float similarity) {
    const storage::SortRecord record{std::uint64_t{pair.a} << 32 | pair.b,
                                     static_cast<std::uint64_t>(pair.kind) << 32 | std::bit_cast<std::uint32_t>(similarity)};
    sorted_.add({&record, 1});
  }

  template <typename Visit>
  void for_each_pair(const Visit& visit) {
    storage::Block block(pairs_.schema());
    const std::vector<std::size_t> columns = {PairColumns::a, PairColumns::b, PairColumns::kind, PairColumns::value};
    for (std::size_t b = 0; b < pairs_.blocks(); ++b) {
      job_.check_stop();
      pairs_.read_block(b, columns, block);
      const auto left = block.column<std::uint32_t>(PairColumns::a), right = block.column<std::uint32_t>(PairColumns::b);
      const auto kind = block.column<std::uint8_t>(PairColumns::kind);
      const auto value = block.column<float>(PairColumns::value);
      for (std::size_t i = 0; i < block.rows(); ++i) {
        if (left[i] >= set_.rows() || right[i] >= set_.rows() || kind[i] > static_cast<std::uint8_t>(PairKind::hamming))
          throw Error(ErrorCode::format, fmt::format("{}: pair {} names a row that its sketch files do not have; run join again",
                                                     options_.pairs, pairs_.first_row(b) + i));
        visit(Pair{left[i], right[i], static_cast<PairKind>(kind[i]), value[i]});
      }
    }
  }

  // Pairs that need no text are decided at once; the others are collected in order of their later row.
  void read_pairs() {
    for_each_pair([&](const Pair& pair) {
      if (pair.kind == PairKind::equal)
        accept(pair, 1.0F);
      else if (pair.kind == PairKind::exact && !needs_order(pair, static_cast<double>(pair.value)))
        accept_if(pair, pair.value);
      else
        by_text_.push_back(pair);
    });
    std::sort(by_text_.begin(), by_text_.end(), [](const Pair& x, const Pair& y) { return std::pair(x.b, x.a) < std::pair(y.b, y.a); });
  }

  void accept_if(const Pair& pair, float similarity) {
    if (similarity >= threshold(pair.a, pair.b)) accept(pair, similarity);
  }

  // Without texts: the estimate from the sketch sees uncommon bigrams alone. Two texts that share a share s of their unigrams and bigrams
  // share about 1.25 s - .25 of those (fitted in bench/accuracy). Where order would matter it cannot be asked for, so the threshold lies
  // halfway to the similarity from which order does not matter. Pairs that were nominated by their fingerprints' distance are taken at
  // that.
  void decide_by_sketch() {
    for_each_pair([&](const Pair& pair) {
      if (options_.verify == Verify::none || pair.kind == PairKind::equal || pair.kind == PairKind::hamming)
        return accept(pair, pair.value);
      if (pair.kind == PairKind::exact) return accept_if(pair, pair.value);
      const float similarity = (pair.value + 0.25F) / 1.25F;
      const bool halfway = needs_order(pair, static_cast<double>(similarity));
      const double least = threshold(pair.a, pair.b);
      if (static_cast<double>(similarity) >= (halfway ? (least + set_.profile().order_similarity) / 2 : least)) accept(pair, similarity);
    });
  }

  // One batch of rows that take part, read in order.
  struct Batch {
    std::vector<std::uint32_t> rows;
    std::vector<std::size_t> ends;  // of each row's text in bytes
    std::string bytes;
    std::vector<std::vector<std::uint32_t>> features;
  };

  void compare_texts() {
    std::vector<std::uint32_t> rows;  // ascending, distinct
    for (const Pair& pair : by_text_) rows.push_back(pair.a), rows.push_back(pair.b);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    std::vector<std::uint32_t> uses(rows.size(), 0);  // as the earlier row of a pair
    for (const Pair& pair : by_text_) ++uses[position(rows, pair.a)];
    Waiting waiting(job_.memory() / 2, options_.output + ".waiting");
    similarity::FeatureTable table;
    std::vector<fingerprint::FeatureExtractor> extractors;
    for (unsigned worker = 0; worker < job_.threads(); ++worker) extractors.emplace_back(set_.profile());
    std::size_t next_row = 0, next_use = 0, next_pair = 0;
    corpus::ordered_pipeline<Batch>(
        job_.threads(), [&](Batch& batch) { return fill(batch, rows, next_row); },
        [&](Batch& batch, unsigned worker) {
          batch.features.resize(batch.rows.size());
          for (std::size_t i = 0; i < batch.rows.size(); ++i) {
            const std::size_t begin = i == 0 ? 0 : batch.ends[i - 1];
            extractors[worker].set_text(std::string_view(batch.bytes).substr(begin, batch.ends[i] - begin));
            extractors[worker].keys(batch.features[i]);
            if (!has_order(batch.rows[i])) continue;
            for (const std::uint64_t token : extractors[worker].token_hashes())
              batch.features[i].push_back(static_cast<std::uint32_t>(token >> 32));
          }
        },
        [&](Batch& batch) {
          for (std::size_t i = 0; i < batch.rows.size(); ++i) {
            const std::uint32_t later = batch.rows[i];
            if (next_pair < by_text_.size() && by_text_[next_pair].b == later) table.set(keys_of(later, batch.features[i]));
            for (; next_pair < by_text_.size() && by_text_[next_pair].b == later; ++next_pair) {
              const Pair& pair = by_text_[next_pair];
              decide(pair, waiting.get(pair.a), batch.features[i], table);
              waiting.done(pair.a);
            }
            if (uses[next_use] > 0) waiting.put(batch.rows[i], batch.features[i], uses[next_use]);
            ++next_use;
          }
          job_.progress(next_use, rows.size(), next_use);
        });
  }

  // `table` holds the keys of the later text.
  void decide(const Pair& pair, std::span<const std::uint32_t> earlier, std::span<const std::uint32_t> later,
              const similarity::FeatureTable& table) {
    const auto earlier_keys = keys_of(pair.a, earlier), later_keys = keys_of(pair.b, later);
    const auto common = static_cast<double>(table.count(earlier_keys));
    const double all = static_cast<double>(earlier_keys.size() + later_keys.size()) - common;
    const double similarity = all == 0 ? 0 : common / all;
    if (similarity < threshold(pair.a, pair.b)) return;
    if (needs_order(pair, similarity) && !same_order(tokens_of(pair.a, earlier), tokens_of(pair.b, later))) return;
    accept(pair, static_cast<float>(similarity));
  }

  // What is kept of a text: its keys, and behind them, if order may matter, its tokens.
  [[nodiscard]] bool has_order(std::uint32_t row) const { return tokens_[row] > set_.profile().order_tokens; }
  [[nodiscard]] std::span<const std::uint32_t> keys_of(std::uint32_t row, std::span<const std::uint32_t> kept) const {
    return has_order(row) ? kept.first(kept.size() - tokens_[row]) : kept;
  }
  [[nodiscard]] std::span<const std::uint32_t> tokens_of(std::uint32_t row, std::span<const std::uint32_t> kept) const {
    return kept.last(tokens_[row]);
  }

  [[nodiscard]] bool needs_order(const Pair& pair, double similarity) const {
    return !options_.threshold && similarity < set_.profile().order_similarity && has_order(pair.a) && has_order(pair.b);
  }
  [[nodiscard]] bool same_order(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    const double total = static_cast<double>(a.size() + b.size());
    return order_.reaches(a, b, static_cast<std::uint64_t>(std::ceil(set_.profile().order_lcs * total / 2 - 1e-9)));
  }

  static std::size_t position(const std::vector<std::uint32_t>& rows, std::uint32_t row) {
    return static_cast<std::size_t>(std::lower_bound(rows.begin(), rows.end(), row) - rows.begin());
  }

  bool fill(Batch& batch, const std::vector<std::uint32_t>& rows, std::size_t& next) {
    batch.rows.clear(), batch.ends.clear(), batch.bytes.clear();
    while (next < rows.size() && batch.rows.size() < 1024 && batch.bytes.size() < (1U << 20)) {
      const std::uint32_t row = rows[next++];
      batch.rows.push_back(row);
      batch.bytes += cursor_.text(row);
      batch.ends.push_back(batch.bytes.size());
    }
    return !batch.rows.empty();
  }

  Counts write() {
    const storage::Schema schema = corpus::pair_schema("edges");
    storage::TableWriter writer(storage::posix_vfs(), options_.output, schema);
    storage::Block block(schema);
    metadata_.counts.edges = 0;
    sorted_.drain([&](std::span<const storage::SortRecord> records) {
      block.clear();
      for (const auto& record : records) {
        block.put(PairColumns::a, static_cast<std::uint32_t>(record.high >> 32));
        block.put(PairColumns::b, static_cast<std::uint32_t>(record.high));
        block.put(PairColumns::kind, static_cast<std::uint8_t>(record.low >> 32));
        block.put(PairColumns::value, std::bit_cast<float>(static_cast<std::uint32_t>(record.low)));
        ++metadata_.counts.edges;
      }
      writer.append(block);
    });
    metadata_.verify = corpus::name_of(options_.verify);
    metadata_.thresholds = options_.threshold ? fmt::format("{} for all", *options_.threshold) : thresholds_of(set_.profile());
    metadata_.made_from = corpus::made_from_verify(options_);
    writer.finish(corpus::to_json(metadata_, options_.output));
    job_.finish_progress(metadata_.counts.edges, metadata_.counts.records);
    return metadata_.counts;
  }

  const VerifyOptions& options_;
  corpus::Job& job_;
  storage::TableReader pairs_;
  corpus::StageMetadata metadata_;
  corpus::SketchSet set_;
  std::vector<std::uint32_t> tokens_;
  storage::ExternalSort sorted_;
  std::vector<Pair> by_text_;
  similarity::CommonOrder order_;
  corpus::RecordCursor cursor_{set_};
};

}  // namespace

namespace stage {

Counts verify(const VerifyOptions& options) {
  corpus::Job job(options.job, "verify");
  return VerifyJob(options, job).run();
}

}  // namespace stage
}  // namespace leitong
