#include "store/memtable.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "leitong/error.h"

namespace leitong::store {
namespace {

constexpr std::size_t largest_arena = std::size_t{1} << 20U;

// The lengths that follow the words.
struct Lengths {
  std::uint64_t text;
  std::uint32_t id, sketch, metadata;
};

}  // namespace

Memtable::Memtable(const Shape& shape, const KeysOf& keys_of, std::uint64_t first_sequence, Finding finding)
    : shape_(shape),
      keys_of_(keys_of),
      first_sequence_(first_sequence),
      index_(HammingIndexOptions{.words = shape.words, .k = shape.k, .threads = 1}),
      only_ids_(finding == Finding::by_id) {}

std::byte* Memtable::room(std::size_t size) {
  if (size > left_) {
    const std::size_t arena = std::max(size, next_arena_);
    arenas_.push_back(std::unique_ptr<std::byte[]>(new std::byte[arena]));
    if (arena > next_arena_) {  // a large row gets an arena of its own; the current one stays in use
      bytes_ += arena;
      return arenas_.back().get();
    }
    next_ = arenas_.back().get();
    left_ = arena;
    bytes_ += arena;
    next_arena_ = std::min(2 * next_arena_, largest_arena);
  }
  std::byte* const place = next_;
  const std::size_t taken = std::min(left_, (size + 7) / 8 * 8);
  next_ += taken;
  left_ -= taken;
  return place;
}

void Memtable::add(const Row& row) {
  const std::size_t words = row.has_fingerprint() ? shape_.words * sizeof(std::uint64_t) : 0;
  const bool small = shape_.numeric_ids && row.sketch.empty() && row.metadata.empty() && row.text.empty();
  const std::size_t head = small ? 0 : sizeof(Lengths);
  const std::size_t rest = row.id.size() + row.sketch.size() + row.metadata.size() + row.text.size();
  std::byte* const bytes = room(sizeof(std::uint64_t) + words + head + rest);
  // The first 8 bytes: whether words and small lengths follow, and the flags.
  const std::uint64_t form = (words != 0 ? 1U : 0U) | (small ? 2U : 0U) | std::uint64_t{row.flags} << 8U;
  std::byte* at = bytes;
  const auto put = [&](const void* data, std::size_t size) {
    if (size != 0) std::memcpy(at, data, size);
    at += size;
  };
  put(&form, sizeof form);
  put(row.words, words);
  if (!small) {
    const Lengths lengths{row.text.size(), static_cast<std::uint32_t>(row.id.size()), static_cast<std::uint32_t>(row.sketch.size()),
                          static_cast<std::uint32_t>(row.metadata.size())};
    put(&lengths, sizeof lengths);
  }
  for (const std::string_view part : {row.id, row.sketch, row.metadata, row.text}) put(part.data(), part.size());

  const std::uint32_t number = entries_.size();
  bytes_ -= entries_.bytes();
  Entry& entry = entries_.append();
  bytes_ += entries_.bytes();
  entry.bytes = bytes;
  if (shape_.keys && !row.erased() && !only_ids_) add_keys(row, number);
  ids_.put(
      row.key, number, [&](std::uint32_t other) { return this->read(other).id == row.id; },
      [&](std::uint32_t older) {
        entry.previous = older;
        entry.replaced_by.store(IdTable::none, std::memory_order_relaxed);
      });
  if (entry.previous != IdTable::none) entries_.at(entry.previous).replaced_by.store(number, std::memory_order_release);
  if (words == 0 || only_ids_) return;
  if (bulk_) {
    bulk_values_.insert(bulk_values_.end(), row.words, row.words + shape_.words);
    bulk_ids_.push_back(number);
  } else {
    index_.add(number, std::span(row.words, shape_.words));
  }
}

void Memtable::add_keys(const Row& row, std::uint32_t number) {
  row_keys_.clear();
  keys_of_(row, row_keys_);
  if (row_keys_.size() > most_postings - std::max(postings_.size(), blocks_.size()))
    throw Error(ErrorCode::limit, "the table in memory cannot take the keys of so many rows");
  const auto slot = [](std::uint32_t key) { return std::uint64_t{group_of(key)} << 32U; };
  for (const std::uint32_t key : row_keys_) keys_.prefetch(slot(key));
  for (const std::uint32_t key : row_keys_) link_posting(slot(key), number | class_of(key) << class_shift);
}

std::uint32_t Memtable::count_from(std::uint32_t link) const {
  if (link == IdTable::none) return 0;
  if ((link & in_block) == 0) return postings_[link].count;
  const Block& block = blocks_[link & ~in_block];
  return block.before + block.used.load(std::memory_order_acquire);
}

bool Memtable::fits_in_block(std::uint32_t newest, std::uint32_t row) {
  if (newest == IdTable::none || (newest & in_block) == 0) return false;
  Block& block = blocks_.at(newest & ~in_block);
  const std::uint32_t used = block.used.load(std::memory_order_relaxed);
  if (used == block.rows.size()) return false;
  block.rows[used] = row;
  block.used.store(used + 1, std::memory_order_release);
  return true;
}

std::uint32_t Memtable::append_posting(std::uint32_t row, std::uint32_t older) {
  const std::uint32_t count = count_from(older);
  if (count < most_single) {
    const std::uint32_t at = postings_.size();
    postings_.append() = {row, older, count + 1};
    bytes_ += sizeof(Posting);
    return at;
  }
  const std::uint32_t at = blocks_.size();
  Block& block = blocks_.append();
  block.previous = older;
  block.before = count;
  block.rows[0] = row;
  block.used.store(1, std::memory_order_relaxed);
  bytes_ += sizeof(Block);
  return at | in_block;
}

void Memtable::link_posting(std::uint64_t key, std::uint32_t row) {
  const std::uint32_t newest = keys_.find_own(key, any_row);
  if (fits_in_block(newest, row)) return;
  keys_.put(key, append_posting(row, newest), any_row, [](std::uint32_t) {});
  if (newest == IdTable::none) bytes_ += 2 * sizeof(std::uint64_t);  // what the table of keys takes, on average
}

void Memtable::find_groups(std::span<const std::uint32_t> groups, std::vector<std::uint32_t>& chains) const {
  const IdTable::Reader keys(keys_);
  const auto key = [](std::uint32_t group) { return std::uint64_t{group} << 32U; };
  for (const std::uint32_t group : groups) keys.prefetch(key(group));
  chains.clear();
  for (const std::uint32_t group : groups) {
    const std::uint32_t chain = keys.find(key(group), any_row);
    chains.push_back(chain);
    if (chain == none) continue;
    if ((chain & in_block) == 0)
      __builtin_prefetch(&postings_[chain]);
    else
      __builtin_prefetch(&blocks_[chain & ~in_block]);
  }
}

std::uint32_t Memtable::length_of(std::uint32_t chain) const { return count_from(chain); }

void Memtable::end_bulk(unsigned threads) {
  bulk_ = false;
  if (!bulk_ids_.empty() && index_.rows() == 0)
    index_ = HammingIndex(bulk_values_, bulk_ids_, HammingIndexOptions{.words = shape_.words, .k = shape_.k, .threads = threads});
  else if (!bulk_ids_.empty())
    index_.add(bulk_ids_, bulk_values_);
  std::vector<std::uint64_t>().swap(bulk_values_);
  std::vector<std::uint64_t>().swap(bulk_ids_);
}

Row Memtable::row(std::uint32_t number) const {
  Row found = read(number);
  found.key = key_of(shape_, found.id);
  return found;
}

Row Memtable::row(std::uint32_t number, std::uint64_t key) const {
  Row found = read(number);
  found.key = key;
  return found;
}

Row Memtable::read(std::uint32_t number) const {
  static constexpr std::array<std::uint64_t, 4> zeros{};
  const std::byte* at = entries_[number].bytes;
  std::uint64_t form = 0;
  std::memcpy(&form, at, sizeof form);
  at += sizeof form;
  Row row;
  row.sequence = first_sequence_ + number;
  row.flags = static_cast<std::uint8_t>(form >> 8U);
  row.words = zeros.data();
  if ((form & 1U) != 0) {
    row.words = reinterpret_cast<const std::uint64_t*>(at);
    at += shape_.words * sizeof(std::uint64_t);
  }
  Lengths lengths{0, sizeof(std::uint64_t), 0, 0};
  if ((form & 2U) == 0) {
    std::memcpy(&lengths, at, sizeof lengths);
    at += sizeof lengths;
  }
  const auto take = [&](std::size_t size) {
    const std::string_view taken(reinterpret_cast<const char*>(at), size);
    at += size;
    return taken;
  };
  row.id = take(lengths.id);
  row.sketch = take(lengths.sketch);
  row.metadata = take(lengths.metadata);
  row.text = take(lengths.text);
  return row;
}

std::uint32_t Memtable::find_id(std::uint64_t key, std::string_view id, std::uint32_t visible) const {
  std::uint32_t row = ids_.find(key, [&](std::uint32_t other) { return read(other).id == id; });
  while (row != IdTable::none && row >= visible) row = entries_[row].previous;
  return row;
}

void Memtable::find(std::span<const std::uint64_t> queries, unsigned k, std::uint32_t visible, HammingMatches& out) const {
  index_.find_batch(queries, k, out);
  std::size_t kept = 0, from = 0;
  for (std::size_t& end : out.ends) {
    for (; from < end; ++from) {
      const HammingMatch match = out.matches[from];
      if (match.id < visible && is_newest(static_cast<std::uint32_t>(match.id), visible)) out.matches[kept++] = match;
    }
    end = kept;
  }
  out.matches.resize(kept);
}

}  // namespace leitong::store
