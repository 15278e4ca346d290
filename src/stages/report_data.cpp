#include "stages/report_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "fingerprint/features.h"
#include "job/plain_id.h"
#include "leitong/explain.h"
#include "leitong/file_name.h"
#include "leitong/similarity.h"
#include "leitong/stages.h"
#include "leitong/version.h"
#include "outputs/source_rows.h"
#include "report/html.h"

namespace leitong::stages {
namespace {

constexpr std::size_t shown_clusters = 20, shown_members = 30, samples_a_distance = 2, most_samples = 60;
constexpr std::size_t shown_text = 4000, shown_excerpt = 600;
constexpr std::size_t longest_explained = 32U << 10;  // bytes; longer texts are not explained
constexpr std::uint32_t shown_features = 8;

// At most `limit` bytes.
std::string_view beginning(std::string_view text, std::size_t limit) { return text.substr(0, report::word_end(text, limit)); }

// A fixed shuffle: samples are spread over the collection and are the same on every run.
std::uint64_t scattered(std::uint32_t row) {
  std::uint64_t x = row + 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

ReportData::ReportData(const sketches::SketchSet& set, const StageMetadata& metadata, std::uint32_t giant_cluster)
    : set_(set), giant_cluster_(giant_cluster) {
  const Counts& c = metadata.counts;
  report_.records = c.records, report_.kept = c.kept, report_.removed = c.removed, report_.rejected = c.rejected;
  report_.featureless = c.featureless, report_.clusters = c.clusters, report_.candidates = c.candidates, report_.edges = c.edges;
  report_.other_facts = c.other_facts;
  report_.old_records = c.old_records, report_.removed_for_old = c.removed_for_old, report_.old_stores = c.old_stores;
  report_.bounded = c.bounded, report_.text_bytes = c.bytes;
  report_.version = version();
  report_.profile = set.profile().name;
  report_.profile_id = set.files().front().metadata.profile_id;
  report_.rule = metadata.rule.name, report_.rule_id = metadata.rule_id;
  report_.keep_reasons = metadata.keep_reasons;
  can_explain_ = set.profile().sketch == SketchKind::simhash && fingerprint::votes_by_tokens(set.profile()) &&
                 profile_id(set.profile()) == report_.profile_id;
  report_.distances.assign(set.profile().bits + 1, 0);
  report_.similarities.assign(20, 0);
  for (const auto& [similarity, recall] : metadata.counts.recall)
    report_.recall.emplace_back(fmt::format("{:.2f}", similarity), recall > 0.9999 ? "> 99.99 %" : fmt::format("{:.2f} %", 100 * recall));
  for (const auto& file : set.files()) {
    sources_.emplace_back(file.metadata.sources.size());
    for (std::size_t s = 0; s < file.metadata.sources.size(); ++s) {
      const std::uint64_t rejected = s < file.metadata.rejected_of.size() ? file.metadata.rejected_of[s] : 0;
      sources_.back()[s] = {file.metadata.sources[s].path, rejected, 0, rejected};
    }
  }
}

void ReportData::add(const ClusterRow& row) {
  if (row.row == row.kept) return;
  if (row.distance != no_distance) ++report_.distances[std::min<std::size_t>(row.distance, report_.distances.size() - 1)];
  if (!set_.is_stored(row.kept)) ++report_.similarities[std::min<std::size_t>(static_cast<std::size_t>(row.similarity * 20 + 1e-6F), 19)];
  if (row.kind == PairKind::equal) {  // a pair of equal texts shows nothing
    ++report_.exact_removed;
    return;
  }
  const auto before = [](const ClusterRow& a, const ClusterRow& b) { return scattered(a.row) < scattered(b.row); };
  auto& chosen = by_distance_[row.distance];
  chosen.insert(std::upper_bound(chosen.begin(), chosen.end(), row, before), row);
  if (chosen.size() > samples_a_distance) chosen.pop_back();
}

void ReportData::add(const ClusterMembers::Cluster& cluster) {
  ++cluster_sizes_[cluster.size];
  const auto at = std::find_if(largest_.begin(), largest_.end(), [&](const Largest& other) { return other.size < cluster.size; });
  if (at == largest_.end() && largest_.size() == shown_clusters) return;
  Largest large{cluster.number, cluster.size, {cluster.kept_row}};
  for (std::uint64_t i = 0; i < cluster.size && large.rows.size() < shown_members; ++i)
    if (cluster.row(i) != cluster.kept_row) large.rows.push_back(cluster.row(i));
  largest_.insert(at, std::move(large));
  if (largest_.size() > shown_clusters) largest_.pop_back();
}

void ReportData::choose() {
  report_.cluster_sizes.assign(cluster_sizes_.begin(), cluster_sizes_.end());
  for (const Largest& large : largest_) {
    wanted_[excerpt_row(large)] = true;
    for (const std::uint32_t row : large.rows) shown_[row];
  }
  for (std::size_t round = 0; round < samples_a_distance; ++round)
    for (const auto& [distance, chosen] : by_distance_)
      if (round < chosen.size() && samples_.size() < most_samples) samples_.push_back(chosen[round]);
  std::stable_sort(samples_.begin(), samples_.end(), [](const ClusterRow& a, const ClusterRow& b) { return a.distance < b.distance; });
  for (const ClusterRow& row : samples_) {
    shown_[row.row], shown_[row.kept];
    wanted_[row.row] = true;
    if (!set_.is_stored(row.kept)) wanted_[row.kept] = true;
  }
}

// The row whose text is shown for a cluster: the kept one, or the first other one if the kept one is stored without a text.
std::uint32_t ReportData::excerpt_row(const Largest& large) const {
  return set_.is_stored(large.rows.front()) ? large.rows.at(1) : large.rows.front();
}

void ReportData::text(std::uint32_t row, std::string_view text) {
  Shown& shown = shown_[row];
  shown.text = beginning(text, shown_text);
  shown.cut = shown.text.size() < text.size();
  if (can_explain_ && text.size() <= longest_explained) shown.whole = text;
}

void ReportData::count(std::uint32_t row, std::string_view id, std::uint64_t record, std::size_t file, std::uint32_t source,
                       std::uint64_t length, const ClusterRow* clustered) {
  report::Source& counted = sources_[file][source];
  ++counted.records;
  if (clustered != nullptr && clustered->kept != row) {
    ++counted.removed, report_.removed_bytes += length;
    if (set_.is_old(clustered->kept)) ++counted.removed_for_old;
  }
  const auto found = shown_.find(row);
  if (found == shown_.end()) return;
  report::Member& member = found->second.member;
  member.id = job::plain_id(id), member.record = record, member.source = shown_name(counted.path), member.length = length;
  member.stored = set_.is_stored(row);
  if (clustered == nullptr) return;
  member.kept = clustered->kept == row;
  member.similarity = set_.is_stored(clustered->kept) ? -1 : static_cast<double>(clustered->similarity);
  member.distance = clustered->distance == no_distance ? -1 : clustered->distance;
}

// Long texts are not explained, nor are pairs whose texts do not give the distance of their stored fingerprints.
void ReportData::explain_sample(const ClusterRow& row, const Shown& removed, const Shown& kept, report::Sample& sample) const {
  if (row.distance == no_distance || row.distance == 0 || removed.whole.empty() || kept.whole.empty()) return;
  Explanation explanation = explain(removed.whole, kept.whole, set_.profile(), 0);
  if (explanation.bits.size() != row.distance) return;
  sample.moved_in_all = explanation.moved.size();
  explanation.moved.resize(std::min<std::size_t>(explanation.moved.size(), shown_features));
  sample.moved = std::move(explanation.moved);
}

// The sources of the sketch files with indices from `begin` to `end`.
std::vector<report::Source> ReportData::rows_of(std::size_t begin, std::size_t end) const {
  std::vector<report::Source> all;
  for (std::size_t file = begin; file < end; ++file) all.insert(all.end(), sources_[file].begin(), sources_[file].end());
  return outputs::source_rows(std::move(all), sketches::inputs_of(std::span(set_.files()).subspan(begin, end - begin)));
}

report::Report ReportData::finish() {
  for (const Largest& large : largest_) {
    report::Cluster cluster;
    cluster.cluster = large.cluster;
    cluster.size = large.size;
    cluster.giant = cluster.size >= giant_cluster_;
    for (const std::uint32_t row : large.rows) cluster.members.push_back(shown_.at(row).member);
    cluster.excerpt = beginning(shown_.at(excerpt_row(large)).text, shown_excerpt);
    report_.largest.push_back(std::move(cluster));
  }
  for (const ClusterRow& row : samples_) {
    const Shown &removed = shown_.at(row.row), &kept = shown_.at(row.kept);
    report::Sample sample;
    sample.removed = removed.member;
    sample.kept = kept.member;
    sample.cluster = row.cluster;
    sample.removed_text = removed.text, sample.kept_text = kept.text;
    sample.cut = removed.cut || kept.cut;
    if (!kept.member.stored) sample.diff = difference(removed.text, kept.text, set_.profile());
    if (can_explain_) explain_sample(row, removed, kept, sample);
    report_.samples.push_back(std::move(sample));
  }
  report_.old_sources = rows_of(0, set_.old_files());
  report_.sources = rows_of(set_.old_files(), sources_.size());
  return std::move(report_);
}

}  // namespace leitong::stages
