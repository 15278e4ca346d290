#include "corpus/report_data.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include "leitong/similarity.h"

namespace leitong::corpus {
namespace {

constexpr std::size_t shown_clusters = 20, shown_members = 30, samples_a_distance = 2, most_samples = 60, shown_sources = 200;
constexpr std::size_t shown_text = 4000, shown_excerpt = 600;

// Cut after at most `limit` bytes, between characters.
std::string_view beginning(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  return text.substr(0, limit);
}

// A fixed shuffle, so that a sample is spread over the collection and the same on every run.
std::uint64_t scattered(std::uint32_t row) {
  std::uint64_t x = row + 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

std::string plain_id(std::string_view json) {
  if (json.size() < 2 || json.front() != '"') return std::string(json);
  simdjson::dom::parser parser;
  std::string_view text;
  if (parser.parse(simdjson::padded_string(json)).get(text) != simdjson::SUCCESS) return std::string(json);
  return std::string(text);
}

}  // namespace

ReportData::ReportData(const SketchSet& set, const StageMetadata& metadata, const std::vector<ClusterRow>& rows,
                       std::uint32_t giant_cluster)
    : set_(set), giant_cluster_(giant_cluster) {
  const Counts& c = metadata.counts;
  report_.records = c.records, report_.kept = c.kept, report_.removed = c.removed, report_.rejected = c.rejected;
  report_.featureless = c.featureless, report_.clusters = c.clusters, report_.candidates = c.candidates, report_.edges = c.edges;
  report_.bounded = c.bounded, report_.text_bytes = c.bytes;
  report_.version = version();
  report_.profile = set.profile().name;
  report_.profile_id = set.files().front().metadata.profile_id;
  report_.keep_reasons = metadata.keep_reasons;
  report_.distances.assign(set.profile().bits + 1, 0);
  report_.similarities.assign(20, 0);
  for (const auto& [similarity, recall] : metadata.recall)
    report_.recall.emplace_back(fmt::format("{:.2f}", similarity), recall > 0.9999 ? "> 99.99 %" : fmt::format("{:.2f} %", 100 * recall));
  for (const auto& file : set.files()) {
    sources_.emplace_back(file.metadata.sources.size());
    for (std::size_t s = 0; s < file.metadata.sources.size(); ++s) sources_.back()[s].path = file.metadata.sources[s].path;
  }
  for (const ClusterRow& row : rows) {
    if (row.row == row.kept) continue;
    if (row.distance != no_distance) ++report_.distances[std::min<std::size_t>(row.distance, report_.distances.size() - 1)];
    ++report_.similarities[std::min<std::size_t>(static_cast<std::size_t>(row.similarity * 20 + 1e-6F), 19)];
    if (row.kind == PairKind::equal) ++report_.exact_removed;
  }
  choose_clusters(rows);
  choose_samples(rows);
}

void ReportData::choose_clusters(const std::vector<ClusterRow>& rows) {
  std::vector<std::uint64_t> size;
  for (const ClusterRow& row : rows) {
    if (row.cluster >= size.size()) size.resize(row.cluster + 1, 0);
    ++size[row.cluster];
  }
  std::map<std::uint64_t, std::uint64_t> sizes;
  for (const std::uint64_t n : size) ++sizes[n];
  report_.cluster_sizes.assign(sizes.begin(), sizes.end());
  std::vector<std::uint32_t> order(size.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return size[a] > size[b]; });
  order.resize(std::min(order.size(), shown_clusters));
  std::unordered_map<std::uint32_t, std::size_t> place;
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i, largest_sizes_.push_back(size[order[i]]);
  largest_.resize(order.size());
  for (const ClusterRow& row : rows) {
    const auto found = place.find(row.cluster);
    if (found == place.end()) continue;
    auto& members = largest_[found->second];
    if (row.row == row.kept) {
      members.insert(members.begin(), row);
      wanted_[row.row] = true;
      if (members.size() > shown_members) members.pop_back();
    } else if (members.size() < shown_members) {
      members.push_back(row);
    }
  }
  for (const auto& members : largest_)
    for (const ClusterRow& row : members) shown_[row.row];
}

void ReportData::choose_samples(const std::vector<ClusterRow>& rows) {
  std::map<std::uint16_t, std::vector<ClusterRow>> by_distance;
  const auto before = [](const ClusterRow& a, const ClusterRow& b) { return scattered(a.row) < scattered(b.row); };
  for (const ClusterRow& row : rows) {
    if (row.row == row.kept || row.kind == PairKind::equal) continue;  // equal texts show nothing
    auto& chosen = by_distance[row.distance];
    chosen.insert(std::upper_bound(chosen.begin(), chosen.end(), row, before), row);
    if (chosen.size() > samples_a_distance) chosen.pop_back();
  }
  for (std::size_t round = 0; round < samples_a_distance; ++round)
    for (const auto& [distance, chosen] : by_distance)
      if (round < chosen.size() && samples_.size() < most_samples) samples_.push_back(chosen[round]);
  std::stable_sort(samples_.begin(), samples_.end(), [](const ClusterRow& a, const ClusterRow& b) { return a.distance < b.distance; });
  for (const ClusterRow& row : samples_) {
    shown_[row.row], shown_[row.kept];
    wanted_[row.row] = wanted_[row.kept] = true;
  }
}

void ReportData::text(std::uint32_t row, std::string_view text) {
  Shown& shown = shown_[row];
  shown.text = beginning(text, shown_text);
  shown.cut = shown.text.size() < text.size();
}

void ReportData::count(std::uint32_t row, std::string_view id, std::uint64_t record, std::size_t file, std::uint32_t source,
                       std::uint64_t length, bool removed) {
  report::Source& counted = sources_[file][source];
  ++counted.records;
  if (removed) ++counted.removed, report_.removed_bytes += length;
  const auto found = shown_.find(row);
  if (found == shown_.end()) return;
  found->second.id = plain_id(id);
  found->second.record = record;
  found->second.source = counted.path;
  found->second.length = length;
}

report::Member ReportData::member(const ClusterRow& row) const {
  const Shown& shown = shown_.at(row.row);
  report::Member member;
  member.id = shown.id, member.record = shown.record, member.source = shown.source, member.length = shown.length;
  member.kept = row.row == row.kept;
  member.similarity = static_cast<double>(row.similarity);
  member.distance = row.distance == no_distance ? -1 : row.distance;
  return member;
}

// Very many sources are mostly the files of a directory: shown as what was given on the command line.
std::vector<report::Source> ReportData::by_input(const std::vector<report::Source>& sources) const {
  std::vector<report::Source> inputs;
  for (const auto& file : set_.files())
    for (const std::string& path : file.metadata.input.paths) inputs.push_back({path, 0, 0, 0});
  report::Source other{"(other)", 0, 0, 0};
  for (const report::Source& source : sources) {
    const auto found =
        std::find_if(inputs.begin(), inputs.end(), [&](const report::Source& input) { return source.path.starts_with(input.path); });
    report::Source& sum = found == inputs.end() ? other : *found;
    sum.records += source.records, sum.removed += source.removed;
  }
  if (other.records > 0) inputs.push_back(other);
  return inputs;
}

report::Report ReportData::finish() {
  for (std::size_t i = 0; i < largest_.size(); ++i) {
    report::Cluster cluster;
    cluster.cluster = largest_[i].front().cluster;
    cluster.size = largest_sizes_[i];
    cluster.giant = cluster.size >= giant_cluster_;
    for (const ClusterRow& row : largest_[i]) cluster.members.push_back(member(row));
    cluster.excerpt = beginning(shown_.at(largest_[i].front().kept).text, shown_excerpt);
    report_.largest.push_back(std::move(cluster));
  }
  for (const ClusterRow& row : samples_) {
    const Shown &removed = shown_.at(row.row), &kept = shown_.at(row.kept);
    report::Sample sample;
    sample.removed = member(row);
    sample.kept = member({row.kept, row.kept, row.cluster, 1.0F, 0, PairKind::equal});
    sample.cluster = row.cluster;
    sample.removed_text = removed.text, sample.kept_text = kept.text;
    sample.cut = removed.cut || kept.cut;
    sample.diff = compare(removed.text, kept.text, set_.profile()).diff;
    report_.samples.push_back(std::move(sample));
  }
  std::vector<report::Source> all;
  for (auto& file : sources_) all.insert(all.end(), file.begin(), file.end());
  if (all.size() > shown_sources) all = by_input(all);
  std::stable_sort(all.begin(), all.end(), [](const report::Source& a, const report::Source& b) { return a.records > b.records; });
  if (all.size() > shown_sources) {
    report::Source rest;
    rest.path = fmt::format("({} others)", all.size() - shown_sources);
    for (std::size_t i = shown_sources; i < all.size(); ++i) rest.records += all[i].records, rest.removed += all[i].removed;
    all.resize(shown_sources);
    all.push_back(rest);
  }
  report_.sources = std::move(all);
  return std::move(report_);
}

}  // namespace leitong::corpus
