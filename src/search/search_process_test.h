// For tests: OpenSearch nodes in one JVM on loopback (tests/remote/opensearch), with free ports and a folder of their own. They end with
// the object, or with the test if it dies. If the jars or Java are missing, the test is skipped.
//
// LEITONG_OPENSEARCH names the folder of the jars; mvn -q -B -f tests/remote/opensearch/pom.xml -Dfolder=B package makes B/jars.
#pragma once

#include <fcntl.h>

#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "search/search_store.h"
#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace leitong::search {

// The version of OpenSearch: where its jars are, and which Java runs it.
struct OpenSearchVersion {
  const char *jars = "LEITONG_OPENSEARCH", *java = nullptr;  // names of environment variables; java null: the program in PATH
  const char* needs = "version 17 or newer (Debian: openjdk-17-jre-headless)";
};
inline constexpr OpenSearchVersion open_search_2{};
inline constexpr OpenSearchVersion open_search_3{"LEITONG_OPENSEARCH3", "LEITONG_JAVA25",
                                                 "LEITONG_JAVA25 to name the program java of a JDK of version 25 or newer"};

// What the test needs and does not find; empty if nothing is missing.
inline std::string missing_of(const OpenSearchVersion& version) {
  const char* java = version.java == nullptr ? nullptr : std::getenv(version.java);
  if (version.java == nullptr ? !have_program("java") : java == nullptr || ::access(java, X_OK) != 0)
    return std::string("needs Java: ") + version.needs;
  const char* folder = std::getenv(version.jars);
  if (folder == nullptr || *folder == 0) {
    return std::string("needs OpenSearch from Maven Central: ") + version.jars +
           " must name the folder of the jars (tests/remote/opensearch/pom.xml)";
  }
  return std::filesystem::exists(folder) ? "" : std::string("needs OpenSearch: there is no folder ") + folder;
}

inline std::string missing_opensearch() { return missing_of(open_search_2); }

#define LEITONG_NEEDS_OPENSEARCH() \
  if (const std::string reason = leitong::search::missing_opensearch(); !reason.empty()) GTEST_SKIP() << reason

class OpenSearchProcess {
 public:
  explicit OpenSearchProcess(unsigned nodes, const OpenSearchVersion& version = open_search_2) : version_(version) {
    for (int tries = 0; tries < 3; ++tries) {
      if (start(nodes)) return;
      end();
    }
    throw std::runtime_error("OpenSearch does not start: " + contents(folder_ / "log"));
  }
  ~OpenSearchProcess() { end(); }
  OpenSearchProcess(const OpenSearchProcess&) = delete;
  OpenSearchProcess& operator=(const OpenSearchProcess&) = delete;

  [[nodiscard]] const std::vector<net::Endpoint>& nodes() const { return nodes_; }
  void stop(unsigned node) { command("stop " + std::to_string(node)); }
  void start_again(unsigned node) { command("start " + std::to_string(node)); }

  [[nodiscard]] net::HttpSettings http() const {
    net::HttpSettings settings;
    settings.nodes = nodes_;
    return settings;
  }
  [[nodiscard]] SearchStoreSettings store(const std::string& index) const {
    SearchStoreSettings settings;
    settings.http = http();
    settings.index = index;
    return settings;
  }
  [[nodiscard]] remote::StoreUrl url(const std::string& index) const {
    remote::StoreUrl url;
    url.kind = remote::StoreKind::search;
    url.servers = nodes_;
    url.path = index;
    return url;
  }
  // Sends a request that must succeed; returns the answer.
  [[nodiscard]] std::string ask(std::string_view method, const std::string& path, std::string_view body = {}) const {
    net::HttpSettings settings = http();
    const net::HttpReply reply = net::HttpClient(settings).send({.method = method, .path = path, .body = body});
    if (reply.status >= 300) throw std::runtime_error(path + ": " + reply.body);
    return reply.body;
  }

 private:
  bool start(unsigned nodes) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    const std::string classes = std::string(std::getenv(version_.jars)) + "/*", port = std::to_string(free_port());
    const std::string data = folder_ / ("data-" + port), log = folder_ / "log", count = std::to_string(nodes);
    const std::string java = version_.java == nullptr ? "java" : std::getenv(version_.java);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::dup2(in[0], 0);
      ::dup2(out[1], 1);
      const int to = ::open(log.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
      ::dup2(to, 2);
      ::execlp(java.c_str(), "java", "-Xms512m", "-Xmx1g", "-XX:+UseSerialGC", "-cp", classes.c_str(), "OpenSearchNodes", count.c_str(),
               data.c_str(), port.c_str(), static_cast<char*>(nullptr));
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = out[0];
    std::istringstream words(line());
    std::string word;
    if (!(words >> word) || word != "ready") return false;
    nodes_.clear();
    for (unsigned number = 0; words >> number;) nodes_.push_back({"127.0.0.1", static_cast<std::uint16_t>(number)});
    return nodes_.size() == nodes;
  }

  void end() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    pid_ = 0;
    for (int* fd : {&to_, &from_}) {
      if (*fd >= 0) ::close(std::exchange(*fd, -1));
    }
  }

  std::string line() {
    std::string text;
    for (char c = 0; ::read(from_, &c, 1) == 1 && c != '\n';) text.push_back(c);
    return text;
  }

  void command(const std::string& text) {
    const std::string line_out = text + "\n";
    if (::write(to_, line_out.data(), line_out.size()) != static_cast<ssize_t>(line_out.size()) || line() != "done") {
      throw std::runtime_error(text + ": " + contents(folder_ / "log"));
    }
  }

  OpenSearchVersion version_;
  TemporaryDirectory folder_;
  pid_t pid_ = 0;
  int to_ = -1, from_ = -1;
  std::vector<net::Endpoint> nodes_;
};

}  // namespace leitong::search
