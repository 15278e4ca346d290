// Routes about the server itself: profiles, version, its description, health, metrics.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "leitong/profile.h"
#include "leitong/version.h"
#include "server/answers.h"
#include "server/api.h"
#include "server/assets.h"

namespace leitong::server {
namespace {

void measure_process(Metrics& metrics) {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6; };
  metrics.set(Metrics::process_cpu_seconds, {}, seconds(used.ru_utime) + seconds(used.ru_stime));
  std::uint64_t pages = 0, resident = 0;
  if (std::ifstream("/proc/self/statm") >> pages >> resident)
    metrics.set(Metrics::process_resident_bytes, {}, static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)));
  std::error_code none;
  const auto open = std::distance(std::filesystem::directory_iterator("/proc/self/fd", none), std::filesystem::directory_iterator());
  metrics.set(Metrics::process_open_fds, {}, static_cast<double>(open));
}

void measure(const std::string& name, const CollectionStats& stats, Metrics& metrics) {
  metrics.set(Metrics::documents, {name}, static_cast<double>(stats.documents));
  metrics.set(Metrics::store_bytes, {name, "runs"}, static_cast<double>(stats.bytes));
  metrics.set(Metrics::store_bytes, {name, "logs"}, static_cast<double>(stats.log_bytes));
  metrics.set(Metrics::store_runs, {name}, static_cast<double>(stats.runs));
}

// Counting documents reads all ids: not with every look at the numbers.
void measure_collections(Api& api) {
  using Clock = std::chrono::steady_clock;
  static std::mutex mutex;
  static Clock::time_point last;
  const std::lock_guard lock(mutex);
  if (last != Clock::time_point() && Clock::now() - last < std::chrono::seconds(30)) return;
  Metrics& metrics = api.engine.metrics;
  for (const Metrics::Name name : {Metrics::documents, Metrics::store_bytes, Metrics::store_runs}) metrics.forget(name);
  for (const CollectionPtr& one : api.collections.all()) {
    try {
      one->ask([&](const Collection& collection) { measure(one->name(), collection.stats(), metrics); });
    } catch (const std::exception&) {
      continue;  // its numbers are missing, and leitong_writer_failed says why
    }
  }
  last = Clock::now();
}

// The id hashes dictionaries that need not be there.
std::string id_of(const std::string& name) {
  try {
    return json_text(profile_id(load_profile(name)));
  } catch (const Error&) {
    return "null";
  }
}

Response plain(int status, std::string words) { return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(words) + "\n"}; }

}  // namespace

void list_profiles(Api&, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({});
    std::string out = "{\"profiles\":[";
    for (const std::string& name : profile_names())
      out += fmt::format("{}{{\"name\":{},\"bits\":{},\"id\":{}}}", out.ends_with('[') ? "" : ",", json_text(name), load_profile(name).bits,
                         id_of(name));
    return json_response(out + "]}");
  });
}

void show_version(Api&, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({});
    return json_response(
        fmt::format("{{\"name\":\"leitong\",\"version\":\"{}\",\"instruction_set\":\"{}\"}}", version(), instruction_set()));
  });
}

void show_openapi(Api&, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({});
    return Response{200, {{"Content-Type", "application/json"}}, std::string(asset("openapi.json"))};
  });
}

void show_alive(Api&, const CallPtr& call) {
  answer_with(call, [&] { return plain(200, "ok"); });
}

void show_ready(Api& api, const CallPtr& call) {
  answer_with(call, [&] {
    if (api.stopping) return plain(503, "stopping");
    if (api.collections.opening()) return plain(503, "opening");
    for (const CollectionPtr& one : api.collections.all())
      if (one->broken()) return plain(503, "writer failed: " + one->name());
    return plain(200, "ok");
  });
}

void show_metrics(Api& api, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({});
    measure_process(api.engine.metrics);
    measure_collections(api);
    api.engine.metrics.set(Metrics::write_queue_bytes, {}, static_cast<double>(api.engine.budget.taken()));
    return Response{200, {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}}, api.engine.metrics.text()};
  });
}

}  // namespace leitong::server
