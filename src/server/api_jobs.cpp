// Routes of upkeep and of jobs.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "server/answers.h"
#include "server/api.h"

namespace leitong::server {
namespace {

void start(Api& api, const CallPtr& call, const char* kind, const std::function<void(Collection&)>& work,
           const std::string& result = "{}") {
  const CollectionPtr served = api.collection_of(*call);
  const JobPtr job = api.jobs.start(kind, served->name(), [served, work, result](Job&) {
    served->with(work);
    return result;
  });
  Response response = json_response(job->json(), 202);
  response.headers.push_back({"Location", "/v1/jobs/" + job->id});
  call->reply(std::move(response));
}

JobPtr job_of(const Api& api, const Call& call) {
  JobPtr job = api.jobs.find(call.path("job"));
  if (call.key != nullptr && !call.key->may_use(job->collection)) throw Problem(404, "no-job", "there is no such job");
  return job;
}

// The last part of a path and no way out of its directory.
bool is_file_name(std::string_view name) {
  constexpr std::ptrdiff_t most_characters = 60;  // of UTF-8, so that no file system finds it too long
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return !name.empty() && std::count_if(name.begin(), name.end(), begins) <= most_characters && name[0] != '.' &&
         name.find('/') == std::string_view::npos &&
         std::none_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

}  // namespace

void start_compact(Api& api, const CallPtr& call) {
  answer_unless_thrown(call, [&] {
    call->only({"collection"});
    start(api, call, "compact", [](Collection& collection) { collection.compact(); });
  });
}

void start_check_files(Api& api, const CallPtr& call) {
  answer_unless_thrown(call, [&] {
    call->only({"collection"});
    start(api, call, "check-files", [](Collection& collection) { collection.check(); });
  });
}

void start_refresh(Api& api, const CallPtr& call) {
  answer_unless_thrown(call, [&] {
    call->only({"collection"});
    start(api, call, "refresh", [](Collection& collection) { collection.refresh(); });
  });
}

void start_backup(Api& api, const CallPtr& call) {
  answer_unless_thrown(call, [&] {
    call->only({"collection"});
    if (api.engine.options.backups.empty()) throw Problem(501, "unsupported", "the server was started without --backup-dir");
    JsonReader& json = api.reader();
    json.read(call->request->body, {"name"});
    const std::string name(json.text("name").value_or(""));
    if (!is_file_name(name))
      throw bad_field("name", "name is that of a new directory below --backup-dir, without / and without a . at its begin");
    const std::string directory = (std::filesystem::path(api.engine.options.backups) / name).string();
    if (std::filesystem::exists(directory)) throw Problem(409, "exists", fmt::format("there is a backup {} already", name));
    start(
        api, call, "backup", [directory](Collection& collection) { collection.backup(directory); },
        fmt::format("{{\"name\":{}}}", json_text(name)));
  });
}

void show_job(Api& api, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({"job"});
    return json_response(job_of(api, *call)->json());
  });
}

void stop_job(Api& api, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({"job"});
    const JobPtr job = job_of(api, *call);
    job->stop = true;
    return json_response(job->json(), 202);
  });
}

}  // namespace leitong::server
