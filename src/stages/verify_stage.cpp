// Stage 3: decides which candidate pairs are near-duplicates by the rule, and writes these as edges.
//
// The texts of pairs that need them are read again in one sequential pass. A pair is decided when its later text is read; the features of
// the earlier text are kept until its last pair is decided (waiting_features.h).

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "job/job.h"
#include "job/long_texts.h"
#include "job/ordered_pipeline.h"
#include "leitong/error.h"
#include "similarity/facts.h"
#include "similarity/thresholds.h"
#include "sketches/record_cursor.h"
#include "sketches/sketch_file.h"
#include "stages/pair_judge.h"
#include "stages/pair_reader.h"
#include "stages/stages.h"
#include "stages/template_features.h"
#include "stages/waiting_features.h"
#include "storage/external_sort.h"

namespace leitong {
namespace {

using stages::PairColumns;
using stages::PairKind;

using Pair = stages::PairRow;

std::string asked_of_facts(const Rule& r) {
  if (r.fact_tokens == 0) return "";
  return fmt::format("; of up to {} tokens below {} no more than {} other facts for each shared word", r.fact_tokens, r.fact_sure,
                     r.fact_weight);
}

std::string thresholds_of(const Rule& r) {
  std::string text;
  for (const auto& [limit, similarity] : r.thresholds) {
    text += text.empty() ? "" : ", ";
    text += limit == 0xffffffffU ? fmt::format("{}{}", similarity, text.empty() ? "" : " above")
                                 : fmt::format("{} up to {} tokens", similarity, limit);
  }
  text += fmt::format("; of more than {} tokens below {} only with {} of the tokens, or {} of the shorter text's, in the same order",
                      r.order_tokens, r.sure_similarity, r.order_lcs, r.order_contained) +
          asked_of_facts(r);
  if (r.template_similarity == 0) return text;
  text += fmt::format("; below {} also {} where what is common in the collection (features of more than {} sampled records) counts less",
                      r.template_sure, r.template_similarity, r.template_records);
  if (r.template_passage == 0) return text;
  return text +
         fmt::format(", and not where {} of what two share is common and each has a passage of {} tokens of its own in the same place",
                     r.template_share, r.template_passage);
}

class VerifyJob {
 public:
  VerifyJob(const VerifyOptions& options, job::Job& job, const stages::OpenTexts& open)
      : options_(options),
        rule_(options.rule),
        judge_(rule_, options.threshold),
        job_(job),
        long_texts_(job),
        open_(open ? open : [this] { return sketches::texts_of_inputs(set_); }),
        pairs_(stages::open_stage_file(options.pairs, "pairs")),
        metadata_(stages::stage_metadata_from_json(pairs_.metadata(), options.pairs)),
        set_(metadata_.sketches, metadata_.old_sketches, options.in_memory),
        tokens_(set_.read_all<std::uint32_t>("tokens")),
        features_(set_.read_all<std::uint32_t>("features")),
        sorted_(storage::posix_vfs(), options.output + ".sort", std::max<std::uint64_t>(job.room() / 8, 1 << 20), true),
        by_text_(storage::posix_vfs(), options.output + ".later", std::max<std::uint64_t>(job.room() / 8, 1 << 20), false) {}

  Counts run() {
    check_identities();
    if (options_.verify == Verify::text)
      read_pairs();
    else
      decide_by_sketch();
    if (!uses_or_places_.empty()) compare_texts();
    return write();
  }

 private:
  void check_identities() const {
    for (std::size_t i = 0; i < set_.files().size(); ++i)
      if (set_.files()[i].table->identity() != metadata_.identities.at(i))
        throw Error(ErrorCode::format,
                    fmt::format("{} is not the file that {} was made from; run join again", set_.files()[i].table->path(), options_.pairs));
  }

  [[nodiscard]] double threshold(std::uint32_t a, std::uint32_t b) const { return judge_.threshold(tokens_[a], tokens_[b]); }

  void accept(const Pair& pair, float similarity) {
    const storage::SortRecord record{std::uint64_t{pair.a} << 32 | pair.b,
                                     static_cast<std::uint64_t>(pair.kind) << 32 | std::bit_cast<std::uint32_t>(similarity)};
    sorted_.add({&record, 1});
  }

  template <typename Visit>
  void for_each_pair(const Visit& visit) {
    stages::PairBlock block(pairs_);
    for (std::size_t b = 0; b < pairs_.blocks(); ++b) {
      job_.check_stop();
      block.read(b);
      for (std::size_t i = 0; i < block.rows(); ++i) {
        const Pair pair = block[i];
        if (pair.a >= set_.rows() || pair.b >= set_.rows() || pair.kind > PairKind::hamming)
          throw Error(ErrorCode::format, fmt::format("{}: pair {} names a row that its sketch files do not have; run join again",
                                                     options_.pairs, pairs_.first_row(b) + i));
        visit(pair);
      }
    }
  }

  // Decides pairs that need no text at once, and sorts the others by their later row.
  void read_pairs() {
    for_each_pair([&](const Pair& pair) {
      if (pair.kind == PairKind::equal)
        accept(pair, 1.0F);
      else if (pair.kind == PairKind::exact && !needs_more(pair, static_cast<double>(pair.value)))
        accept_if(pair, pair.value);
      else if (can_be_similar(pair))
        leave_to_text(pair);
    });
  }

  [[nodiscard]] bool can_be_similar(const Pair& pair) const {
    return judge_.can_be_similar({tokens_[pair.a], features_[pair.a]}, {tokens_[pair.b], features_[pair.b]});
  }

  void leave_to_text(const Pair& pair) {
    if (uses_or_places_.empty())
      uses_or_places_.resize(set_.rows(), 0), takes_part_.resize(set_.rows(), false), has_facts_.resize(set_.rows(), false);
    ++uses_or_places_[pair.a];
    takes_part_[pair.a] = takes_part_[pair.b] = true;
    if (needs_facts(pair, threshold(pair.a, pair.b))) has_facts_[pair.a] = has_facts_[pair.b] = true;
    const storage::SortRecord record{std::uint64_t{pair.b} << 32 | pair.a, static_cast<std::uint64_t>(pair.kind)};
    by_text_.add({&record, 1});
  }

  void accept_if(const Pair& pair, float similarity) {
    if (similarity >= threshold(pair.a, pair.b)) accept(pair, similarity);
  }

  // Decides by the sketches, without texts. Their estimate covers only uncommon bigrams: two texts that share a share s of their unigrams
  // and bigrams share about 1.25 s - .25 of those (fitted in bench/accuracy). Sketches say nothing about word order; so where the rule
  // would check it, the threshold lies halfway to the similarity from which order does not matter. Pairs that were nominated by the
  // distance of their fingerprints are accepted without an estimate.
  void decide_by_sketch() {
    for_each_pair([&](const Pair& pair) {
      if (options_.verify == Verify::none || pair.kind == PairKind::equal || pair.kind == PairKind::hamming)
        return accept(pair, pair.value);
      if (pair.kind == PairKind::exact) return accept_if(pair, pair.value);
      const float similarity = (pair.value + 0.25F) / 1.25F;
      const bool halfway = needs_order(pair, static_cast<double>(similarity));
      const double least = threshold(pair.a, pair.b);
      if (static_cast<double>(similarity) >= (halfway ? (least + rule_.sure_similarity) / 2 : least)) accept(pair, similarity);
    });
  }

  // Rows that occur in pairs, read in order, and the pairs whose later row is among them.
  struct Batch {
    std::vector<std::uint32_t> rows;
    std::vector<std::size_t> text_ends;  // end of each row in `bytes`
    std::string bytes;
    std::vector<Pair> pairs;             // in order of their later row
    std::vector<std::size_t> pair_ends;  // end of each row in `pairs`
    std::vector<std::uint32_t> features;
    std::vector<std::size_t> feature_ends;  // end of each row in `features`

    [[nodiscard]] std::string_view text_of(std::size_t i) const {
      const std::size_t begin = i == 0 ? 0 : text_ends[i - 1];
      return std::string_view(bytes).substr(begin, text_ends[i] - begin);
    }
    [[nodiscard]] std::span<const std::uint32_t> features_of(std::size_t i) const {
      const std::size_t begin = i == 0 ? 0 : feature_ends[i - 1];
      return std::span(features).subspan(begin, feature_ends[i] - begin);
    }
  };
  struct Weighed {
    std::uint32_t row = no_row;
    stages::TemplateFeatures::Weight weight;
  };
  static constexpr std::uint32_t no_row = 0xffffffffU;
  // The scratch memory of one thread.
  struct Worker {
    Worker(const Profile& profile, const std::function<void()>& stop) : extractor(profile), judged(stop) {}
    fingerprint::FeatureExtractor extractor;
    stages::PairJudge::Scratch judged;
    std::vector<similarity::FactToken> read_facts;
    std::vector<std::uint32_t> scratch;
    std::vector<Weighed> weighed = std::vector<Weighed>(4096);  // by the lower bits of the row: the last one that was weighed
  };
  using TextFeatures = stages::PairJudge::Text;  // what extract_text() kept of a text

  [[nodiscard]] Worker make_worker() const {
    return {set_.profile(), [this] { job_.check_stop(); }};
  }
  // Runs the work with the thread's own scratch or, if the text is long, alone and with temporary scratch.
  template <typename Work>
  void with_scratch(std::size_t text_bytes, Worker& worker, const Work& work) const {
    if (!long_texts_.is_long(text_bytes)) return work(worker);
    long_texts_.alone([this] { return make_worker(); }, work);
  }

  void compare_texts() {
    learn_templates();
    text_of_ = open_();
    stages::WaitingFeatures waiting(job_.room() / 2, options_.output + ".waiting");
    std::vector<Worker> workers;
    workers.reserve(job_.threads());
    for (unsigned worker = 0; worker < job_.threads(); ++worker) workers.push_back(make_worker());
    const auto all = static_cast<std::uint64_t>(std::count(takes_part_.begin(), takes_part_.end(), true));
    std::uint64_t done = 0;
    const std::array<job::PipelineRound<Batch>, 2> rounds = {{
        {[&](Batch& batch, unsigned worker) { extract(batch, workers[worker]); },
         [&](Batch& batch) {
           for (std::size_t i = 0; i < batch.rows.size(); ++i)
             if (std::uint32_t& place = uses_or_places_[batch.rows[i]]; place > 0) place = waiting.put(batch.features_of(i), place);
         }},
        {[&](Batch& batch, unsigned worker) { compare(batch, waiting, workers[worker]); },
         [&](Batch& batch) {
           for (const Pair& pair : batch.pairs) {
             waiting.done(uses_or_places_[pair.a]);
             if (pair.value >= 0) accept(pair, pair.value);
             metadata_.counts.other_facts += pair.value == stages::PairJudge::other_facts ? 1 : 0;
           }
           done += batch.rows.size();
           job_.progress(done, all, done);
         }},
    }};
    job::ordered_pipeline<Batch>(
        job_.threads(), [&](Batch& batch) { return fill(batch); }, std::span<const job::PipelineRound<Batch>>(rounds));
  }

  void learn_templates() {
    if (!judge_.uses_templates()) return;
    templates_.emplace(set_, rule_, pairs_, open_(), job_.threads(), [&] { job_.check_stop(); });
  }

  bool fill(Batch& batch) {
    batch.rows.clear(), batch.text_ends.clear(), batch.bytes.clear(), batch.pairs.clear(), batch.pair_ends.clear();
    for (; next_row_ < takes_part_.size() && batch.rows.size() < 1024 && batch.bytes.size() < (1U << 20); ++next_row_) {
      if (!takes_part_[next_row_]) continue;
      const auto row = static_cast<std::uint32_t>(next_row_);
      batch.rows.push_back(row);
      batch.bytes += text_of_(row);
      batch.text_ends.push_back(batch.bytes.size());
      for (; has_pair() && pairs_left_.front().high >> 32 == row; pairs_left_ = pairs_left_.subspan(1)) {
        const storage::SortRecord& record = pairs_left_.front();
        batch.pairs.push_back({static_cast<std::uint32_t>(record.high), row, static_cast<PairKind>(record.low), 0});
      }
      batch.pair_ends.push_back(batch.pairs.size());
    }
    return !batch.rows.empty();
  }
  bool has_pair() {
    if (pairs_left_.empty()) pairs_left_ = by_text_.next();
    return !pairs_left_.empty();
  }

  void extract(Batch& batch, Worker& worker) const {
    batch.features.clear(), batch.feature_ends.clear();
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      job_.check_stop();
      const std::string_view text = batch.text_of(i);
      with_scratch(text.size(), worker, [&](Worker& one) { extract_text(batch, batch.rows[i], text, one); });
      batch.feature_ends.push_back(batch.features.size());
    }
  }

  // The features kept of a text: its keys; then its tokens if order may matter; then two words for each token if facts may matter.
  void extract_text(Batch& batch, std::uint32_t row, std::string_view text, Worker& worker) const {
    worker.extractor.set_text(text);
    worker.extractor.keys(worker.scratch);
    batch.features.insert(batch.features.end(), worker.scratch.begin(), worker.scratch.end());
    const auto tokens = worker.extractor.token_hashes();
    if (has_order(row) || has_facts_[row]) check_tokens(row, tokens.size());
    if (has_order(row))
      for (const std::uint64_t token : tokens) batch.features.push_back(static_cast<std::uint32_t>(token >> 32));
    if (!has_facts_[row]) return;
    worker.read_facts.clear();
    similarity::read_facts(worker.extractor, worker.read_facts);
    for (const similarity::FactToken& fact : worker.read_facts) batch.features.insert(batch.features.end(), {fact.token, fact.kind});
  }

  // Replaces a pair's value by its similarity, or by a negative value if the pair is refused.
  void compare(Batch& batch, stages::WaitingFeatures& waiting, Worker& worker) const {
    for (std::size_t i = 0, p = 0; i < batch.rows.size(); p = batch.pair_ends[i], ++i) {
      if (p == batch.pair_ends[i]) continue;
      const auto pairs = std::span(batch.pairs).subspan(p, batch.pair_ends[i] - p);
      with_scratch(longest_text(pairs), worker, [&](Worker& one) { compare_row(pairs, batch.features_of(i), waiting, one); });
    }
  }

  // Estimated length in bytes, at 4 bytes a token.
  [[nodiscard]] std::size_t longest_text(std::span<const Pair> pairs) const {
    std::size_t tokens = tokens_[pairs.front().b];
    for (const Pair& pair : pairs) tokens = std::max<std::size_t>(tokens, tokens_[pair.a]);
    return 4 * tokens;
  }

  // Compares the pairs that have the same later row.
  void compare_row(std::span<Pair> pairs, std::span<const std::uint32_t> words, stages::WaitingFeatures& waiting, Worker& worker) const {
    const std::uint32_t row = pairs.front().b;
    const TextFeatures later = of_words(row, words);
    worker.judged.set(later);
    for (Pair& pair : pairs) {
      job_.check_stop();
      const auto earlier = of_words(pair.a, waiting.get(uses_or_places_[pair.a], worker.scratch));
      pair.value = similarity_of(pair, earlier, later, worker);
    }
  }

  [[nodiscard]] float similarity_of(const Pair& pair, const TextFeatures& earlier, const TextFeatures& later, Worker& worker) const {
    return judge_.similarity_of(
        earlier, tokens_[pair.a], later, tokens_[pair.b], worker.judged, templates_ ? &*templates_ : nullptr,
        [&] { return weight_of(pair.a, earlier.keys, worker); }, [&] { return weight_of(pair.b, later.keys, worker); });
  }

  // A text is weighed when a pair asks for it, which many never do, and a text of many pairs hardly more than once: weighing goes over all
  // of its features.
  [[nodiscard]] stages::TemplateFeatures::Weight weight_of(std::uint32_t row, std::span<const std::uint32_t> keys, Worker& worker) const {
    Weighed& weighed = worker.weighed[row % worker.weighed.size()];
    if (weighed.row != row) weighed = {row, templates_->weigh(keys)};
    return weighed.weight;
  }

  // Throws if the number of tokens is not the one in the sketch: the text must have changed, and its features could not be split.
  void check_tokens(std::uint32_t row, std::size_t tokens) const {
    if (tokens == tokens_[row]) return;
    const auto& file = set_.files()[set_.file_of(row)];
    throw Error(ErrorCode::format,
                fmt::format("{}: row {} has {} tokens, and its text has {}: one of them has changed; run sketch again, of a collection "
                            "leitong collection check",
                            file.table->path(), row - file.first_row, tokens_[row], tokens));
  }

  [[nodiscard]] bool has_order(std::uint32_t row) const { return tokens_[row] > rule_.order_tokens; }
  // What extract_text() put together.
  [[nodiscard]] TextFeatures of_words(std::uint32_t row, std::span<const std::uint32_t> words) const {
    static_assert(sizeof(similarity::FactToken) == 2 * sizeof(std::uint32_t) && alignof(similarity::FactToken) == alignof(std::uint32_t));
    const std::size_t tokens = has_order(row) ? tokens_[row] : 0, facts = has_facts_[row] ? tokens_[row] : 0;
    const std::size_t keys = words.size() - tokens - 2 * facts;
    return {words.first(keys),
            words.subspan(keys, tokens),
            {reinterpret_cast<const similarity::FactToken*>(words.data() + keys + tokens), facts}};
  }

  [[nodiscard]] bool needs_order(const Pair& pair, double similarity) const {
    return judge_.needs_order(similarity, tokens_[pair.a], tokens_[pair.b]);
  }
  [[nodiscard]] bool needs_facts(const Pair& pair, double similarity) const {
    return judge_.needs_facts(similarity, tokens_[pair.a], tokens_[pair.b]);
  }
  [[nodiscard]] bool needs_more(const Pair& pair, double similarity) const {
    return judge_.needs_more(similarity, tokens_[pair.a], tokens_[pair.b]);
  }

  Counts write() {
    const storage::Schema schema = stages::pair_schema("edges");
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
    metadata_.verify = stages::name_of(options_.verify);
    metadata_.rule = rule_, metadata_.rule_id = rule_id(rule_);
    metadata_.thresholds = options_.threshold ? fmt::format("{} for all", *options_.threshold) : thresholds_of(rule_);
    metadata_.made_from = stages::made_from_verify(options_);
    writer.finish(to_json(metadata_, options_.output));
    job_.finish_progress(metadata_.counts.edges, metadata_.counts.records);
    return metadata_.counts;
  }

  const VerifyOptions& options_;
  const Rule& rule_;
  stages::PairJudge judge_;
  job::Job& job_;
  mutable job::LongTexts long_texts_;
  stages::OpenTexts open_;
  storage::TableReader pairs_;
  stages::StageMetadata metadata_;
  sketches::SketchSet set_;
  std::vector<std::uint32_t> tokens_, features_;
  storage::ExternalSort sorted_;   // edges
  storage::ExternalSort by_text_;  // pairs that need their texts: (later row, earlier row), kind
  std::span<const storage::SortRecord> pairs_left_;
  // Empty if no pair needs a text. For each row: pairs that need its text as the earlier one; once that text waits, its place there.
  std::vector<std::uint32_t> uses_or_places_;
  std::vector<bool> takes_part_;                       // rows that are in such a pair
  std::vector<bool> has_facts_;                        // rows that are in such a pair whose facts may matter
  std::optional<stages::TemplateFeatures> templates_;  // only if the rule uses templates
  std::size_t next_row_ = 0;
  sketches::TextOfRow text_of_;
};

}  // namespace

Counts stages::verify_with(const VerifyOptions& options, const OpenTexts& open) {
  job::Job job(options.job, "verify");
  return VerifyJob(options, job, open).run();
}

Counts stage::verify(const VerifyOptions& options) {
  stages::refuse_output(options.output, options.pairs, "pairs", options.job);
  return stages::verify_with(options, {});
}

}  // namespace leitong
