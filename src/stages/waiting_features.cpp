#include "stages/waiting_features.h"

#include <fmt/format.h>

#include <algorithm>

namespace leitong::stages {
namespace {

// The memory of an entry besides its features: what a vector that grows holds for it.
constexpr std::uint64_t entry_bytes = 96;

}  // namespace

WaitingFeatures::WaitingFeatures(std::uint64_t budget, std::string path)
    : budget_(std::max<std::uint64_t>(budget, 1 << 20)), path_(std::move(path)) {}

std::uint32_t WaitingFeatures::put(std::span<const std::uint32_t> features, std::uint32_t uses) {
  Entry entry;
  entry.uses = uses;
  const std::lock_guard lock(mutex_);
  held_ += entry_bytes;
  // An eighth of the budget is for the segment that is being filled.
  if (held_ + features.size_bytes() <= budget_ - budget_ / 8) {
    entry.features.assign(features.begin(), features.end());
    held_ += features.size_bytes();
  } else {
    spill(entry, features);
  }
  if (free_places_.empty()) {
    entries_.push_back(std::move(entry));
    return static_cast<std::uint32_t>(entries_.size() - 1);
  }
  const std::uint32_t place = free_places_.back();
  free_places_.pop_back();
  entries_[place] = std::move(entry);
  return place;
}

void WaitingFeatures::spill(Entry& entry, std::span<const std::uint32_t> features) {
  if (segments_.empty() || (last_segment_.size() + features.size()) * sizeof(std::uint32_t) > budget_ / 8) {
    if (!segments_.empty() && segments_.back().entries > 0) {
      segments_.back().file =
          std::make_unique<storage::ScratchFile>(storage::posix_vfs(), fmt::format("{}.{}", path_, segments_.size() - 1));
      (void)segments_.back().file->append(std::as_bytes(std::span(last_segment_)));
    }
    last_segment_.clear();
    segments_.emplace_back();
  }
  entry.segment = static_cast<std::uint32_t>(segments_.size() - 1);
  entry.begin = last_segment_.size();
  entry.size = features.size();
  ++segments_.back().entries;
  last_segment_.insert(last_segment_.end(), features.begin(), features.end());
}

std::span<const std::uint32_t> WaitingFeatures::get(std::uint32_t place, std::vector<std::uint32_t>& scratch) {
  const std::lock_guard lock(mutex_);
  const Entry& entry = entries_[place];
  if (entry.segment == in_memory) return entry.features;
  scratch.resize(entry.size);
  if (entry.segment + 1 == segments_.size())
    std::copy_n(last_segment_.begin() + static_cast<std::ptrdiff_t>(entry.begin), entry.size, scratch.begin());
  else
    segments_[entry.segment].file->read(entry.begin * sizeof(std::uint32_t), std::as_writable_bytes(std::span(scratch)));
  return scratch;
}

void WaitingFeatures::done(std::uint32_t place) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[place];
  if (--entry.uses > 0) return;
  held_ -= entry_bytes;
  if (entry.segment == in_memory)
    held_ -= entry.features.size() * sizeof(std::uint32_t);
  else if (--segments_[entry.segment].entries == 0)
    segments_[entry.segment].file.reset();
  entry = {};
  free_places_.push_back(place);
}

}  // namespace leitong::stages
