// Two traces side by side: the features whose weights differ, and what they did to the bits that differ.
#include "leitong/explain.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

#include "leitong/error.h"

namespace leitong {
namespace {

constexpr std::size_t longest = 16U << 20;

// One feature of a text, all its votes together.
struct Vote {
  Trace::Feature feature;
  std::size_t place = 0;  // of its first vote
};

auto identity(const Vote& vote) { return std::tie(vote.feature.hash.words, vote.feature.text); }

// The different features of a trace, sorted by identity. A Java program traces every copy of a word.
std::vector<Vote> votes_of(std::vector<Trace::Feature> features) {
  std::vector<Vote> votes;
  votes.reserve(features.size());
  for (std::size_t i = 0; i < features.size(); ++i) votes.push_back({std::move(features[i]), i});
  std::sort(votes.begin(), votes.end(),
            [](const Vote& x, const Vote& y) { return identity(x) != identity(y) ? identity(x) < identity(y) : x.place < y.place; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < votes.size(); ++i) {
    if (kept > 0 && identity(votes[kept - 1]) == identity(votes[i])) {
      votes[kept - 1].feature.weight += votes[i].feature.weight;
    } else {
      if (kept != i) votes[kept] = std::move(votes[i]);
      ++kept;
    }
  }
  votes.resize(kept);
  return votes;
}

// Whether a bit of B is set that is clear in A, and the other way round.
struct Flips {
  Fingerprint up, down;
  unsigned count = 0;
};

Flips flips_of(const Fingerprint& a, const Fingerprint& b) {
  Flips flips;
  for (std::size_t w = 0; w < a.words.size(); ++w) {
    flips.up.words[w] = b.words[w] & ~a.words[w];
    flips.down.words[w] = a.words[w] & ~b.words[w];
    flips.count += static_cast<unsigned>(std::popcount(a.words[w] ^ b.words[w]));
  }
  return flips;
}

bool has_bit(const Fingerprint& f, unsigned bit) { return (f.words[bit / 64] >> (bit % 64) & 1) != 0; }

// How far a feature moved. A table of weights may hold what is no number.
double way(const MovedFeature& f) {
  const double moved = std::fabs(f.b - f.a);
  return std::isnan(moved) ? std::numeric_limits<double>::infinity() : moved;
}

int pull_of(const MovedFeature& f, const Flips& flips) {
  int with_bit = 0;  // of the differing bits, those that a greater weight of this hash pulls the way they went
  for (std::size_t w = 0; w < f.hash.words.size(); ++w)
    with_bit += std::popcount(f.hash.words[w] & flips.up.words[w]) + std::popcount(~f.hash.words[w] & flips.down.words[w]);
  const int pull = 2 * with_bit - static_cast<int>(flips.count);
  return f.b > f.a ? pull : -pull;
}

// A feature of either text on its way into the ranking.
struct Moved {
  MovedFeature feature;
  std::size_t place = 0;
};

class Comparer {
 public:
  Comparer(Trace a, Trace b, std::uint32_t most) : most_(most) {
    out_.a = a.fingerprint, out_.b = b.fingerprint;
    out_.a_sums = std::move(a.sums), out_.b_sums = std::move(b.sums);
    out_.tie_sets_bit = a.tie_sets_bit;
    if (out_.a && out_.b) flips_ = flips_of(*out_.a, *out_.b);
    std::vector<Vote> of_b = votes_of(std::move(b.features));
    merge(votes_of(std::move(a.features)), of_b);
    rank();
    if (out_.a && out_.b) explain_bits();
  }
  Explanation result() { return std::move(out_); }

 private:
  void merge(std::vector<Vote> a, std::vector<Vote>& b) {
    out_.a_features = a.size(), out_.b_features = b.size();
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
      const bool take_a = i < a.size() && (j == b.size() || identity(a[i]) <= identity(b[j]));
      const bool take_b = j < b.size() && (i == a.size() || identity(b[j]) <= identity(a[i]));
      const double of_a = take_a ? a[i].feature.weight : 0, of_b = take_b ? b[j].feature.weight : 0;
      Vote& vote = take_a ? a[i] : b[j];
      if (of_a == of_b) {
        out_.unmoved += take_a && take_b ? 1 : 0;
      } else {
        add(vote, of_a, of_b);
      }
      i += take_a ? 1 : 0, j += take_b ? 1 : 0;
    }
  }

  void add(Vote& vote, double a, double b) {
    MovedFeature feature{std::move(vote.feature.text), std::move(vote.feature.part_of_speech), vote.feature.hash, a, b, 0};
    feature.pull = pull_of(feature, flips_);
    moved_.push_back({std::move(feature), vote.place});
  }

  void rank() {
    std::sort(moved_.begin(), moved_.end(), [](const Moved& x, const Moved& y) {
      const auto key = [](const Moved& m) { return std::tuple(-way(m.feature), -m.feature.pull, m.place, m.feature.a == 0); };
      return key(x) != key(y) ? key(x) < key(y) : x.feature.hash.words < y.feature.hash.words;
    });
    out_.moved.reserve(moved_.size());
    for (Moved& m : moved_) out_.moved.push_back(std::move(m.feature));
    moved_.clear();
  }

  void explain_bits() {
    out_.bits.reserve(flips_.count);
    for (unsigned bit = 0; bit < out_.a->bits; ++bit)
      if (has_bit(*out_.a, bit) != has_bit(*out_.b, bit)) {
        DifferingBit differing{bit, out_.a_sums[bit], out_.b_sums[bit], {}, 0};
        list_features(differing);
        out_.bits.push_back(std::move(differing));
      }
  }

  // A contribution is as great in every bit as the feature moved, and only its sign is the bit's own: so the ranking holds, and within
  // those that moved equally far the ones that pull the way the bit went come first.
  void list_features(DifferingBit& differing) const {
    const bool up = has_bit(*out_.b, differing.bit);
    const std::vector<MovedFeature>& all = out_.moved;
    for (std::size_t begin = 0, end = 0; begin < all.size() && differing.features.size() < most_; begin = end) {
      while (end < all.size() && way(all[end]) == way(all[begin])) ++end;
      for (const bool along : {true, false})
        for (std::size_t i = begin; i < end && differing.features.size() < most_; ++i)
          if (((contribution(all[i], differing.bit) > 0) == up) == along) differing.features.push_back(static_cast<std::uint32_t>(i));
    }
    differing.left_out = all.size() - differing.features.size();
  }

  std::uint32_t most_;
  Flips flips_;
  std::vector<Moved> moved_;
  Explanation out_;
};

void check_length(std::string_view text) {
  if (text.size() > longest) throw Error(ErrorCode::limit, "a text of more than 16 MiB is too long to tell its features");
}

}  // namespace

double contribution(const MovedFeature& feature, unsigned bit) {
  return has_bit(feature.hash, bit) ? feature.b - feature.a : feature.a - feature.b;
}

Explanation explain(std::string_view a, std::string_view b, const Profile& profile, std::uint32_t most) {
  check_length(a), check_length(b);
  return Comparer(trace(a, profile), trace(b, profile), most).result();
}

}  // namespace leitong
