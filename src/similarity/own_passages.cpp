#include "similarity/own_passages.h"

#include <algorithm>
#include <bit>

namespace leitong::similarity {
namespace {

constexpr std::size_t joined = 3;  // tokens; of two, Chinese texts share long runs by chance

// Of the three tokens from `first` on. Never 0, the mark of a free slot.
std::uint64_t trigram_at(std::span<const std::uint32_t> sequence, std::size_t first) {
  const std::uint64_t two = std::uint64_t{sequence[first]} << 32 | sequence[first + 1];
  const std::uint64_t all = two * 0x9e3779b97f4a7c15U ^ (std::uint64_t{sequence[first + 2]} * 0xc2b2ae3d27d4eb4fU);
  return all == 0 ? 1 : all;
}

// Shared runs of fewer tokens are taken for chance, and do not cut a passage in two.
constexpr std::size_t least_shared = 8;

// Chance may lengthen what is shared by a token or two; so the words beside a passage are looked for up to `most_off` tokens off.
constexpr std::size_t beside = 4, most_off = 8;

// Whether the last tokens of both are the same, or both have none.
bool end_alike(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  if (a.empty() || b.empty()) return a.empty() && b.empty();
  for (std::size_t i = 0; i <= most_off && i + beside <= a.size(); ++i)
    for (std::size_t j = 0; j <= most_off && j + beside <= b.size(); ++j)
      if (std::ranges::equal(a.subspan(a.size() - i - beside, beside), b.subspan(b.size() - j - beside, beside))) return true;
  return false;
}

bool begin_alike(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  if (a.empty() || b.empty()) return a.empty() && b.empty();
  for (std::size_t i = 0; i <= most_off && i + beside <= a.size(); ++i)
    for (std::size_t j = 0; j <= most_off && j + beside <= b.size(); ++j)
      if (std::ranges::equal(a.subspan(i, beside), b.subspan(j, beside))) return true;
  return false;
}

}  // namespace

void OwnPassages::Trigrams::set(std::span<const std::uint32_t> sequence) {
  const auto log_size = static_cast<unsigned>(std::bit_width(sequence.size())) + 1;
  shift_ = 64 - log_size;
  slots_.assign(std::size_t{1} << log_size, 0);
  for (std::size_t i = 0; i + joined <= sequence.size(); ++i) {
    const std::uint64_t trigram = trigram_at(sequence, i);
    slots_[place_of(trigram)] = trigram;
  }
}

// Where a trigram stands, or would stand.
std::size_t OwnPassages::Trigrams::place_of(std::uint64_t trigram) const {
  std::size_t at = (trigram * 0x9e3779b97f4a7c15U) >> shift_;
  while (slots_[at] != 0 && slots_[at] != trigram) at = (at + 1) & (slots_.size() - 1);
  return at;
}

bool OwnPassages::Trigrams::contain(std::uint64_t trigram) const { return slots_[place_of(trigram)] != 0; }

void OwnPassages::set(std::span<const std::uint32_t> sequence) {
  sequence_ = sequence;
  known_ = false;
}

bool OwnPassages::in_one_place(std::span<const std::uint32_t> other, std::size_t least) {
  if (!known_) trigrams_.set(sequence_), known_ = true;
  const auto b = passage_of(other, trigrams_, least);
  if (!b) return false;
  of_other_.set(other);
  const auto a = passage_of(sequence_, of_other_, least);
  return a &&
         (end_alike(sequence_.first(a->begin), other.first(b->begin)) || begin_alike(sequence_.subspan(a->end), other.subspan(b->end)));
}

// The longest, if it is long enough and two thirds of what is not shared.
std::optional<OwnPassages::Passage> OwnPassages::passage_of(std::span<const std::uint32_t> own, const Trigrams& of_other,
                                                            std::size_t least) {
  Passage longest;
  std::size_t all = 0, begin = 0, shared = 0;  // begin: of the run that is not shared; shared: tokens of the shared run that ends here
  const auto end_run = [&](std::size_t end) {
    all += end - begin;
    if (end - begin > longest.end - longest.begin) longest = {begin, end};
  };
  std::size_t shared_until = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (i + joined <= own.size() && of_other.contain(trigram_at(own, i))) shared_until = i + joined;
    if (i < shared_until) {
      ++shared;
    } else {
      if (shared >= least_shared) end_run(i - shared), begin = i;
      shared = 0;
    }
  }
  end_run(own.size() - (shared >= least_shared ? shared : 0));
  const std::size_t length = longest.end - longest.begin;
  return length >= least && 3 * length >= 2 * all ? std::optional(longest) : std::nullopt;
}

}  // namespace leitong::similarity
