// Finds the layout of a store that another program has filled: among the layouts that fit the stored bytes, the one under which the stored
// fingerprints are those that the profile makes.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "collection/collection_about.h"
#include "collection/connect.h"
#include "collection/server_collection.h"
#include "leitong/error.h"
#include "remote/fingerprint_store.h"
#include "remote/store_url.h"

namespace leitong::collection {
namespace {

using remote::LayoutReading;

constexpr std::size_t sample_size = 1'000;  // keys or documents that are read to guess a layout
constexpr std::size_t text_count = 200;     // texts of one field, at most, whose fingerprints are computed again
constexpr double enough = 0.9;              // least share of fingerprints that must agree; not all, since texts may have changed

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::usage, message); }

// Texts from one source; their fingerprints are computed again and compared with the stored ones.
struct Evidence {
  std::string source;  // "the sample", "field content"
  std::vector<CollectionDocument> documents;
  std::size_t there = 0;          // documents whose ids are stored, under any reading
  std::vector<std::size_t> fits;  // documents whose fingerprint agrees, for each reading
  [[nodiscard]] bool good(std::size_t reading) const {
    return fits[reading] > 0 && static_cast<double>(fits[reading]) >= enough * static_cast<double>(there);
  }
  [[nodiscard]] std::size_t best() const { return *std::max_element(fits.begin(), fits.end()); }
};

class Adoption {
 public:
  Adoption(remote::StoreServer& server, const CollectionOptions& options) : server_(server), options_(options) {}

  // Chooses the reading under which the stored fingerprints agree with those that the profile makes.
  StoreInspection choose(const remote::Inspection& found, std::span<const CollectionDocument> sample) {
    readings_ = found.readings;
    taken_.evidence = found.evidence;
    std::vector<Evidence> sources = sources_of(found, sample);
    if (sources.empty()) return by_order_of_profile();
    for (Evidence& source : sources) look_up(source);
    return by_texts(
        *std::max_element(sources.begin(), sources.end(), [](const Evidence& a, const Evidence& b) { return a.best() < b.best(); }));
  }

 private:
  static std::vector<Evidence> sources_of(const remote::Inspection& found, std::span<const CollectionDocument> sample) {
    if (!sample.empty()) return {Evidence{"the sample", {sample.begin(), sample.end()}, 0, {}}};
    std::vector<Evidence> sources;
    for (const remote::StoredText& text : found.texts) {
      const std::string source = "field " + text.field;
      if (sources.empty() || sources.back().source != source) sources.push_back({source, {}, 0, {}});
      if (sources.back().documents.size() < text_count) sources.back().documents.push_back({text.id, text.text});
    }
    return sources;
  }

  // If the store cannot look up a fingerprint by id, it is enough that any row has the same fingerprint.
  void look_up(Evidence& evidence) {
    Fingerprinter fingerprinter(options_.profile);
    std::vector<std::string_view> ids;
    std::vector<std::uint64_t> wanted;
    for (const CollectionDocument& document : evidence.documents) {
      const auto made = fingerprinter(document.text);
      if (!made.fingerprint) continue;
      ids.push_back(document.id);
      wanted.push_back(made.fingerprint->words[0]);
    }
    std::vector<bool> there(ids.size());
    evidence.fits.assign(readings_.size(), 0);
    for (std::size_t reading = 0; reading < readings_.size(); ++reading) {
      const auto store = server_.open(readings_[reading].layout, options_.ids == CollectionIds::number);
      if (store->knows_ids()) {
        const auto stored = store->get(ids);
        for (std::size_t i = 0; i < ids.size(); ++i) {
          there[i] = there[i] || stored[i].has_value();
          evidence.fits[reading] += stored[i] == wanted[i] ? 1 : 0;
        }
      } else {
        const auto found = store->find(wanted, 0);
        for (std::size_t i = 0; i < ids.size(); ++i) {
          there[i] = true;
          evidence.fits[reading] += found[i].empty() ? 0 : 1;
        }
      }
    }
    evidence.there = static_cast<std::size_t>(std::count(there.begin(), there.end(), true));
  }

  StoreInspection by_texts(const Evidence& evidence) {
    const std::string profile = options_.profile.name;
    if (evidence.there == 0)
      refuse(fmt::format("{}: none of the {} ids of {} is stored there: give a --sample of ids and texts that are, or --layout",
                         server_.name(), evidence.documents.size(), evidence.source));
    std::vector<std::size_t> good;
    for (std::size_t i = 0; i < readings_.size(); ++i)
      if (evidence.good(i)) good.push_back(i);
    if (good.empty())
      refuse(
          fmt::format("{}: profile {} makes other fingerprints of {} than those stored, however they are read: of {} documents {}. Is it "
                      "another profile (leitong parity finds out), or other texts? --layout takes one unseen",
                      server_.name(), profile, evidence.source, evidence.there, counts(evidence)));
    if (good.size() > 1) refuse_several(fmt::format("of {} documents of {} {}", evidence.there, evidence.source, counts(evidence)), good);
    taken_.evidence.push_back(fmt::format("profile {} makes the stored fingerprints of {}: of {} documents {}", profile, evidence.source,
                                          evidence.there, counts(evidence)));
    return take(good.front());
  }

  // "40 as bits, least significant first, 0 as bits, most significant first"
  [[nodiscard]] std::string counts(const Evidence& evidence) const {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < readings_.size(); ++i)
      parts.push_back(fmt::format("{} agree read as {}", evidence.fits[i], written_form_name(readings_[i].written)));
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  // Stored fingerprints alone do not show which bit comes first. The profile's program writes them in one order, so that order is taken.
  StoreInspection by_order_of_profile() {
    const bool least_first = writes_least_bit_first(options_.profile.program);
    std::vector<std::size_t> good;
    for (std::size_t i = 0; i < readings_.size(); ++i)
      if (is_order_of(readings_[i].written, least_first)) good.push_back(i);
    if (good.size() != 1) {
      std::vector<std::size_t> all(readings_.size());
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
      refuse_several("no text is stored to make a fingerprint of again", good.empty() ? all : good);
    }
    const std::string_view form = written_form_name(readings_[good.front()].written);
    taken_.evidence.push_back(fmt::format("profile {} writes its fingerprints so: {}", options_.profile.name, form));
    taken_.doubts.push_back(
        fmt::format("a store without texts does not tell which end of a fingerprint comes first: {} was taken because "
                    "profile {} writes so; a --sample of ids and texts would prove it",
                    form, options_.profile.name));
    return take(good.front());
  }

  // Whether the form has the bit order that `leitong fingerprint` prints.
  static bool is_order_of(WrittenForm form, bool least_first) {
    using enum WrittenForm;
    if (form == bits_least_first) return least_first;
    if (form == bits_most_first) return !least_first;
    return form == hex || form == decimal || form == signed_decimal;
  }

  [[noreturn]] void refuse_several(const std::string& why, const std::vector<std::size_t>& which) const {
    std::string all;
    for (const std::size_t i : which) all += fmt::format("\n  --layout '{}'", readings_[i].layout);
    refuse(
        fmt::format("{}: several layouts fit what is there, and nothing tells which is meant ({}); give a --sample of ids and texts that "
                    "are stored, or one of these:{}",
                    server_.name(), why, all));
  }

  StoreInspection take(std::size_t reading) {
    taken_.layout = readings_[reading].layout;
    return std::move(taken_);
  }

  remote::StoreServer& server_;
  const CollectionOptions& options_;
  std::vector<LayoutReading> readings_;
  StoreInspection taken_;
};

// If the user named a layout, it is the only reading.
remote::Inspection as_told(const remote::StoreServer& server, const CollectionOptions& options) {
  remote::Inspection told;
  told.layout = server.layout_of(layout_in_order_of(options.profile, options.layout), options.k);
  told.readings = {{told.layout, WrittenForm::bits_most_first}};
  return told;
}

}  // namespace

StoreInspection adopt_on_server(const std::string& url, const CollectionOptions& options, std::span<const CollectionDocument> sample) {
  const auto server = collection::connect(remote::parse_store_url(url));
  require_fingerprints_only(server->name(), options);
  if (server->record()) refuse(server->name() + ": there is a store of Leitong already");
  const bool told = !options.layout.empty();
  const remote::Inspection found = told ? as_told(*server, options) : server->inspect(sample_size);
  if (found.layout.empty()) {
    const std::string why = found.evidence.empty() ? "" : ": " + found.evidence.back();
    refuse(
        fmt::format("{}: no layout that Leitong knows fits what is there{}; leitong collection inspect says more, and --layout tells one",
                    server->name(), why));
  }
  StoreInspection taken = told && sample.empty() ? StoreInspection{found.layout, {}, {}} : Adoption(*server, options).choose(found, sample);
  taken.layout = server->layout_of(taken.layout, options.k);
  server->adopt(server_record(options, taken.layout), taken.layout);
  return taken;
}

}  // namespace leitong::collection
