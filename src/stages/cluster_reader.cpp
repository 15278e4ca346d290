#include "stages/cluster_reader.h"

#include <fmt/format.h>

#include <vector>

#include "leitong/error.h"
#include "stages/stages.h"

namespace leitong::stages {

void ClusterReader::next() {
  if (at_ == block_rows_ && !read_block()) {
    at_end_ = true;
    return;
  }
  const std::uint32_t last = head_.row;
  head_ = {block_.column<std::uint32_t>(ClusterColumns::row)[at_],
           block_.column<std::uint32_t>(ClusterColumns::kept)[at_],
           block_.column<std::uint32_t>(ClusterColumns::cluster)[at_],
           block_.column<float>(ClusterColumns::similarity)[at_],
           block_.column<std::uint16_t>(ClusterColumns::distance)[at_],
           static_cast<PairKind>(block_.column<std::uint8_t>(ClusterColumns::kind)[at_])};
  const bool ascending = (at_ == 0 && next_block_ == 1) || last < head_.row;
  if (head_.row >= rows_ || head_.kept >= rows_ || !ascending)
    throw Error(ErrorCode::format,
                fmt::format("{}: row {} is out of place; run cluster again", table_.path(), table_.first_row(next_block_ - 1) + at_));
  ++at_;
}

bool ClusterReader::read_block() {
  if (next_block_ == table_.blocks()) return false;
  const std::vector<std::size_t> columns = {ClusterColumns::row,        ClusterColumns::kept,     ClusterColumns::cluster,
                                            ClusterColumns::similarity, ClusterColumns::distance, ClusterColumns::kind};
  table_.read_block(next_block_, columns, block_);
  block_rows_ = table_.block_rows(next_block_++);
  at_ = 0;
  return true;
}

}  // namespace leitong::stages
