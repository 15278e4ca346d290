#include "store/postings.h"

#include <algorithm>

#include "leitong/error.h"

namespace leitong::store {
namespace {

constexpr storage::ColumnKind kKind{"\x89LHK\r\n\x1a\n", 1, "it is made of the table beside it"};
enum Columns : std::uint64_t { kCount, kKeys, kRows };

}  // namespace

void write_postings(storage::Vfs& vfs, const std::string& path, std::vector<std::uint64_t>& postings) {
  std::sort(postings.begin(), postings.end());
  postings.erase(std::unique(postings.begin(), postings.end()), postings.end());
  const std::uint64_t count = postings.size();
  storage::ColumnFileWriter file(vfs, path, kKind);
  file.add(kCount, &count, 1);
  std::vector<std::uint32_t> half(postings.size());
  for (std::size_t i = 0; i < half.size(); ++i) half[i] = static_cast<std::uint32_t>(postings[i] >> 32U);
  file.add(kKeys, half.data(), half.size());
  for (std::size_t i = 0; i < half.size(); ++i) half[i] = static_cast<std::uint32_t>(postings[i]);
  file.add(kRows, half.data(), half.size());
  file.finish();
}

Postings::Postings(storage::Vfs& vfs, const std::string& path, std::uint64_t rows) : file_(vfs, path, kKind), rows_(rows) {
  file_.verify(kCount);
  const std::uint64_t count = file_.column<std::uint64_t>(kCount, 1)[0];
  keys_ = file_.column<std::uint32_t>(kKeys, count);
  numbers_ = file_.column<std::uint32_t>(kRows, count);
}

std::span<const std::uint32_t> Postings::rows_of(std::uint32_t key) const {
  std::size_t low = 0, high = keys_.size();
  // Where an evenly spread key stands, then a search that doubles its steps from there.
  const auto guess = static_cast<std::size_t>((static_cast<double>(key) / 4294967296.0) * static_cast<double>(keys_.size()));
  std::size_t step = 64;
  if (guess < high && keys_[guess] >= key) {
    high = guess;
    while (step < high && keys_[high - step] >= key) {
      high -= step;
      step *= 2;
    }
    low = step < high ? high - step : 0;
  } else if (guess < high) {
    low = guess;
    while (step < high - low && keys_[low + step] < key) {
      low += step;
      step *= 2;
    }
    high = std::min(high, low + step + 1);
  }
  const auto first =
      std::lower_bound(keys_.begin() + static_cast<std::ptrdiff_t>(low), keys_.begin() + static_cast<std::ptrdiff_t>(high), key);
  const auto begin = static_cast<std::size_t>(first - keys_.begin());
  std::size_t end = begin;
  for (std::size_t stride = 1; end < keys_.size() && keys_[end] == key; stride *= 2) {
    low = end;
    end = std::min(keys_.size(), begin + stride);
    if (end < keys_.size() && keys_[end] == key) continue;
    end = static_cast<std::size_t>(
        std::upper_bound(keys_.begin() + static_cast<std::ptrdiff_t>(low), keys_.begin() + static_cast<std::ptrdiff_t>(end), key) -
        keys_.begin());
    break;
  }
  return numbers_.subspan(begin, end - begin);
}

void Postings::verify() const {
  file_.verify_all();
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (numbers_[i] >= rows_) file_.damaged("names a row that its run does not have");
    if (i > 0 && (keys_[i - 1] > keys_[i] || (keys_[i - 1] == keys_[i] && numbers_[i - 1] >= numbers_[i])))
      file_.damaged("is out of order");
  }
}

}  // namespace leitong::store
