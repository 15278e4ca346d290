// Routes of documents: add, replace, read, list, delete.
#include <fmt/format.h>

#include <condition_variable>
#include <thread>
#include <utility>

#include "leitong/error.h"
#include "server/addition.h"
#include "server/answer_pipe.h"
#include "server/answers.h"
#include "server/api.h"
#include "server/line_stream.h"

namespace leitong::server {
namespace {

// `id` stands in the path already if it is not empty.
Document document_of(JsonReader& json, std::string_view line, const Addition& to, std::string_view id = {}) {
  json.read(line, {});
  Document out;
  out.id = id.empty() ? json.text("id").value_or("") : id;
  require_id(out.id, to.options);
  const auto text = json.text("text"), hex = json.text("fingerprint");
  if (text.has_value() == hex.has_value()) throw bad_field("text", "a document has either text or fingerprint");
  if (text) out.text = *text;
  if (hex) out.fingerprint = fingerprint_of(*hex, to.options.profile.bits);
  if (auto metadata = json.raw("metadata")) {
    if (!to.options.metadata)
      throw Problem(409, "not-kept", "this collection keeps no metadata", member("field", std::string_view("metadata")));
    out.metadata = std::move(*metadata);
  }
  return out;
}

// Takes room in the queue, or throws Problem(429).
void write_now(Api& api, ServedCollection& collection, Write write) {
  const std::uint64_t bytes = bytes_of(write.documents);
  if (!api.engine.budget.try_take(bytes)) throw queue_full(api);
  collection.writer().write(std::move(write), bytes);
}

class AddStream : public LineStream {
 public:
  AddStream(Setup setup, Api& api, Addition to) : LineStream(std::move(setup)), api_(api), to_(std::move(to)), tally_(to_.unique) {}

 protected:
  // Each line's answer is what was wrong with it, or what became of its document.
  void answer(std::span<const LineCutter::Line> lines, Answered then) override {
    std::vector<Document> documents;
    slots_.clear();
    for (const LineCutter::Line& line : lines) {
      if (line.too_long) {
        slots_.push_back(too_long(line.number));
        continue;
      }
      try {
        documents.push_back(document_of(api_.reader(), line.text, to_));
        slots_.emplace_back();
      } catch (const Problem&) {
        slots_.push_back(bad_line(line.number, std::current_exception()));
      }
    }
    if (documents.empty()) {
      then(answers({}, {}));
      return;
    }
    write(std::move(documents), std::move(then));
  }
  std::string summary() const override { return tally_.summary(); }

 private:
  void write(std::vector<Document> documents, Answered then) {
    const std::uint64_t bytes = bytes_of(documents);
    auto pending = std::make_shared<Write>(write_of(to_, std::move(documents), setup().request->trace));
    pending->done = [this, then = std::move(then)](Written written, const std::vector<Document>& given) {
      if (written.failed)
        fail(written.failed);
      else
        then(answers(given, written.outcomes));
    };
    const auto enqueue = [this, pending, bytes] { to_.collection->writer().write(std::move(*pending), bytes); };
    // A stream that has begun waits for room, and so does its client. One that has not can still be told to come again.
    if (said)
      api_.engine.budget.take(bytes, enqueue);
    else if (api_.engine.budget.try_take(bytes))
      enqueue();
    else
      throw queue_full(api_);
  }

  std::string answers(const std::vector<Document>& documents, const std::vector<CollectionOutcome>& outcomes) {
    std::string out;
    std::size_t next = 0;
    for (const std::string& slot : slots_) {
      if (!slot.empty()) {
        out += slot;
        continue;
      }
      out += tally_.answer(documents, outcomes, next) + "\n";
      ++next;
    }
    return out;
  }

  Api& api_;
  Addition to_;
  std::vector<std::string> slots_;  // of a batch: a line each; empty: the next document's outcome
  AdditionTally tally_;
};

// All documents as lines, from a place on. A thread of its own reads, for a scan cannot wait in the middle without one.
class ScanStream : public Stream {
 public:
  ScanStream(CollectionPtr collection, std::string from, std::string id)
      : collection_(std::move(collection)), id_(std::move(id)), thread_([this, from = std::move(from)] { scan(from); }) {}
  ~ScanStream() override {
    pipe_.stop();
    thread_.join();
    --running;
  }
  ScanStream(const ScanStream&) = delete;
  ScanStream& operator=(const ScanStream&) = delete;

  void feed(std::string, bool, Then then) override { pipe_.take(std::move(then)); }

  static inline std::atomic<unsigned> running{0};
  static constexpr unsigned most_running = 16;

 private:
  static constexpr std::size_t lines_a_place = 100;

  void scan(const std::string& from) {
    std::string end;
    try {
      collection_->ask([&](const Collection& collection) {
        const bool texts = collection.options().texts;
        collection.scan_from(
            from, [&](const CollectionEntry& entry) { put(entry, texts); }, [&](const std::string& place) { put_place(place); });
      });
      flush();
      end = fmt::format("{{\"end\":true,\"records\":{}}}\n", records_);
    } catch (const AnswerPipe::Stopped&) {
    } catch (...) {
      end = "{\"error\":" + to_json(problem_of(std::current_exception()), id_) + "}\n";
    }
    pipe_.finish(end);
  }
  // One line is kept back, for the place behind it comes after it.
  void put(const CollectionEntry& entry, bool texts) {
    flush();
    ++records_;
    line_ = entry_json(entry, texts);
    // In a directory the place behind a document is the number of the next.
    if (++since_place_ >= lines_a_place && entry.sequence > 0) put_place(std::to_string(entry.sequence + 1));
  }
  void put_place(const std::string& place) {
    if (line_.empty()) return;
    since_place_ = 0;
    if (line_.back() != '}' || placed_) return;
    line_.pop_back();
    line_ += ",\"place\":" + json_text(place) + "}";
    placed_ = true;
  }
  void flush() {
    if (line_.empty()) return;
    pipe_.put(line_ + "\n");
    line_.clear();
    placed_ = false;
  }

  CollectionPtr collection_;
  std::string id_, line_;
  std::uint64_t records_ = 0;
  std::size_t since_place_ = 0;
  bool placed_ = false;
  AnswerPipe pipe_;
  std::thread thread_;
};

std::vector<Document> ids_of(const JsonReader& json, const CollectionOptions& options) {
  const auto ids = json.texts("ids");
  if (!ids || ids->empty()) throw bad_field("ids", "ids must be an array of one string or more");
  std::vector<Document> out;
  for (const std::string& id : *ids) {
    require_id(id, options);
    out.push_back({id, {}, {}, {}});
  }
  return out;
}

// Erases, and answers with what `respond` makes of how many there were.
void erase(Api& api, const CallPtr& call, std::vector<Document> ids, const CollectionPtr& collection,
           std::function<Response(std::uint64_t)> respond) {
  Write write;
  write.kind = Write::Kind::erase;
  write.documents = std::move(ids);
  write.acknowledge = acknowledge_of(*call);
  write.trace = call->request->trace;
  write.done = [call, collection, respond = std::move(respond)](const Written& written, const std::vector<Document>&) {
    answer_with(call, [&] {
      if (written.failed) std::rethrow_exception(written.failed);
      return respond(written.erased);
    });
  };
  write_now(api, *collection, std::move(write));
}

void add_one(Api& api, const CallPtr& call, const Addition& to, std::string_view id) {
  std::vector<Document> documents;
  documents.push_back(document_of(api.reader(), call->request->body, to, id));
  call->request->trace->records = 1;
  Write write = write_of(to, std::move(documents), call->request->trace);
  write.done = [call, to](const Written& written, const std::vector<Document>& given) {
    answer_with(call, [&] {
      if (written.failed) std::rethrow_exception(written.failed);
      return json_response(AdditionTally(to.unique).answer(given, written.outcomes, 0));
    });
  };
  write_now(api, *to.collection, std::move(write));
}

}  // namespace

void add_documents(Api& api, const CallPtr& call) {
  answer_unless_thrown(call, [&] {
    call->only({"collection", "unique", "acknowledge", "k", "verify"});
    Addition to = addition_of(api, *call);
    if (is_parquet(*call->request)) {
      call->reply(add_parquet(api, call, std::move(to)));
      return;
    }
    if (!is_ndjson(*call->request)) {
      add_one(api, call, to, {});
      return;
    }
    Response response{200, {{"Content-Type", "application/x-ndjson"}}};
    LineStream::Setup setup{api.engine.workers, call->request, coding_of(call->request->header("Content-Encoding")),
                            api.engine.options.limits.line};
    response.stream = std::make_unique<AddStream>(std::move(setup), api, std::move(to));
    call->reply(std::move(response));
  });
}

void put_document(Api& api, const CallPtr& call) {
  answer_unless_thrown(call, [&] {
    call->only({"collection", "id", "acknowledge"});
    add_one(api, call, addition_of(api, *call), call->path("id"));
  });
}

void delete_documents(Api& api, const CallPtr& call) {
  answer_unless_thrown(call, [&] {
    call->only({"collection", "acknowledge"});
    const CollectionPtr collection = api.collection_of(*call);
    JsonReader& json = api.reader();
    json.read(call->request->body, {"ids"});
    std::vector<Document> ids;
    collection->ask([&](const Collection& one) { ids = ids_of(json, one.options()); });
    call->request->trace->records = ids.size();
    erase(api, call, std::move(ids), collection,
          [](std::uint64_t erased) { return json_response(fmt::format("{{\"deleted\":{}}}", erased)); });
  });
}

void delete_document(Api& api, const CallPtr& call) {
  answer_unless_thrown(call, [&] {
    call->only({"collection", "id", "acknowledge"});
    const CollectionPtr collection = api.collection_of(*call);
    const std::string id(call->path("id"));
    collection->ask([&](const Collection& one) { require_id(id, one.options()); });
    std::vector<Document> ids;
    ids.push_back({id, {}, {}, {}});
    erase(api, call, std::move(ids), collection, [](std::uint64_t erased) {
      if (erased == 0) throw Problem(404, "no-document", "there is no document with this id");
      return Response{204};
    });
  });
}

void get_document(Api& api, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({"collection", "id"});
    std::string out;
    api.collection_of(*call)->ask([&](const Collection& collection) {
      require_id(call->path("id"), collection.options());
      const auto entry = collection.get(call->path("id"));
      if (!entry) throw Problem(404, "no-document", "there is no document with this id");
      out = entry_json(*entry, collection.options().texts);
    });
    return json_response(out);
  });
}

void list_documents(Api& api, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({"collection", "after"});
    const CollectionPtr collection = api.collection_of(*call);
    collection->ask([](const Collection&) {});
    if (++ScanStream::running > ScanStream::most_running) {
      --ScanStream::running;
      Problem problem(429, "scans", "as many lists of documents are being read as the server allows",
                      member("limit", std::uint64_t{ScanStream::most_running}));
      problem.retry_after = 5;
      throw problem;
    }
    Response response{200, {{"Content-Type", "application/x-ndjson"}}};
    response.stream = std::make_unique<ScanStream>(collection, std::string(call->path("after")), call->request->id);
    return response;
  });
}

}  // namespace leitong::server
