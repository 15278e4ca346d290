#include "stages/pair_reader.h"

#include <fmt/format.h>

#include <vector>

#include "leitong/error.h"

namespace leitong::stages {
namespace {

std::uint64_t key(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }

}  // namespace

void PairBlock::read(std::size_t number) {
  static const std::vector<std::size_t> columns = {PairColumns::a, PairColumns::b, PairColumns::kind, PairColumns::value};
  table_.read_block(number, columns, block_);
  a_ = block_.column<std::uint32_t>(PairColumns::a), b_ = block_.column<std::uint32_t>(PairColumns::b);
  kind_ = block_.column<std::uint8_t>(PairColumns::kind), value_ = block_.column<float>(PairColumns::value);
}

void for_each_pair(const storage::TableReader& table, std::uint64_t rows, const std::function<void()>& before_block,
                   const std::function<void(const PairRow&)>& visit) {
  PairBlock block(table);
  for (std::size_t number = 0; number < table.blocks(); ++number) {
    before_block();
    block.read(number);
    for (std::size_t i = 0; i < block.rows(); ++i) {
      const PairRow row = block[i];
      if (row.a >= rows || row.b >= rows)
        throw Error(ErrorCode::format,
                    fmt::format("{}: pair {} names a row that its sketch files do not have; run the stage before it again", table.path(),
                                table.first_row(number) + i));
      visit(row);
    }
  }
}

std::optional<PairRow> find_pair(const storage::TableReader& table, std::uint32_t a, std::uint32_t b) {
  PairBlock block(table);
  // Finds the last block that does not begin after the pair.
  std::size_t first = 0, count = table.blocks();
  while (count > 1) {
    const std::size_t middle = first + count / 2;
    block.read(middle);
    const PairRow head = block[0];
    if (key(head.a, head.b) <= key(a, b)) {
      count -= middle - first;
      first = middle;
    } else {
      count = middle - first;
    }
  }
  if (count == 0) return std::nullopt;
  block.read(first);
  for (std::size_t i = 0; i < block.rows(); ++i)
    if (const PairRow row = block[i]; row.a == a && row.b == b) return row;
  return std::nullopt;
}

}  // namespace leitong::stages
