#include "server/writer.h"

#include <span>
#include <utility>

#include "leitong/error.h"
#include "server/unique_fingerprints.h"

namespace leitong::server {
namespace {

constexpr std::uint64_t group_bytes = 8ULL << 20;
constexpr std::size_t group_records = 10'000;

std::uint64_t micros_since(std::chrono::steady_clock::time_point begun) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun).count());
}

bool is_same_query(const CollectionQuery& a, const CollectionQuery& b) {
  return a.k == b.k && a.verify == b.verify && a.allow_unverified == b.allow_unverified;
}

// Whether one call of the collection can do both.
bool go_together(const Write& a, const Write& b) {
  return a.kind == b.kind && a.kind != Write::Kind::erase && (a.kind == Write::Kind::add || is_same_query(a.query, b.query));
}

// Documents and fingerprints in their order, as few calls as that allows.
void add(Collection& collection, const std::vector<const Document*>& documents) {
  std::vector<CollectionDocument> texts;
  std::vector<CollectionFingerprint> fingerprints;
  const auto flush = [&] {
    if (!texts.empty()) collection.add(texts, Acknowledge::buffered);
    if (!fingerprints.empty()) collection.add_fingerprints(fingerprints, Acknowledge::buffered);
    texts.clear();
    fingerprints.clear();
  };
  for (const Document* one : documents) {
    if (!(one->fingerprint ? texts.empty() : fingerprints.empty())) flush();
    if (one->fingerprint)
      fingerprints.push_back({one->id, *one->fingerprint, one->metadata});
    else
      texts.push_back({one->id, one->text, one->metadata});
  }
  flush();
}

std::vector<CollectionOutcome> add_unique_texts(Collection& collection, std::span<const Document* const> documents,
                                                const CollectionQuery& query) {
  std::vector<CollectionDocument> texts;
  texts.reserve(documents.size());
  for (const Document* one : documents) texts.push_back({one->id, one->text, one->metadata});
  return collection.add_unique(texts, query, Acknowledge::buffered);
}

// Documents and fingerprints in their order, as few calls as that allows.
std::vector<CollectionOutcome> add_unique(Collection& collection, std::span<const Document* const> documents,
                                          const CollectionQuery& query) {
  std::vector<CollectionOutcome> out;
  for (std::size_t begin = 0, end = 0; begin < documents.size(); begin = end) {
    const bool is_fingerprint = documents[begin]->fingerprint.has_value();
    while (end < documents.size() && documents[end]->fingerprint.has_value() == is_fingerprint) ++end;
    const auto some = documents.subspan(begin, end - begin);
    auto outcomes = is_fingerprint ? add_unique_fingerprints(collection, some, query) : add_unique_texts(collection, some, query);
    out.insert(out.end(), std::make_move_iterator(outcomes.begin()), std::make_move_iterator(outcomes.end()));
  }
  return out;
}

std::uint64_t erase(Collection& collection, const Write& write) {
  std::vector<std::string_view> ids;
  for (const Document& one : write.documents) ids.push_back(one.id);
  return collection.erase(ids, Acknowledge::buffered);
}

bool is_of_disk(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    return error.code() == ErrorCode::io;
  } catch (...) {
    return false;
  }
}

// Writes, without waiting for the disk, the requests [begin, end), which go together.
void put(Collection& collection, std::span<Write* const> writes, std::span<Written> written) {
  if (writes[0]->kind == Write::Kind::erase) {
    written[0].erased = erase(collection, *writes[0]);
    return;
  }
  std::vector<const Document*> all;
  for (const Write* write : writes)
    for (const Document& one : write->documents) all.push_back(&one);
  if (writes[0]->kind == Write::Kind::add) {
    add(collection, all);
    return;
  }
  std::vector<CollectionOutcome> outcomes = add_unique(collection, all, writes[0]->query);
  auto next = outcomes.begin();
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const auto end = next + static_cast<std::ptrdiff_t>(writes[i]->documents.size());
    written[i].outcomes.assign(std::make_move_iterator(next), std::make_move_iterator(end));
    next = end;
  }
}

// What one request has wrong must not fail those that were grouped with it.
void put_or_fail(Collection& collection, std::span<Write* const> writes, std::span<Written> written) {
  try {
    put(collection, writes, written);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::io || error.code() == ErrorCode::interrupted) throw;
    if (writes.size() == 1) {
      written[0].failed = std::current_exception();
      return;
    }
    for (std::size_t i = 0; i < writes.size(); ++i) put_or_fail(collection, writes.subspan(i, 1), written.subspan(i, 1));
  }
}

}  // namespace

void Writer::write(Write write, std::uint64_t bytes) {
  bool schedule = false;
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({std::move(write), bytes, std::chrono::steady_clock::now()});
    schedule = !std::exchange(scheduled_, true);
  }
  if (schedule) workers_.post([this] { drain(); });
}

Writer::Group Writer::take_group() {
  const std::lock_guard lock(mutex_);
  Group group;
  std::uint64_t bytes = 0;
  std::size_t records = 0;
  while (!waiting_.empty() && bytes < group_bytes && records < group_records) {
    bytes += waiting_.front().bytes;
    records += waiting_.front().write.documents.size();
    group.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  if (group.empty()) scheduled_ = false;
  return group;
}

// One group, so that the collections that wait for a thread have their turn.
void Writer::drain() {
  Group group = take_group();
  if (group.empty()) return;
  commit(group);
  workers_.post([this] { drain(); });
}

void Writer::commit(Group& group) {
  const auto begun = std::chrono::steady_clock::now();
  std::vector<Write*> writes;
  bool durable = false;
  std::size_t records = 0;
  for (Waiting& one : group) {
    writes.push_back(&one.write);
    durable = durable || one.write.acknowledge == Acknowledge::durable;
    records += one.write.documents.size();
  }
  std::vector<Written> written(group.size());
  std::uint64_t computing = 0, syncing = 0;
  try {
    target_.with([&](Collection& collection) {
      for (std::size_t begin = 0, end = 0; begin < writes.size(); begin = end) {
        end = begin + 1;
        while (end < writes.size() && go_together(*writes[begin], *writes[end])) ++end;
        put_or_fail(collection, std::span(writes).subspan(begin, end - begin), std::span(written).subspan(begin, end - begin));
      }
      computing = micros_since(begun);
      if (durable) collection.sync();
      syncing = micros_since(begun) - computing;
    });
    metrics_.observe(Metrics::write_batch_records, {name_}, static_cast<double>(records));
    if (durable) metrics_.observe(Metrics::sync_seconds, {name_}, static_cast<double>(syncing) / 1e6);
  } catch (...) {
    // Whatever of the group is in, none of it was acknowledged.
    for (Written& one : written) one = {std::current_exception(), {}, 0};
    if (is_of_disk(std::current_exception())) target_.reopen();
  }
  for (std::size_t i = 0; i < group.size(); ++i) {
    Write& write = group[i].write;
    if (write.trace) {
      write.trace->queued +=
          static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(begun - group[i].since).count());
      write.trace->computing += computing;
      write.trace->syncing += syncing;
    }
    count(write, written[i]);
    budget_.give_back(group[i].bytes);
    const auto done = std::move(write.done);
    done(std::move(written[i]), std::move(write.documents));
  }
}

void Writer::count(const Write& write, const Written& written) {
  if (written.failed || write.kind == Write::Kind::erase) return;
  std::uint64_t added = write.documents.size();
  for (const CollectionOutcome& outcome : written.outcomes) added -= outcome.added ? 0 : 1;
  metrics_.add(Metrics::documents_added, {name_}, static_cast<double>(added));
  if (write.kind == Write::Kind::add_unique)
    metrics_.add(Metrics::duplicates_refused, {name_}, static_cast<double>(write.documents.size() - added));
}

}  // namespace leitong::server
