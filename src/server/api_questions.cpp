// Routes of questions: is there something like this?
#include <fmt/format.h>

#include "server/answers.h"
#include "server/api.h"
#include "server/line_stream.h"

namespace leitong::server {
namespace {

// What is looked for: a text, or a fingerprint that came without one.
struct Question {
  std::string id, text;
  std::optional<Fingerprint> fingerprint;
};

Question question_of(JsonReader& json, std::string_view from, const CollectionOptions& options) {
  json.read(from, {});
  Question out;
  out.id = json.text("id").value_or("");
  const auto text = json.text("text"), hex = json.text("fingerprint");
  if (text.has_value() == hex.has_value()) throw bad_field("text", "give either text or fingerprint");
  if (text) out.text = *text;
  if (hex) out.fingerprint = fingerprint_of(*hex, options.profile.bits);
  return out;
}

CollectionAnswer ask(const Collection& collection, const Question& question, const CollectionQuery& query) {
  return question.fingerprint ? collection.query(*question.fingerprint, query) : collection.query(question.text, query);
}

class QueryStream : public LineStream {
 public:
  QueryStream(Setup setup, const Api& api, CollectionPtr collection, CollectionQuery query)
      : LineStream(std::move(setup)), api_(api), collection_(std::move(collection)), query_(std::move(query)) {}

 protected:
  void answer(std::span<const LineCutter::Line> lines, Answered then) override {
    std::string out;
    collection_->ask([&](const Collection& collection) { answer(collection, lines, out); });
    then(std::move(out));
  }
  std::string summary() const override { return fmt::format(",\"matches\":{}", matches_); }

 private:
  struct Slot {
    std::string bad, query;
    std::size_t place = 0;
    bool is_fingerprint = false;
  };
  void answer(const Collection& collection, std::span<const LineCutter::Line> lines, std::string& out) {
    std::vector<Question> questions;
    std::vector<Slot> slots;
    questions.reserve(lines.size());
    std::vector<std::string_view> texts;
    std::vector<Fingerprint> fingerprints;
    for (const LineCutter::Line& line : lines) {
      Slot& slot = slots.emplace_back();
      const std::uint64_t row = row_++;
      try {
        if (line.too_long) {
          slot.bad = too_long(line.number);
          continue;
        }
        const Question& one = questions.emplace_back(question_of(api_.reader(), line.text, collection.options()));
        slot.query = one.id.empty() ? std::to_string(row) : json_text(one.id);
        slot.is_fingerprint = one.fingerprint.has_value();
        slot.place = slot.is_fingerprint ? fingerprints.size() : texts.size();
        if (slot.is_fingerprint)
          fingerprints.push_back(*one.fingerprint);
        else
          texts.push_back(one.text);
      } catch (const Problem&) {
        slot.bad = bad_line(line.number, std::current_exception());
      }
    }
    const auto of_texts = collection.query_all(texts, query_);
    const auto of_fingerprints = collection.query_all(fingerprints, query_);
    for (const Slot& slot : slots) {
      if (slot.bad.empty())
        append(slot.query, slot.is_fingerprint ? of_fingerprints[slot.place] : of_texts[slot.place], out);
      else
        out += slot.bad;
    }
  }
  void append(const std::string& query, const CollectionAnswer& found, std::string& out) {
    count_query(api_, collection_->name(), found);
    matches_ += found.matches.size();
    for (const CollectionMatch& match : found.matches) out += match_json(query, match) + "\n";
    out += fmt::format("{{\"query\":{},\"matches\":{}{}}}\n", query, found.matches.size(), found.truncated ? ",\"truncated\":true" : "");
  }

  const Api& api_;
  CollectionPtr collection_;
  CollectionQuery query_;
  std::uint64_t row_ = 0, matches_ = 0;
};

}  // namespace

void check_document(Api& api, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({"collection", "most", "k", "verify"});
    const CollectionPtr served = api.collection_of(*call);
    std::string out;
    served->ask([&](const Collection& collection) {
      const Question question = question_of(api.reader(), call->request->body, collection.options());
      CollectionQuery query = query_of(api, *call, collection.options().profile.bits);
      if (!question.id.empty()) {
        require_id(question.id, collection.options());
        // Its own document decides, however many others are nearer.
        if (collection.get(question.id)) query.most.reset();
      } else if (!call->request->parameters.contains("most")) {
        query.most = 1;
      }
      const CollectionAnswer answer = ask(collection, question, query);
      count_query(api, served->name(), answer);
      out = verdict_json(question.id, answer);
    });
    call->request->trace->records = 1;
    return json_response(out);
  });
}

void query_collection(Api& api, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({"collection", "most", "k", "verify"});
    const CollectionPtr served = api.collection_of(*call);
    CollectionQuery query;
    served->ask([&](const Collection& collection) { query = query_of(api, *call, collection.options().profile.bits); });
    if (is_ndjson(*call->request)) {
      Response response{200, {{"Content-Type", "application/x-ndjson"}}};
      LineStream::Setup setup{api.engine.workers, call->request, coding_of(call->request->header("Content-Encoding")),
                              api.engine.options.limits.line};
      response.stream = std::make_unique<QueryStream>(std::move(setup), api, served, query);
      return response;
    }
    std::string out;
    served->ask([&](const Collection& collection) {
      const Question question = question_of(api.reader(), call->request->body, collection.options());
      const CollectionAnswer answer = ask(collection, question, query);
      count_query(api, served->name(), answer);
      out = answer_json(answer);
    });
    call->request->trace->records = 1;
    return json_response(out);
  });
}

void near_document(Api& api, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({"collection", "id", "most", "k", "verify"});
    const CollectionPtr served = api.collection_of(*call);
    std::string out;
    served->ask([&](const Collection& collection) {
      require_id(call->path("id"), collection.options());
      const auto answer = collection.query_id(call->path("id"), query_of(api, *call, collection.options().profile.bits));
      if (!answer) throw Problem(404, "no-document", "there is no document with this id");
      count_query(api, served->name(), *answer);
      out = answer_json(*answer);
    });
    return json_response(out);
  });
}

}  // namespace leitong::server
