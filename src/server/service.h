// ApiService: who may ask what, before the Api answers; what every answer carries; the log and the numbers of requests.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "server/api.h"
#include "server/http.h"
#include "server/keys.h"

namespace leitong::server {

class ApiService : public Service {
 public:
  explicit ApiService(Api& api);  // reads the keys; throws Error(format, io)

  Plan plan(Request& request) override;
  void answer(std::shared_ptr<Request> request, Reply reply) override;
  Response refusal(const Request* request, int status, std::string_view why, std::uint64_t limit) override;
  void served(const Request* request, const Served& served) override;
  void rejected(std::string_view reason) override;
  void connections(std::size_t open) override;
  void tick() override;
  void stopping() override;
  void reload() override;

 private:
  void admit(Request& request);  // throws Problem
  void require_host(const Request& request) const;
  void require_origin(const Request& request) const;
  void require_key(Request& request) const;
  void run(const std::shared_ptr<Request>& request, const Reply& reply);
  void finish(const Request& request, Response& response) const;  // adds what every answer carries, and packs it
  [[nodiscard]] std::string log_line(const Request* request, const Served& served) const;

  Api& api_;
  std::atomic<std::shared_ptr<const Keys>> keys_;  // empty: nobody needs one
  std::atomic<std::uint64_t> requests_{0};
  std::uint64_t process_ = 0;  // a random number, so that ids of requests differ from those of other runs
  unsigned ticks_ = 0;
};

}  // namespace leitong::server
