// Settings: everything that flags can say, before a command picks what it needs. What one command alone can be told stands in a header of
// its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/calibrate_settings.h"
#include "cli/collection_settings.h"
#include "cli/explain_settings.h"
#include "cli/near_settings.h"
#include "cli/overlap_settings.h"
#include "cli/record_settings.h"
#include "cli/serve_settings.h"
#include "leitong/data.h"
#include "leitong/input.h"
#include "leitong/job.h"
#include "leitong/output.h"
#include "leitong/recall.h"
#include "leitong/stages.h"

namespace leitong::cli {

// How words are found, and which of them count.
struct WordSettings {
  std::optional<WordKind> segmenter;
  std::string data, stop_words, weights;
  std::vector<std::string> parts_of_speech;
  std::optional<std::uint32_t> top;
};

// A profile, and what replaces parts of it.
struct ProfileSettings {
  std::string name;  // or file; empty: the default
  std::optional<unsigned> bits;
  std::optional<SketchKind> sketch;
  std::optional<FeatureKind> features;
  bool shingles = false;  // token n-grams of one size
  std::optional<std::vector<unsigned>> ngram_sizes;
  std::optional<WeightKind> weights;
  std::optional<bool> fold_traditional;
  std::string idf_file, key, key_file;
  WordSettings words;
};

struct RuleSettings {
  std::string name;  // or file; empty: the default
  std::optional<double> threshold;
};

// What is compared, and which copy of a group stays.
struct MatchSettings {
  std::vector<std::string> against;
  std::optional<unsigned> k;
  std::optional<RecallGoal> goal;
  Verify verify = Verify::text;
  std::string keep = default_keep;
  std::uint32_t giant_cluster = 1000;
  std::optional<std::uint64_t> cluster;  // of restore: this group alone
};

struct OutputSettings {
  std::string file, directory, rejected, spool;
  bool annotate = false;
  std::string annotate_key = "leitong";
  std::optional<Compression> compression;
  OutputLayout layout = OutputLayout::one;
  std::optional<RecordFormat> format;
  bool resume = false, overwrite = false, dry_run = false;
};

enum class When { automatic, always, never };

// How the program speaks, and what it is asked about itself.
struct FaceSettings {
  std::string config;
  When color = When::automatic;
  std::uint64_t context = 160;
  bool as_text = false, json = false, quiet = false;
  bool help = false, man = false, version = false;
};

struct Settings {
  InputOptions input;
  bool text_field_given = false;  // the next one is a further one
  JobOptions job;
  ProfileSettings profile;
  RuleSettings rule;
  MatchSettings match;
  OutputSettings output;
  FaceSettings face;
  // of some commands only
  RecordSettings record;
  KeywordSettings keywords;
  IdfSettings idf;
  ParitySettings parity;
  AddDataOptions data;
  ExplainSettings explain;
  OverlapSettings overlap;
  CalibrateSettings calibrate;
  NearSettings near;
  CollectionSettings collection;
  CopySettings copy;
  ServeSettings serve;
};

// What --key says, or the file of --key-file; empty: neither. Throws Error(usage) for both.
[[nodiscard]] std::string key_of(const ProfileSettings& settings);

// The files that flags name and every command reads. They are inputs, which nothing may be written over.
[[nodiscard]] std::vector<std::string> files_read_for(const Settings& settings);

// The profile by name or file with the overrides put in. Throws Error as load_profile does, and Error(usage) for overrides that contradict
// each other.
[[nodiscard]] Profile effective_profile(const ProfileSettings& settings);

// The rule by name or file. Throws Error as load_rule does.
[[nodiscard]] Rule effective_rule(const RuleSettings& settings);

// The same with --threshold as the rule's only threshold, for commands that have no threshold of their own.
[[nodiscard]] Rule effective_rule_with_threshold(const RuleSettings& settings);

}  // namespace leitong::cli
