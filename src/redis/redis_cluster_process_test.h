// For tests: a cluster of three masters, with replicas if asked for; each node is a redis-server on loopback.
#pragma once

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "redis/redis_process_test.h"

namespace leitong::redis {

class RedisClusterProcess {
 public:
  explicit RedisClusterProcess(int replicas = 0, std::vector<std::string> more = {}) {
    const std::vector<std::string> options = {
        "--cluster-enabled",          "yes", "--cluster-node-timeout", "1500", "--cluster-replica-validity-factor", "0",
        "--repl-diskless-sync-delay", "0"};
    more.insert(more.begin(), options.begin(), options.end());
    std::vector<std::string> words = {"--cluster", "create"};
    for (int i = 0; i < 3 * (1 + replicas); ++i) {
      nodes.push_back(std::make_unique<RedisProcess>(more));
      words.push_back(nodes.back()->endpoint().text());
    }
    words.insert(words.end(), {"--cluster-replicas", std::to_string(replicas), "--cluster-yes"});
    cli(words);
    // `create` returns when the nodes agree on the slots, but each node reports this a little later.
    for (const auto& node : nodes) {
      Redis one(node->settings());
      while (ask(one, {"CLUSTER", "INFO"}, Commands::no_key).find("cluster_state:ok") == std::string::npos) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
    }
  }

  void cli(std::vector<std::string> words) {
    words.insert(words.begin(), "redis-cli");
    const std::string log = folder / "cli";
    if (run_program(words, log) != 0) throw std::runtime_error("redis-cli: " + contents(log));
  }

  [[nodiscard]] RedisSettings settings() const {
    RedisSettings settings;
    settings.cluster = true;
    for (const auto& node : nodes) settings.servers.push_back(node->endpoint());
    settings.retry.first_pause = std::chrono::milliseconds(2);
    settings.retry.longest_pause = std::chrono::milliseconds(100);
    settings.retry.attempts = 1'000;
    settings.retry.total = std::chrono::milliseconds(20'000);
    return settings;
  }

  [[nodiscard]] std::string id(std::size_t node) const {
    Redis one(nodes[node]->settings());
    return ask(one, {"CLUSTER", "MYID"}, Commands::no_key);
  }

  TemporaryDirectory folder;
  std::vector<std::unique_ptr<RedisProcess>> nodes;
};

}  // namespace leitong::redis
