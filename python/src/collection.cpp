// A collection: opened, added to, asked, and left alone after a fork.
#include "leitong/collection.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <memory>
#include <mutex>
#include <utility>

#include "bindings.h"
#include "leitong/error.h"
#include "options.h"
#include "texts.h"
#include "values.h"
#include "waiting.h"

namespace leitong::python {
namespace {

CollectionOptions options_of(const nb::dict& given) {
  CollectionOptions options;
  std::string profile = options.profile.name, ids = "text";
  set_option(given, "profile", profile);
  options.profile = profile_of(profile);
  set_option(given, "k", options.k);
  set_option(given, "ids", ids);
  if (ids != "text" && ids != "number") throw Error(ErrorCode::usage, "ids: '" + ids + "' is none of text, number");
  options.ids = ids == "number" ? CollectionIds::number : CollectionIds::text;
  set_option(given, "texts", options.texts);
  set_option(given, "metadata", options.metadata);
  set_option(given, "fingerprints_only", options.fingerprints_only);
  return options;
}

CollectionOpen open_of(const nb::dict& given) {
  CollectionOpen open;
  set_option(given, "key", open.key);
  set_option(given, "threads", open.threads);
  set_option(given, "memory", open.memory);
  return open;
}

CollectionQuery query_of(const nb::dict& given) {
  CollectionQuery query;
  set_option(given, "k", query.k);
  set_option(given, "most", query.most);
  set_option(given, "verify", query.verify);
  set_option(given, "allow_unverified", query.allow_unverified);
  std::string rule = query.rule.name;
  set_option(given, "rule", rule);
  query.rule = rule_of(rule);
  return query;
}

nb::tuple python_match(const CollectionMatch& match) {
  return nb::make_tuple(python_text(match.id), match.distance ? nb::cast(*match.distance) : nb::none(),
                        match.similarity ? nb::cast(*match.similarity) : nb::none(), match.verified, python_hex(match.fingerprint));
}

nb::tuple python_answer(const CollectionAnswer& answer) {
  nb::list matches;
  for (const CollectionMatch& match : answer.matches) matches.append(python_match(match));
  return nb::make_tuple(matches, answer.truncated);
}

nb::tuple python_entry(const CollectionEntry& entry, bool keeps_texts) {
  const bool has_text = keeps_texts && !entry.unverified;
  return nb::make_tuple(python_text(entry.id), entry.sequence, python_hex(entry.fingerprint),
                        has_text ? nb::object(python_text(entry.text)) : nb::none(),
                        entry.metadata.empty() ? nb::none() : nb::object(python_text(entry.metadata)));
}

// Views of a list of str, and what they look into.
struct Views {
  explicit Views(const nb::list& list, const char* what) {
    for (const nb::handle item : list) {
      std::optional<HeldText> text = held_text(item);
      if (!text && !item.is_none()) throw Error(ErrorCode::usage, std::string(what) + " must be str");
      views.push_back(text ? text->text : std::string_view());
      if (text) held.push_back(std::move(text->held));
    }
  }
  std::vector<std::string_view> views;
  std::vector<nb::object> held;
};

// Documents in batches: ids and metadata as lists, texts as a list or a stream.
class Documents {
 public:
  Documents(const nb::list& ids, nb::handle texts, const nb::list& metadata)
      : ids_(ids, "ids"), metadata_(metadata, "metadata"), texts_(texts_of(texts, "text")) {}

  // Documents of which one has no text are refused: what is not there resembles nothing.
  bool next() {
    documents.clear();
    if (!texts_->next(batch_)) {
      if (at_ != ids_.views.size()) throw Error(ErrorCode::usage, "there are more ids than texts");
      return false;
    }
    for (const std::string_view text : batch_.texts) {
      if (at_ == ids_.views.size()) throw Error(ErrorCode::usage, "there are more texts than ids");
      if (text.data() == nullptr || ids_.views[at_].data() == nullptr)
        throw Error(ErrorCode::usage, "document " + std::to_string(at_) + " has no " + (text.data() == nullptr ? "text" : "id"));
      documents.push_back({ids_.views[at_], text, metadata_.views.empty() ? std::string_view() : metadata_.views[at_]});
      ++at_;
    }
    return true;
  }
  std::vector<CollectionDocument> documents;

 private:
  Views ids_, metadata_;
  std::unique_ptr<Texts> texts_;
  TextBatch batch_;
  std::size_t at_ = 0;
};

class Handle {
 public:
  Handle(const std::string& where, bool write, const nb::dict& given) : writes_(write), open_(open_of(given)) {
    collection_ = without_lock([&] { return std::make_shared<Collection>(where, write ? Access::write : Access::read, open_); });
  }
  explicit Handle(const nb::dict& given) : writes_(true), open_(open_of(given)) {  // in memory
    collection_ = std::make_shared<Collection>(Collection::in_memory(options_of(given), open_));
  }
  // In a child process the parent's collection is not the child's to end: it is forgotten.
  ~Handle() {
    if (::getpid() != owner_) {
      static_cast<void>(new std::shared_ptr<Collection>(std::move(collection_)));
      return;
    }
    const nb::gil_scoped_release release;
    collection_.reset();
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  [[nodiscard]] std::shared_ptr<Collection> get() const {
    const std::lock_guard lock(mutex_);
    if (!collection_) throw Error(ErrorCode::usage, "the collection is closed");
    if (writes_ && ::getpid() != owner_)
      throw Error(ErrorCode::usage, "this process was forked from the one that has opened the collection to write; open it here to read");
    return collection_;
  }

  void close() {
    std::shared_ptr<Collection> last;
    {
      const std::lock_guard lock(mutex_);
      if (!collection_) return;
      if (::getpid() != owner_) return;
      last = std::move(collection_);
    }
    without_lock([&] {
      if (writes_) last->close();
      last.reset();
    });
  }

  std::uint64_t add(const nb::list& ids, nb::handle texts, const nb::list& metadata, bool durable) {
    const auto collection = get();
    Documents documents(ids, texts, metadata);
    std::uint64_t added = 0;
    while (documents.next()) {
      if (PyErr_CheckSignals() != 0) raise_interrupted(nb::python_error());
      without_lock([&] { collection->add(documents.documents, Acknowledge::buffered); });
      added += documents.documents.size();
    }
    if (durable) without_lock([&] { collection->sync(); });
    return added;
  }

  nb::list add_unique(const nb::list& ids, nb::handle texts, const nb::list& metadata, bool durable, const nb::dict& given) {
    constexpr std::size_t slice = 256;  // it looks up from a signal that often
    const auto collection = get();
    const CollectionQuery query = query_of(given);
    Documents documents(ids, texts, metadata);
    nb::list out;
    while (documents.next()) {
      for (std::size_t i = 0; i < documents.documents.size(); i += slice) {
        if (PyErr_CheckSignals() != 0) raise_interrupted(nb::python_error());
        const auto some = std::span(documents.documents).subspan(i, std::min(slice, documents.documents.size() - i));
        for (const CollectionOutcome& outcome : without_lock([&] { return collection->add_unique(some, query, Acknowledge::buffered); }))
          out.append(nb::make_tuple(outcome.added, outcome.replaced, outcome.present,
                                    outcome.match ? nb::object(python_match(*outcome.match)) : nb::none()));
      }
    }
    if (durable) without_lock([&] { collection->sync(); });
    return out;
  }

  nb::list query(nb::handle source, const nb::dict& given) const {
    constexpr std::size_t slice = 256;
    const auto collection = get();
    const CollectionQuery query = query_of(given);
    std::unique_ptr<Texts> texts = texts_of(source, "text");
    nb::list out;
    for (TextBatch batch; texts->next(batch);) {
      for (std::string_view& text : batch.texts)
        if (text.data() == nullptr) text = "";
      for (std::size_t i = 0; i < batch.texts.size(); i += slice) {
        if (PyErr_CheckSignals() != 0) raise_interrupted(nb::python_error());
        const auto some = std::span<const std::string_view>(batch.texts).subspan(i, std::min(slice, batch.texts.size() - i));
        for (const CollectionAnswer& answer : without_lock([&] { return collection->query_all(some, query); }))
          out.append(python_answer(answer));
      }
    }
    return out;
  }

  nb::object query_id(const std::string& id, const nb::dict& given) const {
    const auto collection = get();
    const CollectionQuery query = query_of(given);
    const std::optional<CollectionAnswer> answer = without_lock([&] { return collection->query_id(id, query); });
    return answer ? nb::object(python_answer(*answer)) : nb::none();
  }

  nb::list get_all(const nb::list& ids) const {
    const auto collection = get();
    const Views views(ids, "ids");
    nb::list out;
    for (const auto& entry : without_lock([&] { return collection->get_all(views.views); }))
      out.append(entry ? nb::object(python_entry(*entry, collection->options().texts)) : nb::none());
    return out;
  }

  std::uint64_t erase(const nb::list& ids, bool durable) {
    const auto collection = get();
    const Views views(ids, "ids");
    return without_lock([&] { return collection->erase(views.views, durable ? Acknowledge::durable : Acknowledge::buffered); });
  }

  // Up to `most` documents from a place on, and the place behind them; None at the end.
  nb::tuple scan(const std::string& place, std::size_t most) const {
    struct Enough {};
    const auto collection = get();
    std::vector<CollectionEntry> entries;
    std::string reached;
    const bool ended = without_lock([&] {
      try {
        collection->scan_from(
            place, [&](const CollectionEntry& entry) { entries.push_back(entry); },
            [&](const std::string& now) {
              reached = now;
              if (entries.size() >= most) throw Enough();
            });
        return true;
      } catch (const Enough&) {
        return false;
      }
    });
    nb::list out;
    for (const CollectionEntry& entry : entries) out.append(python_entry(entry, collection->options().texts));
    return nb::make_tuple(out, ended ? nb::none() : nb::cast(reached));
  }

  // Computed anew by a writer, else the last ones.
  nb::list clusters(const std::string& rule, bool allow_unverified, bool last, nb::handle progress) {
    const auto collection = get();
    nb::list out;
    if (!last) {
      CollectionClusterOptions options;
      options.allow_unverified = allow_unverified;
      options.rule = rule_of(rule);
      wait_for(progress, [&](JobOptions& job) {
        options.job = job;
        collection->update_clusters(options);
      });
    }
    std::vector<CollectionCluster> found;
    without_lock([&] { collection->clusters([&](const CollectionCluster& cluster) { found.push_back(cluster); }); });
    for (const CollectionCluster& cluster : found) {
      nb::list documents;
      for (const std::string& id : cluster.documents) documents.append(python_text(id));
      out.append(nb::make_tuple(cluster.id, documents, python_text(cluster.keep)));
    }
    return out;
  }

  nb::dict stats() const {
    const auto collection = get();
    const CollectionStats stats = without_lock([&] { return collection->stats(); });
    nb::dict out;
    out["documents"] = stats.documents;
    out["runs"] = stats.runs;
    out["rows"] = stats.rows;
    out["memory_rows"] = stats.memory_rows;
    out["bytes"] = stats.bytes;
    out["log_bytes"] = stats.log_bytes;
    return out;
  }

  nb::dict about() const {
    const auto collection = get();
    const CollectionOptions& options = collection->options();
    nb::dict out;
    out["profile"] = options.profile.name;
    out["profile_id"] = collection->profile_id();
    out["k"] = options.k;
    out["texts"] = options.texts;
    out["metadata"] = options.metadata;
    out["ids"] = options.ids == CollectionIds::number ? "number" : "text";
    return out;
  }

  void compact() {
    const auto collection = get();
    wait_for(nb::none(), [&](JobOptions&) { collection->compact(); });
  }
  void backup(const std::string& directory) const {
    const auto collection = get();
    wait_for(nb::none(), [&](JobOptions&) { collection->backup(directory); });
  }
  void check() const {
    const auto collection = get();
    wait_for(nb::none(), [&](JobOptions&) { collection->check(); });
  }
  void refresh() {
    const auto collection = get();
    without_lock([&] { collection->refresh(); });
  }
  void sync() {
    const auto collection = get();
    without_lock([&] { collection->sync(); });
  }

 private:
  mutable std::mutex mutex_;  // of the pointer; a Collection is any thread's
  std::shared_ptr<Collection> collection_;
  bool writes_;
  CollectionOpen open_;
  pid_t owner_ = ::getpid();
};

// Documents are a list of ids, their texts, and a list of metadata, which may be empty.
void bind_writing(nb::class_<Handle>& type) {
  type.def("add", &Handle::add, nb::arg("ids"), nb::arg("texts"), nb::arg("metadata"), nb::arg("durable"),
           nb::sig("def add(self, ids: list[str], texts: object, metadata: list[str | None], durable: bool) -> int"))
      .def("add_unique", &Handle::add_unique, nb::arg("ids"), nb::arg("texts"), nb::arg("metadata"), nb::arg("durable"), nb::arg("query"),
           nb::sig("def add_unique(self, ids: list[str], texts: object, metadata: list[str | None], durable: bool, "
                   "query: dict[str, typing.Any]) -> "
                   "list[tuple[bool, bool, bool, tuple[str, int | None, float | None, bool, str | None] | None]]"))
      .def("erase", &Handle::erase, nb::arg("ids"), nb::arg("durable"), nb::sig("def erase(self, ids: list[str], durable: bool) -> int"))
      .def("clusters", &Handle::clusters, nb::arg("rule"), nb::arg("allow_unverified"), nb::arg("last"), nb::arg("progress").none(),
           nb::sig("def clusters(self, rule: str, allow_unverified: bool, last: bool, progress: typing.Any) -> "
                   "list[tuple[int, list[str], str]]"));
}

void bind_asking(nb::class_<Handle>& type) {
  type.def("query", &Handle::query, nb::arg("texts"), nb::arg("query"),
           nb::sig("def query(self, texts: object, query: dict[str, typing.Any]) -> "
                   "list[tuple[list[tuple[str, int | None, float | None, bool, str | None]], bool]]"))
      .def("query_id", &Handle::query_id, nb::arg("id"), nb::arg("query"),
           nb::sig("def query_id(self, id: str, query: dict[str, typing.Any]) -> "
                   "tuple[list[tuple[str, int | None, float | None, bool, str | None]], bool] | None"))
      .def("get_all", &Handle::get_all, nb::arg("ids"),
           nb::sig("def get_all(self, ids: list[str]) -> list[tuple[str, int, str | None, str | None, str | None] | None]"))
      .def("scan", &Handle::scan, nb::arg("place"), nb::arg("most"),
           nb::sig("def scan(self, place: str, most: int) -> "
                   "tuple[list[tuple[str, int, str | None, str | None, str | None]], str | None]"));
}

}  // namespace

void bind_collection(nb::module_& m) {
  m.def(
      "create_collection", [](const std::string& where, const nb::dict& given) { Collection::create(where, options_of(given)); },
      nb::arg("where"), nb::arg("options"), nb::sig("def create_collection(where: str, options: dict[str, typing.Any]) -> None"));
  nb::class_<Handle> type(m, "Collection", "A collection that is open.");
  type.def(nb::init<const std::string&, bool, const nb::dict&>(), nb::arg("where"), nb::arg("write"), nb::arg("options"),
           nb::sig("def __init__(self, where: str, write: bool, options: dict[str, typing.Any]) -> None"));
  type.def_static(
      "in_memory", [](const nb::dict& given) { return new Handle(given); }, nb::arg("options"), nb::rv_policy::take_ownership,
      nb::sig("def in_memory(options: dict[str, typing.Any]) -> Collection"));
  bind_writing(type);
  bind_asking(type);
  type.def("close", &Handle::close)
      .def("stats", &Handle::stats, nb::sig("def stats(self) -> dict[str, int]"))
      .def("about", &Handle::about, nb::sig("def about(self) -> dict[str, typing.Any]"))
      .def("compact", &Handle::compact)
      .def("backup", &Handle::backup, nb::arg("directory"))
      .def("check", &Handle::check)
      .def("refresh", &Handle::refresh)
      .def("sync", &Handle::sync);
}

}  // namespace leitong::python
