// What only collection and its actions, and copy, can be told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace leitong::cli {

// create, adopt
struct CreateSettings {
  bool number_ids = false, texts = false, metadata = false, fingerprints_only = false;
  std::string layout;  // of stores on servers; copy takes it, too
  std::string sample;  // of adopt
};

// add, import
struct AddSettings {
  std::string metadata_field;  // empty: none, of import "metadata"
  bool unique = false, buffered = false;
  bool other_pages = false;       // texts of pages that were read in another way than the collection's: put in all the same
  bool fingerprints = false;      // the inputs are such, without texts
  std::string fingerprint_field;  // empty: not given
};

struct QuerySettings {
  std::vector<std::string> texts, fingerprints, ids;
  std::optional<std::uint64_t> most;
};

struct ClusterSettings {
  bool last = false;
  std::string changes;  // empty: not given
};

struct CollectionSettings {
  CreateSettings create;
  AddSettings add;
  QuerySettings query;
  ClusterSettings clusters;
  bool stream = false, no_verify = false;  // add, query
  bool allow_unverified = false;           // add, clusters
};

struct CopySettings {
  std::string progress_file;
};

}  // namespace leitong::cli
