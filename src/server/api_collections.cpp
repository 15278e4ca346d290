// Routes of collections: list, create, show, delete.
#include <fmt/format.h>

#include <algorithm>

#include "leitong/error.h"
#include "server/answers.h"
#include "server/api.h"

namespace leitong::server {
namespace {

// Only what is built in: a path would read files of the server.
Profile profile_named(const std::optional<std::string_view>& name) {
  if (!name) return load_profile("leitong-1");
  const std::vector<std::string> names = profile_names();
  if (std::find(names.begin(), names.end(), *name) == names.end())
    throw bad_field("profile", fmt::format("there is no profile of that name; those that are: {}", fmt::join(names, ", ")));
  return load_profile(*name);
}

CollectionOptions options_of(const JsonReader& json) {
  CollectionOptions options;
  options.profile = profile_named(json.text("profile"));
  try {
    static_cast<void>(profile_id(options.profile));
  } catch (const Error& error) {
    throw no_data(error);
  }
  if (const auto k = json.number("k")) {
    if (*k > options.profile.bits) throw bad_field("k", fmt::format("k is at most {}, the bits of the profile", options.profile.bits));
    options.k = static_cast<unsigned>(*k);
  }
  options.texts = json.flag("texts").value_or(false);
  options.metadata = json.flag("metadata").value_or(false);
  options.fingerprints_only = json.flag("fingerprints_only").value_or(false);
  if (options.texts && options.fingerprints_only)
    throw bad_field("fingerprints_only", "a collection that keeps texts keeps more than fingerprints");
  const std::string_view ids = json.text("ids").value_or("text");
  if (ids != "text" && ids != "number") throw bad_field("ids", "ids are text or number");
  options.ids = ids == "number" ? CollectionIds::number : CollectionIds::text;
  return options;
}

std::string show(ServedCollection& served) {
  std::string out;
  served.ask([&](const Collection& collection) {
    out = "{" + options_json(served.name(), collection.options(), collection.profile_id()) + "," + stats_json(collection.stats());
  });
  const CollectionClusterMark mark = served.feed().last();
  return out + fmt::format(",\"clusters\":{{\"state\":{},\"key\":\"{:016x}\"}}}}", mark.state, mark.key);
}

std::string name_only(const ServedCollection& served) {
  const std::string problem = served.problem();
  std::string out = "{\"name\":" + json_text(served.name()) + ",\"open\":" + (problem.empty() ? "true" : "false");
  if (!problem.empty()) out += ",\"problem\":" + json_text(problem);
  return out + "}";
}

}  // namespace

void list_collections(Api& api, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({});
    std::string out = "{\"collections\":[";
    for (const CollectionPtr& collection : api.collections.all()) {
      if (call->key != nullptr && !call->key->may_use(collection->name())) continue;
      out += (out.ends_with('[') ? "" : ",") + name_only(*collection);
    }
    return json_response(out + "]}");
  });
}

void create_collection(Api& api, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({});
    JsonReader& json = api.reader();
    json.read(call->request->body, {"name", "profile", "k", "texts", "metadata", "ids", "fingerprints_only"});
    const std::string name(json.text("name").value_or(""));
    if (call->key != nullptr && !call->key->may_use(name)) throw Problem(403, "forbidden", "the key may not use a collection of that name");
    const CollectionPtr made = api.collections.create(name, options_of(json));
    Response response = json_response(show(*made), 201);
    response.headers.push_back({"Location", "/v1/collections/" + name});
    return response;
  });
}

void show_collection(Api& api, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({"collection"});
    return json_response(show(*api.collection_of(*call)));
  });
}

void delete_collection(Api& api, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({"collection"});
    const CollectionPtr collection = api.collection_of(*call);
    std::string wanted(call->request->header("If-Match"));
    std::erase(wanted, '"');
    if (!wanted.empty() && wanted != "*")
      collection->ask([&](const Collection& one) {
        if (one.profile_id() != wanted) throw Problem(412, "other-profile", "the collection's profile is another: " + one.profile_id());
      });
    api.collections.remove(collection);
    return Response{204};
  });
}

}  // namespace leitong::server
