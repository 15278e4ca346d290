// Collections: those that are served, by name, and each while it is open.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "leitong/collection.h"
#include "leitong/server.h"
#include "server/cluster_feed.h"
#include "server/problem.h"
#include "server/writer.h"

namespace leitong::server {

// What all collections share.
struct Engine {
  const ServerOptions& options;
  Metrics& metrics;
  WriteBudget budget{options.limits.queue};
  Workers workers{options.threads};  // questions and fingerprints
  Workers writers{2};                // so that a slow collection does not hold up another
};

class ServedCollection : public WriteTarget {
 public:
  ServedCollection(std::string name, std::string where, bool is_ours, Engine& engine);

  void open();   // what goes wrong is kept, and said to whoever uses it
  void close();  // ends well; then it is gone
  // One that cannot be written to is opened again first, once a second at most.
  void with(const std::function<void(Collection&)>& use) override;
  void reopen() override;
  // For what only reads: goes on where the disk refuses to write.
  void ask(const std::function<void(const Collection&)>& use);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] bool is_ours() const { return is_ours_; }  // lies in the directory of collections, and may be removed
  [[nodiscard]] std::string problem() const;               // why it cannot be used; empty: it can
  [[nodiscard]] bool broken() const { return broken_; }    // could be written to, and cannot any more
  Writer& writer() { return writer_; }
  ClusterFeed& feed() { return feed_; }

 private:
  void open_locked();
  void open_again();
  void require_there() const;
  [[nodiscard]] Problem not_open() const;

  std::string name_, where_;
  bool is_ours_;
  Engine& engine_;
  mutable std::shared_mutex mutex_;  // shared by all who use the collection; alone by who opens or closes it
  std::unique_ptr<Collection> collection_;
  std::exception_ptr failure_;  // why it cannot be written to
  std::chrono::steady_clock::time_point opened_;
  std::atomic<bool> begun_{false};  // it was opened, or could not be
  std::atomic<bool> failed_{false}, broken_{false}, gone_{false};
  ClusterFeed feed_;
  Writer writer_;
};
using CollectionPtr = std::shared_ptr<ServedCollection>;

class Collections {
 public:
  // Of ServerOptions::where. Opens nothing yet. Throws Error(usage) for operands that contradict each other, Error(io).
  explicit Collections(Engine& engine);

  void open_all();  // one after the other; what cannot be opened is noted
  [[nodiscard]] bool opening() const { return opening_; }
  void close_all();

  // Throws Problem(404).
  [[nodiscard]] CollectionPtr find(std::string_view name) const;
  [[nodiscard]] std::vector<CollectionPtr> all() const;
  // Throws Problem: 409 if there is one of that name, 422 for a name that none can have, 501 without a directory for it.
  CollectionPtr create(const std::string& name, const CollectionOptions& options);
  void remove(const CollectionPtr& collection);

 private:
  void add(std::string name, std::string where, bool is_ours);
  void add_directory(const std::string& directory);

  Engine& engine_;
  std::string root_;  // directory of collections; empty: none
  mutable std::mutex mutex_;
  std::map<std::string, CollectionPtr, std::less<>> all_;
  std::mutex changing_;  // one creates or removes at a time
  std::atomic<bool> opening_{true};
};

}  // namespace leitong::server
