// Minutes of adding, replacing, erasing and asking while connections are cut and stalled and servers die and come back: nothing that was
// acknowledged is lost, nothing is there twice, memory stays flat. LEITONG_SOAK_SECONDS says how long; 60 without it.
#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <thread>

#include "leitong/access.h"
#include "leitong/collection.h"
#include "leitong/error.h"
#include "net/tcp_proxy_test.h"
#include "remote/store_places.h"

namespace leitong {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

milliseconds soak_time() {
  const char* seconds = std::getenv("LEITONG_SOAK_SECONDS");
  return milliseconds(1'000 * (seconds != nullptr ? std::atoi(seconds) : 60));
}

double resident_mib() {
  std::ifstream file("/proc/self/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// What may be in the store: of an id whose last change was not acknowledged two states are right.
struct Known {
  std::optional<std::uint64_t> value;               // acknowledged
  bool sure = true;                                 // nothing was tried since
  std::vector<std::optional<std::uint64_t>> tried;  // that nobody acknowledged
  [[nodiscard]] bool allows(const std::optional<std::uint64_t>& there) const {
    return there == value || (!sure && std::find(tried.begin(), tried.end(), there) != tried.end());
  }
};

class Soak {
 public:
  Soak(std::string url, std::function<void(std::mt19937_64&)> fault) : url_(std::move(url)), fault_(std::move(fault)) {
    for (std::uint64_t& centre : centres_) centre = random_();
  }

  void run(milliseconds time) {
    const auto end = Clock::now() + time;
    auto next_fault = Clock::now() + milliseconds(300);
    double warm = 0;
    for (std::uint64_t step = 0; Clock::now() < end; ++step) {
      if (Clock::now() > next_fault) {
        fault_(random_);
        ++faults;
        next_fault = Clock::now() + milliseconds(100 + random_() % 700);
      }
      one_step();
      if (warm == 0 && Clock::now() > end - time + time / 3) warm = resident_mib();
    }
    growth_mib = resident_mib() - warm;
    settle();
  }

  std::uint64_t faults = 0, acknowledged = 0, failed = 0, answers = 0;
  double growth_mib = 0;

 private:
  static constexpr int id_count = 5'000;

  Collection& collection() {
    if (!collection_) collection_.emplace(url_, Access::write);
    return *collection_;
  }
  std::string some_id() { return "document-" + std::to_string(random_() % id_count); }
  std::uint64_t some_value() {
    std::uint64_t value = centres_[random_() % centres_.size()];
    for (std::uint64_t flips = random_() % 5; flips > 0; --flips) value ^= std::uint64_t{1} << random_() % 64;
    return value;
  }

  void one_step() {
    std::map<std::string, std::optional<std::uint64_t>> changes;
    const std::uint64_t what = random_() % 10;
    if (what < 6) {
      for (int i = 0; i < 200; ++i) changes[some_id()] = some_value();
    } else if (what < 7) {
      for (int i = 0; i < 20; ++i) changes[some_id()] = std::nullopt;
    }
    try {
      changes.empty() ? ask() : change(changes);
    } catch (const Error& error) {
      if (++failed <= 5) std::printf("a call failed: %s\n", error.what());
      for (const auto& [id, value] : changes) {
        known_[id].sure = false;
        known_[id].tried.push_back(value);
      }
      collection_.reset();
    }
  }

  void change(const std::map<std::string, std::optional<std::uint64_t>>& changes) {
    std::vector<CollectionFingerprint> put;
    std::vector<std::string_view> gone;
    for (const auto& [id, value] : changes) {
      if (value) {
        put.push_back({id, {{*value}, 64}});
      } else {
        gone.push_back(id);
      }
    }
    if (!put.empty()) collection().add_fingerprints(put, Acknowledge::durable);
    if (!gone.empty()) collection().erase(gone, Acknowledge::durable);
    for (const auto& [id, value] : changes) known_[id] = {value, true, {}};
    acknowledged += changes.size();
  }

  // Everything that is surely there is found, and nothing else but what may be.
  void ask() {
    std::vector<Fingerprint> queries;
    for (int i = 0; i < 50; ++i) queries.push_back({{some_value()}, 64});
    compare(queries);
    answers += queries.size();
  }

  void compare(const std::vector<Fingerprint>& queries) {
    const std::vector<CollectionAnswer> found = collection().query_all(std::span<const Fingerprint>(queries));
    for (std::size_t i = 0; i < queries.size(); ++i) {
      std::map<std::string, unsigned> distances;
      for (const CollectionMatch& match : found[i].matches) {
        ASSERT_TRUE(distances.emplace(match.id, *match.distance).second) << match.id << " twice";
        const Known& known = known_[match.id];
        bool possible = is_at(known.value, queries[i], *match.distance);
        for (const auto& value : known.tried) possible = possible || is_at(value, queries[i], *match.distance);
        ASSERT_TRUE(possible) << match.id << " is found where it never was";
      }
      for (const auto& [id, known] : known_) {
        const bool must = known.sure && known.value && std::popcount(*known.value ^ queries[i].words[0]) <= 3;
        ASSERT_TRUE(!must || distances.contains(id)) << id << " was acknowledged and is not found";
      }
    }
  }
  static bool is_at(const std::optional<std::uint64_t>& value, const Fingerprint& query, unsigned distance) {
    return value && static_cast<unsigned>(std::popcount(*value ^ query.words[0])) == distance;
  }

  // With the faults over: each id is one of what it may be; what was uncertain is put once more and then everything is exact.
  void settle() {
    for (int tries = 0;; ++tries) {
      try {
        collection_.reset();
        check_all();
        return;
      } catch (const Error& error) {
        ASSERT_LT(tries, 30) << error.what();
        std::this_thread::sleep_for(milliseconds(1'000));
      }
    }
  }
  void check_all() {
    std::vector<std::string_view> ids;
    for (const auto& [id, known] : known_) ids.push_back(id);
    const auto entries = collection().get_all(ids);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto there = entries[i] ? std::optional(entries[i]->fingerprint->words[0]) : std::nullopt;
      Known& known = known_[std::string(ids[i])];
      ASSERT_TRUE(known.allows(there)) << ids[i];
      known = {there, true, {}};
    }
    collection().check();
    std::uint64_t rows = 0, expected = 0;
    collection().scan([&](const CollectionEntry&) { ++rows; });
    for (const auto& [id, known] : known_) expected += known.value.has_value();
    ASSERT_EQ(rows, expected);
    std::vector<Fingerprint> queries;
    for (int i = 0; i < 500; ++i) queries.push_back({{some_value()}, 64});
    compare(queries);
  }

  std::string url_;
  std::function<void(std::mt19937_64&)> fault_;
  std::mt19937_64 random_{std::random_device{}()};
  std::array<std::uint64_t, 300> centres_{};
  std::map<std::string, Known> known_;
  std::optional<Collection> collection_;
};

void report(const Soak& soak) {
  std::printf("%llu changes acknowledged, %llu calls failed, %llu faults, %llu queries answered, memory grew by %.1f MiB\n",
              static_cast<unsigned long long>(soak.acknowledged), static_cast<unsigned long long>(soak.failed),
              static_cast<unsigned long long>(soak.faults), static_cast<unsigned long long>(soak.answers), soak.growth_mib);
  EXPECT_GT(soak.acknowledged, 1'000U);
  EXPECT_GT(soak.answers, 100U);
  EXPECT_LT(soak.growth_mib, 24);
}

// Requests that write to a search server are waited for a minute, so stalls are not for those.
void cut_or_stall(net::TcpProxy& proxy, std::mt19937_64& random, bool stalls) {
  using Kind = net::TcpProxy::Fault::Kind;
  const Kind kinds[] = {Kind::cut, Kind::reset, Kind::stall};
  net::TcpProxy::Fault fault;
  fault.kind = kinds[random() % (stalls ? 3 : 2)];
  fault.way = random() % 2 == 0 ? net::TcpProxy::Way::up : net::TcpProxy::Way::down;
  fault.at = static_cast<std::int64_t>(random() % 30'000);
  proxy.arm(fault);
}

TEST(SoakTest, Redis) {
  if (const std::string reason = redis::missing_package(); !reason.empty()) GTEST_SKIP() << "needs the Debian package " << reason;
  redis::RedisProcess server({"--appendonly", "yes", "--appendfsync", "always"});
  net::TcpProxy proxy(server.endpoint());
  const std::string url = url_of("redis", {proxy.endpoint()}, "/0?prefix=soak:&timeout=2");
  Collection::create(url, {});
  Soak soak(url, [&](std::mt19937_64& random) {
    if (random() % 4 == 0) {
      server.kill();
      ASSERT_TRUE(server.start());
    } else {
      cut_or_stall(proxy, random, true);
    }
  });
  soak.run(soak_time());
  report(soak);
}

TEST(SoakTest, OpenSearch) {
  if (const std::string reason = search::missing_opensearch(); !reason.empty()) GTEST_SKIP() << reason;
  search::OpenSearchProcess server(1);
  net::TcpProxy proxy(server.nodes()[0]);
  const std::string url = url_of("es+http", {proxy.endpoint()}, "/soak?timeout=5");
  Collection::create(url, {});
  Soak soak(url, [&](std::mt19937_64& random) { cut_or_stall(proxy, random, false); });
  soak.run(soak_time());
  report(soak);
}

}  // namespace
}  // namespace leitong
