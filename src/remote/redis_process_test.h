// Tests: Debian's redis-server on loopback, with a free port and a folder of its own. It is killed with the object, and by the kernel when
// the test dies; where it is not installed the test is skipped.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "remote/redis.h"

namespace leitong::remote {

inline bool have_program(const std::string& name) {
  for (const char* folder : {"/usr/bin/", "/usr/local/bin/", "/bin/"}) {
    if (::access((folder + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

// The Debian package that a test lacks, or nothing.
inline std::string missing_package() {
  if (!have_program("redis-server")) return "redis-server";
  if (!have_program("redis-cli")) return "redis-tools";
  return have_program("openssl") ? "" : "openssl";
}

#define LEITONG_NEEDS_REDIS()                                                           \
  if (const std::string package = leitong::remote::missing_package(); !package.empty()) \
  GTEST_SKIP() << "needs the Debian package " << package

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "leitong-redis-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// A process that does not outlive the thread that starts it, which should be the main one. `output`: where its standard output and error
// go.
class Child {
 public:
  Child(const std::vector<std::string>& words, const std::string& output) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (std::freopen(output.c_str(), "a", stdout) != nullptr) ::dup2(1, 2);
      ::execvp(argv[0], argv.data());
      ::_exit(127);
    }
    if (pid_ < 0) throw std::runtime_error("fork");
  }
  ~Child() { kill(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    (void)wait();
  }
  int wait() {  // the exit status
    int status = 0;
    if (pid_ > 0) ::waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  [[nodiscard]] bool running() const { return pid_ > 0 && ::waitpid(pid_, nullptr, WNOHANG) == 0; }
  void pause() const { ::kill(pid_, SIGSTOP); }
  void resume() const { ::kill(pid_, SIGCONT); }

 private:
  pid_t pid_ = 0;
};

inline std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline int run_program(const std::vector<std::string>& words, const std::string& output) { return Child(words, output).wait(); }

template <class Call>
bool try_port(unsigned port, Call&& call) {  // ::bind or ::connect
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool done = call(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return done;
}

// Free together with the port 10,000 above it, which a cluster's nodes use among themselves.
inline std::uint16_t free_port() {
  static std::mt19937 random(std::random_device{}());
  for (;;) {
    const unsigned port = 12'000 + static_cast<unsigned>(random() % 20'000);
    if (try_port(port, ::bind) && try_port(port + 10'000, ::bind)) return static_cast<std::uint16_t>(port);
  }
}

class RedisProcess {
 public:
  // `options`: further words of the command line ("--maxmemory", "2mb").
  explicit RedisProcess(std::vector<std::string> options = {}, bool tls_only = false) : options_(std::move(options)), tls_only_(tls_only) {
    for (int tries = 0; tries < 5; ++tries) {
      port_ = free_port();
      if (start()) return;
    }
    throw std::runtime_error("redis-server does not start: " + contents(log()));
  }

  // On the same port, with what it had saved or written to its log.
  bool start() {
    std::vector<std::string> words = {"redis-server",
                                      tls_only_ ? "--tls-port" : "--port",
                                      std::to_string(port_),
                                      "--bind",
                                      "127.0.0.1",
                                      "--dir",
                                      folder_.file(""),
                                      "--save",
                                      "",
                                      "--daemonize",
                                      "no"};
    if (tls_only_) words.insert(words.end(), {"--port", "0"});
    words.insert(words.end(), options_.begin(), options_.end());
    child_ = std::make_unique<Child>(words, log());
    for (int i = 0; i < 2'000 && child_->running(); ++i) {
      if (try_port(port_, ::connect)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    child_.reset();
    return false;
  }

  void kill() { child_.reset(); }
  void pause() const { child_->pause(); }
  void resume() const { child_->resume(); }
  [[nodiscard]] Endpoint endpoint() const { return {"127.0.0.1", port_}; }
  [[nodiscard]] std::string log() const { return folder_.file("log"); }
  [[nodiscard]] RedisSettings settings() const {
    RedisSettings settings;
    settings.servers = {endpoint()};
    return settings;
  }

 private:
  std::vector<std::string> options_;
  bool tls_only_ = false;
  std::uint16_t port_ = 0;
  TemporaryFolder folder_;
  std::unique_ptr<Child> child_;
};

// One command by itself, its reply as a test reads it.
inline std::string ask(Redis& redis, std::initializer_list<std::string_view> words, std::size_t key = 1) {
  Commands commands;
  commands.add(words, Repeat::harmless, key);
  const Replies replies = redis.run(commands);
  const Reply reply = replies[0];
  if (reply.is_error()) return std::string("-").append(reply.error());
  if (reply.is_nil()) return "nil";
  return reply.type() == ReplyType::integer ? std::to_string(reply.integer()) : std::string(reply.text());
}

// What an action throws; empty: nothing.
template <class Action>
std::string thrown(Action&& action, bool* refusal = nullptr) {
  try {
    action();
  } catch (const Error& error) {
    if (refusal != nullptr) *refusal = dynamic_cast<const Refusal*>(&error) != nullptr;
    return error.what();
  }
  return "";
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

}  // namespace leitong::remote
