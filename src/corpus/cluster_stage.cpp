// Stage 4: edges to groups, and the record that each keeps.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "cluster/keep.h"
#include "cluster/star.h"
#include "corpus/job.h"
#include "corpus/sketch_file.h"
#include "corpus/stages.h"
#include "leitong/error.h"

namespace leitong {
namespace {

using corpus::ClusterColumns;
using corpus::PairColumns;
using corpus::PairKind;
using corpus::SketchColumns;

// What the keep policy and the output need to know of a row that stands in an edge.
struct Row {
  std::uint32_t row = 0;
  std::uint32_t first = 0;  // index of the first row with the same text (itself, mostly)
  std::uint32_t best = 0;   // of a first row: index of the row of its class that the policy keeps
  std::uint64_t record = 0, length = 0;
  std::uint32_t source = 0;
  std::string fields;
  std::array<std::uint64_t, 4> simhash{};
  bool has_fingerprint = false;
};

class ClusterJob {
 public:
  ClusterJob(const ClusterOptions& options, corpus::Job& job)
      : options_(options),
        job_(job),
        edges_(corpus::open_stage_file(options.edges, "edges")),
        metadata_(corpus::stage_metadata_from_json(edges_.metadata(), options.edges)),
        set_(metadata_.sketches),
        policy_(options.keep) {}

  Counts run() {
    map_fields();
    read_edges();
    read_rows();
    choose();
    return write();
  }

 private:
  // Where the policy's fields stand in each sketch file's fields column.
  void map_fields() {
    for (const auto& file : set_.files()) {
      std::vector<std::size_t> places;
      for (const std::string& field : policy_.fields()) {
        const auto& carried = file.metadata.input.fields;
        const auto found = std::find(carried.begin(), carried.end(), field);
        if (found == carried.end() && field != "source")
          throw Error(ErrorCode::usage,
                      fmt::format("--keep uses the field \"{}\", which {} does not carry: run sketch again with --fields {}", field,
                                  file.table->path(), fmt::join(policy_.fields(), ",")));
        places.push_back(static_cast<std::size_t>(found - carried.begin()));
      }
      places_.push_back(std::move(places));
    }
  }

  void read_edges() {
    const std::vector<std::size_t> columns = {PairColumns::a, PairColumns::b, PairColumns::kind, PairColumns::value};
    storage::Block block(edges_.schema());
    std::vector<std::uint32_t> all;
    for (std::size_t b = 0; b < edges_.blocks(); ++b) {
      job_.check_stop();
      edges_.read_block(b, columns, block);
      const auto left = block.column<std::uint32_t>(PairColumns::a), right = block.column<std::uint32_t>(PairColumns::b);
      const auto kind = block.column<std::uint8_t>(PairColumns::kind);
      const auto value = block.column<float>(PairColumns::value);
      for (std::size_t i = 0; i < block.rows(); ++i) {
        if (left[i] >= set_.rows() || right[i] >= set_.rows())
          throw Error(ErrorCode::format, fmt::format("{}: edge {} names a row that its sketch files do not have; run verify again",
                                                     options_.edges, edges_.first_row(b) + i));
        all.push_back(left[i]), all.push_back(right[i]);
        (static_cast<PairKind>(kind[i]) == PairKind::equal ? equal_ : near_).push_back({left[i], right[i], value[i]});
      }
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    rows_.resize(all.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) rows_[i].row = all[i], rows_[i].first = rows_[i].best = i;
    for (const auto& edge : equal_) rows_[index_of(edge.b)].first = index_of(edge.a);
  }

  [[nodiscard]] std::uint32_t index_of(std::uint32_t row) const {
    const auto found = std::lower_bound(rows_.begin(), rows_.end(), row, [](const Row& r, std::uint32_t value) { return r.row < value; });
    return static_cast<std::uint32_t>(found - rows_.begin());
  }

  void read_rows() {
    std::size_t next = 0;
    const std::size_t words = set_.profile().bits / 64;
    const std::vector<std::size_t> columns = {SketchColumns::record, SketchColumns::source,  SketchColumns::text_bytes,
                                              SketchColumns::flags,  SketchColumns::simhash, SketchColumns::fields};
    set_.for_each_block(columns, [&](std::uint64_t first, const storage::Block& block) {
      for (; next < rows_.size() && rows_[next].row < first + block.rows(); ++next) {
        Row& row = rows_[next];
        const std::size_t i = row.row - first;
        row.record = block.column<std::uint64_t>(SketchColumns::record)[i];
        row.source = block.column<std::uint32_t>(SketchColumns::source)[i];
        row.length = block.column<std::uint32_t>(SketchColumns::text_bytes)[i];
        row.has_fingerprint = (block.column<std::uint8_t>(SketchColumns::flags)[i] & corpus::flags::fingerprint) != 0;
        std::copy_n(&block.column<std::uint64_t>(SketchColumns::simhash)[i * words], words, row.simhash.begin());
        row.fields = block.text(SketchColumns::fields, i);
      }
    });
  }

  [[nodiscard]] cluster::KeepCandidate candidate(std::uint32_t i) const {
    const Row& row = rows_[i];
    const std::size_t file = set_.file_of(row.row);
    const auto& metadata = set_.files()[file].metadata;
    cluster::KeepCandidate c;
    c.record = row.row;  // over all sketch files; in one file it ascends with the record number
    c.length = row.length;
    c.source = metadata.sources.at(row.source).path;
    if (places_[file].empty()) return c;
    const auto carried = corpus::unpack_fields(row.fields);
    for (const std::size_t place : places_[file]) c.fields.push_back(place < carried.size() ? carried[place] : std::string_view());
    return c;
  }

  // Classes of equal texts act as one: the best row of a class stands for it, in rank and as what is kept.
  void choose() {
    std::vector<std::uint32_t> order(rows_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) { return policy_.better(candidate(x), candidate(y)); });
    std::vector<std::uint32_t> rank(rows_.size());
    std::vector<std::uint8_t> seen(rows_.size(), 0);
    for (std::uint32_t position = 0; position < order.size(); ++position) {
      const std::uint32_t first = rows_[order[position]].first;
      if (seen[first] != 0) continue;
      seen[first] = 1;
      rank[first] = position;
      rows_[first].best = order[position];
    }
    std::vector<std::uint32_t> nodes, node_rank;
    for (std::uint32_t i = 0; i < rows_.size(); ++i)
      if (rows_[i].first == i) nodes.push_back(rows_[i].row), node_rank.push_back(rank[i]);
    const auto kept = cluster::stars(nodes, node_rank, near_);
    kept_.resize(rows_.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) kept_[index_of(nodes[n])] = index_of(kept[n]);
  }

  // Similarity of the edge between two first rows.
  [[nodiscard]] float similarity(std::uint32_t x, std::uint32_t y) const {
    const cluster::Edge key{std::min(rows_[x].row, rows_[y].row), std::max(rows_[x].row, rows_[y].row), 0};
    const auto less = [](const cluster::Edge& p, const cluster::Edge& q) { return std::pair(p.a, p.b) < std::pair(q.a, q.b); };
    const auto found = std::lower_bound(near_.begin(), near_.end(), key, less);
    return found == near_.end() ? 0 : found->similarity;
  }

  Counts write() {
    const storage::Schema schema = corpus::cluster_schema();
    storage::TableWriter writer(storage::posix_vfs(), options_.output, schema);
    storage::Block block(schema);
    std::map<std::string, std::uint64_t> reasons;
    std::vector<std::uint32_t> number(rows_.size(), 0xffffffffU);  // of the cluster, at the kept row's index
    std::vector<std::uint32_t> size(rows_.size(), 0);
    for (const Row& row : rows_) ++size[rows_[kept_[row.first]].best];
    std::uint32_t clusters = 0;
    Counts& counts = metadata_.counts;
    counts.removed = 0;
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
      const std::uint32_t first = rows_[i].first, kept_first = kept_[first], kept = rows_[kept_first].best;
      if (size[kept] < 2) continue;  // an edge to a record that another group took
      if (number[kept] == 0xffffffffU) number[kept] = clusters++;
      const bool equal = first == kept_first;
      block.put(ClusterColumns::row, rows_[i].row);
      block.put(ClusterColumns::kept, rows_[kept].row);
      block.put(ClusterColumns::cluster, number[kept]);
      block.put(ClusterColumns::similarity, equal ? 1.0F : similarity(first, kept_first));
      block.put(ClusterColumns::distance, distance(rows_[i], rows_[kept]));
      block.put(ClusterColumns::kind, static_cast<std::uint8_t>(equal ? PairKind::equal : PairKind::bands));
      if (i != kept) {
        ++counts.removed;
        ++reasons[policy_.reason(candidate(kept), candidate(i))];
      }
      if (block.rows() == schema.rows_per_block) writer.append(block), block.clear();
    }
    writer.append(block);
    counts.clusters = clusters;
    counts.kept = counts.records - counts.rejected - counts.removed;
    metadata_.keep = options_.keep;
    metadata_.keep_reasons.assign(reasons.begin(), reasons.end());
    metadata_.made_from = corpus::made_from_cluster(options_);
    writer.finish(corpus::to_json(metadata_, options_.output));
    job_.finish_progress(rows_.size(), counts.records);
    return counts;
  }

  static std::uint16_t distance(const Row& a, const Row& b) {
    if (!a.has_fingerprint || !b.has_fingerprint) return corpus::no_distance;
    int differing = 0;
    for (std::size_t w = 0; w < a.simhash.size(); ++w) differing += std::popcount(a.simhash[w] ^ b.simhash[w]);
    return static_cast<std::uint16_t>(differing);
  }

  const ClusterOptions& options_;
  corpus::Job& job_;
  storage::TableReader edges_;
  corpus::StageMetadata metadata_;
  corpus::SketchSet set_;
  cluster::KeepPolicy policy_;
  std::vector<std::vector<std::size_t>> places_;
  std::vector<cluster::Edge> equal_, near_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> kept_;  // of a first row's index: index of the first row whose class is kept in its place
};

}  // namespace

namespace stage {

Counts cluster(const ClusterOptions& options) {
  corpus::Job job(options.job, "cluster");
  return ClusterJob(options, job).run();
}

}  // namespace stage
}  // namespace leitong
