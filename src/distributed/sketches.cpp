// Texts to sketches, and their slots to keys of bands.

#include <cstring>

#include "fingerprint/sketcher.h"
#include "leitong/distributed.h"
#include "leitong/error.h"
#include "stages/band_key.h"
#include "stages/candidate_plan.h"

namespace leitong::distributed {

struct Sketcher::Impl {
  explicit Impl(const Profile& profile) : sketcher(profile) {}

  fingerprint::Sketcher sketcher;
  fingerprint::Sketch made;
  std::array<std::uint64_t, fingerprint::slot_count / 64> bits{};
  Sketch given;
};

Sketcher::Sketcher(const Profile& profile) : impl_(std::make_unique<Impl>(profile)) {}
Sketcher::~Sketcher() = default;
Sketcher::Sketcher(Sketcher&&) noexcept = default;
Sketcher& Sketcher::operator=(Sketcher&&) noexcept = default;

const Sketch& Sketcher::operator()(std::string_view utf8) {
  Impl& i = *impl_;
  i.sketcher(utf8, i.made);
  i.given = {};
  i.given.content = i.made.content;
  i.given.tokens = i.made.tokens;
  i.given.features = i.made.features;
  if (i.made.has_fingerprint) i.given.fingerprint = i.made.fingerprint;
  if (i.made.has_slots) {
    i.bits = fingerprint::slot_bits(i.made.slots);
    i.given.slots = i.made.slots;
    i.given.bits = i.bits;
  }
  i.given.short_features = i.made.short_features;
  return i.given;
}

BandPlan band_plan(std::uint64_t rows, const std::optional<RecallGoal>& goal) {
  const candidates::BandPlan plan = stages::candidate_plan(rows, goal);
  return {plan.bands, plan.slots, stages::sketch_shape.max_distance};
}

std::uint32_t band_key(std::span<const std::uint8_t> slots, const BandPlan& plan, unsigned band) {
  if (slots.size() != fingerprint::slot_count || (band + 1) * plan.slots > fingerprint::slot_count)
    throw Error(ErrorCode::usage, "band_key: the slots are not those of a sketch, or the band is beyond them");
  const stages::BandColumns columns(band, plan.slots);
  std::uint64_t mixed = 0;
  for (unsigned column = columns.first; column <= columns.last; ++column) {
    std::uint32_t four = 0;
    std::memcpy(&four, slots.data() + 4 * column, sizeof four);
    if (plan.slots == 4) return four;
    mixed = stages::mix_band(mixed, four & columns.mask(column));
  }
  return stages::mixed_key(mixed);
}

}  // namespace leitong::distributed
