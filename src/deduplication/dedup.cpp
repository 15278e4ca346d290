// The dedup job: runs the stages one after the other, and resumes a run that was stopped.

#include "leitong/dedup.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

#include "cluster/keep.h"
#include "collection/place.h"
#include "deduplication/against_stores.h"
#include "deduplication/collection_texts.h"
#include "job/job.h"
#include "leitong/collection.h"
#include "leitong/error.h"
#include "leitong/version.h"
#include "outputs/output_file.h"
#include "outputs/output_forms.h"
#include "outputs/output_names.h"
#include "outputs/output_rule.h"
#include "outputs/results_directory.h"
#include "records/format.h"
#include "records/json_object.h"
#include "records/spool.h"
#include "records/walk.h"
#include "sketches/sketch_file.h"
#include "stages/candidate_plan.h"
#include "stages/record_outputs.h"
#include "stages/stages.h"

namespace leitong {
namespace {

using Clock = std::chrono::steady_clock;

struct Paths {
  Paths(const std::string& dir, Compression compression)
      : stages(dir + "/stages"),
        sketch(stages + "/sketch.ltt"),
        pairs(stages + "/pairs.ltt"),
        edges(stages + "/edges.ltt"),
        clusters(stages + "/clusters.ltt"),
        spool(stages + "/spool"),
        old_sketch(stages + "/against.ltt"),
        met(stages + "/against-stores.ltt"),
        met_pairs(stages + "/against-pairs.ltt"),
        verified(stages + "/verified.ltt"),
        rejected(dir + "/" + outputs::lines_name("rejected", compression)),
        old_rejected(dir + "/" + outputs::lines_name("rejected-against", compression)),
        summary(dir + "/summary.json"),
        run(dir + "/run.json") {}
  std::string stages, sketch, pairs, edges, clusters, spool, old_sketch, met, met_pairs, verified, rejected, old_rejected, summary, run;
};

// A stage's file can be reused if it is complete and was made from the same input with the same options.
bool is_made_from(const std::string& path, const std::string& kind, const std::string& key) {
  if (!storage::posix_vfs().exists(path)) return false;
  try {
    const auto table = stages::open_stage_file(path, kind);
    table.check();
    return stages::stage_metadata_from_json(table.metadata(), path).made_from == key;
  } catch (const Error&) {
    return false;
  }
}

// Whether the inputs are unchanged: the same files, each of the same size and time. For standard input the spool is the input.
bool unchanged(const InputOptions& input, const std::vector<records::Source>& before) {
  const std::vector<records::Source> now = records::Input(input, "").sources();
  return std::ranges::equal(now, before, [](const records::Source& a, const records::Source& b) {
    return a.path == b.path && a.size == b.size && a.modified == b.modified;
  });
}

bool same_origin(const SketchOptions& options, const storage::TableReader& table) {
  const auto metadata = sketches::sketch_metadata_from_json(table.metadata(), options.output);
  return metadata.made_from == stages::made_from_sketch(options) && unchanged(options.input, metadata.sources);
}

bool sketch_is_good(const SketchOptions& options) {
  if (!storage::posix_vfs().exists(options.output) || !storage::posix_vfs().exists(options.rejected)) return false;
  try {
    const auto table = stages::open_stage_file(options.output, "sketch");
    if (!same_origin(options, table)) return false;
    table.check();
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Whether the sketch file can be read and says that it was made from other inputs. A damaged file does not count.
bool is_of_other_inputs(const SketchOptions& options) {
  try {
    return !same_origin(options, stages::open_stage_file(options.output, "sketch"));
  } catch (const Error&) {
    return false;
  }
}

// An input that is also in the old collection would be removed as a copy of itself, so it is refused.
void refuse_common_sources(const InputOptions& fresh, const InputOptions& old) {
  std::set<std::string> paths;
  for (const records::Source& source : records::Input(old, "").sources()) paths.insert(std::filesystem::weakly_canonical(source.path));
  for (const records::Source& source : records::Input(fresh, "").sources())
    if (source.path != "-" && paths.contains(std::filesystem::weakly_canonical(source.path)))
      throw Error(
          ErrorCode::usage,
          fmt::format("{} is an input and stands in --against too: every record of it would be removed as a copy of itself; leave it "
                      "out of one of them (--exclude holds for both)",
                      source.path));
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

InputOptions with_keep_fields(InputOptions input, const std::string& keep) {
  const cluster::KeepPolicy policy(keep);
  for (const std::string& field : policy.fields())
    if (std::find(input.fields.begin(), input.fields.end(), field) == input.fields.end()) input.fields.push_back(field);
  return input;
}

class DedupJob {
 public:
  explicit DedupJob(const DedupOptions& options)
      : options_(options),
        compression_(options.compression.value_or(Compression::none)),
        done_(options.output_dir, compression_),
        paths_(options.output_dir + "/" + records::unfinished_results, compression_) {
    for (const std::string& against : options.against) (collection::is_store(against) ? stores_ : old_).push_back(against);
  }

  Counts run() {
    const SketchOptions sketch{
        with_keep_fields(options_.input, options_.keep), options_.profile, options_.job, paths_.sketch, paths_.rejected, paths_.spool};
    records::check_paths(sketch.input);  // before anything is created, in case a path is misspelt
    if (options_.outputs == Outputs::all && options_.layout == OutputLayout::input)
      stages::check_layout(sketch.input, options_.output_dir, options_.annotate, options_.compression, options_.format);
    SketchOptions old = sketch;
    old.output = paths_.old_sketch, old.rejected = paths_.old_rejected, old.spool.clear();
    const auto take_old = [&](const std::vector<std::string>& against) {
      if (against.empty()) return;
      old.input = stages::old_input(old.input, against);
      records::check_paths(old.input);
      refuse_common_sources(sketch.input, old.input);
    };
    std::vector<std::string> files = old_;
    const bool collections = std::erase_if(files, collection::is_collection) > 0;
    take_old(files);
    const deduplication::StoresOptions stores = stores_options(paths_);
    std::vector<Collection> opened = options_.resume && (stores_were_asked(stores) || stores_were_asked(stores_options(done_)))
                                         ? std::vector<Collection>()
                                         : open_stores(stores);
    outputs::OutputRule rule;
    rule.reads(options_.job.reads);
    rule.reads(sketch.input);
    if (!old.input.paths.empty() && !files.empty()) rule.reads(old.input);
    outputs::ResultsDirectory results(options_.output_dir, rule, names());
    results.keep_unfinished();  // so that --resume can continue with them
    std::vector<std::string> copies;
    if (collections) {
      storage::posix_vfs().make_directories(done_.stages);
      const std::vector<std::string> with_copies = deduplication::with_collections_as_files(old_, options_.input, done_.stages);
      for (std::size_t i = 0; i < old_.size(); ++i)
        if (with_copies[i] != old_[i]) copies.push_back(with_copies[i].substr(options_.output_dir.size() + 1));
      for (const std::string& copy : copies) results.list(copy);
      take_old(with_copies);
    }
    prepare(sketch, old, results);
    const Counts counts = run_stages(sketch, old, stores, opened);
    results.publish([&](const std::string& name) { return is_of_dedup(name) && std::ranges::find(copies, name) == copies.end(); });
    return counts;
  }

 private:
  [[nodiscard]] deduplication::StoresOptions stores_options(const Paths& paths) const {
    return {stores_, options_.k, options_.profile, options_.job, paths.sketch, paths.met, paths.met_pairs};
  }

  // The files that this run will write, relative to the directory.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> paths = {done_.sketch, done_.pairs,    done_.edges,   done_.clusters,
                                      done_.spool,  done_.rejected, done_.summary, done_.run};
    if (!old_.empty()) paths.insert(paths.end(), {done_.old_sketch, done_.old_rejected});
    if (!stores_.empty()) paths.insert(paths.end(), {done_.met, done_.met_pairs, done_.verified});
    for (std::string& path : paths) path.erase(0, options_.output_dir.size() + 1);
    paths.emplace_back("report.html");
    for (const char* name : {"removed", "clusters"}) paths.push_back(outputs::lines_name(name, compression_));
    // With one file for each input, check_layout() checks the names.
    if (options_.outputs != Outputs::all || options_.layout != OutputLayout::one) return paths;
    for (const RecordFormat format : {RecordFormat::jsonl, RecordFormat::parquet, RecordFormat::warc}) {
      if (!may_write(format)) continue;
      for (std::string& name : outputs::possible_names(options_.annotate ? "annotated" : "kept", format, options_.compression))
        paths.push_back(std::move(name));
    }
    return paths;
  }

  // What the inputs are is not known before they are read.
  [[nodiscard]] bool may_write(RecordFormat format) const {
    if (options_.format || format == RecordFormat::jsonl) return options_.format.value_or(format) == format;
    const auto given = records::parse_format(options_.input.format);
    return std::ranges::any_of(options_.input.paths, [&](const std::string& path) {
      const auto known = given ? given : records::format_of_name(path);
      return !known || (format == RecordFormat::warc ? *known == records::Format::warc : records::is_columnar(*known));
    });
  }

  // Whether a run of dedup writes a file of that name, so that the next run replaces it.
  static bool is_of_dedup(const std::string& name) {
    return stages::is_of_apply(name) || name == "run.json" || name.starts_with("stages/") || outputs::is_form_of(name, "rejected") ||
           outputs::is_form_of(name, "rejected-against");
  }

  Counts run_stages(const SketchOptions& sketch, const SketchOptions& old, const deduplication::StoresOptions& stores,
                    std::vector<Collection>& opened) {
    std::vector<std::string> old_sketches;
    if (!old_.empty()) old_sketches.push_back(paths_.old_sketch);
    if (!stores_.empty()) old_sketches.push_back(paths_.met);
    const JoinOptions join{{paths_.sketch}, old_sketches, paths_.pairs,       options_.k,
                           options_.goal,   options_.job, options_.threshold, options_.rule};
    const VerifyOptions verify{paths_.pairs,
                               stores_.empty() ? paths_.edges : paths_.verified,
                               options_.verify,
                               options_.threshold,
                               options_.job,
                               options_.rule,
                               options_.input.in_memory};
    const deduplication::StoredEdgesOptions stored{paths_.verified, paths_.met_pairs, paths_.edges, options_.job};
    const ClusterOptions cluster{paths_.edges, paths_.clusters, options_.keep, options_.job};
    ApplyOptions apply;
    apply.clusters = paths_.clusters, apply.output_dir = options_.output_dir + "/" + records::unfinished_results,
    apply.annotate = options_.annotate;
    apply.annotate_key = options_.annotate_key, apply.giant_cluster = options_.giant_cluster, apply.job = options_.job;
    apply.compression = options_.compression, apply.layout = options_.layout;
    apply.format = options_.format, apply.outputs = options_.outputs, apply.in_memory = options_.input.in_memory;

    if (!old_.empty())
      step(
          "against", [&] { return sketch_is_good(old); },
          [&] {
            remove({paths_.old_rejected});
            stage::sketch(old);
          });
    step(
        "sketch", [&] { return sketch_is_good(sketch) ? say_what_is_not_read() : refuse_the_rest_of_a_pipe(); },
        [&] {
          remove({paths_.rejected});
          stage::sketch(sketch);
        });
    if (!stores_.empty())
      step(
          "against-stores", [&] { return opened.empty() && stores_were_asked(stores); },
          [&] {
            if (opened.empty()) opened = open_stores(stores);
            ask_stores(stores, opened);
          });
    step("join", [&] { return is_made_from(paths_.pairs, "pairs", stages::made_from_join(join)); }, [&] { stage::join(join); });
    step("verify", [&] { return is_made_from(verify.output, "edges", stages::made_from_verify(verify)); }, [&] { stage::verify(verify); });
    if (!stores_.empty())
      step(
          "against-edges", [&] { return is_made_from(paths_.edges, "edges", deduplication::made_from_stored_edges(stored)); },
          [&] { add_stored_edges(stored); });
    Counts counts;
    step(
        "cluster", [&] { return is_made_from(paths_.clusters, "clusters", stages::made_from_cluster(cluster)); },
        [&] { stage::cluster(cluster); });
    for (const std::string name : {"rejected", "rejected-against"})
      outputs::remove_other_forms(apply.output_dir, name, outputs::lines_name(name, compression_));
    if (options_.outputs == Outputs::none)
      counts = stages::stage_metadata_from_json(stages::open_stage_file(paths_.clusters, "clusters").metadata(), paths_.clusters).counts;
    else
      step("apply", [] { return false; }, [&] { counts = stages::apply_locked(apply); });
    write_run();
    return counts;
  }

  // What was piped into the first run is in its spool. Standard input of this run is not read, and a note says so.
  [[nodiscard]] bool say_what_is_not_read() const {
    const auto& paths = options_.input.paths;
    if (options_.job.note && std::find(paths.begin(), paths.end(), "-") != paths.end())
      options_.job.note(
          fmt::format("standard input is not read: --resume goes on from what the stopped run read, kept in {}; "
                      "--overwrite without --resume begins anew",
                      paths_.spool));
    return true;
  }

  // A run that was stopped while it read standard input (or a pipe) left only a part of it in the spool. Nobody can tell whether the
  // present standard input is the rest, the whole input again, or nothing.
  [[nodiscard]] bool refuse_the_rest_of_a_pipe() const {
    if (storage::posix_vfs().exists(records::spool_path(paths_.spool, 0)))
      throw Error(ErrorCode::usage,
                  fmt::format("{}: the stopped run had not read its standard input to the end, so --resume cannot go on from it; "
                              "give the whole input again, without --resume",
                              options_.output_dir));
    return false;
  }

  // Whether the files of `paths` can be read and were made from other inputs or settings.
  [[nodiscard]] bool is_of_others(const Paths& paths, SketchOptions sketch, SketchOptions old) const {
    sketch.output = paths.sketch, old.output = paths.old_sketch;
    if (is_of_other_inputs(sketch) || other_stores_were_asked(stores_options(paths))) return true;
    if (old_.empty() != !storage::posix_vfs().exists(paths.old_sketch)) return true;
    return !old_.empty() && is_of_other_inputs(old);
  }

  void refuse_finished(const SketchOptions& sketch, const SketchOptions& old) const {
    auto& vfs = storage::posix_vfs();
    if (options_.overwrite || !vfs.exists(done_.summary)) return;
    if (!options_.resume)
      throw Error(
          ErrorCode::usage,
          fmt::format("{} holds a finished run: give another --output-dir, or --overwrite to replace it, or --resume to complete it",
                      options_.output_dir));
    const bool stopped = vfs.exists(paths_.sketch) && !is_of_others(paths_, sketch, old);  // it was to replace the finished one
    if (!stopped && is_of_others(done_, sketch, old))
      throw Error(
          ErrorCode::usage,
          fmt::format("{} holds a finished run of other inputs or settings: give another --output-dir, or --overwrite to replace it",
                      options_.output_dir));
  }

  void prepare(const SketchOptions& sketch, const SketchOptions& old, outputs::ResultsDirectory& results) const {
    refuse_finished(sketch, old);
    if (options_.resume)
      results.go_on([](const std::string& name) { return name.starts_with("stages/") || name.starts_with("rejected"); });
    else
      results.begin();
    storage::posix_vfs().make_directories(paths_.stages);
    // A stopped run may have left outputs in another form.
    const std::string folder = storage::parent_directory(paths_.stages);
    for (const char* name : {"kept", "annotated"}) outputs::remove_other_forms(folder, name, "");
    if (options_.resume) outputs::change_form(folder, "rejected", paths_.rejected);
    if (options_.resume) outputs::change_form(folder, "rejected-against", paths_.old_rejected);
    // Files for old collections and stores that only the earlier run was compared with.
    if (old_.empty()) remove({paths_.old_sketch, paths_.old_rejected});
    if (stores_.empty()) remove({paths_.met, paths_.met_pairs, paths_.verified});
  }

  static void remove(const std::vector<std::string>& paths) {
    for (const std::string& path : paths)
      if (storage::posix_vfs().exists(path)) storage::posix_vfs().remove(path);
  }

  template <typename Done, typename Run>
  void step(const char* name, const Done& done, const Run& run) {
    if (options_.job.stop != nullptr && options_.job.stop->load())
      throw Error(ErrorCode::interrupted, "stopped; run the same command with --resume to go on");
    const auto start = Clock::now();
    const bool skipped = options_.resume && done();
    if (!skipped) run();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    records::JsonObject object;
    steps_ += (steps_.empty() ? "" : ",") + object.text("stage", name).boolean("resumed", skipped).real("seconds", seconds).str();
  }

  void write_run() {
    records::JsonObject object;
    const auto now = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    const job::Job job(options_.job, "run");
    std::vector<std::string> command = options_.command;
    for (std::string& argument : command) argument = collection::argument_without_secrets(argument);
    object.text("leitong", version()).names("command", command).text("host", host_name()).number("threads", job.threads());
    object.text("rule", options_.rule.name).text("rule_id", rule_id(options_.rule));
    object.text("instruction_set", instruction_set()).name("directory", std::filesystem::current_path().string());
    object.number("memory", job.memory()).number("finished_unix", static_cast<std::uint64_t>(now));
    object.real("seconds", std::chrono::duration<double>(Clock::now() - start_).count()).raw("stages", "[" + steps_ + "]");
    outputs::write_file(paths_.run, object.str() + "\n");
  }

  const DedupOptions& options_;
  std::vector<std::string> old_, stores_;  // of DedupOptions::against
  Compression compression_;
  Paths done_, paths_;  // done_: of the finished results in the directory; paths_: of the results that this run makes
  Clock::time_point start_ = Clock::now();
  std::string steps_;
};

}  // namespace

InputOptions stages::old_input(InputOptions input, const std::vector<std::string>& against) {
  input.paths.clear();
  for (const std::string& path : against) {
    if (path == "-") throw Error(ErrorCode::usage, "--against: standard input cannot be the old collection; give a file or directory");
    if (!storage::posix_vfs().exists(path + "/" + records::results_marker)) {
      input.paths.push_back(path);
      continue;
    }
    const auto kept = outputs::kept_files(path);
    if (!kept)
      throw Error(ErrorCode::usage,
                  fmt::format("--against {}: it holds the results of a run without a kept.jsonl (unfinished, or of --annotate); give the "
                              "files themselves",
                              path));
    input.paths.insert(input.paths.end(), kept->begin(), kept->end());
  }
  return input;
}

void stages::refuse_finished(const std::string& output_dir) {
  if (storage::posix_vfs().exists(output_dir + "/summary.json"))
    throw Error(ErrorCode::usage,
                fmt::format("{} holds a finished run: give another --output-dir, or --overwrite to replace it, or --resume to complete it",
                            output_dir));
}

Counts dedup(const DedupOptions& options) {
  if (options.output_dir.empty()) throw Error(ErrorCode::usage, "no output directory given (--output-dir DIR)");
  if (options.resume && !options.input.in_memory.empty())
    throw Error(ErrorCode::usage, "a run on records in memory cannot be resumed: they may be others by now");
  stages::check_goal(options.goal, options.k);  // before hours of sketching
  return DedupJob(options).run();
}

}  // namespace leitong
