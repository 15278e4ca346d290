// The articles' four blocks as sets of Redis: key = which block and its 16 bits, members = id and fingerprint. A server of our own on a
// unix socket; whatever belongs together goes in one pipeline, one round trip.
#include <hiredis/hiredis.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <thread>

#include "peer.h"

namespace bench_store {
namespace {

using Reply = std::unique_ptr<redisReply, decltype([](redisReply* reply) { freeReplyObject(reply); })>;

std::array<char, 3> key_of(std::uint64_t value, unsigned block) {
  const std::uint16_t bits = block_of(value, block);
  return {static_cast<char>('0' + block), static_cast<char>(bits >> 8U), static_cast<char>(bits)};
}

struct State {
  std::string directory, socket;
  bool durable;
  pid_t server = -1;
  redisContext* context = nullptr;

  State(const std::string& where, bool is_durable)
      : directory(where), socket("/tmp/leitong-bench-redis-" + std::to_string(getpid())), durable(is_durable) {
    start();
    for (int attempt = 0; attempt < 200; ++attempt) {
      context = redisConnectUnix(socket.c_str());
      if (context != nullptr && context->err == 0) return;
      if (context != nullptr) redisFree(context);
      context = nullptr;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    stop();
    throw std::runtime_error("Redis: no server came up; see " + directory + "/redis.log");
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { stop(); }

  void start() {
    server = fork();
    if (server < 0) throw std::runtime_error("fork failed");
    if (server > 0) return;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const std::string log = directory + "/redis.log";
    execlp("redis-server", "redis-server", "--port", "0", "--unixsocket", socket.c_str(), "--save", "", "--appendonly", "yes",
           "--appendfsync", durable ? "always" : "everysec", "--dir", directory.c_str(), "--logfile", log.c_str(), "--daemonize", "no",
           static_cast<char*>(nullptr));
    _exit(127);
  }
  void stop() {
    if (context != nullptr) redisFree(context);
    context = nullptr;
    if (server > 0) {
      kill(server, SIGTERM);
      waitpid(server, nullptr, 0);
    }
    server = -1;
    unlink(socket.c_str());
  }

  [[nodiscard]] Reply reply() const {
    void* got = nullptr;
    if (redisGetReply(context, &got) != REDIS_OK) throw std::runtime_error(std::string("Redis: ") + context->errstr);
    Reply answer(static_cast<redisReply*>(got));
    if (answer->type == REDIS_REPLY_ERROR)
      throw std::runtime_error("Redis: " + std::string(answer->str, static_cast<std::size_t>(answer->len)));
    return answer;
  }
  [[nodiscard]] Reply ask(const char* command) const {
    redisAppendCommand(context, command);
    return reply();
  }
  [[nodiscard]] std::string info(const char* command, const std::string& name) const {
    const Reply answer = ask(command);
    const std::string text(answer->str, static_cast<std::size_t>(answer->len));
    const std::size_t at = text.find("\n" + name + ":");
    if (at == std::string::npos) return {};
    const std::size_t begin = at + name.size() + 2;
    return text.substr(begin, text.find('\r', begin) - begin);
  }

  void add(std::span<const Item> rows) const {
    // A transaction, so that a durable batch is one sync.
    if (durable) redisAppendCommand(context, "MULTI");
    std::array<char, 16> member{};
    for (const Item row : rows) {
      std::memcpy(member.data(), &row, member.size());
      for (unsigned b = 0; b < blocks; ++b) {
        const auto key = key_of(row.value, b);
        std::array<const char*, 3> words = {"SADD", key.data(), member.data()};
        const std::array<std::size_t, 3> lengths = {4, key.size(), member.size()};
        redisAppendCommandArgv(context, static_cast<int>(words.size()), words.data(), lengths.data());
      }
    }
    if (durable) redisAppendCommand(context, "EXEC");
    for (std::size_t i = 0; i < rows.size() * blocks + (durable ? 2 : 0); ++i) (void)reply();
  }

  void find(std::span<const std::uint64_t> queries, Hits& out) const {
    for (const std::uint64_t query : queries) {
      for (unsigned b = 0; b < blocks; ++b) {
        const auto key = key_of(query, b);
        std::array<const char*, 2> words = {"SMEMBERS", key.data()};
        const std::array<std::size_t, 2> lengths = {8, key.size()};
        redisAppendCommandArgv(context, static_cast<int>(words.size()), words.data(), lengths.data());
      }
    }
    for (const std::uint64_t query : queries) {
      for (unsigned b = 0; b < blocks; ++b) {
        const Reply set = reply();
        for (std::size_t i = 0; i < set->elements; ++i) {
          Item candidate{};
          std::memcpy(&candidate, set->element[i]->str, sizeof candidate);
          take_candidate(query, b, candidate, out);
        }
      }
      out.ends.push_back(out.hits.size());
    }
  }

  void rewrite() const {
    (void)ask("BGREWRITEAOF");
    do {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    } while (info("INFO persistence", "aof_rewrite_in_progress") != "0" || info("INFO persistence", "aof_rewrite_scheduled") != "0");
  }
};

}  // namespace

Peer open_redis(const std::string& directory, bool durable, std::uint64_t) {
  const auto state = std::make_shared<State>(directory, durable);
  Peer peer{.version = state->info("INFO server", "redis_version"),
            .licence = "BSD-3-Clause",
            .setting =
                "sets of id and fingerprint, SADD and SMEMBERS in pipelines over a unix socket; appendonly, fsync everysec or (durable) "
                "always with MULTI; BGREWRITEAOF before look-ups; a batch is one pipeline"};
  peer.add = [=](std::span<const Item> batch) { state->add(batch); };
  peer.finish = [=] { state->rewrite(); };
  peer.find = [=](std::uint64_t query, Hits& out) { state->find(std::span(&query, 1), out); };
  peer.find_batch = [=](std::span<const std::uint64_t> queries, Hits& out) { state->find(queries, out); };
  peer.memory_bytes = [=] { return std::stoull("0" + state->info("INFO memory", "used_memory")); };
  peer.process = state->server;
  return peer;
}

}  // namespace bench_store
