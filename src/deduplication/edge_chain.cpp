#include "deduplication/edge_chain.h"

#include <algorithm>
#include <limits>

namespace leitong::deduplication {
namespace {

class Search {
 public:
  Search(const storage::TableReader& edges, std::uint64_t rows, const std::vector<std::uint32_t>& members,
         const std::function<void()>& before_block)
      : edges_(edges), rows_(rows), members_(members), before_block_(before_block), level_(members.size(), unseen) {}

  std::vector<stages::PairRow> chain(std::uint32_t from, std::uint32_t to) {
    const auto start = place(from), end = place(to);
    if (!start || !end || from == to) return {};
    level_[*start] = 0;
    std::uint16_t last = 0;
    for (bool grew = true; level_[*end] == unseen; ++last) {
      if (!grew || last + 1 == unseen) return {};
      grew = spread(last);
    }
    return back(to, last);
  }

 private:
  static constexpr std::uint16_t unseen = std::numeric_limits<std::uint16_t>::max();

  [[nodiscard]] std::optional<std::size_t> place(std::uint32_t row) const {
    const auto at = std::lower_bound(members_.begin(), members_.end(), row);
    if (at == members_.end() || *at != row) return std::nullopt;
    return static_cast<std::size_t>(at - members_.begin());
  }

  template <typename Visit>
  void for_each_edge(const Visit& visit) const {
    stages::for_each_pair(edges_, rows_, before_block_, [&](const stages::PairRow& edge) {
      if (edge.a < members_.front() || edge.b > members_.back()) return;
      const auto a = place(edge.a);
      if (const auto b = a ? place(edge.b) : std::nullopt) visit(edge, *a, *b);
    });
  }

  // Sets the next level for the neighbours of a level that have none yet; returns whether there are any.
  bool spread(std::uint16_t level) {
    bool grew = false;
    const auto reach = [&](std::size_t x, std::size_t y) {
      if (level_[x] != level || level_[y] != unseen) return;
      level_[y] = static_cast<std::uint16_t>(level + 1);
      grew = true;
    };
    for_each_edge([&](const stages::PairRow&, std::size_t a, std::size_t b) { reach(a, b), reach(b, a); });
    return grew;
  }

  std::vector<stages::PairRow> back(std::uint32_t to, std::uint16_t level) const {
    std::vector<stages::PairRow> chain;
    for (std::uint32_t at = to; level > 0; --level) {
      stages::PairRow best;
      std::uint32_t before = std::numeric_limits<std::uint32_t>::max();
      bool found = false;
      for_each_edge([&](const stages::PairRow& edge, std::size_t a, std::size_t b) {
        if (edge.a != at && edge.b != at) return;
        if (level_[edge.a == at ? b : a] + 1 != level) return;
        const std::uint32_t other = edge.a == at ? edge.b : edge.a;
        if (found && (edge.value < best.value || (edge.value == best.value && other > before))) return;
        best = edge, before = other, found = true;
      });
      chain.push_back(best);
      at = before;
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  const storage::TableReader& edges_;
  std::uint64_t rows_;
  const std::vector<std::uint32_t>& members_;
  const std::function<void()>& before_block_;
  std::vector<std::uint16_t> level_;  // for each member: number of edges from the start
};

}  // namespace

std::vector<stages::PairRow> edge_chain(const storage::TableReader& edges, std::uint64_t rows, const std::vector<std::uint32_t>& members,
                                        std::uint32_t from, std::uint32_t to, const std::function<void()>& before_block) {
  return Search(edges, rows, members, before_block).chain(from, to);
}

}  // namespace leitong::deduplication
