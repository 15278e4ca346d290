#include "collection/collection_clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "collection/collection_row.h"
#include "job/id_sort.h"
#include "job/job.h"
#include "leitong/error.h"
#include "sketches/sketch_file.h"
#include "stages/cluster_reader.h"
#include "stages/pair_reader.h"
#include "stages/stages.h"
#include "stages/unverified_edges.h"

namespace leitong::collection {
namespace {

constexpr std::uint64_t member_bytes = 256;  // memory for a document in a cluster, here and in cluster_changes()

// Numeric ids are stored with the least significant byte first; with their bytes reversed they sort as numbers.
std::string turned(bool numeric, std::string_view id) { return numeric ? std::string(id.rbegin(), id.rend()) : std::string(id); }

bool is_unverified(const store::Row& row) { return (row.flags & store::flags::unverified) != 0; }

class StageDirectory {
 public:
  explicit StageDirectory(const std::string& directory) : path_(directory + "/clusters.tmp") {
    remove();  // what a killed program left
    storage::posix_vfs().make_directories(path_);
  }
  ~StageDirectory() { remove(); }
  StageDirectory(const StageDirectory&) = delete;
  StageDirectory& operator=(const StageDirectory&) = delete;
  [[nodiscard]] std::string operator/(const char* name) const { return path_ + "/" + name; }

 private:
  void remove() const {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string path_;
};

class ClustersJob {
 public:
  ClustersJob(const store::Snapshot& snapshot, const store::Shape& shape, const AboutCollection& about, const std::string& directory,
              const CollectionClusterOptions& options)
      : snapshot_(snapshot),
        shape_(shape),
        about_(about),
        directory_(directory),
        options_(options),
        job_(options.job, "sketch"),
        files_(directory) {}

  std::vector<ClusterMember> run() {
    write_sketches();
    if (unverified_.empty()) return {};
    const std::string near = join("near.ltt", !shape_.keys), edges = verify(near);
    stage::cluster({with_unverified(near, edges), files_ / "clusters.ltt", default_keep, options_.job});
    return members();
  }

 private:
  // Writes the stored sketches as a sketch file in ascending order of ids. The id column holds ids as they are stored; the record number is
  // the sequence number.
  void write_sketches() {
    const storage::Schema schema = sketches::sketch_schema(about_.options.profile.bits);
    storage::TableWriter writer(storage::posix_vfs(), files_ / "sketch.ltt", schema);
    storage::Block block(schema);
    std::uint64_t left_out = 0;
    for_each_row([&](const store::Row& row) {
      if (is_unverified(row) && !options_.allow_unverified) {
        ++left_out;
        return;
      }
      unverified_.push_back(is_unverified(row));
      put(row, block);
      if (block.rows() < 1024) return;
      writer.append(block);
      block.clear();
      job_.progress(unverified_.size(), 0, unverified_.size());
    });
    writer.append(block);
    sketches::SketchMetadata metadata;
    metadata.profile = about_.options.profile;
    metadata.profile_id = about_.profile_id;
    metadata.input.format = "jsonl";
    metadata.records = unverified_.size();
    metadata.sources.push_back({.path = directory_});
    writer.finish(to_json(metadata));
    if (left_out > 0)
      job_.note(fmt::format("{} came as fingerprints, without texts, and {} in no cluster; --allow-unverified lets them take part",
                            left_out == 1 ? "1 document" : fmt::format("{} documents", left_out), left_out == 1 ? "is" : "are"));
  }

  template <typename Visit>
  void for_each_row(const Visit& visit) {
    job::IdSort ids(files_ / "ids-", job_.room() / 2);
    const auto rows = snapshot_.scan();
    for (store::Row row; rows->next(row);) ids.add(turned(shape_.numeric_ids, row.id));
    std::optional<std::string> last;
    ids.drain([&](std::string_view id) {
      if (last == id) damaged("an id is there twice");
      visit(row_of(turned(shape_.numeric_ids, id)));
      last = id;
    });
  }

  // Pages are not verified when they are read, so in a damaged file a document that a scan has visited may not be found by its id.
  [[nodiscard]] store::Row row_of(std::string_view id) const {
    const auto row = snapshot_.get(id);
    if (!row) damaged("a document is not found by its id");
    return *row;
  }
  [[noreturn]] void damaged(const char* what) const {
    throw Error(ErrorCode::format, fmt::format("{0}: {1}, so a file is damaged; run leitong collection check {0}", directory_, what));
  }

  void put(const store::Row& row, storage::Block& block) const {
    fingerprint::Sketch sketch = unpacked_sketch(row.sketch, shown_id(about_.options.ids, row.id));
    sketch.has_fingerprint = row.has_fingerprint();
    sketch.fingerprint.bits = about_.options.profile.bits;
    std::copy_n(row.words, shape_.words, sketch.fingerprint.words.begin());
    sketches::put_sketch(sketch, block);
    block.put(sketches::SketchColumns::record, row.sequence);
    block.put(sketches::SketchColumns::source, std::uint32_t{0});
    for (const std::size_t column : {sketches::SketchColumns::offset, sketches::SketchColumns::length, sketches::SketchColumns::line})
      block.put(column, std::uint64_t{0});
    // Without texts the number of tokens stands for the length, so that a keep policy can still prefer the longest text.
    block.put(sketches::SketchColumns::text_bytes, shape_.texts ? static_cast<std::uint32_t>(text_size(row.text, row.id)) : sketch.tokens);
    block.put_text(sketches::SketchColumns::id, row.id);
    block.put_text(sketches::SketchColumns::fields, "");
    for (unsigned band = 0; band < sketches::band_columns; ++band) {
      std::uint32_t key = 0;
      if (sketch.has_slots) std::memcpy(&key, &sketch.slots[4 * band], sizeof key);
      block.put(sketches::SketchColumns::first_band + band, key);
    }
  }

  [[nodiscard]] std::string join(const char* name, bool by_k) const {
    JoinOptions join;
    join.sketches = {files_ / "sketch.ltt"};
    join.output = files_ / name;
    if (by_k)
      join.k = about_.options.k;
    else
      join.goal = about_.options.goal;
    join.rule = options_.rule;
    join.job = options_.job;
    stage::join(join);
    return join.output;
  }

  [[nodiscard]] std::string verify(const std::string& pairs) const {
    VerifyOptions verify;
    verify.pairs = pairs;
    verify.output = files_ / "edges.ltt";
    verify.verify = shape_.texts ? Verify::text : Verify::sketch;
    verify.rule = options_.rule;
    verify.job = options_.job;
    const sketches::SketchSet set({files_ / "sketch.ltt"});
    stages::verify_with(verify, [&]() -> sketches::TextOfRow {
      const auto reader = std::make_shared<sketches::RowReader>(set, std::vector<std::size_t>{sketches::SketchColumns::id});
      return [this, reader, text = std::string()](std::uint64_t row) mutable -> std::string_view {
        reader->seek(row);
        const std::string_view id = reader->text(sketches::SketchColumns::id);
        text = unpacked_text(row_of(id).text, shown_id(about_.options.ids, id));
        return text;
      };
    });
    return verify.output;
  }

  // The verified edges. If the options allow it, pairs within k bits are added if one of the two was imported as a fingerprint without
  // text.
  [[nodiscard]] std::string with_unverified(const std::string& near, const std::string& edges) const {
    if (std::find(unverified_.begin(), unverified_.end(), true) == unverified_.end()) return edges;
    const storage::TableReader by_k = stages::open_stage_file(shape_.keys ? join("within-k.ltt", true) : near, "pairs");
    const storage::TableReader verified = stages::open_stage_file(edges, "edges");
    stages::PairRows pairs(by_k);
    storage::TableWriter writer(storage::posix_vfs(), files_ / "all-edges.ltt", stages::pair_schema("edges"));
    stages::merge_edges(verified, [&](stages::PairRow& row) { return next_unverified(pairs, row); }, writer);
    writer.finish(verified.metadata());
    return files_ / "all-edges.ltt";
  }
  [[nodiscard]] bool next_unverified(stages::PairRows& pairs, stages::PairRow& row) const {
    while (pairs.next(row))
      if (unverified_[row.a] || unverified_[row.b]) return true;
    return false;
  }

  [[nodiscard]] std::vector<ClusterMember> members() const {
    const storage::TableReader table = stages::open_stage_file(files_ / "clusters.ltt", "clusters");
    if (table.rows() * member_bytes > job_.room())
      throw Error(ErrorCode::limit, fmt::format("{} documents that have a near-duplicate take a memory budget of at least {}M",
                                                table.rows(), ((table.rows() * member_bytes + job::Job::fixed_memory) >> 20U) + 1));
    const sketches::SketchSet set({files_ / "sketch.ltt"});
    std::vector<ClusterMember> out;
    std::vector<std::uint64_t> smallest;  // smallest sequence number of each cluster, by the stage's cluster number
    out.reserve(table.rows());
    sketches::RowReader reader(set, {sketches::SketchColumns::record, sketches::SketchColumns::id});
    for (stages::ClusterReader rows(table, unverified_.size()); rows.head() != nullptr; rows.next()) {
      const stages::ClusterRow& row = *rows.head();
      reader.seek(row.row);
      const auto sequence = reader.value<std::uint64_t>(sketches::SketchColumns::record);
      out.push_back({row.cluster, sequence, std::string(reader.text(sketches::SketchColumns::id)), row.kept == row.row});
      if (row.cluster >= smallest.size()) smallest.resize(row.cluster + 1, ~std::uint64_t{0});
      smallest[row.cluster] = std::min(smallest[row.cluster], sequence);
    }
    for (ClusterMember& member : out) member.cluster = smallest[member.cluster];
    std::sort(out.begin(), out.end());
    return out;
  }

  const store::Snapshot& snapshot_;
  const store::Shape& shape_;
  const AboutCollection& about_;
  const std::string& directory_;
  const CollectionClusterOptions& options_;
  job::Job job_;
  StageDirectory files_;
  std::vector<bool> unverified_;  // for each row of the sketch file: imported as a fingerprint without text
};

}  // namespace

std::vector<ClusterMember> compute_clusters(const store::Snapshot& snapshot, const store::Shape& shape, const AboutCollection& about,
                                            const std::string& directory, const CollectionClusterOptions& options) {
  return ClustersJob(snapshot, shape, about, directory, options).run();
}

}  // namespace leitong::collection
