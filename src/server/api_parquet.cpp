// The addition of a Parquet file: spooled, then read in batches, each of which is written before the next is read.
#include <fmt/format.h>

#include <cstring>
#include <future>
#include <utility>

#include "leitong/error.h"
#include "leitong/records.h"
#include "server/addition.h"
#include "server/spool_stream.h"

namespace leitong::server {
namespace {

constexpr std::size_t batch_records = 1000;
constexpr std::uint64_t batch_bytes = 1 << 20;

InputOptions input_of(const std::string& path, std::uint64_t most_document) {
  InputOptions input;
  input.paths = {path};
  input.format = "parquet";
  input.max_document_bytes = most_document;
  return input;
}

// An id and a text as one string, which is what a worker gives on.
void append_row(const RecordView& record, std::string& out) {
  const std::string id = text_of_json(record.id);
  const std::uint64_t size = id.size();
  out.append(reinterpret_cast<const char*>(&size), sizeof size);
  out.append(id).append(record.text);
}

Document row_of(std::string_view row) {
  std::uint64_t size = 0;
  std::memcpy(&size, row.data(), sizeof size);
  row.remove_prefix(sizeof size);
  return {std::string(row.substr(0, size)), std::string(row.substr(size)), {}, {}};
}

class ParquetAddition {
 public:
  ParquetAddition(Api& api, Addition to, std::shared_ptr<Request> request, AnswerPipe& out)
      : api_(api), to_(std::move(to)), request_(std::move(request)), out_(out), tally_(to_.unique) {}

  // Returns the last line.
  std::string run(const std::string& path, const std::atomic<bool>& stop) {
    JobOptions job;
    job.threads = 1;
    job.stop = &stop;
    const auto worker = [] { return RecordWorker(append_row); };
    const auto visit = [this](const RecordPlace&, std::string_view row) { return take(row); };
    const auto bad = [this](const RecordPlace& place, std::string_view reason) { refuse(place.record + 1, reason); };
    bool broken = false;
    job.unread = [&broken](const std::string&) { broken = true; };
    try {
      visit_records(input_of(path, api_.engine.options.limits.line), job, "add", worker, visit, {}, bad);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::format) throw Problem(422, "parquet", without_path(error.what(), path));
      throw;
    }
    write();
    // Then what was wrong is that of the file, and not of a row.
    if (broken) throw Problem(422, "parquet", without_path(last_reason_, path));
    put_held();
    return fmt::format("{{\"end\":true,\"records\":{},\"bad\":{}{}}}\n", records_, bad_, tally_.summary());
  }

 private:
  static std::string without_path(std::string said, const std::string& path) {
    for (std::size_t at = said.find(path); at != std::string::npos; at = said.find(path)) said.replace(at, path.size(), "the file");
    return said;
  }
  // Returns what is wrong with the row.
  std::string take(std::string_view row) {
    Document document = row_of(row);
    try {
      require_id(document.id, to_.options);
    } catch (const Problem& problem) {
      return problem.what();
    }
    ++records_;
    ++request_->trace->records;
    bytes_ += document.bytes();
    documents_.push_back(std::move(document));
    if (documents_.size() >= batch_records || bytes_ >= batch_bytes) write();
    return {};
  }
  // Held until the next, for the last may turn out to be no row.
  void refuse(std::uint64_t row, std::string_view reason) {
    put_held();
    ++records_;
    ++bad_;
    last_reason_ = reason;
    held_ = fmt::format("{{\"line\":{},\"error\":{}}}\n", row, to_json(Problem(422, "record", last_reason_)));
  }
  void put_held() {
    if (!held_.empty()) out_.put(held_);
    held_.clear();
  }
  // Waits until the batch is written: the file is read no faster than its rows can be added.
  void write() {
    if (documents_.empty()) return;
    const std::uint64_t bytes = bytes_of(documents_);
    std::promise<std::pair<Written, std::vector<Document>>> done;
    auto pending = std::make_shared<Write>(write_of(to_, std::move(documents_), request_->trace));
    pending->done = [&done](Written written, std::vector<Document> given) { done.set_value({std::move(written), std::move(given)}); };
    api_.engine.budget.take(bytes, [this, pending, bytes] { to_.collection->writer().write(std::move(*pending), bytes); });
    const auto [written, given] = done.get_future().get();
    documents_.clear();
    bytes_ = 0;
    if (written.failed) std::rethrow_exception(written.failed);
    std::string lines;
    for (std::size_t row = 0; row < given.size(); ++row) lines += tally_.answer(given, written.outcomes, row) + "\n";
    out_.put(lines, true);
  }

  Api& api_;
  Addition to_;
  std::shared_ptr<Request> request_;
  AnswerPipe& out_;
  AdditionTally tally_;
  std::vector<Document> documents_;
  std::string held_, last_reason_;
  std::uint64_t bytes_ = 0, records_ = 0, bad_ = 0;
};

}  // namespace

bool is_parquet(const Request& request) {
  const std::string_view type = request.header("Content-Type");
  return is_same_name(type.substr(0, type.find(';')), "application/vnd.apache.parquet");
}

Response add_parquet(Api& api, const CallPtr& call, Addition to) {
  Response response{200, {{"Content-Type", "application/x-ndjson"}}};
  SpoolStream::Setup setup{api.engine.workers, call->request, coding_of(call->request->header("Content-Encoding")),
                           api.engine.options.limits.spool};
  const auto read = [&api, to = std::move(to), request = call->request](const std::string& path, AnswerPipe& out,
                                                                        const std::atomic<bool>& stop) {
    return ParquetAddition(api, to, request, out).run(path, stop);
  };
  response.stream = std::make_unique<SpoolStream>(std::move(setup), read);
  return response;
}

}  // namespace leitong::server
