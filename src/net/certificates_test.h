// For tests: certificates that openssl makes, once in each process.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "net/thrown_test.h"
#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace leitong::net {

// A certificate authority with a server and a client certificate that it signed, and another authority.
class Certificates {
 public:
  Certificates() {
    authority("ca");
    authority("other");
    sign("server", "subjectAltName=DNS:localhost,IP:127.0.0.1");
    sign("named", "subjectAltName=DNS:redis.example");
    sign("client", "extendedKeyUsage=clientAuth");
  }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::vector<std::string> options(const std::string& server, bool ask_clients) const {
    return {"--tls-cert-file",    file(server + ".crt"), "--tls-key-file",     file(server + ".key"),
            "--tls-ca-cert-file", file("ca.crt"),        "--tls-auth-clients", ask_clients ? "yes" : "no"};
  }

 private:
  void openssl(std::vector<std::string> words) {
    words.insert(words.begin(), "openssl");
    if (run_program(words, file("log")) != 0) throw std::runtime_error("openssl: " + contents(file("log")));
  }
  void authority(const std::string& name) {
    openssl({"req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=leitong test " + name, "-keyout",
             file(name + ".key"), "-out", file(name + ".crt")});
  }
  void sign(const std::string& name, const std::string& extension) {
    std::ofstream(file(name + ".ext")) << extension << '\n';
    openssl({"req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=" + name, "-keyout", file(name + ".key"), "-out", file(name + ".csr")});
    openssl({"x509", "-req", "-days", "2", "-in", file(name + ".csr"), "-CA", file("ca.crt"), "-CAkey", file("ca.key"), "-CAcreateserial",
             "-extfile", file(name + ".ext"), "-out", file(name + ".crt")});
  }
  TemporaryDirectory folder_;
};

inline const Certificates& certificates() {
  static const Certificates made;
  return made;
}

}  // namespace leitong::net
