#include "job/id_sort.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <queue>

#include "storage/table.h"

namespace leitong::job {
namespace {

const storage::Schema& schema() {
  static const storage::Schema ids{"ids", 1, {{"id", 0}}, 4096, 1U << 18U};
  return ids;
}

// Reads the strings of a spilled file, with one block in memory.
class Run {
 public:
  explicit Run(const std::string& path) : table_(storage::posix_vfs(), path, "ids", 1), block_(schema()) { next(); }
  [[nodiscard]] bool at_end() const { return at_end_; }
  [[nodiscard]] std::string_view head() const { return block_.text(0, at_ - 1); }
  void next() {
    if (at_ < rows_) {
      ++at_;
      return;
    }
    at_end_ = next_block_ == table_.blocks();
    if (at_end_) return;
    rows_ = table_.block_rows(next_block_);
    table_.read_block(next_block_++, std::array<std::size_t, 1>{0}, block_);
    at_ = 1;
  }

 private:
  storage::TableReader table_;
  storage::Block block_;
  std::size_t next_block_ = 0, at_ = 0, rows_ = 0;  // at_: position of the row after the current one
  bool at_end_ = false;
};

}  // namespace

IdSort::~IdSort() {
  std::error_code ignored;
  for (const std::string& file : files_) std::filesystem::remove(file, ignored);
}

void IdSort::add(std::string_view id) {
  if (!places_.empty() && 2 * (bytes_.size() + id.size() + sizeof(Place) * places_.size()) > memory_) spill();  // vectors grow by doubling
  places_.push_back({bytes_.size(), id.size()});
  bytes_ += id;
}

void IdSort::sort() {
  std::sort(places_.begin(), places_.end(), [this](const Place& a, const Place& b) { return at(a) < at(b); });
}

void IdSort::spill() {
  sort();
  files_.push_back(prefix_ + std::to_string(files_.size()));
  storage::TableWriter writer(storage::posix_vfs(), files_.back(), schema());
  storage::Block block(schema());
  std::size_t bytes = 0;
  for (const Place& place : places_) {
    block.put_text(0, at(place));
    bytes += place.size;
    if (block.rows() < 4096 && bytes < schema().text_per_block) continue;
    writer.append(block);
    block.clear();
    bytes = 0;
  }
  writer.append(block);
  writer.finish("{}");
  bytes_.clear();
  places_.clear();
}

void IdSort::drain(const std::function<void(std::string_view)>& visit) {
  if (!files_.empty()) {
    spill();
    merge(visit);
    return;
  }
  sort();
  for (const Place& place : places_) visit(at(place));
}

void IdSort::merge(const std::function<void(std::string_view)>& visit) const {
  std::vector<std::unique_ptr<Run>> runs;
  for (const std::string& file : files_) runs.push_back(std::make_unique<Run>(file));
  const auto later = [](const Run* a, const Run* b) { return a->head() > b->head(); };
  std::priority_queue<Run*, std::vector<Run*>, decltype(later)> heads(later);
  for (const auto& run : runs)
    if (!run->at_end()) heads.push(run.get());
  while (!heads.empty()) {
    Run* run = heads.top();
    heads.pop();
    visit(run->head());
    run->next();
    if (!run->at_end()) heads.push(run);
  }
}

}  // namespace leitong::job
