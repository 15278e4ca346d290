#include "store/snapshot.h"

#include <algorithm>

#include "store/id_search.h"

namespace leitong::store {

Snapshot::Part Snapshot::part(std::size_t number) const {
  if (number < view_->runs.size()) return {view_->runs[number].get(), nullptr, 0};
  const std::size_t at = number - view_->runs.size();
  if (at == view_->frozen.size()) return {nullptr, view_->active.get(), visible_};
  return {nullptr, view_->frozen[at].table.get(), view_->frozen[at].visible};
}

std::optional<Row> Snapshot::get_in(const Part& part, std::uint64_t key, std::string_view id, bool whole) {
  if (part.rows() == 0) return std::nullopt;
  std::uint64_t number = 0;
  if (part.run != nullptr) {
    number = part.run->find_id(key, id);
  } else {
    const std::uint32_t found = part.table->find_id(key, id, part.visible);
    number = found == IdTable::none ? part.rows() : found;
  }
  std::optional<Row> found;
  if (number < part.rows()) found = whole ? part.row(number) : part.head(number);
  part.require_readable();
  return found;
}

void Snapshot::drop_hidden(std::vector<Match>& rows) const {
  constexpr std::size_t at_once = 64;
  struct Search {
    IdSearch id;
    std::size_t row;
  };
  thread_local std::vector<Search> searches;
  thread_local std::vector<bool> hidden;
  const std::size_t runs = view_->runs.size();
  hidden.assign(rows.size(), false);
  const auto in_tables = [&](const Match& match) {
    for (std::size_t newer = std::max<std::size_t>(match.part + 1, runs); newer < parts(); ++newer)
      if (get_in(part(newer), match.row.key, match.row.id, false)) return true;
    return false;
  };
  for (std::size_t at = 0; at < rows.size(); at += at_once) {
    searches.clear();
    for (std::size_t i = at; i < std::min(at + at_once, rows.size()); ++i) {
      hidden[i] = in_tables(rows[i]);
      for (std::size_t newer = rows[i].part + 1; newer < runs && !hidden[i]; ++newer)
        searches.push_back({{*view_->runs[newer], rows[i].row.key, rows[i].row.id}, i});
    }
    while (!searches.empty()) {
      for (std::size_t s = 0; s < searches.size();) {
        if (searches[s].id.step()) {
          ++s;
          continue;
        }
        if (searches[s].id.found()) hidden[searches[s].row] = true;
        searches[s] = searches.back();
        searches.pop_back();
      }
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!hidden[i]) rows[kept++] = rows[i];
  rows.resize(kept);
}

void Snapshot::require_readable() const {
  for (const auto& run : view_->runs) run->require_readable();
}

void Snapshot::find(std::span<const std::uint64_t> queries, unsigned k, bool whole, std::vector<Match>& out) const {
  struct Room {  // reused from call to call
    std::vector<const hamming::Run*> indexes;
    std::vector<std::uint32_t> parts;  // for each index, the part of the snapshot that it belongs to
    std::vector<std::vector<hamming::Found>> found;
    std::vector<std::vector<hamming::Found>*> into;
    HammingMatches matches;
  };
  thread_local Room room;
  out.clear();
  room.indexes.clear();
  room.parts.clear();
  for (std::uint32_t p = 0; p < view_->runs.size(); ++p) {
    for (const auto& index : view_->runs[p]->index()) {
      room.indexes.push_back(index.get());
      room.parts.push_back(p);
    }
  }
  room.found.resize(std::max(room.found.size(), room.indexes.size()));
  room.into.clear();
  for (std::size_t i = 0; i < room.indexes.size(); ++i) {
    room.found[i].clear();
    room.into.push_back(&room.found[i]);
  }
  with_remedy([&] { hamming::find_in_runs(room.indexes, queries, k, room.into); });
  for (std::size_t i = 0; i < room.indexes.size(); ++i)
    for (const hamming::Found& f : room.found[i]) {
      const Run& run = *view_->runs[room.parts[i]];
      run.prefetch_head(run.index_row(f.id));
    }
  for (std::size_t i = 0; i < room.indexes.size(); ++i) {
    const Run& run = *view_->runs[room.parts[i]];
    for (const hamming::Found& f : room.found[i])
      out.push_back({f.query, f.distance, room.parts[i], whole ? run.row(f.id) : run.head(f.id)});
  }
  for (std::size_t p = view_->runs.size(); p < parts(); ++p) {
    const Part from = part(p);
    if (from.visible == 0) continue;
    from.table->find(queries, k, from.visible, room.matches);
    for (std::size_t q = 0; q < room.matches.ends.size(); ++q)
      for (const HammingMatch& match : room.matches.of(q))
        out.push_back({static_cast<std::uint32_t>(q), match.distance, static_cast<std::uint32_t>(p), from.row(match.id)});
  }
  for (auto& found : room.found) hamming::give_back(found);
  hamming::give_back(room.matches.matches);
  drop_hidden(out);
  require_readable();
  std::sort(out.begin(), out.end(), [](const Match& a, const Match& b) {
    if (a.query != b.query) return a.query < b.query;
    return a.distance != b.distance ? a.distance < b.distance : a.row.sequence < b.row.sequence;
  });
}

std::size_t Snapshot::find_keys(const WantedKeys& wanted, std::size_t most, std::vector<Match>& out, bool& truncated,
                                const Worth& worth) const {
  constexpr std::size_t most_postings_each = 64;
  thread_local KeySearch search;
  out.clear();
  truncated = false;
  search.begin(wanted, most, most * most_postings_each);
  std::size_t examined = 0;
  for (std::size_t p = 0; p < parts(); ++p) {
    const Part from = part(p);
    if (from.rows() == 0) continue;
    if (from.run != nullptr)
      with_remedy([&] { search.in(*from.run); });
    else
      search.in(*from.table, from.visible);
    take_worthy(p, search, worth, out);
    examined += search.found().size();
  }
  truncated = search.truncated();
  drop_hidden(out);
  require_readable();
  return examined;
}

// Of the rows that a search found in a part, those that are worth it.
void Snapshot::take_worthy(std::size_t number, const KeySearch& search, const Worth& worth, std::vector<Match>& out) const {
  constexpr std::size_t ahead = 16;
  const Part from = part(number);
  const auto& found = search.found();
  for (std::size_t i = 0; i < found.size() + ahead; ++i) {
    if (i < found.size()) from.prefetch(found[i].number);
    if (i >= ahead / 2 && i - ahead / 2 < found.size()) from.prefetch_more(found[i - ahead / 2].number);
    if (i < ahead) continue;
    const auto& [row, count] = found[i - ahead];
    if (!from.is_newest(row)) continue;
    if (!worth || worth(from.outline(row), search.met(count))) out.push_back({0, 0, static_cast<std::uint32_t>(number), from.row(row)});
  }
}

std::optional<Row> Snapshot::get(std::string_view id) const {
  const std::uint64_t key = key_of(shape_, id);
  for (std::size_t p = parts(); p-- > 0;) {
    auto row = get_in(part(p), key, id, true);
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
  constexpr std::size_t at_once = 1024;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> order;
  std::vector<Match> rows;
  for (std::uint32_t p = 0; p < parts(); ++p) {
    const Part from = part(p);
    order.clear();
    for (std::uint64_t number = 0; number < from.rows();) {
      rows.clear();
      for (const std::uint64_t end = std::min(from.rows(), number + at_once); number < end; ++number) {
        const Row row = from.head(number);
        // `query` holds the row number here.
        if (!row.erased() && from.is_newest(number)) rows.push_back({static_cast<std::uint32_t>(number), 0, p, row});
      }
      drop_hidden(rows);
      for (const Match& match : rows) order.emplace_back(match.row.sequence, match.query);
    }
    require_readable();
    std::sort(order.begin(), order.end());
    for (const auto& [sequence, number] : order) {
      const Row row = from.row(number);
      from.require_readable();
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
