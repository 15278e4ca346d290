#include "stages/unverified_edges.h"

#include <utility>

#include "stages/stages.h"

namespace leitong::stages {
namespace {

std::pair<std::uint32_t, std::uint32_t> place(const PairRow& row) { return {row.a, row.b}; }

void put(const PairRow& row, storage::Block& block) {
  block.put(PairColumns::a, row.a);
  block.put(PairColumns::b, row.b);
  block.put(PairColumns::kind, static_cast<std::uint8_t>(row.kind));
  block.put(PairColumns::value, row.value);
}

}  // namespace

std::uint64_t merge_edges(const storage::TableReader& verified, const NextPair& unverified, storage::TableWriter& writer) {
  const storage::Schema schema = pair_schema("edges");
  storage::Block block(schema);
  PairRows edges(verified);
  PairRow edge, pair;
  bool more_edges = edges.next(edge), more_pairs = unverified(pair);
  std::uint64_t added = 0;
  while (more_edges || more_pairs) {
    const bool is_edge = more_edges && (!more_pairs || place(edge) <= place(pair));
    put(is_edge ? edge : pair, block);
    if (block.rows() == schema.rows_per_block) writer.append(block), block.clear();
    if (is_edge) {
      if (more_pairs && place(edge) == place(pair)) more_pairs = unverified(pair);
      more_edges = edges.next(edge);
    } else {
      ++added;
      more_pairs = unverified(pair);
    }
  }
  writer.append(block);
  return added;
}

}  // namespace leitong::stages
