// Api: what each route does. The table stands in routes.cpp; the functions in api_*.cpp, a file a subject. They run on a worker, answer
// once, and throw Problem or leitong::Error for what is not done.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "server/collections.h"
#include "server/http.h"
#include "server/jobs.h"
#include "server/json_reader.h"
#include "server/problem.h"
#include "server/router.h"

namespace leitong::server {

// A request that is being answered.
struct Call {
  std::shared_ptr<Request> request;
  Service::Reply reply;
  const Key* key = nullptr;  // of the request; null: there are no keys, or the route asks for none

  [[nodiscard]] std::string_view path(std::string_view name) const { return request->parameter(name); }
  // Parameters of the query. Throw Problem(400).
  void only(std::initializer_list<std::string_view> allowed) const;  // of path and query
  [[nodiscard]] bool flag(std::string_view name, bool fallback) const;
  [[nodiscard]] std::optional<std::uint64_t> number(std::string_view name, std::uint64_t low, std::uint64_t high) const;
};
using CallPtr = std::shared_ptr<Call>;

class Api {
 public:
  Api(Engine& of_all, Collections& served) : engine(of_all), collections(served) {}

  Engine& engine;
  Collections& collections;
  Jobs jobs;
  std::atomic<bool> stopping{false};

  // Throws Problem(404) also for one that the key may not use.
  [[nodiscard]] CollectionPtr collection_of(const Call& call) const;
  // Of this thread.
  [[nodiscard]] JsonReader& reader() const;
};

[[nodiscard]] std::span<const Route> routes();

[[nodiscard]] Response json_response(std::string body, int status = 200);
[[nodiscard]] bool is_ndjson(const Request& request);
// Runs `work`, and answers with what it returns or throws.
void answer_with(const CallPtr& call, const std::function<Response()>& work);
// Runs `work`, which answers itself, now or later, unless it throws.
void answer_unless_thrown(const CallPtr& call, const std::function<void()>& work);

// api_collections.cpp
void list_collections(Api&, const CallPtr&);
void create_collection(Api&, const CallPtr&);
void show_collection(Api&, const CallPtr&);
void delete_collection(Api&, const CallPtr&);
// api_documents.cpp
void add_documents(Api&, const CallPtr&);
void list_documents(Api&, const CallPtr&);
void delete_documents(Api&, const CallPtr&);
void put_document(Api&, const CallPtr&);
void get_document(Api&, const CallPtr&);
void delete_document(Api&, const CallPtr&);
// api_questions.cpp
void check_document(Api&, const CallPtr&);
void query_collection(Api&, const CallPtr&);
void near_document(Api&, const CallPtr&);
// api_clusters.cpp
void start_clusters(Api&, const CallPtr&);
void show_clusters(Api&, const CallPtr&);
void show_changes(Api&, const CallPtr&);
// api_jobs.cpp
void start_compact(Api&, const CallPtr&);
void start_check_files(Api&, const CallPtr&);
void start_backup(Api&, const CallPtr&);
void start_refresh(Api&, const CallPtr&);
void show_job(Api&, const CallPtr&);
void stop_job(Api&, const CallPtr&);
// api_texts.cpp
void fingerprint_text(Api&, const CallPtr&);
void compare_texts(Api&, const CallPtr&);
void explain_texts(Api&, const CallPtr&);
// api_about.cpp
void list_profiles(Api&, const CallPtr&);
void show_version(Api&, const CallPtr&);
void show_openapi(Api&, const CallPtr&);
void show_alive(Api&, const CallPtr&);
void show_ready(Api&, const CallPtr&);
void show_metrics(Api&, const CallPtr&);
// api_page.cpp
void show_page(Api&, const CallPtr&);
void show_docs(Api&, const CallPtr&);
void show_asset(Api&, const CallPtr&);

// What questions and unique additions share: k, most, verify of the query.
// Of fingerprints of so many bits: more than all of them never differ.
[[nodiscard]] CollectionQuery query_of(const Api& api, const Call& call, unsigned bits);
void count_query(const Api& api, const std::string& collection, const CollectionAnswer& answer);
// Of `hex`. Throws Problem(422) unless it is a fingerprint, Problem(409) unless it is one of the collection's width.
[[nodiscard]] Fingerprint fingerprint_of(std::string_view hex, unsigned bits);
// Problem(409): the dictionaries that a profile needs are not on this machine.
[[nodiscard]] Problem no_data(const Error& error);
// Throws Problem(422) unless the collection could keep it.
void require_id(std::string_view id, const CollectionOptions& options);

}  // namespace leitong::server
