// Settings: everything that flags can say, before a command picks what it needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "leitong/data.h"
#include "leitong/input.h"
#include "leitong/job.h"
#include "leitong/output.h"
#include "leitong/recall.h"
#include "leitong/stages.h"

namespace leitong::cli {

enum class When { automatic, always, never };
enum class FingerprintFormat { hex, bits, decimal, signed_decimal };

struct Settings {
  InputOptions input;
  unsigned text_fields_given = 0;
  JobOptions job;

  // profile and what replaces parts of it
  std::string profile;  // name or file; empty: the default
  std::optional<unsigned> bits;
  std::optional<SketchKind> sketch;
  std::optional<FeatureKind> features;
  bool shingles = false;  // token n-grams of one size
  std::optional<std::vector<unsigned>> ngram_sizes;
  std::optional<WeightKind> weights;
  std::optional<bool> fold_traditional;
  std::string idf_file, key, key_file;
  std::optional<WordKind> words;
  std::string data, stop_words, word_weights;
  std::vector<std::string> parts_of_speech;
  std::optional<std::uint32_t> top_words;

  // matching, keeping, output
  std::string rule;  // name or file; empty: the default
  std::vector<std::string> against;
  std::optional<unsigned> k;
  std::optional<RecallGoal> goal;
  std::optional<double> threshold;
  Verify verify = Verify::text;
  std::string keep = default_keep;
  std::string output, output_dir, rejected, spool;
  bool annotate = false;
  std::string annotate_key = "leitong";
  std::uint32_t giant_cluster = 1000;
  std::optional<Compression> compression;
  OutputLayout output_layout = OutputLayout::one;
  bool resume = false, overwrite = false, dry_run = false;
  std::optional<std::uint64_t> cluster;

  // records one by one
  FingerprintFormat fingerprint_format = FingerprintFormat::hex;
  std::optional<std::int32_t> blocks;
  bool reverse_bits = false, trace = false, pos = false, full_width = false, half_width = false, simplified = false;

  std::string smoothing = "standard";  // idf
  std::uint64_t least_documents = 1;
  std::string fingerprint_field = "fp";  // parity

  std::string layout, sample, progress;  // of stores on servers; of adopt; of copy

  AddDataOptions add_data;

  std::string run;                      // explain: the directory of a run
  std::uint32_t top = 4;                // explain: features of each bit
  std::uint32_t keywords = 20;          // of each record; 0: all
  std::vector<std::string> user_words;  // keywords: dictionaries of the user's

  std::string b_text_field, b_id_field;  // overlap; empty: as in A
  std::uint32_t span = 20;
  double contained = 0.5;

  // join of fingerprints, search
  std::string values_format, values_field;  // empty: not given
  bool count = false;
  std::string pairs, clusters;  // where they go
  std::string build;            // the file to make an index of
  std::vector<std::string> queries;
  std::optional<std::uint64_t> nearest;
  bool check = false;

  // index
  bool number_ids = false, keep_texts = false, keep_metadata = false, fingerprints_only = false;
  std::string metadata_field;  // empty: none, of import "metadata"
  bool unique = false, stream = false, allow_unverified = false, buffered = false, no_verify = false, fingerprints = false;
  std::optional<std::uint64_t> most;
  std::vector<std::string> query_texts;
  std::vector<std::string> query_ids;
  bool last = false;
  std::string changes;  // empty: not given

  bool label = false;  // calibrate
  std::string labels;
  double precision = 0.95, least_similarity = 0.4;
  std::uint32_t per_band = 40;
  std::uint64_t seed = 1;

  // face
  std::string config;
  When color = When::automatic;
  std::uint64_t context = 160;
  bool as_text = false, json = false, man = false, quiet = false, help = false, version = false;
};

// What --key says, or the file of --key-file; empty: neither. Throws Error(usage) for both.
[[nodiscard]] std::string key_of(const Settings& settings);

// The files that flags name and every command reads. They are inputs, which nothing may be written over.
[[nodiscard]] std::vector<std::string> files_read_for(const Settings& settings);

// The profile by name or file with the overrides put in. Throws Error as load_profile does, and Error(usage) for overrides that contradict
// each other.
[[nodiscard]] Profile effective_profile(const Settings& settings);

// The rule by name or file. Throws Error as load_rule does.
[[nodiscard]] Rule effective_rule(const Settings& settings);

// The same with --threshold as the rule's only threshold, for commands that have no threshold of their own.
[[nodiscard]] Rule effective_rule_with_threshold(const Settings& settings);

}  // namespace leitong::cli
