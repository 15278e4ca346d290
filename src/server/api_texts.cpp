// Routes of texts that are in no collection: fingerprint, compare, explain.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "leitong/error.h"
#include "leitong/explain.h"
#include "leitong/fingerprint.h"
#include "leitong/similarity.h"
#include "server/answers.h"
#include "server/api.h"

namespace leitong::server {
namespace {

constexpr std::size_t most_moved = 100;
constexpr std::uint32_t most_features = 50;

std::string profile_name(const JsonReader& json) {
  const std::string name(json.text("profile").value_or("leitong-1"));
  const std::vector<std::string> names = profile_names();
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw bad_field("profile", fmt::format("there is no profile of that name; those that are: {}", fmt::join(names, ", ")));
  return name;
}

// Of this thread: making one may read a dictionary.
Fingerprinter& fingerprinter_of(const std::string& name) {
  thread_local std::map<std::string, std::unique_ptr<Fingerprinter>> made;
  std::unique_ptr<Fingerprinter>& one = made[name];
  if (!one) one = std::make_unique<Fingerprinter>(load_profile(name));
  return *one;
}

std::string wanted_text(const JsonReader& json, std::string_view name) {
  const auto text = json.text(name);
  if (!text) throw bad_field(name, fmt::format("{} is missing", name));
  return std::string(*text);
}

// These read nothing but the dictionaries of a profile.
void answer_if_data_are_there(const CallPtr& call, const std::function<Response()>& work) {
  answer_with(call, [&] {
    try {
      return work();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::io) throw;
      throw no_data(error);
    }
  });
}

}  // namespace

void fingerprint_text(Api& api, const CallPtr& call) {
  answer_if_data_are_there(call, [&] {
    call->only({});
    JsonReader& json = api.reader();
    json.read(call->request->body, {"text", "profile"});
    const std::string name = profile_name(json), text = wanted_text(json, "text");
    const Fingerprinter::Result result = fingerprinter_of(name)(text);
    return json_response(fmt::format("{{\"fingerprint\":{},\"features\":{},\"profile\":\"{}\"}}", json_fingerprint(result.fingerprint),
                                     result.features, name));
  });
}

void compare_texts(Api& api, const CallPtr& call) {
  answer_if_data_are_there(call, [&] {
    call->only({});
    JsonReader& json = api.reader();
    json.read(call->request->body, {"a", "b", "profile"});
    const Profile profile = load_profile(profile_name(json));
    const std::string a = wanted_text(json, "a"), b = wanted_text(json, "b");
    return json_response(comparison_json(a, b, compare(a, b, profile)));
  });
}

void explain_texts(Api& api, const CallPtr& call) {
  answer_if_data_are_there(call, [&] {
    call->only({});
    JsonReader& json = api.reader();
    json.read(call->request->body, {"a", "b", "profile", "most"});
    const Profile profile = load_profile(profile_name(json));
    const std::string a = wanted_text(json, "a"), b = wanted_text(json, "b");
    const auto most = static_cast<std::uint32_t>(json.number("most").value_or(5));
    if (json.number("most").value_or(0) > most_features) throw bad_field("most", fmt::format("most is at most {}", most_features));
    return json_response(explanation_json(explain(a, b, profile, most), most_moved));
  });
}

}  // namespace leitong::server
