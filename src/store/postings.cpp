#include "store/postings.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "leitong/error.h"
#include "storage/digit_sort.h"

namespace leitong::store {
namespace {

constexpr storage::ColumnKind file_kind{"\x89LHK\r\n\x1a\n", 2, "it is made of the table beside it"};
enum Columns : std::uint64_t { count_column, keys_column, rows_column, buckets_column };

// Eight to sixteen postings a bucket; a group of keys lies in one bucket.
unsigned bucket_bits(std::uint64_t postings) {
  return std::clamp(static_cast<unsigned>(std::bit_width(postings / 16)), 1U, 32U - class_bits);
}

std::vector<std::uint64_t> buckets_of(std::span<const std::uint32_t> keys) {
  const unsigned bits = bucket_bits(keys.size());
  std::vector<std::uint64_t> buckets((std::size_t{1} << bits) + 1);
  for (const std::uint32_t key : keys) ++buckets[(key >> (32 - bits)) + 1];
  std::partial_sum(buckets.begin(), buckets.end(), buckets.begin());
  return buckets;
}

}  // namespace

void write_postings(storage::Vfs& vfs, const std::string& path, std::vector<std::uint64_t>& postings) {
  storage::sort_by_digits(postings, 32);
  postings.erase(std::unique(postings.begin(), postings.end()), postings.end());
  const std::uint64_t count = postings.size();
  storage::ColumnFileWriter file(vfs, path, file_kind);
  file.add(count_column, &count, 1);
  std::vector<std::uint32_t> half(postings.size());
  for (std::size_t i = 0; i < half.size(); ++i) half[i] = static_cast<std::uint32_t>(postings[i] >> 32U);
  file.add(keys_column, half.data(), half.size());
  const std::vector<std::uint64_t> buckets = buckets_of(half);
  for (std::size_t i = 0; i < half.size(); ++i) half[i] = static_cast<std::uint32_t>(postings[i]);
  file.add(rows_column, half.data(), half.size());
  file.add(buckets_column, buckets.data(), buckets.size());
  file.finish();
}

Postings::Postings(storage::Vfs& vfs, const std::string& path, std::uint64_t rows) : file_(vfs, path, file_kind), rows_(rows) {
  file_.verify(count_column);
  const std::uint64_t count = file_.column<std::uint64_t>(count_column, 1)[0];
  keys_ = file_.column<std::uint32_t>(keys_column, count);
  numbers_ = file_.column<std::uint32_t>(rows_column, count);
  buckets_ = file_.column<std::uint64_t>(buckets_column, (std::size_t{1} << bucket_bits(count)) + 1);
  bucket_shift_ = 32 - bucket_bits(count);
}

// A file that was made wrongly may say anything; it must not lead outside.
Postings::Range Postings::bucket_of(std::uint32_t key) const {
  const std::uint64_t* const bucket = &buckets_[key >> bucket_shift_];
  file_.touch(bucket, 2);
  const std::size_t end = std::min<std::size_t>(bucket[1], keys_.size());
  return {std::min<std::size_t>(bucket[0], end), end};
}

std::size_t Postings::length_of(std::uint32_t group) const {
  const Range range = bucket_of(group);
  return range.end - range.begin;
}

void Postings::prefetch_keys(std::uint32_t key) const {
  const std::size_t begin = bucket_of(key).begin;
  __builtin_prefetch(keys_.data() + begin);
  __builtin_prefetch(keys_.data() + begin + 15);
}

// Most buckets are short and are read from their beginning.
std::size_t Postings::first_from(std::uint32_t key, Range range) const {
  constexpr std::size_t few = 32;
  while (range.end - range.begin > few) {
    const std::size_t middle = range.begin + (range.end - range.begin) / 2;
    file_.touch(keys_.data() + middle, 1);
    (keys_[middle] < key ? range.begin : range.end) = keys_[middle] < key ? middle + 1 : middle;
  }
  file_.touch(keys_.data() + range.begin, range.end - range.begin);
  while (range.begin < range.end && keys_[range.begin] < key) ++range.begin;
  return range.begin;
}

std::size_t Postings::first_after(std::uint32_t key, Range range) const {
  return key == ~std::uint32_t{0} ? range.end : first_from(key + 1, range);
}

std::span<const std::uint32_t> Postings::rows_in(Range range) const {
  if (range.begin == range.end) return {};
  const std::span<const std::uint32_t> rows = numbers_.subspan(range.begin, range.end - range.begin);
  file_.touch(rows.data(), rows.size());
  __builtin_prefetch(rows.data());
  return rows;
}

std::span<const std::uint32_t> Postings::rows_of(std::uint32_t key) const {
  Range range = bucket_of(key);
  range.begin = first_from(key, range);
  if (range.begin == range.end || keys_[range.begin] != key) return {};
  range.end = first_after(key, range);
  return rows_in(range);
}

Postings::Lists Postings::lists_of(std::uint32_t group) const {
  Lists lists;
  Range range = bucket_of(group);
  const std::size_t end = range.end = first_after(group + (classes - 1), range);
  range.begin = first_from(group, range);
  for (std::uint32_t c = 0; c < classes; ++c, range = {range.end, end}) {
    range.end = first_after(group + c, range);
    lists[c] = rows_in(range);
  }
  return lists;
}

void Postings::verify() const {
  file_.verify_all();
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (numbers_[i] >= rows_) file_.damaged("names a row that its run does not have");
    if (i > 0 && (keys_[i - 1] > keys_[i] || (keys_[i - 1] == keys_[i] && numbers_[i - 1] >= numbers_[i])))
      file_.damaged("is out of order");
  }
  if (!std::ranges::equal(buckets_of(keys_), buckets_)) file_.damaged("has buckets that are not those of its keys");
}

}  // namespace leitong::store
