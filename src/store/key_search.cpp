#include "store/key_search.h"

#include <algorithm>

namespace leitong::store {
namespace {

constexpr std::uint32_t most_more = 3;  // lists that are read beyond those needed

}  // namespace

void KeySearch::begin(const WantedKeys& wanted, std::size_t most_rows, std::size_t most_postings) {
  wanted_ = &wanted;
  most_rows_ = most_rows;
  most_postings_ = most_postings;
  truncated_ = false;
  const auto all = static_cast<std::uint32_t>(wanted.some.size());
  std::uint32_t more = most_more;
  for (const std::uint32_t needed : wanted.needed) more = std::min(more, all - std::min(needed, all));
  least_ = more + 1;
  certain_ = least_ + all;
  most_asked_ = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    asked_[c] = wanted.needed[c] == 0 ? 0 : std::min(wanted.needed[c] + more, all);
    most_asked_ = std::max(most_asked_, asked_[c]);
  }
}

// Keeps the lists that are read, rarest first.
void KeySearch::choose() {
  const auto rarer = [](const List& a, const List& b) { return a.length != b.length ? a.length < b.length : a.group < b.group; };
  if (most_asked_ < lists_.size())
    std::nth_element(lists_.begin(), lists_.begin() + static_cast<std::ptrdiff_t>(most_asked_), lists_.end(), rarer);
  lists_.resize(std::min<std::size_t>(most_asked_, lists_.size()));
  std::sort(lists_.begin(), lists_.end(), rarer);
}

// Returns false when enough was read.
bool KeySearch::count(std::uint32_t row, std::uint32_t weight) {
  if (most_postings_ == 0) {
    truncated_ = true;
    return false;
  }
  --most_postings_;
  counts_.add(row, weight);
  return true;
}

// What was counted often enough. Lists that could not be read to their end may hide any number of keys.
void KeySearch::take(std::uint32_t rows) {
  found_.clear();
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    NumberCounts::Met met = counts_[i];
    if (met.number >= rows) continue;
    if (truncated_) met.count = certain_;
    if (met.count < least_) continue;
    if (found_.size() == most_rows_) {
      truncated_ = true;
      break;
    }
    found_.push_back(met);
  }
  most_rows_ -= found_.size();
}

void KeySearch::in(const Run& run) {
  const Postings& postings = *run.postings();
  counts_.clear();
  lists_.clear();
  rows_.clear();
  any_rows_.clear();
  for (const std::uint32_t key : wanted_->any) postings.prefetch_bucket(key);
  if (most_asked_ > 0)
    for (const std::uint32_t group : wanted_->some) postings.prefetch_bucket(group);
  for (const std::uint32_t key : wanted_->any) postings.prefetch_keys(key);
  if (most_asked_ > 0)
    for (const std::uint32_t group : wanted_->some) lists_.push_back({postings.length_of(group), group, 0});
  choose();
  for (const List& list : lists_) postings.prefetch_keys(list.group);
  for (const std::uint32_t key : wanted_->any) any_rows_.push_back(postings.rows_of(key));
  for (const List& list : lists_) rows_.push_back(postings.lists_of(list.group));
  const std::uint64_t rows = run.rows();
  const auto count_all = [&](std::span<const std::uint32_t> list, std::uint32_t weight) {
    for (const std::uint32_t row : list) {
      if (row >= rows) postings.file().damaged("names a row that its run does not have");
      if (!count(row, weight)) return;
    }
  };
  for (const auto& list : any_rows_) count_all(list, certain_);
  for (std::size_t rank = 0; rank < rows_.size(); ++rank)
    for (std::uint32_t c = 0; c < classes; ++c)
      if (rank < asked_[c]) count_all(rows_[rank][c], 1);
  take(static_cast<std::uint32_t>(std::min<std::uint64_t>(rows, ~std::uint32_t{0})));
}

void KeySearch::in(const Memtable& table, std::uint32_t visible) {
  counts_.clear();
  lists_.clear();
  groups_.clear();
  for (const std::uint32_t key : wanted_->any) groups_.push_back(group_of(key));
  if (most_asked_ > 0) groups_.insert(groups_.end(), wanted_->some.begin(), wanted_->some.end());
  table.find_groups(groups_, chains_);
  const std::size_t any = wanted_->any.size();
  for (std::size_t i = any; i < groups_.size(); ++i) lists_.push_back({table.length_of(chains_[i]), groups_[i], chains_[i]});
  choose();
  for (std::size_t i = 0; i < any; ++i)
    table.follow(chains_[i], [&](const Memtable::Posted& posted) {
      return posted.key_class != class_of(wanted_->any[i]) || posted.row >= visible || count(posted.row, certain_);
    });
  for (std::size_t rank = 0; rank < lists_.size(); ++rank)
    table.follow(lists_[rank].chain, [&](const Memtable::Posted& posted) {
      return rank >= asked_[posted.key_class] || posted.row >= visible || count(posted.row, 1);
    });
  take(visible);
}

}  // namespace leitong::store
