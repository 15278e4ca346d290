// Processes that end with the test, and ports for them.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace leitong {

inline bool have_program(const std::string& name) {
  for (const char* folder : {"/usr/bin/", "/usr/local/bin/", "/bin/"}) {
    if (::access((folder + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

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

}  // namespace leitong
