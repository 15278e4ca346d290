#include "store/snapshot.h"

#include <algorithm>

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
  std::vector<std::uint32_t> numbers;
  for (std::size_t part = 0; part < parts(); ++part) {
    const Run* run = part < view_->runs.size() ? view_->runs[part].get() : nullptr;
    const Table memory = run ? Table{nullptr, 0} : table(part);
    const std::size_t room = most - std::min(most, out.size());
    numbers.clear();
    const auto length = [&](std::uint32_t key) {
      return run ? run->postings()->rows_of(key).size()
                 : memory.table->count_key(key, static_cast<std::uint32_t>(std::min<std::size_t>(room + 1, 1U << 20U)));
    };
    const auto collect = [&](std::uint32_t key) {
      const std::size_t limit = numbers.size() + room + 1;
      const auto take = [&](std::uint32_t row) {
        numbers.push_back(row);
        return numbers.size() < limit;
      };
      if (run) {
        for (const std::uint32_t row : run->postings()->rows_of(key))
          if (!take(row)) break;
      } else {
        memory.table->find_key(key, memory.visible, take);
      }
    };
    for (const std::uint32_t key : any) collect(key);
    std::vector<std::pair<std::size_t, std::uint32_t>> by_length;
    for (const std::uint32_t key : some) by_length.emplace_back(length(key), key);
    std::sort(by_length.begin(), by_length.end());
    for (std::size_t i = 0; i < std::min(needed, by_length.size()); ++i) collect(by_length[i].second);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    for (const std::uint32_t number : numbers) {
      const Row row = run ? run->row(number) : memory.table->row(number);
      if (is_hidden(part, row.key, row.id)) continue;
      if (out.size() == most) {
        truncated = true;
        break;
      }
      out.push_back({0, 0, row});
    }
    if (run) run->require_readable();
  }
}

std::optional<Row> Snapshot::get(std::string_view id) const {
  const std::uint64_t key = key_of(id);
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

std::uint64_t Snapshot::rows() const {
  std::uint64_t rows = visible_;
  for (const auto& run : view_->runs) rows += run->rows();
  for (const View::Frozen& frozen : view_->frozen) rows += frozen.visible;
  return rows;
}

}  // namespace leitong::store
