// Copies one collection into another in batches, and compares each row afterwards.
#include "leitong/copy.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "collection/connect.h"
#include "collection/place.h"
#include "job/job.h"
#include "leitong/access.h"
#include "leitong/collection.h"
#include "leitong/error.h"
#include "leitong/job.h"
#include "outputs/output_file.h"
#include "records/json_object.h"
#include "remote/store_url.h"

namespace leitong {
namespace {

constexpr std::size_t batch_size = 4'096;

bool is_there(const std::string& where) {
  if (!is_store_url(where)) return collection::is_collection(where);
  return collection::connect(remote::parse_store_url(where))->record().has_value();
}

// The checksums are sums, because stores return rows in different orders.
std::uint64_t digest(std::string_view id, const Fingerprint& fingerprint) {
  return XXH3_64bits_withSeed(id.data(), id.size(), XXH3_64bits(fingerprint.words.data(), sizeof fingerprint.words));
}

// The progress of a copy, in a file that is replaced as a whole.
class Progress {
 public:
  Progress(const CopyOptions& options, const std::string& profile_id)
      : path_(options.progress_file),
        copy_(collection::without_secrets(options.from) + " -> " + collection::without_secrets(options.to) + " of " + profile_id) {
    if (path_.empty() || !std::filesystem::exists(path_)) return;
    std::ifstream file(path_);
    std::stringstream text;
    text << file.rdbuf();
    const records::JsonReader json(text.str(), path_);
    if (json.text(json.root(), "copy") != copy_)
      throw Error(ErrorCode::usage,
                  path_ + ": is of another copy (" + json.text(json.root(), "copy") + "); remove it, or name another file");
    place = json.text(json.root(), "place");
    documents = json.number(json.root(), "documents");
  }

  void save() const {
    if (path_.empty()) return;
    outputs::write_file(path_, records::JsonObject().text("copy", copy_).text("place", place).number("documents", documents).str());
  }
  void remove() const {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }

  std::string place;
  std::uint64_t documents = 0;

 private:
  std::string path_, copy_;
};

// Entries with a fingerprint; a batch is some thousand of them.
class Batch {
 public:
  void add(const CollectionEntry& entry) { rows_.push_back({entry.id, *entry.fingerprint}); }
  [[nodiscard]] bool full() const { return rows_.size() >= batch_size; }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  void clear() { rows_.clear(); }

  // A server skips rows that it already has, but a directory would write them again, so rows that are already there are left out.
  void put_into(Collection& to, bool server) const {
    std::vector<std::optional<CollectionEntry>> there(rows_.size());
    if (!server) there = to.get_all(ids());
    std::vector<CollectionFingerprint> missing;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (!there[i] || there[i]->fingerprint != rows_[i].fingerprint) missing.push_back({rows_[i].id, rows_[i].fingerprint});
    if (!missing.empty()) to.add_fingerprints(missing, Acknowledge::durable);
  }
  // Adds the rows of both sides to the checksums, and returns the first id whose rows differ.
  std::optional<std::string> compare(const Collection& to, std::uint64_t& sum_from, std::uint64_t& sum_to) const {
    std::optional<std::string> first;
    const auto there = to.get_all(ids());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      sum_from += digest(rows_[i].id, rows_[i].fingerprint);
      if (there[i] && there[i]->fingerprint) sum_to += digest(there[i]->id, *there[i]->fingerprint);
      const bool same = there[i] && there[i]->fingerprint == rows_[i].fingerprint;
      if (!same && !first) first = rows_[i].id;
    }
    return first;
  }

 private:
  struct Row {
    std::string id;
    Fingerprint fingerprint;
  };
  [[nodiscard]] std::vector<std::string_view> ids() const {
    std::vector<std::string_view> out;
    for (const Row& row : rows_) out.push_back(row.id);
    return out;
  }
  std::vector<Row> rows_;
};

class CopyJob {
 public:
  explicit CopyJob(const CopyOptions& options)
      : options_(options), job_(options.job, "copy"), from_(options.from, Access::read, opened()), to_(destination()) {
    if (from_.profile_id() != to_.profile_id())
      throw Error(ErrorCode::usage, fmt::format("{} has fingerprints of profile {} (id {}), and {} of {} (id {}): they cannot be compared",
                                                collection::without_secrets(options.from), from_.options().profile.name, from_.profile_id(),
                                                collection::without_secrets(options.to), to_.options().profile.name, to_.profile_id()));
  }

  CopyResult run() {
    Progress progress(options_, from_.profile_id());
    result_.before = progress.documents;
    (void)to_.get("0");  // if the layout cannot look up ids, the copy could not be verified: fail before anything is written
    put_all(progress);
    to_.sync();
    to_.refresh();
    progress.remove();  // if a difference is found below, the next copy must start from the beginning
    compare_all();
    to_.close();
    const CollectionOptions& kept = from_.options();
    if (kept.texts) result_.left_behind.emplace_back("texts");
    if (!kept.fingerprints_only) result_.left_behind.emplace_back("second sketches");
    if (kept.metadata) result_.left_behind.emplace_back("metadata");
    return result_;
  }

 private:
  [[nodiscard]] CollectionOpen opened() const {
    CollectionOpen open;
    open.key = options_.key;
    open.threads = options_.job.threads;
    open.memory = options_.job.memory;
    return open;
  }
  [[nodiscard]] Collection destination() const {
    if (!is_there(options_.to)) {
      CollectionOptions made;
      made.profile = from_.options().profile;
      made.k = from_.options().k;
      made.ids = from_.options().ids;
      made.fingerprints_only = true;
      made.layout = options_.layout;
      Collection::create(options_.to, made);
    } else if (!options_.layout.empty()) {
      throw Error(ErrorCode::usage, collection::without_secrets(options_.to) + ": has a layout already; leave --layout out");
    }
    return {options_.to, Access::write, opened()};
  }

  void put_all(Progress& progress) {
    Batch batch;
    std::uint64_t done = progress.documents;
    const auto put = [&] {
      job_.check_stop();
      batch.put_into(to_, is_store_url(options_.to));
      done += batch.size();
      batch.clear();
      job_.progress(done, 0, 0);
    };
    from_.scan_from(
        progress.place,
        [&](const CollectionEntry& entry) {
          if (entry.fingerprint) batch.add(entry);
          if (batch.full()) put();
        },
        [&](const std::string& place) {
          put();
          progress.place = place;
          progress.documents = done;
          progress.save();
        });
    put();
  }

  void compare_all() {
    Batch batch;
    std::uint64_t sum_to = 0, differing = 0;
    std::string first;
    const auto compare = [&] {
      job_.check_stop();
      if (const auto id = batch.compare(to_, result_.checksum, sum_to); id && differing++ == 0) first = *id;
      batch.clear();
      job_.progress(result_.documents, 0, 0);
    };
    from_.scan([&](const CollectionEntry& entry) {
      if (!entry.fingerprint) {
        ++result_.without;
        return;
      }
      ++result_.documents;
      batch.add(entry);
      if (batch.full()) compare();
    });
    compare();
    const std::string from = collection::without_secrets(options_.from), to = collection::without_secrets(options_.to);
    if (differing > 0 || sum_to != result_.checksum)
      throw Error(ErrorCode::format,
                  fmt::format("{} and {} differ after the copy, at the id \"{}\" to begin with (checksums {:016x}, {:016x}): somebody has "
                              "written to one of them meanwhile, or data was lost; copy again",
                              from, to, first, result_.checksum, sum_to));
    const std::uint64_t there = to_.stats().documents;
    result_.others = there - std::min(there, result_.documents);
  }

  const CopyOptions& options_;
  job::Job job_;
  Collection from_, to_;
  CopyResult result_;
};

CopyResult copy_directory(const CopyOptions& options) {
  if (!options.layout.empty() || !options.progress_file.empty())
    throw Error(ErrorCode::usage, options.to + ": is a directory, which has no layout, and from a directory it is copied at one go");
  CollectionOpen open;
  open.only_stored = true;
  const Collection from(options.from, Access::read, open);
  if (is_there(options.to))
    throw Error(ErrorCode::usage, options.to +
                                      ": is there already, and a directory is copied into a new one; leitong collection export and "
                                      "import put one collection into another");
  from.backup(options.to);
  const Collection to(options.to, Access::read, open);
  to.check();
  const auto summed = [](const Collection& collection) {
    CopyResult out;
    collection.scan([&](const CollectionEntry& entry) {
      ++(entry.fingerprint ? out.documents : out.without);
      if (entry.fingerprint) out.checksum += digest(entry.id, *entry.fingerprint);
    });
    return out;
  };
  const CopyResult copied = summed(to);
  // A writer may have added documents since, but must not have removed any that are in the copy.
  if (const CopyResult source = summed(from); source.checksum != copied.checksum && source.documents <= copied.documents)
    throw Error(ErrorCode::format, fmt::format("{} and {} differ after the copy (checksums {:016x}, {:016x}); copy again", options.from,
                                               options.to, source.checksum, copied.checksum));
  return copied;
}

}  // namespace

CopyResult copy(const CopyOptions& options) {
  const bool servers = is_store_url(options.from) || is_store_url(options.to);
  if (collection::without_secrets(options.from) == collection::without_secrets(options.to))
    throw Error(ErrorCode::usage, collection::without_secrets(options.from) + ": is both what to copy and where to");
  if (!servers) return copy_directory(options);
  return CopyJob(options).run();
}

}  // namespace leitong
