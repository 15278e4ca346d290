#include "server/collections.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "leitong/error.h"
#include "server/problem.h"

namespace leitong::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_name = 100;

bool is_name(std::string_view name) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  };
  return !name.empty() && name.size() <= longest_name && name[0] != '.' && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), is_allowed);
}

bool is_collection(const fs::path& directory) { return fs::exists(directory / "MANIFEST"); }

// NAME=ADDRESS, or the last word of the address: of ?prefix=news: or of its path.
std::pair<std::string, std::string> named_address(const std::string& operand) {
  const std::size_t equals = operand.find('=');
  if (equals != std::string::npos && is_name(std::string_view(operand).substr(0, equals)))
    return {operand.substr(0, equals), operand.substr(equals + 1)};
  std::string name;
  for (const char c : operand) {
    if (is_name(std::string("x") + c))
      name += c;
    else if (!name.empty() && name.back() != '/')
      name += '/';  // stands between words
  }
  while (name.ends_with('/')) name.pop_back();
  return {name.substr(name.rfind('/') + 1), operand};
}

}  // namespace

ServedCollection::ServedCollection(std::string name, std::string where, bool is_ours, Engine& engine)
    : name_(std::move(name)),
      where_(std::move(where)),
      is_ours_(is_ours),
      engine_(engine),
      writer_(name_, *this, engine.writers, engine.budget, engine.metrics) {}

void ServedCollection::open() {
  {
    const std::unique_lock lock(mutex_);
    open_locked();
  }
  begun_ = true;
}

void ServedCollection::open_locked() {
  CollectionOpen open;
  open.threads = engine_.options.threads;
  open.memory = engine_.options.memory;
  collection_.reset();
  failure_ = nullptr;
  opened_ = std::chrono::steady_clock::now();
  try {
    collection_ = std::make_unique<Collection>(where_, Access::write, open);
    if (!is_store_url(where_)) feed_.begin(collection_->clusters([](const CollectionCluster&) {}).mark);
    broken_ = false;
  } catch (const std::exception&) {
    failure_ = std::current_exception();
    try {
      collection_ = std::make_unique<Collection>(where_, Access::read, open);
    } catch (const std::exception&) {
      collection_.reset();
    }
  }
  failed_ = failure_ != nullptr;
  engine_.metrics.set(Metrics::writer_failed, {name_}, failed_ ? 1 : 0);
}

void ServedCollection::open_again() {
  const std::unique_lock lock(mutex_);
  if (failed_ && !gone_ && std::chrono::steady_clock::now() - opened_ >= std::chrono::seconds(1)) open_locked();
}

void ServedCollection::close() {
  const std::unique_lock lock(mutex_);
  gone_ = true;
  feed_.wake();
  if (const std::unique_ptr<Collection> ended = std::move(collection_)) ended->close();
}

Problem ServedCollection::not_open() const {
  const Problem why = failure_ ? problem_of(failure_) : Problem(503, "not-open", "it is being opened");
  Problem problem(why.status == 507 ? 507 : 503, why.status == 507 ? "full" : "not-open",
                  fmt::format("the collection {} cannot be used: {}", name_, why.what()));
  problem.retry_after = 2;
  return problem;
}

void ServedCollection::require_there() const {
  if (gone_) throw Problem(404, "no-collection", fmt::format("the collection {} is gone", name_));
  if (!begun_) {
    Problem problem(503, "not-open", fmt::format("the collection {} is being opened", name_));
    problem.retry_after = 2;
    throw problem;
  }
}

void ServedCollection::with(const std::function<void(Collection&)>& use) {
  require_there();
  if (failed_) open_again();
  const std::shared_lock lock(mutex_);
  require_there();
  if (!collection_ || failure_) throw not_open();
  use(*collection_);
}

void ServedCollection::ask(const std::function<void(const Collection&)>& use) {
  require_there();
  const std::shared_lock lock(mutex_);
  require_there();
  if (!collection_) throw not_open();
  use(*collection_);
}

void ServedCollection::reopen() {
  failed_ = broken_ = true;
  engine_.metrics.set(Metrics::writer_failed, {name_}, 1);
}

std::string ServedCollection::problem() const {
  if (!begun_) return "it is being opened";
  const std::shared_lock lock(mutex_);
  return failure_ ? problem_of(failure_).what() : "";
}

Collections::Collections(Engine& engine) : engine_(engine) {
  for (const std::string& operand : engine.options.where) {
    const auto [name, address] = named_address(operand);
    if (is_store_url(address))
      add(name, address, false);
    else
      add_directory(operand);
  }
}

void Collections::add(std::string name, std::string where, bool is_ours) {
  if (!is_name(name)) throw Error(ErrorCode::usage, fmt::format("{}: gives no name to serve it by; write NAME={}", where, where));
  const auto served = std::make_shared<ServedCollection>(name, where, is_ours, engine_);
  if (!all_.emplace(std::move(name), served).second)
    throw Error(ErrorCode::usage, fmt::format("{}: there is another collection of that name; write NAME={}", where, where));
}

void Collections::add_directory(const std::string& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) throw Error(ErrorCode::io, fmt::format("{}: cannot be made: {}", directory, error.message()));
  if (is_collection(directory)) {
    add(fs::weakly_canonical(directory).filename().string(), directory, false);
    return;
  }
  if (!root_.empty())
    throw Error(ErrorCode::usage, fmt::format("{} and {}: there can be one directory of collections only", root_, directory));
  root_ = directory;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    if (is_name(entry.path().filename().string()) && entry.is_directory() && is_collection(entry.path()))
      add(entry.path().filename().string(), entry.path().string(), true);
}

void Collections::open_all() {
  for (const CollectionPtr& collection : all()) {
    collection->open();
    const std::string problem = collection->problem();
    if (!problem.empty() && engine_.options.note) engine_.options.note(problem);
  }
  opening_ = false;
}

void Collections::close_all() {
  for (const CollectionPtr& collection : all()) {
    try {
      collection->close();
    } catch (const std::exception& error) {
      if (engine_.options.note) engine_.options.note(error.what());
    }
  }
}

CollectionPtr Collections::find(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = all_.find(name);
  if (found == all_.end()) throw Problem(404, "no-collection", fmt::format("there is no collection {}", name.substr(0, longest_name)));
  return found->second;
}

std::vector<CollectionPtr> Collections::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<CollectionPtr> out;
  for (const auto& [name, collection] : all_) out.push_back(collection);
  return out;
}

CollectionPtr Collections::create(const std::string& name, const CollectionOptions& options) {
  if (!is_name(name))
    throw bad_field("name", "a name has 1 to 100 of the characters a-z, A-Z, 0-9, -, _ and ., and begins with none of . and -");
  if (root_.empty()) throw Problem(501, "unsupported", "this server was given no directory of collections to make one in");
  const std::lock_guard one(changing_);
  const std::string where = (fs::path(root_) / name).string();
  {
    const std::lock_guard lock(mutex_);
    if (all_.contains(name)) throw Problem(409, "exists", fmt::format("there is a collection {} already", name));
  }
  Collection::create(where, options);
  const auto served = std::make_shared<ServedCollection>(name, where, true, engine_);
  served->open();
  const std::lock_guard lock(mutex_);
  all_.emplace(name, served);
  return served;
}

void Collections::remove(const CollectionPtr& collection) {
  if (!collection->is_ours())
    throw Problem(501, "unsupported",
                  fmt::format("{} was named when the server was started, and is not removed by it", collection->name()));
  const std::lock_guard one(changing_);
  {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(collection->name());
    if (found == all_.end() || found->second != collection) throw Problem(404, "no-collection", "it is gone already");
    all_.erase(found);
  }
  collection->close();
  // A name that is none: what is left after a crash in the middle is never served.
  std::random_device random;
  const fs::path dead = fs::path(root_) / fmt::format(".removed-{}-{:08x}", collection->name(), random());
  std::error_code error;
  fs::rename(collection->where(), dead, error);
  if (error) throw Error(ErrorCode::io, fmt::format("{}: cannot be removed: {}", collection->where(), error.message()));
  fs::remove_all(dead, error);
}

}  // namespace leitong::server
