#include "collection/collection_about.h"

#include <fmt/format.h>

#include "collection/collection_row.h"
#include "leitong/error.h"
#include "leitong/version.h"
#include "records/json_object.h"
#include "stages/candidate_plan.h"

namespace leitong::collection {
namespace {

constexpr std::uint64_t rows_planned_for = 30'000'000;
constexpr std::uint64_t record_version = 1;  // of the record that a server keeps

void check_profile(const records::JsonReader& json, const Profile& profile, const std::string& id, const std::string& directory,
                   const CollectionOpen& open) {
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

AboutCollection read_profile(const records::JsonReader& json, const std::string& where, const std::string& file,
                             const CollectionOpen& open) {
  AboutCollection out;
  out.profile_id = json.text(json.root(), "profile_id");
  if (json.root()["pages"]) out.options.pages = json.text(json.root(), "pages");
  Profile& profile = out.options.profile;
  profile = parse_profile(json.text(json.root(), "profile"), file + " (profile)");
  profile.key = open.key;
  if (!open.only_stored) check_profile(json, profile, out.profile_id, where, open);
  return out;
}

records::JsonObject about_profile(const CollectionOptions& options) {
  const Profile& profile = options.profile;
  Profile shown = profile;
  shown.key.clear();  // the key is a secret and must not be written to a file
  records::JsonObject json;
  json.text("leitong", version())
      .text("profile", to_toml(shown))
      .boolean("keyed", !profile.key.empty())
      .text("profile_id", profile_id(profile));
  if (!options.pages.empty()) json.text("pages", options.pages);
  return json;
}

}  // namespace

std::string about_collection(const CollectionOptions& options) {
  records::JsonObject json = about_profile(options);
  if (shape_of(options).keys) {
    const candidates::BandPlan plan = stages::candidate_plan(rows_planned_for, options.goal);
    json.number("bands", plan.bands).number("band_slots", plan.slots);
  }
  return json.str();
}

AboutCollection read_about(const std::string& about, const store::Shape& shape, const std::string& directory, const CollectionOpen& open) {
  const records::JsonReader json(about, directory + "/MANIFEST");
  AboutCollection out = read_profile(json, directory, directory + "/MANIFEST", open);
  out.options.k = shape.k;
  out.options.ids = shape.numeric_ids ? CollectionIds::number : CollectionIds::text;
  out.options.texts = shape.texts;
  out.options.metadata = shape.metadata;
  out.options.fingerprints_only = !shape.sketches;
  if (!shape.keys) return out;
  const std::uint64_t bands = json.number(json.root(), "bands"), slots = json.number(json.root(), "band_slots");
  if (bands == 0 || slots == 0 || bands > stages::sketch_shape.slots || slots > stages::sketch_shape.slots ||
      bands * slots > stages::sketch_shape.slots)
    throw Error(ErrorCode::format, directory + "/MANIFEST: impossible bands");
  out.bands = {static_cast<unsigned>(bands), static_cast<unsigned>(slots)};
  return out;
}

std::string server_record(const CollectionOptions& options, const std::string& layout) {
  return about_profile(options)
      .number("version", record_version)
      .number("k", options.k)
      .text("ids", options.ids == CollectionIds::number ? "number" : "text")
      .raw("layout", layout)
      .str();
}

AboutCollection read_server_record(const std::string& record, const std::string& where, const CollectionOpen& open) {
  const records::JsonReader json(record, where);
  if (const std::uint64_t version = json.number(json.root(), "version"); version != record_version)
    throw Error(ErrorCode::format, fmt::format("{}: its record has version {}; this program reads version {}: use a newer Leitong", where,
                                               version, record_version));
  AboutCollection out = read_profile(json, where, where, open);
  out.options.k = static_cast<unsigned>(json.number(json.root(), "k"));
  out.options.ids = json.text(json.root(), "ids") == "number" ? CollectionIds::number : CollectionIds::text;
  out.options.fingerprints_only = true;
  const records::JsonValue layout = json.root()["layout"];
  if (!layout) throw Error(ErrorCode::format, where + ": its record has no layout");
  out.options.layout = layout.minified();
  return out;
}

}  // namespace leitong::collection
