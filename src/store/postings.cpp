#include "store/postings.h"

#include <algorithm>

#include "leitong/error.h"

namespace leitong::store {
namespace {

constexpr storage::ColumnKind file_kind{"\x89LHK\r\n\x1a\n", 1, "it is made of the table beside it"};
enum Columns : std::uint64_t { count_column, keys_column, rows_column };

}  // namespace

void write_postings(storage::Vfs& vfs, const std::string& path, std::vector<std::uint64_t>& postings) {
  std::sort(postings.begin(), postings.end());
  postings.erase(std::unique(postings.begin(), postings.end()), postings.end());
  const std::uint64_t count = postings.size();
  storage::ColumnFileWriter file(vfs, path, file_kind);
  file.add(count_column, &count, 1);
  std::vector<std::uint32_t> half(postings.size());
  for (std::size_t i = 0; i < half.size(); ++i) half[i] = static_cast<std::uint32_t>(postings[i] >> 32U);
  file.add(keys_column, half.data(), half.size());
  for (std::size_t i = 0; i < half.size(); ++i) half[i] = static_cast<std::uint32_t>(postings[i]);
  file.add(rows_column, half.data(), half.size());
  file.finish();
}

Postings::Postings(storage::Vfs& vfs, const std::string& path, std::uint64_t rows) : file_(vfs, path, file_kind), rows_(rows) {
  file_.verify(count_column);
  const std::uint64_t count = file_.column<std::uint64_t>(count_column, 1)[0];
  keys_ = file_.column<std::uint32_t>(keys_column, count);
  numbers_ = file_.column<std::uint32_t>(rows_column, count);
}

std::size_t Postings::first_from(std::uint32_t wanted, std::size_t low, std::size_t high) const {
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (key(middle) < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::size_t Postings::first_after(std::uint32_t wanted, std::size_t low, std::size_t high) const {
  return wanted == ~std::uint32_t{0} ? high : first_from(wanted + 1, low, high);
}

std::span<const std::uint32_t> Postings::rows_of(std::uint32_t wanted) const {
  std::size_t low = 0, high = keys_.size();
  // Starts at the position that an evenly distributed key would have, and searches from there with doubling steps.
  const auto guess = static_cast<std::size_t>((static_cast<double>(wanted) / 4294967296.0) * static_cast<double>(keys_.size()));
  std::size_t step = 64;
  if (guess < high && key(guess) >= wanted) {
    high = guess;
    while (step < high && key(high - step) >= wanted) {
      high -= step;
      step *= 2;
    }
    low = step < high ? high - step : 0;
  } else if (guess < high) {
    low = guess;
    while (step < high - low && key(low + step) < wanted) {
      low += step;
      step *= 2;
    }
    high = std::min(high, low + step + 1);
  }
  const std::size_t begin = first_from(wanted, low, high);
  std::size_t end = begin;
  for (std::size_t stride = 1; end < keys_.size() && key(end) == wanted; stride *= 2) {
    low = end;
    end = std::min(keys_.size(), begin + stride);
    if (end < keys_.size() && key(end) == wanted) continue;
    end = first_after(wanted, low, end);
    break;
  }
  file_.touch(numbers_.data() + begin, end - begin);
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
