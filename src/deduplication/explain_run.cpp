// Explains what a finished run did with two of its records, from its stage files and from the inputs as far as these still exist.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "deduplication/edge_chain.h"
#include "deduplication/run_directory.h"
#include "fingerprint/features.h"
#include "leitong/error.h"
#include "leitong/explain.h"
#include "leitong/file_name.h"
#include "similarity/own_passages.h"
#include "similarity/thresholds.h"
#include "sketches/record_cursor.h"
#include "sketches/record_finder.h"
#include "stages/cluster_reader.h"
#include "stages/pair_reader.h"
#include "stages/stages.h"
#include "stages/template_features.h"

namespace leitong {
namespace {

using sketches::SketchColumns;
using stages::ClusterRow;
using stages::PairKind;
using stages::PairRow;

std::string route_of(PairKind kind) {
  switch (kind) {
    case PairKind::equal:
      return "equal";
    case PairKind::bands:
      return "bands";
    case PairKind::exact:
      return "exact";
    case PairKind::hamming:
      return "hamming";
  }
  return fmt::format("route {}", static_cast<unsigned>(kind));
}

// The part of a profile that measures and the difference need: they work on standard tokens, and need no dictionary, table or key.
Profile measuring(Profile p) {
  const Profile plain;
  p.words = plain.words, p.program = plain.program, p.bits = plain.bits, p.weights = plain.weights;
  p.top_words = plain.top_words, p.normalise = plain.normalise, p.parts_of_speech.clear();
  for (std::string* text : {&p.data, &p.idf_file, &p.key, &p.stop_words, &p.word_weights}) text->clear();
  return p;
}

class RunReader {
 public:
  explicit RunReader(const RunQuestion& question)
      : question_(question),
        clusters_(stages::open_stage_file(deduplication::stage_path(question.directory, "clusters"), "clusters")),
        pairs_(stages::open_stage_file(deduplication::stage_path(question.directory, "pairs"), "pairs")),
        edges_(stages::open_stage_file(deduplication::stage_path(question.directory, "edges"), "edges")),
        metadata_(stages::stage_metadata_from_json(clusters_.metadata(), clusters_.path())),
        set_(metadata_.sketches, metadata_.old_sketches) {}

  RunExplanation run() {
    for (const storage::TableReader* table : {&clusters_, &pairs_, &edges_}) check_identities(*table);
    const auto rows = sketches::find_records(set_, {question_.a, question_.b}, before_block_);
    if (rows[0] == rows[1])
      throw Error(ErrorCode::usage, fmt::format("\"{}\" and \"{}\" are one and the same record: name two", question_.a, question_.b));
    a_.row = rows[0], b_.row = rows[1];
    out_.profile = set_.profile();
    out_.profile_id = set_.files().front().metadata.profile_id;
    out_.rule = metadata_.rule, out_.rule_id = metadata_.rule_id;
    out_.method = metadata_.method, out_.verification = metadata_.verify, out_.thresholds = metadata_.thresholds;
    find_clusters();
    find_first_equals();
    decide();
    find_chain();
    name_rows();
    read_texts();
    if (out_.no_texts.empty()) explain_texts();
    return std::move(out_);
  }

 private:
  // One of the two records, as rows of the sketch files.
  struct Place {
    std::uint32_t row = 0, first = 0;
    std::optional<ClusterRow> cluster;
    std::uint64_t cluster_size = 1;
  };

  void check_identities(const storage::TableReader& table) const {
    const auto metadata = stages::stage_metadata_from_json(table.metadata(), table.path());
    bool same = metadata.identities.size() == set_.files().size();
    for (std::size_t i = 0; same && i < set_.files().size(); ++i) same = set_.files()[i].table->identity() == metadata.identities[i];
    if (!same)
      throw Error(ErrorCode::format, fmt::format("{} was not made from {}: the stage files in {} are of different runs; run dedup again",
                                                 table.path(), set_.files().front().table->path(), question_.directory));
  }

  void check_stop() const {
    if (question_.stop != nullptr && question_.stop->load()) throw Error(ErrorCode::interrupted, "stopped");
  }

  // Finds the clusters of both records and their sizes and, if both are in one cluster, its members.
  void find_clusters() {
    for_each_clustered([&](const ClusterRow& row) {
      for (Place* place : {&a_, &b_})
        if (row.row == place->row) place->cluster = row;
    });
    if (!a_.cluster && !b_.cluster) return;
    a_.cluster_size = a_.cluster ? 0 : 1, b_.cluster_size = b_.cluster ? 0 : 1;
    for_each_clustered([&](const ClusterRow& row) {
      for (Place* place : {&a_, &b_})
        if (place->cluster && row.cluster == place->cluster->cluster) ++place->cluster_size;
      if (in_one_cluster() && row.cluster == a_.cluster->cluster) members_.push_back(row.row);
    });
  }

  template <typename Visit>
  void for_each_clustered(const Visit& visit) const {
    stages::ClusterReader reader(clusters_, set_.rows());
    for (std::uint64_t n = 0; const ClusterRow* row = reader.head(); reader.next()) {
      if (n++ % 16384 == 0) check_stop();
      visit(*row);
    }
  }

  [[nodiscard]] bool in_one_cluster() const { return a_.cluster && b_.cluster && a_.cluster->cluster == b_.cluster->cluster; }

  // Of equal texts only the first is compared with other texts.
  void find_first_equals() {
    a_.first = a_.row, b_.first = b_.row;
    stages::for_each_pair(pairs_, set_.rows(), before_block_, [&](const PairRow& pair) {
      if (pair.kind != PairKind::equal) return;
      for (Place* place : {&a_, &b_})
        if (pair.b == place->row) place->first = pair.a;
    });
  }

  void decide() {
    if (a_.first == b_.first) {
      out_.nominated = route_of(PairKind::equal);
      out_.estimate = 1, out_.accepted = 1;
      return;
    }
    const auto [first, second] = std::minmax(a_.first, b_.first);
    if (const auto pair = stages::find_pair(pairs_, first, second)) {
      out_.nominated = route_of(pair->kind);
      out_.estimate = static_cast<double>(pair->value);
    }
    const auto edge = stages::find_pair(edges_, first, second);
    if (!edge) return;
    out_.accepted = static_cast<double>(edge->value);
    if (!set_.is_stored(first)) return;
    out_.nominated = route_of(edge->kind);  // the store nominated the pair, not the join
    out_.unverified = true;
  }

  void find_chain() {
    if (in_one_cluster()) links_ = deduplication::edge_chain(edges_, set_.rows(), members_, a_.row, b_.row, before_block_);
  }

  // Reads the names of all rows that the explanation mentions, in the order of the rows.
  void name_rows() {
    std::map<std::uint32_t, RunRecord> names;
    for (const Place* place : {&a_, &b_}) {
      names[place->row], names[place->first];
      if (place->cluster) names[place->cluster->kept];
    }
    for (const PairRow& link : links_) names[link.a], names[link.b];
    const std::size_t words = fingerprint_words(set_.profile().bits);
    sketches::RowReader reader(set_, {SketchColumns::record, SketchColumns::source, SketchColumns::line, SketchColumns::id,
                                      SketchColumns::flags, SketchColumns::simhash});
    for (auto& [row, name] : names) {
      reader.seek(row);
      const sketches::SketchSet::File& file = set_.files()[reader.file()];
      name.id = reader.text(SketchColumns::id);
      name.record = file.first_record + reader.value<std::uint64_t>(SketchColumns::record);
      name.source = shown_name(file.metadata.sources.at(reader.value<std::uint32_t>(SketchColumns::source)).path);
      name.line = reader.value<std::uint64_t>(SketchColumns::line);
      name.stored = set_.is_stored(row);
      if ((reader.value<std::uint8_t>(SketchColumns::flags) & sketches::flags::fingerprint) == 0) continue;
      Fingerprint fingerprint;
      fingerprint.bits = set_.profile().bits;
      std::ranges::copy(reader.values<std::uint64_t>(SketchColumns::simhash, words), fingerprint.words.begin());
      if (row == a_.row) out_.a.fingerprint = fingerprint;
      if (row == b_.row) out_.b.fingerprint = fingerprint;
    }
    tell_fate(a_, names, out_.a), tell_fate(b_, names, out_.b);
    std::uint32_t at = a_.row;
    for (const PairRow& link : links_) {
      const std::uint32_t next = link.a == at ? link.b : link.a;
      out_.chain.push_back({names[at], names[next], static_cast<double>(link.value), route_of(link.kind)});
      at = next;
    }
  }

  static void tell_fate(const Place& place, std::map<std::uint32_t, RunRecord>& names, RunFate& fate) {
    fate.self = fate.kept = names[place.row];
    fate.first = names[place.first];
    fate.cluster_size = place.cluster_size;
    if (!place.cluster) return;
    const ClusterRow& row = *place.cluster;
    fate.cluster = row.cluster;
    fate.kept = names[row.kept];
    fate.is_kept = row.kept == place.row;
    fate.similarity = static_cast<double>(row.similarity);
    fate.equal = row.kind == PairKind::equal;
    if (row.distance != stages::no_distance && !fate.is_kept) fate.distance = row.distance;
  }

  void read_texts() {
    try {
      sketches::RecordCursor cursor(set_, deduplication::start_of_run(question_.directory));
      std::array<std::pair<std::uint32_t, std::string*>, 2> texts = {{{a_.row, &out_.a.text}, {b_.row, &out_.b.text}}};
      std::sort(texts.begin(), texts.end());
      for (auto& [row, text] : texts) *text = cursor.text(row);
    } catch (const Error& error) {
      out_.a.text.clear(), out_.b.text.clear();
      out_.no_texts = error.what();
    }
  }

  void explain_texts() {
    Comparison& comparison = out_.comparison.emplace(compare(out_.a.text, out_.b.text, measuring(out_.profile), out_.rule));
    comparison.a = out_.a.fingerprint, comparison.b = out_.b.fingerprint;
    comparison.distance.reset();
    if (comparison.a && comparison.b) comparison.distance = distance(*comparison.a, *comparison.b);
    measure_beyond_template();
    try {
      explain_features();
    } catch (const Error& error) {
      out_.no_features = error.what();
    }
    if (!out_.no_features.empty()) out_.explanation.reset();
  }

  void measure_beyond_template() {
    if (!out_.nominated || a_.first == b_.first || !similarity::templates_matter(out_.rule, out_.comparison->jaccard)) return;
    fingerprint::FeatureExtractor extractor(out_.profile);
    std::vector<std::uint32_t> a, b;
    extractor.set_text(out_.a.text), extractor.keys(a);
    extractor.set_text(out_.b.text), extractor.keys(b);
    similarity::FeatureTable table;
    table.set(b);
    try {
      const stages::TemplateFeatures templates(
          set_, out_.rule, pairs_, sketches::texts_of_inputs(set_, deduplication::start_of_run(question_.directory)), 1, before_block_);
      const stages::TemplateFeatures::Both both{a, table, templates.weigh(a), templates.weigh(b), table.count(a)};
      out_.beyond_template = templates.similarity(both);
      out_.own_passages = templates.is_template(both) && have_own_passages(extractor);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;  // otherwise another input has changed: the fields stay empty
    }
  }

  [[nodiscard]] bool have_own_passages(fingerprint::FeatureExtractor& extractor) const {
    const auto tokens_of = [&](const std::string& text) {
      extractor.set_text(text);
      std::vector<std::uint32_t> tokens;
      for (const std::uint64_t token : extractor.token_hashes()) tokens.push_back(static_cast<std::uint32_t>(token >> 32));
      return tokens;
    };
    const std::vector<std::uint32_t> a = tokens_of(out_.a.text), b = tokens_of(out_.b.text);
    if (!similarity::passages_matter(out_.rule, out_.comparison->jaccard, a.size(), b.size())) return false;
    similarity::OwnPassages passages;
    passages.set(b);
    return passages.in_one_place(a, out_.rule.template_passage);
  }

  void explain_features() {
    out_.profile.key = question_.key;
    if (profile_id(out_.profile) != out_.profile_id) {
      out_.no_features = fmt::format(
          "the run's profile {} cannot be made again: {}", out_.profile_id,
          question_.key.empty() ? "its key is not given, or a table or dictionary that it names has changed" : "the key is not the run's");
      return;
    }
    out_.explanation = explain(out_.a.text, out_.b.text, out_.profile, question_.most);
    if (out_.explanation->a != out_.a.fingerprint || out_.explanation->b != out_.b.fingerprint)
      out_.no_features = "the texts give other fingerprints than they gave the run: an input has changed, though not in size or time";
  }

  const RunQuestion& question_;
  storage::TableReader clusters_, pairs_, edges_;
  stages::StageMetadata metadata_;
  sketches::SketchSet set_;
  const std::function<void()> before_block_ = [this] { check_stop(); };
  Place a_, b_;
  std::vector<std::uint32_t> members_;  // members of the cluster that holds both records, ascending
  std::vector<PairRow> links_;          // chain of edges from a to b
  RunExplanation out_;
};

}  // namespace

RunExplanation explain_run(const RunQuestion& question) { return RunReader(question).run(); }

}  // namespace leitong
