// Collection: a durable collection of documents. Add every day, ask at any time, lose nothing.
//
//     Collection::create("news", {.profile = load_profile("leitong-1"), .texts = true});
//     Collection collection("news", Access::write);
//     collection.add({{{"a1", "the text"}}}, Acknowledge::durable);
//     for (const CollectionMatch& m : collection.query("the text!").matches) use(m.id, *m.similarity);
//
// It stands in a directory; or, as fingerprints and nothing else, on a server or in memory:
//
//     Collection::create("redis://localhost:6379/0?prefix=news:", {.profile = load_profile("leitong-1")});
//     Collection collection("redis://localhost:6379/0?prefix=news:", Access::write);
//
// redis:// rediss:// redis+cluster:// rediss+cluster:// es+http:// es+https:// are addresses of servers (docs/remote-stores.md). There any
// number of processes write, documents have no sequence numbers (0), and are found by their fingerprints within k bits; each row of a call
// is added or not, durable as far as the server makes it so; all matches count for add_unique, of several writers too;
// and calls of several threads wait for each other.
//
// In a directory one process writes, any number read, each a state that was: an open Collection sees everything that it added itself, and
// of another writer what refresh() last saw. A document is its id; adding an id again replaces it. What is on disk is specified in
// docs/file-format.md.
//
// Threads: any thread may call anything. Errors: usage (no collection, another profile, a second writer, what it does not keep), format
// (damaged files, bad ids), io; the last is final for a writer: it adds no more, reading goes on, and whoever opens the collection next
// finds everything that was acknowledged as durable. Complexity of queries: docs/hamming-index.md, once for each of a few runs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/access.h"
#include "leitong/fingerprint.h"
#include "leitong/job.h"
#include "leitong/profile.h"
#include "leitong/recall.h"
#include "leitong/rule.h"

namespace leitong {

enum class CollectionIds { text, number };  // byte strings of 1 to 65,535 bytes; decimal numbers below 2^64, kept in 8 bytes

// Fixed when a collection is made. Its documents' fingerprints are of one profile; which of them are near-duplicates is for the rule of
// each question to say.
struct CollectionOptions {
  Profile profile;
  unsigned k = 3;  // bits in which near fingerprints may differ: indexes are laid out for it, queries take it by default
  CollectionIds ids = CollectionIds::text;
  bool texts = false;     // keep texts, compressed: matches are verified, documents can be read back and exported
  bool metadata = false;  // keep a JSON value with each document
  // Nothing beside fingerprints is kept, so that all that queries go by is k. Otherwise, of profiles with a second sketch, that is kept,
  // and candidates are found by its bands and by the features of short texts, as dedup finds them.
  bool fingerprints_only = false;
  std::optional<RecallGoal> goal;  // of the bands; none: dedup's for tens of millions of records
  // Of which pages' texts it is made, as page_rule() says it; empty: of none, or it was not said. Who adds or asks with others' texts of
  // pages is told so by the command line.
  std::string pages;
  // On a server: how it is stored there, as the name of a preset (compact, article-plain, article-positioned) or as JSON;
  // docs/remote-stores.md. Empty: compact; of what is adopted: what inspect_store() takes it for.
  std::string layout;
};

struct CollectionOpen {
  std::string profile_id;  // if not empty: another one is refused, and the difference named
  // Only what is stored matters: get, scan, erase, stats, check, compact, backup. The profile's key and dictionaries are not needed; query
  // and add of texts are Error(usage).
  bool only_stored = false;
  std::string key;           // of a profile with a key, which no file of the collection holds
  unsigned threads = 0;      // for fingerprints and building indexes; 0: all cores
  std::uint64_t memory = 0;  // bytes that a merge may take, and so many all tables of new documents together; 0: half of the machine's
};

struct CollectionDocument {
  std::string_view id, text;
  std::string_view metadata = {};  // a JSON value, or nothing
};
// One that comes without its text. Its matches are never verified.
struct CollectionFingerprint {
  std::string_view id;
  Fingerprint fingerprint;
  std::string_view metadata = {};
};

struct CollectionMatch {
  std::string id;
  std::uint64_t sequence = 0;        // of the stored document
  std::optional<unsigned> distance;  // bits between the fingerprints; none: one has none
  std::optional<double> similarity;  // multiset Jaccard of the texts if they are kept, else estimated from second sketches; none: no means
  bool verified = false;             // the texts are equal, or were compared and the query's rule calls them near-duplicates
  bool imported = false;             // the stored document came as a fingerprint
  std::optional<Fingerprint> fingerprint;  // of the stored document
};

struct CollectionAnswer {
  std::vector<CollectionMatch> matches;
  bool truncated = false;  // there were more candidates than one query looks at (10,000): matches may be missing
};

struct CollectionQuery {
  // All within k bits and nothing else; none: the profile's own method, without one the collection's k.
  std::optional<unsigned> k;
  std::optional<std::uint64_t> most;  // only the best so many
  bool verify = true;                 // leave out what the texts, where they are kept, refute
  bool allow_unverified = false;      // add_unique: a fingerprint that came without its text is enough to refuse a document
  Rule rule = {};                     // of what keeps more than fingerprints
};

// What a document met that was to be added only if nothing like it was there.
struct CollectionOutcome {
  bool added = false;
  bool replaced = false;                 // added in the place of another document of the same id, which it does not resemble
  bool present = false;                  // not added: what it resembles is the document of its own id
  std::uint64_t sequence = 0;            // if it was added
  std::optional<CollectionMatch> match;  // if not: that of its own id, or one of the best by their sketches
  bool truncated = false;                // as in CollectionAnswer
};

struct CollectionEntry {
  std::string id;
  std::uint64_t sequence = 0;
  std::optional<Fingerprint> fingerprint;
  std::string text, metadata;  // empty: none kept
  bool unverified = false;     // came as a fingerprint
};

struct CollectionStats {
  std::uint64_t documents = 0;  // counted in a pass over ids
  std::uint64_t next_sequence = 1;
  std::uint64_t runs = 0, rows = 0, memory_rows = 0;  // rows of runs and in memory, replaced and erased ones included
  std::uint64_t bytes = 0, log_bytes = 0;             // on disk; on a server: of the index or of the server's memory
  std::string server;                                 // "Redis 7.0.15", "memory"; empty: a directory
};

// Near-duplicates among the documents, grouped as dedup groups them. A document without a like is in no cluster.
struct CollectionCluster {
  std::uint64_t id = 0;                // the smallest sequence number among them
  std::vector<std::string> documents;  // by sequence number
  std::string keep;                    // the one that dedup would keep
};

// Which clusters they are. Equal marks mean equal clusters, also among copies of a collection that went on each for itself.
struct CollectionClusterMark {
  std::uint64_t state = 0;  // 0: never computed; one more each time that something was told
  std::uint64_t key = 0;    // drawn at random for each state, never 0
  friend bool operator==(const CollectionClusterMark&, const CollectionClusterMark&) = default;
};

struct CollectionClusterState {
  CollectionClusterMark mark;
  std::uint64_t sequence = 1;  // of the next document to be added, when it was computed
  std::uint64_t clusters = 0, documents = 0;
  std::string rule = {}, rule_id = {};  // that they were computed by; empty: never computed
};

// What a person would say of `was` of a change, or of its `cluster` if that is new. `reset` is of no cluster: forget everything, all
// clusters follow as begun. `changed`: some documents came and some went; `kept`: only another one is kept.
enum class CollectionClusterStep { reset, begun, gone, split, merged, renamed, grown, shrunk, changed, kept };

// A step from one state of the clusters to the next: of the documents of `was` take away `removed`, put `added` to them, and call what is
// left `cluster`; if nothing is left, that cluster ends. Documents are told by id, so that one that was replaced and stays changes nothing.
struct CollectionClusterChange {
  CollectionClusterStep what = CollectionClusterStep::reset;
  std::uint64_t state = 0, sequence = 1;  // that it leads to
  std::uint64_t cluster = 0;
  std::optional<std::uint64_t> was;       // no other step of the same state has it
  std::vector<std::uint64_t> from, into;  // clusters before of its documents; clusters now of the documents of `was`
  std::vector<std::string> added, removed;
  std::string keep;
  std::uint64_t documents = 0;
};

struct CollectionClusterOptions {
  bool allow_unverified = false;               // what came as a fingerprint is within k bits of others, and takes part
  std::optional<CollectionClusterMark> since;  // what who is told has; none: the last one. Of any other there is a reset
  Rule rule = {};                              // may be another than that of the last time: its clusters are then told as changes, too
  JobOptions job;
};

namespace collection {
class CollectionBackend;
}
[[nodiscard]] bool is_store_url(std::string_view where);  // of a server; anything else is a directory

// What a store on a server that another program has filled was taken for, and why. Sentences are without a full stop.
struct StoreInspection {
  std::string layout;  // as JSON; empty: none fits
  std::vector<std::string> evidence, doubts;
};
[[nodiscard]] StoreInspection inspect_store(const std::string& url);

class Collection {
 public:
  // Error(usage) if there is one already. On servers: profiles of 64 bits, and neither texts nor metadata.
  static void create(const std::string& where, const CollectionOptions& options);
  // Takes over what another program has stored on a server: leaves a record of profile and layout there, and changes nothing else. Without
  // a layout one is taken that what is stored bears out, and no other: fingerprints are made again of `sample` (ids and texts of stored
  // documents) or of texts that are stored, and looked up in every reading that fits. Where there is no text the profile's own order of
  // bits decides, as `fingerprint --format bits` prints it. Error(usage) where no reading fits, or several. Tells what it took, and why.
  static StoreInspection adopt(const std::string& url, const CollectionOptions& options, std::span<const CollectionDocument> sample = {});
  // For as long as the object lives. Profiles of 64 bits, fingerprints only.
  [[nodiscard]] static Collection in_memory(const CollectionOptions& options, const CollectionOpen& open = {});
  Collection(const std::string& where, Access access, const CollectionOpen& open = {});
  ~Collection();  // ends well, as close() does, but for errors
  Collection(Collection&&) noexcept;

  [[nodiscard]] const CollectionOptions& options() const;
  [[nodiscard]] const std::string& profile_id() const;

  // Adds or replaces, all or (after a crash) none of a call. Returns the first's sequence number; the others follow.
  std::uint64_t add(std::span<const CollectionDocument> documents, Acknowledge acknowledge);
  std::uint64_t add_fingerprints(std::span<const CollectionFingerprint> fingerprints, Acknowledge acknowledge);
  // In a directory: documents and fingerprints that become part of the collection all at once, durable, by commit(); without it, or after a
  // crash, none of them does. They take no log. Until it is committed or goes, nothing else is added or erased and close() refuses
  // (Error(usage)); reading goes on. The Collection outlives it.
  class Load {
   public:
    ~Load();
    Load(Load&&) noexcept;
    void add(std::span<const CollectionDocument> documents);
    void add(std::span<const CollectionFingerprint> fingerprints);
    std::uint64_t commit();  // returns the first's sequence number; the others follow

   private:
    friend class Collection;
    struct Parts;
    explicit Load(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
  };
  [[nodiscard]] Load load();
  // In order: adds each document that matches nothing stored, those before it in this call included. What is added depends on the order.
  // Calls of several threads wait for each other; blank texts match nothing, so each of them is added.
  [[nodiscard]] std::vector<CollectionOutcome> add_unique(std::span<const CollectionDocument> documents, const CollectionQuery& query,
                                                          Acknowledge acknowledge);
  // Returns how many of the ids were there.
  std::uint64_t erase(std::span<const std::string_view> ids, Acknowledge acknowledge);

  // Near documents, the most similar first, then the nearest, then the oldest.
  [[nodiscard]] CollectionAnswer query(std::string_view text, const CollectionQuery& query = {}) const;
  [[nodiscard]] CollectionAnswer query(const Fingerprint& fingerprint, const CollectionQuery& query = {}) const;
  // Answers to many, in parallel and, from a server, in one round trip; several times as fast as one by one.
  [[nodiscard]] std::vector<CollectionAnswer> query_all(std::span<const std::string_view> texts, const CollectionQuery& query = {}) const;
  [[nodiscard]] std::vector<CollectionAnswer> query_all(std::span<const Fingerprint> fingerprints, const CollectionQuery& query = {}) const;
  // What is near a document of the collection, itself left out, by what is kept of it; none: the id is not there.
  [[nodiscard]] std::optional<CollectionAnswer> query_id(std::string_view id, const CollectionQuery& query = {}) const;
  [[nodiscard]] std::optional<CollectionEntry> get(std::string_view id) const;
  [[nodiscard]] std::vector<std::optional<CollectionEntry>> get_all(std::span<const std::string_view> ids) const;
  // Every document once, as of the call, in the order in which they were added. What `visit` throws ends the scan and reaches the caller.
  // Memory: 16 bytes for each row of the largest run. On a server: in its order, and while others write a document may come twice.
  void scan(const std::function<void(const CollectionEntry&)>& visit) const;
  // The same from a place on that an earlier one, perhaps of another process, told as `reached`: everything before it had been visited.
  void scan_from(const std::string& place, const std::function<void(const CollectionEntry&)>& visit,
                 const std::function<void(const std::string&)>& reached) const;
  [[nodiscard]] CollectionStats stats() const;
  // Documents that this object was given to add and that a server, which keeps fingerprints only, cannot keep: they have none.
  [[nodiscard]] std::uint64_t left_out() const;

  // Of a directory: computes the clusters of what is there now by the stages of dedup, tells what has changed, and then saves them, if
  // nothing was thrown. They depend on the documents and not on the order in which they came. Needs a writer; adding may go on. Memory: as
  // dedup, and about 200 bytes and twice the id for each document in a cluster.
  CollectionClusterState update_clusters(const CollectionClusterOptions& options = {},
                                         const std::function<void(const CollectionClusterChange&)>& tell = {});
  // The last state of them, in order of id.
  CollectionClusterState clusters(const std::function<void(const CollectionCluster&)>& visit) const;

  void sync();     // everything added so far becomes durable
  void compact();  // the fastest state to read, without replaced and erased documents
  void refresh();  // a reader goes on to what the writer has added by now
  void close();    // ends well; throws what the destructor swallows

  // Reads everything. Error(format) names the first file, or document on a server, that is damaged.
  void check() const;
  // A copy of a directory as it is now, in a new one; adding may go on.
  void backup(const std::string& directory) const;

 private:
  explicit Collection(std::unique_ptr<collection::CollectionBackend> backend);
  std::unique_ptr<collection::CollectionBackend> backend_;
};

}  // namespace leitong
