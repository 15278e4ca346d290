#include "store/snapshot.h"

#include <algorithm>
#include <unordered_set>

namespace leitong::store {

Snapshot::Table Snapshot::table(std::size_t part) const {
  const std::size_t at = part - view_->runs.size();
  if (at == view_->frozen.size()) return {view_->active.get(), visible_};
  return {view_->frozen[at].table.get(), view_->frozen[at].visible};
}

std::optional<Row> Snapshot::get_in(std::size_t part, std::uint64_t key, std::string_view id, bool whole) const {
  if (part < view_->runs.size()) {
    const Run& run = *view_->runs[part];
    const std::uint64_t row = run.find_id(key, id);
    std::optional<Row> found;
    if (row < run.rows()) found = whole ? run.row(row) : run.head(row);
    run.require_readable();
    return found;
  }
  const Table memory = table(part);
  if (memory.visible == 0) return std::nullopt;
  const std::uint32_t row = memory.table->find_id(key, id, memory.visible);
  if (row == IdTable::kNone) return std::nullopt;
  return memory.table->row(row);
}

bool Snapshot::is_hidden(std::size_t part, std::uint64_t key, std::string_view id) const {
  for (std::size_t newer = part + 1; newer < parts(); ++newer)
    if (get_in(newer, key, id, false)) return true;
  return false;
}

void Snapshot::find(std::span<const std::uint64_t> queries, unsigned k, bool whole, std::vector<Match>& out) const {
  out.clear();
  thread_local std::vector<hamming::Found> found;
  for (std::size_t part = 0; part < view_->runs.size(); ++part) {
    const Run& run = *view_->runs[part];
    found.clear();
    run.find(queries, k, found);
    for (const hamming::Found& f : found) {
      const Row row = whole ? run.row(f.id) : run.head(f.id);
      if (!is_hidden(part, row.key, row.id)) out.push_back({f.query, f.distance, row});
    }
    run.require_readable();
  }
  thread_local HammingMatches matches;
  for (std::size_t part = view_->runs.size(); part < parts(); ++part) {
    const Table memory = table(part);
    if (memory.visible == 0) continue;
    memory.table->find(queries, k, memory.visible, matches);
    for (std::size_t q = 0; q < matches.ends.size(); ++q) {
      for (const HammingMatch& match : matches.of(q)) {
        const Row row = memory.table->row(static_cast<std::uint32_t>(match.id));
        if (!is_hidden(part, row.key, row.id)) out.push_back({static_cast<std::uint32_t>(q), match.distance, row});
      }
    }
  }
  std::sort(out.begin(), out.end(), [](const Match& a, const Match& b) {
    if (a.query != b.query) return a.query < b.query;
    return a.distance != b.distance ? a.distance < b.distance : a.row.sequence < b.row.sequence;
  });
}

void Snapshot::find_keys(std::span<const std::uint32_t> any, std::span<const std::uint32_t> some, std::size_t needed, std::size_t most,
                         std::vector<Match>& out, bool& truncated) const {
  out.clear();
  truncated = false;
  std::unordered_set<std::uint32_t> seen;
  std::vector<std::pair<std::size_t, std::uint32_t>> by_length;
  for (std::size_t part = 0; part < parts(); ++part) {
    const Run* run = part < view_->runs.size() ? view_->runs[part].get() : nullptr;
    const Table memory = run ? Table{nullptr, 0} : table(part);
    if (!run && memory.visible == 0) continue;
    most -= seen.size();
    seen.clear();
    // False: enough.
    const auto take = [&](std::uint32_t number) {
      if (run && number >= run->rows()) run->postings()->file().damaged("names a row that its run does not have");
      if (seen.contains(number)) return true;
      if (seen.size() == most) {
        truncated = true;
        return false;
      }
      seen.insert(number);
      const Row row = run ? run->row(number) : memory.table->row(number);
      if (!is_hidden(part, row.key, row.id)) out.push_back({0, 0, row});
      return true;
    };
    const auto collect = [&](std::uint32_t key) {
      if (!run) return memory.table->find_key(key, memory.visible, take);
      for (const std::uint32_t row : run->postings()->rows_of(key))
        if (!take(row)) return;
    };
    for (const std::uint32_t key : any) collect(key);
    by_length.clear();
    const auto counted = static_cast<std::uint32_t>(std::min<std::size_t>(most + 1, 1U << 20U));
    for (const std::uint32_t key : some)
      by_length.emplace_back(run ? run->postings()->rows_of(key).size() : memory.table->count_key(key, counted), key);
    std::sort(by_length.begin(), by_length.end());
    for (std::size_t i = 0; i < std::min(needed, by_length.size()); ++i) collect(by_length[i].second);
    if (run) run->require_readable();
  }
}

std::optional<Row> Snapshot::get(std::string_view id) const {
  const std::uint64_t key = key_of(shape_, id);
  for (std::size_t part = parts(); part-- > 0;) {
    auto row = get_in(part, key, id, true);
    if (row) return row->erased() ? std::nullopt : row;
  }
  return std::nullopt;
}

std::unique_ptr<RowSource> Snapshot::scan() const {
  std::vector<std::unique_ptr<RowSource>> sources;
  for (const auto& run : view_->runs) sources.push_back(rows_of(run));
  for (const View::Frozen& frozen : view_->frozen) sources.push_back(rows_of(frozen.table, frozen.visible));
  sources.push_back(rows_of(view_->active, visible_));
  return merged(std::move(sources), true);
}

void Snapshot::visit_in_sequence(const std::function<void(const Row&)>& visit) const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> order;
  for (std::size_t part = 0; part < parts(); ++part) {
    const Run* run = part < view_->runs.size() ? view_->runs[part].get() : nullptr;
    const Table memory = run ? Table{nullptr, 0} : table(part);
    const std::uint64_t count = run ? run->rows() : memory.visible;
    order.clear();
    for (std::uint64_t number = 0; number < count; ++number) {
      const Row row = run ? run->head(number) : memory.table->row(static_cast<std::uint32_t>(number));
      const bool replaced = !run && !memory.table->is_newest(static_cast<std::uint32_t>(number), memory.visible);
      if (!row.erased() && !replaced && !is_hidden(part, row.key, row.id)) order.emplace_back(row.sequence, number);
    }
    if (run) run->require_readable();
    std::sort(order.begin(), order.end());
    for (const auto& [sequence, number] : order) {
      const Row row = run ? run->row(number) : memory.table->row(static_cast<std::uint32_t>(number));
      if (run) run->require_readable();
      visit(row);
    }
  }
}

std::uint64_t Snapshot::rows() const {
  std::uint64_t rows = visible_;
  for (const auto& run : view_->runs) rows += run->rows();
  for (const View::Frozen& frozen : view_->frozen) rows += frozen.visible;
  return rows;
}

}  // namespace leitong::store
