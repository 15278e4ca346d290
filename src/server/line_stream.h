// LineStream: NDJSON in, NDJSON out. Lines that have come go to the workers together, and their answers leave together, in order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/coding.h"
#include "server/http.h"
#include "server/workers.h"

namespace leitong::server {

// Cuts bytes into lines. One longer than `most` is left out, and told.
class LineCutter {
 public:
  struct Line {
    std::uint64_t number = 0;  // from 1
    std::string_view text;
    bool too_long = false;  // then without its text
  };
  explicit LineCutter(std::uint64_t most) : most_(most) {}
  // The whole lines; blank ones are left out. `last`: the rest is one, too. Views are valid until the next call.
  std::vector<Line> cut(std::string_view bytes, bool last);
  [[nodiscard]] bool in_line() const { return !rest_.empty() || skipping_; }

 private:
  void take(std::string_view line, std::vector<Line>& out);

  std::uint64_t most_, number_ = 0;
  bool skipping_ = false;  // the rest of a line that is too long
  std::string rest_, lines_;
};

class LineStream : public Stream {
 public:
  struct Setup {
    Workers& workers;
    std::shared_ptr<Request> request;  // for its id and trace
    Coding coding;
    std::uint64_t most_line;
  };
  explicit LineStream(Setup setup);
  void feed(std::string bytes, bool last, Then then) override;

 protected:
  using Answered = std::function<void(std::string)>;
  // Answers lines, each with one line or more, in order; not before what they ask for is done. Throws what ends the stream, or calls
  // fail(). Called from a worker; `lines` are valid during the call.
  virtual void answer(std::span<const LineCutter::Line> lines, Answered then) = 0;
  // Members of the last line, each begun by a comma.
  virtual std::string summary() const { return {}; }

  void fail(std::exception_ptr problem);
  [[nodiscard]] std::string bad_line(std::uint64_t number, const std::exception_ptr& problem);
  [[nodiscard]] std::string too_long(std::uint64_t number);
  [[nodiscard]] const Setup& setup() const { return setup_; }

  std::uint64_t records = 0, bad = 0;
  bool said = false;  // something was sent

 private:
  void read(const std::string& bytes, bool last);
  void finish(std::string bytes);

  Setup setup_;
  Unpacker unpacker_;
  LineCutter cutter_;
  std::string plain_;
  bool last_ = false;
  Then then_;
};

}  // namespace leitong::server
