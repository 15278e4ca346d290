// Writer: what clients want written to one collection, in order, many requests at a time: one commit, and one wait for the disk.
#pragma once

#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "leitong/collection.h"
#include "server/metrics.h"
#include "server/trace.h"
#include "server/workers.h"
#include "server/write_budget.h"

namespace leitong::server {

struct Document {
  std::string id, text, metadata;
  std::optional<Fingerprint> fingerprint;  // instead of the text

  [[nodiscard]] std::uint64_t bytes() const { return sizeof(Document) + id.size() + text.size() + metadata.size(); }
};

struct Written {
  std::exception_ptr failed;                // then nothing of the rest
  std::vector<CollectionOutcome> outcomes;  // of unique ones: one a document
  std::uint64_t erased = 0;
};

// What one request, or one batch of a stream, wants written: all of it or none after an error.
struct Write {
  enum class Kind { add, add_unique, erase };
  Kind kind = Kind::add;
  std::vector<Document> documents;  // of erase: ids
  CollectionQuery query;            // of add_unique
  Acknowledge acknowledge = Acknowledge::durable;
  Trace trace;
  std::function<void(Written, std::vector<Document>)> done;  // from a thread of the writers; gives the documents back
};

// What the writer writes to. A collection, or in tests something that fails.
class WriteTarget {
 public:
  WriteTarget() = default;
  virtual ~WriteTarget() = default;
  WriteTarget(const WriteTarget&) = delete;
  WriteTarget& operator=(const WriteTarget&) = delete;
  // Calls `use` with the collection, which stays what it is meanwhile. Throws if it is gone or cannot be opened.
  virtual void with(const std::function<void(Collection&)>& use) = 0;
  // An error of the disk is final for a collection that is open: called after one, so that the next with() opens it anew.
  virtual void reopen() = 0;
};

class Writer {
 public:
  Writer(std::string name, WriteTarget& target, Workers& workers, WriteBudget& budget, Metrics& metrics)
      : name_(std::move(name)), target_(target), workers_(workers), budget_(budget), metrics_(metrics) {}

  // The bytes were taken from the budget; the writer gives them back.
  void write(Write write, std::uint64_t bytes);

 private:
  struct Waiting {
    Write write;
    std::uint64_t bytes;
    std::chrono::steady_clock::time_point since;
  };
  using Group = std::vector<Waiting>;

  void drain();
  [[nodiscard]] Group take_group();
  void commit(Group& group);
  void count(const Write& write, const Written& written);

  std::string name_;
  WriteTarget& target_;
  Workers& workers_;
  WriteBudget& budget_;
  Metrics& metrics_;
  std::mutex mutex_;
  std::deque<Waiting> waiting_;
  bool scheduled_ = false;  // one thread at a time writes to a collection
};

}  // namespace leitong::server
