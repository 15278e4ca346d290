// Results of a run to one self-contained HTML page. Pure: the same Report gives the same bytes (no time, host or path of the machine in
// it).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "leitong/explain.h"
#include "leitong/similarity.h"

namespace leitong::report {

struct Source {
  std::string path;
  std::uint64_t records = 0, removed = 0, rejected = 0;  // records: read, the rejected ones included
  std::uint64_t removed_for_old = 0;                     // of `removed`: in favour of the old collection
};

struct Member {
  std::string id;  // for showing; "" if the record has none
  std::uint64_t record = 0;
  std::string source;
  bool kept = false;
  double similarity = 1;     // to the kept record; -1: that is a document of a store
  int distance = -1;         // of the fingerprints to the kept record's; -1: none
  std::uint64_t length = 0;  // bytes of text
  bool stored = false;       // a document of a store: it has no number, and no text is kept of it
};

struct Cluster {
  std::uint64_t cluster = 0, size = 0;
  std::vector<Member> members;  // kept first; at most a few dozen of a big cluster
  std::string excerpt;          // beginning of the kept text, or where none is kept of another
  bool giant = false;
};

struct Sample {  // a removed record beside the one that was kept
  Member removed, kept;
  std::uint64_t cluster = 0;
  std::string removed_text, kept_text;  // at most some kilobytes, cut at a character
  bool cut = false;                     // the texts go on
  std::vector<DiffRun> diff;            // of removed_text (a) against kept_text (b)
  std::string reason;
  // The features that moved the fingerprint most, from removed (a) to kept (b); empty: nothing moved it, or it cannot be told.
  std::vector<MovedFeature> moved = {};
  std::uint64_t moved_in_all = 0;
};

struct Report {
  std::string title;    // the inputs
  std::string against;  // the old collection; empty: there is none
  std::string packed;   // what the names of the other outputs end in: ".zst"
  std::string version, profile, profile_id, rule, rule_id;
  std::uint64_t records = 0, kept = 0, removed = 0, rejected = 0, featureless = 0, clusters = 0, candidates = 0, edges = 0, other_facts = 0,
                bounded = 0;
  std::uint64_t text_bytes = 0, removed_bytes = 0, exact_removed = 0;  // exact_removed: removed for equal text
  std::vector<Source> sources;                                         // the largest first; the rest summed in the last
  std::vector<Source> domains;                                         // hosts of addresses, the largest first; the rest summed in the last
  std::vector<Source> old_sources;  // of the collection that the inputs were held against; removed: input records, in their favour
  std::uint64_t old_records = 0, removed_for_old = 0, old_stores = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> cluster_sizes;  // (size, clusters of it), ascending
  std::vector<std::uint64_t> distances;     // removed records by fingerprint distance to the kept one, index 0..bits
  std::vector<std::uint64_t> similarities;  // removed records by similarity in steps of 0.05: 20 bins, 1.0 in the last
  std::vector<std::pair<std::string, std::uint64_t>> keep_reasons;  // which rule decided, how often
  std::vector<Cluster> largest;                                     // largest clusters
  std::vector<Sample> samples;                                      // ordered by distance
  std::vector<std::string> warnings;                                // giant clusters, bounded candidates, rejects: one sentence each
  std::vector<std::pair<std::string, std::string>> recall;          // similarity -> predicted recall of the candidate stage, as text
  std::vector<std::pair<std::string, std::string>> configuration;   // effective settings
};

[[nodiscard]] std::string render_html(const Report&);

}  // namespace leitong::report
