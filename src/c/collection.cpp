// Collections through C.
#include "leitong/collection.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "c/guard.h"
#include "c/profile.h"
#include "leitong/c.h"

using leitong::c::guarded;
using leitong::c::options_of;
using leitong::c::require;

struct leitong_collection {
  leitong::Collection collection;
};

struct leitong_answers {
  std::vector<leitong::CollectionAnswer> answers;  // what the matches point to
  std::vector<std::vector<leitong_match>> matches;
};

struct leitong_document {
  leitong::CollectionEntry entry;
};

namespace {

leitong::Collection& collection_of(leitong_collection* handle) {
  require(handle != nullptr, "collection is NULL");
  return handle->collection;
}

std::string place_of(const char* where) {
  require(where != nullptr && *where != '\0', "where is NULL or empty");
  return where;
}

std::vector<std::string_view> views_of(const char* const* texts, const size_t* lengths, size_t count, const char* what) {
  require(count == 0 || (texts != nullptr && lengths != nullptr), what);
  std::vector<std::string_view> views;
  views.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    require(texts[i] != nullptr || lengths[i] == 0, what);
    views.emplace_back(texts[i] == nullptr ? "" : texts[i], lengths[i]);
  }
  return views;
}

leitong::CollectionOptions made_with(const leitong_collection_options* given) {
  const leitong_collection_options options = options_of(given, "leitong_collection_options");
  leitong::CollectionOptions made;
  if (options.profile != nullptr) made.profile = leitong::c::profile_of(options.profile);
  if (options.k != 0) made.k = options.k;
  made.ids = options.numbers != 0 ? leitong::CollectionIds::number : leitong::CollectionIds::text;
  made.texts = options.texts != 0, made.metadata = options.metadata != 0;
  made.fingerprints_only = options.fingerprints_only != 0;
  if (options.layout != nullptr) made.layout = options.layout;
  return made;
}

leitong::Acknowledge when(int durable) { return durable != 0 ? leitong::Acknowledge::durable : leitong::Acknowledge::buffered; }

leitong::CollectionQuery question_of(const leitong_query_options* given) {
  const leitong_query_options options = options_of(given, "leitong_query_options");
  leitong::CollectionQuery query;
  if (options.use_k != 0) query.k = options.k;
  if (options.most != 0) query.most = options.most;
  query.verify = options.no_verify == 0;
  if (options.rule != nullptr) query.rule = leitong::load_rule(options.rule);
  return query;
}

leitong_answers* given_as(std::vector<leitong::CollectionAnswer> found) {
  auto answers = std::make_unique<leitong_answers>();
  answers->answers = std::move(found);
  for (const leitong::CollectionAnswer& answer : answers->answers) {
    std::vector<leitong_match>& matches = answers->matches.emplace_back();
    for (const leitong::CollectionMatch& match : answer.matches)
      matches.push_back({match.id.c_str(), match.id.size(), match.sequence, match.distance ? static_cast<int>(*match.distance) : -1,
                         match.similarity.value_or(-1), match.verified ? 1 : 0});
  }
  return answers.release();
}

const char* given_text(const std::string* text, size_t* length) {
  if (length != nullptr) *length = text == nullptr ? 0 : text->size();
  return text == nullptr ? "" : text->c_str();
}

}  // namespace

extern "C" {

int leitong_collection_create(const char* where, const leitong_collection_options* options) {
  return guarded([&] { leitong::Collection::create(place_of(where), made_with(options)); });
}

int leitong_collection_open(const char* where, const leitong_open_options* given, leitong_collection** out) {
  return guarded([&] {
    require(out != nullptr, "out is NULL");
    *out = nullptr;
    const leitong_open_options options = options_of(given, "leitong_open_options");
    leitong::CollectionOpen open;
    if (options.key != nullptr) open.key = options.key;
    open.threads = options.threads, open.memory = options.memory;
    *out = new leitong_collection{
        leitong::Collection(place_of(where), options.write != 0 ? leitong::Access::write : leitong::Access::read, open)};
  });
}

int leitong_collection_in_memory(const leitong_collection_options* options, leitong_collection** out) {
  return guarded([&] {
    require(out != nullptr, "out is NULL");
    *out = nullptr;
    *out = new leitong_collection{leitong::Collection::in_memory(made_with(options))};
  });
}

int leitong_collection_close(leitong_collection* handle) {
  return guarded([&] {
    const std::unique_ptr<leitong_collection> owned(handle);
    if (owned) owned->collection.close();
  });
}

int leitong_collection_add(leitong_collection* handle, const char* const* ids, const size_t* id_lengths, const char* const* texts,
                           const size_t* text_lengths, const char* const* metadata, size_t count, int durable, uint64_t* first) {
  return guarded([&] {
    leitong::Collection& collection = collection_of(handle);
    const auto names = views_of(ids, id_lengths, count, "ids or id_lengths is NULL");
    const auto contents = views_of(texts, text_lengths, count, "texts or text_lengths is NULL");
    std::vector<leitong::CollectionDocument> documents;
    documents.reserve(count);
    for (size_t i = 0; i < count; ++i)
      documents.push_back({names[i], contents[i], metadata == nullptr || metadata[i] == nullptr ? std::string_view() : metadata[i]});
    const std::uint64_t sequence = collection.add(documents, when(durable));
    if (first != nullptr) *first = sequence;
  });
}

int leitong_collection_erase(leitong_collection* handle, const char* const* ids, const size_t* id_lengths, size_t count, int durable,
                             uint64_t* erased) {
  return guarded([&] {
    leitong::Collection& collection = collection_of(handle);
    const std::uint64_t there = collection.erase(views_of(ids, id_lengths, count, "ids or id_lengths is NULL"), when(durable));
    if (erased != nullptr) *erased = there;
  });
}

int leitong_collection_sync(leitong_collection* handle) {
  return guarded([&] { collection_of(handle).sync(); });
}

int leitong_collection_refresh(leitong_collection* handle) {
  return guarded([&] { collection_of(handle).refresh(); });
}

int leitong_collection_documents(leitong_collection* handle, uint64_t* documents) {
  return guarded([&] {
    require(documents != nullptr, "documents is NULL");
    *documents = collection_of(handle).stats().documents;
  });
}

int leitong_collection_query_texts(leitong_collection* handle, const char* const* texts, const size_t* lengths, size_t count,
                                   const leitong_query_options* options, leitong_answers** out) {
  return guarded([&] {
    require(out != nullptr, "out is NULL");
    *out = nullptr;
    const leitong::Collection& collection = collection_of(handle);
    const auto questions = views_of(texts, lengths, count, "texts or lengths is NULL");
    *out = given_as(collection.query_all(std::span<const std::string_view>(questions), question_of(options)));
  });
}

int leitong_collection_query_fingerprints(leitong_collection* handle, const uint64_t* words, size_t count,
                                          const leitong_query_options* options, leitong_answers** out) {
  return guarded([&] {
    require(out != nullptr, "out is NULL");
    *out = nullptr;
    const leitong::Collection& collection = collection_of(handle);
    require(count == 0 || words != nullptr, "words is NULL");
    const unsigned bits = collection.options().profile.bits, each = leitong::fingerprint_words(bits);
    std::vector<leitong::Fingerprint> questions(count);
    for (size_t i = 0; i < count; ++i) {
      questions[i].bits = bits;
      for (unsigned w = 0; w < each; ++w) questions[i].words[w] = words[i * each + w];
    }
    *out = given_as(collection.query_all(std::span<const leitong::Fingerprint>(questions), question_of(options)));
  });
}

size_t leitong_answers_count(const leitong_answers* answers, size_t i) {
  return answers == nullptr || i >= answers->matches.size() ? 0 : answers->matches[i].size();
}

const leitong_match* leitong_answers_matches(const leitong_answers* answers, size_t i) {
  return leitong_answers_count(answers, i) == 0 ? nullptr : answers->matches[i].data();
}

void leitong_answers_free(leitong_answers* answers) { delete answers; }

int leitong_collection_get(leitong_collection* handle, const char* id, size_t id_length, leitong_document** out) {
  return guarded([&] {
    require(out != nullptr, "out is NULL");
    *out = nullptr;
    const leitong::Collection& collection = collection_of(handle);
    require(id != nullptr, "id is NULL");
    auto entry = collection.get({id, id_length});
    if (!entry) throw leitong::Error(leitong::ErrorCode::usage, "there is no document of this id");
    *out = new leitong_document{std::move(*entry)};
  });
}

const char* leitong_document_text(const leitong_document* document, size_t* length) {
  return given_text(document == nullptr ? nullptr : &document->entry.text, length);
}

const char* leitong_document_metadata(const leitong_document* document, size_t* length) {
  return given_text(document == nullptr ? nullptr : &document->entry.metadata, length);
}

void leitong_document_free(leitong_document* document) { delete document; }

}  // extern "C"
