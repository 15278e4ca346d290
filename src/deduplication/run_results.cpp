#include "leitong/run_results.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "deduplication/run_directory.h"
#include "sketches/sketch_file.h"
#include "stages/cluster_reader.h"
#include "stages/pair_reader.h"
#include "stages/stages.h"

namespace leitong {
namespace {

using sketches::SketchColumns;

class ResultsReader {
 public:
  explicit ResultsReader(const std::string& output_dir)
      : path_(deduplication::stage_path(output_dir, "clusters")),
        clusters_(stages::open_stage_file(path_, "clusters")),
        edges_(stages::open_stage_file(deduplication::stage_path(output_dir, "edges"), "edges")),
        metadata_(stages::stage_metadata_from_json(clusters_.metadata(), path_)),
        set_(metadata_.sketches, metadata_.old_sketches),
        words_(fingerprint_words(set_.profile().bits)) {}

  RunResults read() {
    results_.counts = metadata_.counts;
    for (const auto& file : set_.files())
      results_.notes.insert(results_.notes.end(), file.metadata.notes.begin(), file.metadata.notes.end());
    read_rows();
    read_members();
    stages::for_each_pair(edges_, set_.rows(), [] {}, [this](const stages::PairRow& pair) { add(pair); });
    return std::move(results_);
  }

 private:
  void read_rows() {
    results_.fates.assign(metadata_.counts.records, RunResults::Fate::rejected);
    const std::vector<std::size_t> columns = {SketchColumns::record, SketchColumns::flags, SketchColumns::simhash};
    set_.for_each_block(columns, [this](std::uint64_t first, const storage::Block& block) {
      const std::uint64_t first_record = set_.files()[set_.file_of(first)].first_record;
      const auto records = block.column<std::uint64_t>(SketchColumns::record);
      const auto flags = block.column<std::uint8_t>(SketchColumns::flags);
      const auto words = block.column<std::uint64_t>(SketchColumns::simhash);
      for (std::size_t i = 0; i < block.rows(); ++i) {
        records_.push_back(first_record + records[i]);
        has_fingerprint_.push_back((flags[i] & sketches::flags::fingerprint) != 0);
        if (!set_.is_old(first + i)) results_.fates.at(records_.back()) = RunResults::Fate::kept;
      }
      fingerprints_.insert(fingerprints_.end(), words.begin(), words.begin() + static_cast<std::ptrdiff_t>(block.rows() * words_));
    });
  }

  void read_members() {
    stages::ClusterReader reader(clusters_, set_.rows());
    for (; const stages::ClusterRow* row = reader.head(); reader.next()) {
      if (set_.is_old(row->row)) continue;
      const bool is_kept = row->row == row->kept;
      results_.members.push_back({records_[row->row], row->cluster, records_[row->kept], set_.is_old(row->kept),
                                  row->kind == stages::PairKind::equal,
                                  is_kept                     ? 1.0
                                  : set_.is_stored(row->kept) ? -1.0
                                                              : static_cast<double>(row->similarity),
                                  is_kept                                ? 0
                                  : row->distance == stages::no_distance ? -1
                                                                         : static_cast<int>(row->distance)});
      if (!is_kept) results_.fates.at(records_[row->row]) = RunResults::Fate::removed;
    }
  }

  void add(const stages::PairRow& pair) {
    if (set_.is_stored(pair.a) || set_.is_stored(pair.b)) return;
    results_.edges.push_back({records_[pair.a], records_[pair.b], set_.is_old(pair.a), pair.kind == stages::PairKind::equal,
                              static_cast<double>(pair.value), distance(pair.a, pair.b)});
  }

  [[nodiscard]] int distance(std::uint32_t a, std::uint32_t b) const {
    if (!has_fingerprint_[a] || !has_fingerprint_[b]) return -1;
    int bits = 0;
    for (std::size_t word = 0; word < words_; ++word)
      bits += std::popcount(fingerprints_[a * words_ + word] ^ fingerprints_[b * words_ + word]);
    return bits;
  }

  std::string path_;
  storage::TableReader clusters_, edges_;
  stages::StageMetadata metadata_;
  sketches::SketchSet set_;
  std::size_t words_;
  std::vector<std::uint64_t> records_, fingerprints_;  // of the rows
  std::vector<bool> has_fingerprint_;
  RunResults results_;
};

}  // namespace

RunResults run_results(const std::string& output_dir) { return ResultsReader(output_dir).read(); }

}  // namespace leitong
