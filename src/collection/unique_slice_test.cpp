// What happens to documents if reservations are refused, or lost between look-up and put.
#include "collection/unique_slice.h"

#include <gtest/gtest.h>

#include "collection/memory_store.h"

namespace leitong::collection {
namespace {

using remote::FingerprintRow;
using remote::FingerprintStore;
using remote::FoundRow;

// A store in memory that also plays another writer.
class Contested final : public FingerprintStore {
 public:
  [[nodiscard]] unsigned largest_k() const override { return 3; }
  void put(std::span<const FingerprintRow> rows) override {
    if (on_put) std::exchange(on_put, nullptr)();
    rows_->put(rows);
  }
  std::uint64_t erase(std::span<const std::string_view> ids) override { return rows_->erase(ids); }
  [[nodiscard]] std::vector<std::optional<std::uint64_t>> get(std::span<const std::string_view> ids) override { return rows_->get(ids); }
  [[nodiscard]] std::vector<std::vector<FoundRow>> find(std::span<const std::uint64_t> queries, unsigned k) override {
    return rows_->find(queries, k);
  }
  [[nodiscard]] std::vector<bool> reserve(std::span<const std::uint64_t> fingerprints) override {
    ++reserved;
    std::vector<bool> ours;
    for (const std::uint64_t one : fingerprints) ours.push_back(reserved > refusals || one != refused);
    if (reserved == refusals && on_release) std::exchange(on_release, nullptr)();
    return ours;
  }
  [[nodiscard]] std::vector<bool> release(std::span<const std::uint64_t> fingerprints) override {
    return std::vector<bool>(fingerprints.size(), !std::exchange(lost, false));
  }
  remote::ScanPlace scan(const remote::ScanPlace& place, const std::function<void(const FingerprintRow&)>& visit) override {
    return rows_->scan(place, visit);
  }
  [[nodiscard]] remote::StoreSize size() override { return rows_->size(); }
  void refresh() override {}
  void compact() override {}
  void check() override {}

  void others_put(std::string_view id, std::uint64_t value) { rows_->put(std::vector<FingerprintRow>{{id, value}}); }

  std::uint64_t refused = 0;  // a fingerprint whose reservation is refused the first `refusals` times
  int refusals = 0, reserved = 0;
  bool lost = false;
  std::function<void()> on_put, on_release;

 private:
  std::unique_ptr<FingerprintStore> rows_ = make_memory_store(3);
};

std::vector<CollectionOutcome> add(Contested& store, const std::vector<std::pair<std::string, std::optional<std::uint64_t>>>& given) {
  std::vector<CollectionDocument> documents;
  std::vector<std::optional<std::uint64_t>> fingerprints;
  for (const auto& [id, value] : given) {
    documents.push_back({id, ""});
    fingerprints.push_back(value);
  }
  UniqueSlice::Place place;
  place.use = [&](const std::function<void(FingerprintStore&)>& use) { use(store); };
  place.put = [&](auto rows, auto) { store.put(rows); };
  return UniqueSlice(place, documents, fingerprints, 3).run();
}

TEST(UniqueSlice, WaitsForRightsAndMeetsWhatWasPutMeanwhile) {
  Contested store;
  store.refused = 0xff;
  store.refusals = 4;
  store.on_release = [&] { store.others_put("theirs", 0xfe); };
  const auto outcomes = add(store, {{"a", 0xff}, {"b", 0xffff0000}, {"a", 0xff00ff00ff}, {"blank", std::nullopt}});
  EXPECT_FALSE(outcomes[0].added);
  EXPECT_EQ(outcomes[0].match.value().id, "theirs");
  EXPECT_TRUE(outcomes[1].added);
  EXPECT_TRUE(outcomes[2].added) << "after the first of its id";
  EXPECT_TRUE(outcomes[3].added);
  EXPECT_GT(store.reserved, 3);
}

TEST(UniqueSlice, TakesBackWhatCameTooLate) {
  for (const bool met : {true, false}) {
    Contested store;
    store.lost = true;
    store.on_put = [&] { store.others_put("theirs", met ? 0xfe : 0xff00ff00ff00); };
    const auto outcomes = add(store, {{"mine", 0xff}});
    const std::string_view mine = "mine";
    EXPECT_EQ(outcomes[0].added, !met);
    EXPECT_EQ(store.get({&mine, 1})[0].has_value(), !met);
    EXPECT_EQ(outcomes[0].match.value_or(CollectionMatch{}).id, met ? "theirs" : "");
  }
}

}  // namespace
}  // namespace leitong::collection
