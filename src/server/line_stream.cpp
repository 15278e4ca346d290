#include "server/line_stream.h"

#include <fmt/format.h>

#include "server/problem.h"

namespace leitong::server {
namespace {

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

}  // namespace

std::vector<LineCutter::Line> LineCutter::cut(std::string_view bytes, bool last) {
  std::vector<Line> out;
  lines_ = std::move(rest_);
  rest_.clear();
  if (skipping_) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) return out;
    skipping_ = false;
    bytes.remove_prefix(end + 1);
  }
  lines_ += bytes;
  std::string_view left = lines_;
  for (std::size_t end = left.find('\n'); end != std::string_view::npos; end = left.find('\n')) {
    take(left.substr(0, end), out);
    left.remove_prefix(end + 1);
  }
  if (last && !left.empty()) {
    take(left, out);
  } else if (left.size() > most_) {
    out.push_back({++number_, {}, true});
    skipping_ = true;
  } else {
    rest_ = left;
  }
  return out;
}

void LineCutter::take(std::string_view line, std::vector<Line>& out) {
  ++number_;
  if (line.size() > most_)
    out.push_back({number_, {}, true});
  else if (!is_blank(line))
    out.push_back({number_, line, false});
}

LineStream::LineStream(Setup setup) : setup_(std::move(setup)), unpacker_(setup_.coding, ~std::uint64_t{0}), cutter_(setup_.most_line) {}

void LineStream::feed(std::string bytes, bool last, Then then) {
  then_ = std::move(then);
  if (last_) {
    finish({});
    return;
  }
  setup_.workers.post([this, bytes = std::move(bytes), last] { read(bytes, last); });
}

void LineStream::read(const std::string& bytes, bool last) {
  last_ = last;
  try {
    plain_.clear();
    unpacker_.unpack(bytes, last, plain_);
    const std::vector<LineCutter::Line> lines = cutter_.cut(plain_, last);
    if (lines.empty()) {
      finish({});
      return;
    }
    records += lines.size();
    if (setup_.request->trace) setup_.request->trace->records += lines.size();
    answer(lines, [this](std::string answers) { finish(std::move(answers)); });
  } catch (...) {
    fail(std::current_exception());
  }
}

void LineStream::finish(std::string bytes) {
  Step step;
  step.in_line = cutter_.in_line();
  step.bytes = std::move(bytes);
  if (last_) {
    step.bytes += fmt::format("{{\"end\":true,\"records\":{},\"bad\":{}{}}}\n", records, bad, summary());
    step.ended = true;
  }
  said = said || !step.bytes.empty();
  const Then then = std::move(then_);
  then(std::move(step));
}

void LineStream::fail(std::exception_ptr problem) {
  const Problem said_now = problem_of(std::move(problem));
  Step step;
  step.ended = true;
  if (said)
    step.bytes = "{\"error\":" + to_json(said_now, setup_.request->id) + "}\n";
  else
    step.instead = to_response(said_now, setup_.request->id);
  const Then then = std::move(then_);
  then(std::move(step));
}

std::string LineStream::bad_line(std::uint64_t number, const std::exception_ptr& problem) {
  ++bad;
  return fmt::format("{{\"line\":{},\"error\":{}}}\n", number, to_json(problem_of(problem)));
}

std::string LineStream::too_long(std::uint64_t number) {
  const std::uint64_t most = setup_.most_line;
  return bad_line(number, std::make_exception_ptr(over_limit("line", most, fmt::format("the line has more than {} bytes", most))));
}

}  // namespace leitong::server
