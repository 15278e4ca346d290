#include "corpus/collection_about.h"

#include <fmt/format.h>

#include "corpus/candidate_plan.h"
#include "corpus/collection_row.h"
#include "leitong/dedup.h"
#include "leitong/error.h"
#include "records/json_object.h"

namespace leitong::corpus {
namespace {

constexpr std::uint64_t kRowsPlannedFor = 30'000'000;

void check_profile(const records::JsonReader& json, const Profile& profile, const std::string& id, const std::string& directory,
                   const CorpusOpen& open) {
  if (json.boolean(json.root(), "keyed") == open.key.empty())
    throw Error(ErrorCode::usage, open.key.empty() ? directory + ": its profile has a key; give it with --key or --key-file"
                                                   : directory + ": its profile has no key; leave --key and --key-file out");
  const std::string name = fmt::format("{} (id {})", profile.name, id);
  if (const std::string now = profile_id(profile); now != id)
    throw Error(ErrorCode::usage,
                fmt::format("{}: was made with profile {}, whose id here and now is {}: a dictionary or a file that the profile names has "
                            "changed, or the key is another one, and fingerprints would not agree; bring back the old one",
                            directory, name, now));
  if (!open.profile_id.empty() && open.profile_id != id)
    throw Error(ErrorCode::usage,
                fmt::format("{}: is a collection of profile {}; the one asked for has id {}, and fingerprints of different "
                            "profiles cannot be compared",
                            directory, name, open.profile_id));
}

}  // namespace

std::string about_collection(const CorpusOptions& options) {
  Profile shown = options.profile;
  shown.key.clear();  // a secret does not belong into a file
  records::JsonObject json;
  json.text("leitong", version())
      .text("profile", to_toml(shown))
      .boolean("keyed", !options.profile.key.empty())
      .text("profile_id", profile_id(options.profile));
  if (shape_of(options).keys) {
    const candidates::BandPlan plan = candidate_plan(kRowsPlannedFor, options.goal);
    json.number("bands", plan.bands).number("band_slots", plan.slots);
  }
  return json.str();
}

AboutCollection read_about(const std::string& about, const store::Shape& shape, const std::string& directory, const CorpusOpen& open) {
  const records::JsonReader json(about, directory + "/MANIFEST");
  AboutCollection out;
  out.profile_id = json.text(json.root(), "profile_id");
  Profile& profile = out.options.profile;
  profile = parse_profile(json.text(json.root(), "profile"), directory + "/MANIFEST (profile)");
  profile.key = open.key;
  if (!open.only_stored) check_profile(json, profile, out.profile_id, directory, open);
  out.options.k = shape.k;
  out.options.ids = shape.numeric_ids ? CorpusIds::number : CorpusIds::text;
  out.options.texts = shape.texts;
  out.options.metadata = shape.metadata;
  out.options.fingerprints_only = !shape.sketches;
  if (!shape.keys) return out;
  const std::uint64_t bands = json.number(json.root(), "bands"), slots = json.number(json.root(), "band_slots");
  if (bands == 0 || slots == 0 || bands > sketch_shape.slots || slots > sketch_shape.slots || bands * slots > sketch_shape.slots)
    throw Error(ErrorCode::format, directory + "/MANIFEST: impossible bands");
  out.bands = {static_cast<unsigned>(bands), static_cast<unsigned>(slots)};
  return out;
}

}  // namespace leitong::corpus
