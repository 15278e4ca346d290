// Estimates what a job would need. The job is run on a sample that is spread over all inputs, and the results are scaled. Most figures grow
// in proportion to the inputs. The number of duplicates does not; it is estimated from how often two distant parts of the sample contain
// the same text.

#include "deduplication/plan.h"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "collection/place.h"
#include "deduplication/against_stores.h"
#include "deduplication/collection_texts.h"
#include "deduplication/input_sample.h"
#include "job/job.h"
#include "job/long_texts.h"
#include "leitong/error.h"
#include "outputs/output_names.h"
#include "records/json_object.h"
#include "sketches/sketch_file.h"
#include "stages/record_outputs.h"
#include "stages/stages.h"
#include "storage/temporary_directory.h"

namespace leitong {
namespace {

using sketches::SketchColumns;
using stages::PairKind;

double size_of(const std::string& path) {
  std::error_code missing;
  const auto size = std::filesystem::file_size(path, missing);
  return missing ? 0 : static_cast<double>(size);
}

// Memory of this process in bytes: the current value ("VmRSS") or the peak since reset() ("VmHWM").
double process_memory(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name)) return 1024 * std::strtod(line.c_str() + name.size() + 1, nullptr);
  return 0;
}

// Peak memory of the stages of a job, above what the process held before the job.
class MemoryWatch {
 public:
  MemoryWatch() : base_(process_memory("VmRSS")) { reset(); }
  void see(const Progress& progress) {
    see(progress.stage);
    if (progress.done == progress.total) reset();
  }
  // Runs a stage once more by itself, after the allocator has returned the memory that earlier stages left.
  template <typename Run>
  void measure_alone(const std::string& stage, const Run& run) {
    malloc_trim(0);
    reset();
    peaks_[stage] = 0;
    run();
    see(stage);
  }
  [[nodiscard]] double base() const { return base_; }
  [[nodiscard]] double of(const std::string& stage) const { return peaks_.contains(stage) ? peaks_.at(stage) : 0; }

 private:
  void see(const std::string& stage) { peaks_[stage] = std::max(peaks_[stage], process_memory("VmHWM") - base_); }
  // Where this is not permitted, the peak includes what earlier stages held.
  static void reset() { std::ofstream("/proc/self/clear_refs") << "5"; }
  double base_;
  std::map<std::string, double> peaks_;
};

// Measures the run on the sample, and computes how its figures scale to all inputs.
class Scaling {
 public:
  Scaling(const std::string& run, const DedupOptions& options, const deduplication::InputSample* sample)
      : run_(run), options_(options), set_({run + "/stages/sketch.ltt"}), sample_(sample) {
    if (sample != nullptr && sample->sampled_bytes() > 0)
      factor_ = std::max(1.0, static_cast<double>(sample->total_bytes()) / static_cast<double>(sample->sampled_bytes()));
    rows_ = static_cast<double>(set_.rows());
    find_units();
    count_pairs();
    count_groups();
  }

  [[nodiscard]] double factor() const { return factor_; }
  [[nodiscard]] double records() const { return factor_ * static_cast<double>(set_.files().front().metadata.records); }
  [[nodiscard]] double candidates() const { return pairs_; }

  [[nodiscard]] double disk() const {
    const double stages = factor_ * size_of(run_ + "/stages/sketch.ltt") + 13 * (pairs_ + edges_) + 19 * clustered_;
    const double names = 26 * clustered_;  // temporary, while outputs are written
    const double kept = options_.annotate ? factor_ * size_of_lines("annotated") : groups_scale_ * size_of_lines("kept");
    const double outputs = kept + removed_scale_ * (size_of_lines("removed") + size_of_lines("clusters")) +
                           factor_ * size_of_lines("rejected") + size_of(run_ + "/report.html") + size_of(run_ + "/summary.json");
    return stages + names + outputs;
  }

  [[nodiscard]] double size_of_lines(const char* name) const {
    return size_of(run_ + "/" + outputs::lines_name(name, options_.compression.value_or(Compression::none)));
  }

  // Verification holds the features of texts until all later texts that they are compared with have been read. If pairs are spread at
  // random over the inputs, it holds the most halfway through.
  [[nodiscard]] double waiting_bytes() const {
    const auto& table = *set_.files().front().table;
    double numbers = 0;
    for (const char* column : {"tokens", "features"})
      for (const std::uint32_t n : table.read_all<std::uint32_t>(column)) numbers += n;
    const double rows = factor_ * rows_;
    return rows == 0 ? 0 : factor_ * 4 * numbers / 2 * (1 - std::exp(-pairs_ / rows));
  }

  // The sketch stage holds a block of rows in memory until the block is full.
  [[nodiscard]] double block_bytes() const {
    const auto& table = *set_.files().front().table;
    const double most = table.schema().rows_per_block, row = rows_ == 0 ? 0 : size_of(table.path()) / rows_;
    return row * (std::min(most, factor_ * rows_) - std::min(most, rows_));
  }

  // The factor by which the number of records that verification reads grows.
  [[nodiscard]] double compared_scale() const {
    if (sampled_pairs_ == 0) return factor_;
    const auto in_pairs = [](double pairs, double rows) { return rows * (1 - std::exp(-2 * pairs / rows)); };
    return std::max(factor_, in_pairs(pairs_, factor_ * rows_) / in_pairs(sampled_pairs_, rows_));
  }
  // Memory of the cluster stage: at most three sorts at a time, whose buffers double as they grow.
  [[nodiscard]] double cluster_sort_bytes() const { return 1.5 * 16 * (2 * edges_ + 3 * clustered_); }
  [[nodiscard]] double removed_scale() const { return removed_scale_; }

 private:
  void find_units() {
    std::set<std::uint64_t> units;
    set_.for_each_block({SketchColumns::source, SketchColumns::offset}, [&](std::uint64_t, const storage::Block& block) {
      for (std::size_t i = 0; i < block.rows(); ++i) {
        const std::uint32_t source = block.column<std::uint32_t>(SketchColumns::source)[i];
        unit_.push_back(sample_ == nullptr ? 0 : sample_->unit_of(source, block.column<std::uint64_t>(SketchColumns::offset)[i]));
        units.insert(unit_.back());
      }
    });
    units_ = std::max<double>(1, static_cast<double>(units.size()));
  }

  // Pairs within a unit grow in proportion to the inputs, pairs between units with their square. A text is paired only with the first of
  // the texts equal to it.
  double scaled_pairs(const std::string& kind, double& sampled) const {
    const auto table = stages::open_stage_file(run_ + "/stages/" + kind + ".ltt", kind);
    const auto a = table.read_all<std::uint32_t>("a"), b = table.read_all<std::uint32_t>("b");
    const auto how = table.read_all<std::uint8_t>("kind");
    double inside = 0, between = 0, equal = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const bool same = unit_.at(a[i]) == unit_.at(b[i]);
      (same ? inside : static_cast<PairKind>(how[i]) == PairKind::equal ? equal : between) += 1;
    }
    const double square = units_ < 2 ? factor_ : factor_ * (factor_ * units_ - 1) / (units_ - 1), rows = factor_ * rows_;
    constexpr double most_candidates = 512;  // of a record, approximately: the bound of the join
    sampled = inside + between + equal;
    return factor_ * inside + std::min(square * between, std::max(most_candidates * rows, factor_ * between)) +
           std::min(square * equal, rows);
  }

  void count_pairs() {
    double ignored = 0;
    pairs_ = scaled_pairs("pairs", sampled_pairs_);
    edges_ = scaled_pairs("edges", ignored);
  }

  // Estimates the number of groups in all inputs (a record in no cluster is a group). To the groups seen are added the unseen ones, by the
  // estimator of A. Chao and C.-W. Lin (Nonparametric lower bounds for species richness under sampling without replacement, Biometrics 68,
  // 2012) for units drawn without replacement. It uses the numbers of groups that occur in exactly one and in exactly two units.
  void count_groups() {
    const auto table = stages::open_stage_file(run_ + "/stages/clusters.ltt", "clusters");
    const auto row = table.read_all<std::uint32_t>("row"), cluster = table.read_all<std::uint32_t>("cluster");
    std::map<std::uint32_t, std::set<std::uint64_t>> places;
    for (std::size_t i = 0; i < row.size(); ++i) places[cluster[i]].insert(unit_.at(row[i]));
    const double clusters = static_cast<double>(places.size()), clustered = static_cast<double>(row.size());
    double once = rows_ - clustered, twice = 0;
    for (const auto& [number, units] : places) once += units.size() == 1 ? 1 : 0, twice += units.size() == 2 ? 1 : 0;
    const double groups = rows_ - clustered + clusters, removed = clustered - clusters;
    const double odds = factor_ > 1 ? 1 / (factor_ - 1) : 0;  // that a unit is in the sample
    const double divisor = odds * once + (twice > 0 ? 2 * twice * units_ / (units_ - 1) : 0);
    const double least = std::min(factor_ * rows_, groups + (factor_ > 1 && divisor > 0 ? once * once / divisor : 0));
    // The estimate is a lower bound. An upper bound follows if the inputs hold no more duplicates than the sample shows. Their mean is
    // taken.
    const double all_groups = (least + factor_ * groups) / 2;
    const double all_removed = factor_ * rows_ - all_groups;
    groups_scale_ = groups > 0 ? all_groups / groups : 1;
    removed_scale_ = removed > 0 ? all_removed / removed : 1;
    clustered_ = removed_scale_ * clustered;
  }

  std::string run_;
  const DedupOptions& options_;
  sketches::SketchSet set_;
  const deduplication::InputSample* sample_;  // null: the job ran on all inputs
  std::vector<std::uint64_t> unit_;           // for each row
  double factor_ = 1, rows_ = 0, units_ = 1, pairs_ = 0, sampled_pairs_ = 0, edges_ = 0, clustered_ = 0, groups_scale_ = 1,
         removed_scale_ = 1;
};

double seconds_of(const std::string& run, const Scaling& scaling) {
  std::ifstream file(run + "/run.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const records::JsonReader reader(text, run);
  double seconds = 0;
  for (const auto stage : reader.array(reader.root(), "stages")) {
    const std::string name = reader.text(stage, "stage");
    const double scale = name == "verify" ? scaling.compared_scale() : name == "cluster" ? scaling.removed_scale() : scaling.factor();
    seconds += scale * reader.real(stage, "seconds");
  }
  return seconds;
}

double memory_of(const MemoryWatch& watch, const Scaling& scaling, double longest_documents, bool reads_again) {
  if (scaling.factor() <= 1) longest_documents = 0;
  double most = watch.of("sketch") + scaling.block_bytes() + longest_documents;
  most = std::max(most, scaling.factor() * watch.of("join"));
  most = std::max(most, watch.of("verify") + (reads_again && scaling.factor() > 1 ? scaling.waiting_bytes() + longest_documents : 0));
  most = std::max(most, watch.of("cluster") + (scaling.factor() > 1 ? scaling.cluster_sort_bytes() : 0));
  return watch.base() + std::max(most, watch.of("apply"));
}

std::vector<std::string> basis_of(const Plan& plan, const deduplication::InputSample* sample) {
  if (sample == nullptr) return {"everything was run once, elsewhere: all figures are measured"};
  std::vector<std::string> basis;
  if (sample->open_ended()) {
    const double bytes = static_cast<double>(plan.input_bytes);
    basis.push_back(fmt::format(
        "standard input goes on: these are the figures of its beginning; each further GB takes about {:.2g} GB of disk, {:.2g} GB of it "
        "spooled input, and {:.2g} s",
        static_cast<double>(plan.disk_bytes) / bytes, static_cast<double>(plan.spool_bytes) / bytes, plan.seconds * 1e9 / bytes));
  }
  if (plan.exact) basis.emplace_back("standard input was run whole: all figures are measured");
  if (plan.exact || sample->open_ended()) return basis;
  basis.push_back(
      fmt::format("the job was run on {} records, spread over the inputs as far as they are not compressed", plan.sampled_records));
  basis.emplace_back("candidates: pairs between distant parts of the sample grow with the square of its share, near ones in proportion");
  basis.emplace_back(
      "disk: stage files and outputs of the sample in proportion, what is kept by how often distant parts hold the same text");
  basis.emplace_back(
      "memory: each stage as measured, the join in proportion, verification by the candidates and the longest file; never beyond --memory");
  basis.emplace_back("time: each stage in proportion, as this machine is loaded now");
  return basis;
}

// Bytes of the longest document in the run on the sample.
std::uint64_t longest_sketched(const std::string& run) {
  const sketches::SketchSet set({run + "/stages/sketch.ltt"});
  const auto bytes = set.read_all<std::uint32_t>("text_bytes");
  return bytes.empty() ? 0 : *std::ranges::max_element(bytes);
}

bool has_too_long_for_memory(const std::string& run) {
  std::ifstream rejected(run + "/rejected.jsonl");
  for (std::string line; std::getline(rejected, line);)
    if (line.find("most that --memory has room for") != std::string::npos) return true;
  return false;
}

std::string about_longest(std::uint64_t bytes, std::uint64_t cost, std::uint64_t limit, bool some_too_long) {
  const auto mega = [](std::uint64_t b) { return static_cast<double>(b) / 1e6; };
  if (bytes > limit || some_too_long)
    return fmt::format(
        "documents longer than {:.3g} MB were seen and are rejected: a document takes up to {} times its size, for which "
        "--memory has no room",
        mega(limit), job::document_bytes_a_byte);
  return fmt::format("the longest document that was seen has {:.2g} MB and takes about {:.2g} MB while it is sketched or compared",
                     mega(bytes), mega(cost));
}

}  // namespace

Plan plan(const DedupOptions& options) { return deduplication::plan_by_sample(options, 32ULL << 20); }

Plan deduplication::plan_by_sample(const DedupOptions& asked, std::uint64_t sample_bytes) {
  if (!asked.output_dir.empty() && !asked.resume && !asked.overwrite) stages::refuse_finished(asked.output_dir);  // as the run would
  DedupOptions options = asked;
  options.against.clear();
  if (asked.layout == OutputLayout::input)
    stages::check_layout(asked.input, asked.output_dir, asked.annotate, asked.compression, asked.format);
  const storage::TemporaryDirectory directory;
  std::vector<std::string> old = asked.against;
  const auto stores = std::stable_partition(old.begin(), old.end(), [](const std::string& path) { return !collection::is_store(path); });
  deduplication::StoresOptions asked_of;
  asked_of.stores.assign(stores, old.end());
  asked_of.k = asked.k, asked_of.profile = asked.profile, asked_of.job = asked.job;
  (void)deduplication::open_stores(asked_of);  // refuses now what the run would refuse
  old.erase(stores, old.end());
  const auto against = deduplication::with_collections_as_files(old, asked.input, directory / ".");
  for (const std::string& path : against.empty() ? against : stages::old_input(asked.input, against).paths)
    options.input.paths.push_back(path);
  const job::Job job(options.job, "plan");
  const auto entries = records::expand_paths(options.input);
  const bool streams = std::any_of(entries.begin(), entries.end(), [](const auto& entry) { return entry.spooled; });
  std::uint64_t total = 0;
  for (const auto& entry : entries) total += entry.size;

  DedupOptions trial = options;
  trial.output_dir = directory / "run";
  trial.resume = trial.overwrite = false;
  trial.layout = OutputLayout::one;
  trial.job.note = nullptr;
  trial.job.unread = nullptr;  // the sample contains only the beginning of most compressed files
  std::optional<deduplication::InputSample> sample;
  if (streams || total > sample_bytes) {
    sample.emplace(options.input, directory / "sample", sample_bytes);
    trial.input = sample->input();
  }
  MemoryWatch watch;
  trial.job.progress = [&](const Progress& progress) {
    watch.see(progress);
    if (options.job.progress) options.job.progress(progress);
  };
  const Counts counts = dedup(trial);
  const Scaling scaling(trial.output_dir, options, sample ? &*sample : nullptr);

  const auto whole = [](double value) { return static_cast<std::uint64_t>(std::llround(value)); };
  Plan plan;
  plan.sampled_records = counts.records;
  plan.exact = !sample || (streams && !sample->open_ended() && sample->sampled_bytes() >= sample->total_bytes());
  plan.open_ended = sample && sample->open_ended();
  plan.records = whole(scaling.records());
  plan.input_bytes = sample ? sample->total_bytes() : total;
  plan.candidates = whole(scaling.candidates());
  plan.spool_bytes = sample ? sample->spool_bytes() : 0;
  plan.disk_bytes = whole(scaling.disk()) + plan.spool_bytes;
  if (sample)
    watch.measure_alone("join", [&] {
      stage::join({{trial.output_dir + "/stages/sketch.ltt"},
                   {},
                   trial.output_dir + "/again.ltt",
                   options.k,
                   options.goal,
                   trial.job,
                   options.threshold});
    });
  const std::uint64_t longest_text = std::max(longest_sketched(trial.output_dir), sample ? sample->longest_document() : 0);
  const std::uint64_t longest_bytes = std::min(longest_text, job::longest_document(job)) * job::usual_bytes_a_byte;
  const double longest =
      job::LongTexts(job).is_long(longest_text) ? static_cast<double>(longest_bytes) : static_cast<double>(longest_bytes) * job.threads();
  plan.memory_bytes = std::min(job.memory(), whole(memory_of(watch, scaling, longest, options.verify == Verify::text)));
  plan.seconds = seconds_of(trial.output_dir, scaling);
  plan.basis = basis_of(plan, sample ? &*sample : nullptr);
  plan.basis.push_back(about_longest(longest_text, longest_bytes, job::longest_document(job), has_too_long_for_memory(trial.output_dir)));
  if (!asked_of.stores.empty())
    plan.basis.emplace_back("the stores of --against are not asked: a run asks each of them once for every 4,096 records");
  if (!against.empty())
    plan.basis.emplace_back("the old collection is planned as a part of the input: a run that only holds the input against it takes less");
  return plan;
}

}  // namespace leitong
