// SpoolStream: a body that can only be read when all of it is there, such as Parquet, whose contents stand at its end. It waits in a
// temporary file without a name, which is gone with the process, however that ends; then a thread of its own reads it and makes the answer.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "server/answer_pipe.h"
#include "server/coding.h"
#include "server/http.h"
#include "server/workers.h"

namespace leitong::server {

class SpoolStream : public Stream {
 public:
  // Reads the file and writes the answer to the pipe, all but its end; returns that. What it throws becomes the answer's last line, or the
  // answer if nothing was said yet. `stop`: nobody waits for it any more.
  using Read = std::function<std::string(const std::string& path, AnswerPipe& out, const std::atomic<bool>& stop)>;
  struct Setup {
    Workers& workers;
    std::shared_ptr<Request> request;  // for its id
    Coding coding;
    std::uint64_t most;  // bytes, unpacked
  };
  // Throws Problem(429) if as many files are being read as may, Problem(503, 507) if there can be no temporary file.
  SpoolStream(Setup setup, Read read);
  ~SpoolStream() override;
  void feed(std::string bytes, bool last, Then then) override;

 private:
  static constexpr unsigned most_running = 4;
  static inline std::atomic<unsigned> running_{0};

  void spool(const std::string& bytes, bool last, const Then& then);
  void write(std::string_view bytes) const;
  void read();

  Setup setup_;
  Read read_;
  Unpacker unpacker_;
  std::string plain_;
  std::uint64_t written_ = 0;
  int file_ = -1;
  bool whole_ = false;
  AnswerPipe pipe_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace leitong::server
