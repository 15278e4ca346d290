// Inputs to pairs of every similarity, drawn at random, for a person to label.
//
// The stages of dedup run with the least similarity for a threshold, verification twice: without what the rule further asks for, and with
// them. So every edge knows whether it is taken, and the edge files, read side by side in blocks, give every cell's population. Of a cell
// those pairs are drawn that a hash of the seed and the two rows puts first: a random sample that depends on neither order nor threads.

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <tuple>

#include "calibration/calibration_files.h"
#include "job/job.h"
#include "job/plain_id.h"
#include "leitong/error.h"
#include "leitong/file_name.h"
#include "outputs/output_file.h"
#include "outputs/results_directory.h"
#include "outputs/run_title.h"
#include "records/walk.h"
#include "report/html.h"
#include "report/label_page.h"
#include "sketches/record_cursor.h"
#include "sketches/sketch_file.h"
#include "stages/candidate_plan.h"
#include "stages/pair_reader.h"
#include "stages/stages.h"
#include "text/utf16.h"

namespace leitong {
namespace {

using calibration::CalibrationPaths;
using sketches::SketchColumns;
using stages::PairKind;

constexpr std::uint64_t choose_salt = 0x9e3779b97f4a7c15ULL, order_salt = 0xc2b2ae3d27d4eb4fULL;

// A number that nothing but the seed and the pair decides.
std::uint64_t scattered(std::uint64_t seed, std::uint32_t a, std::uint32_t b) {
  const std::array<std::uint64_t, 2> key = {seed, std::uint64_t{a} << 32 | b};
  return XXH3_64bits(key.data(), sizeof key);
}

using stages::PairRow;

std::uint64_t key_of(const PairRow& pair) { return std::uint64_t{pair.a} << 32 | pair.b; }

// The edges of a file, ascending.
class Edges {
 public:
  Edges(const std::string& path, std::uint64_t rows) : table_(stages::open_stage_file(path, "edges")), rows_(rows) {}
  [[nodiscard]] const std::string& identity() const { return table_.identity(); }

  bool next(PairRow& edge) {
    if (!pairs_.next(edge)) return false;
    if (edge.a >= rows_ || edge.b >= rows_)
      throw Error(ErrorCode::format, fmt::format("{}: an edge names a row that its sketch file does not have; draw again", table_.path()));
    return true;
  }

 private:
  storage::TableReader table_;
  std::uint64_t rows_;
  stages::PairRows pairs_{table_};
};

// What is collected of a cell: how many there are, and the pairs whose hashes are least.
struct Draw {
  struct Chosen {
    std::uint64_t hash = 0;
    PairRow edge;
    int distance = -1;
    friend bool operator<(const Chosen& x, const Chosen& y) {
      return std::tie(x.hash, x.edge.a, x.edge.b) < std::tie(y.hash, y.edge.a, y.edge.b);
    }
  };
  std::uint64_t population = 0;
  double stands_for = 0;       // pairs, candidates or not
  std::vector<Chosen> chosen;  // a heap, the greatest hash first

  void add(const Chosen& pair, std::size_t most) {
    if (chosen.size() == most && !(pair < chosen.front())) return;
    if (chosen.size() == most) std::pop_heap(chosen.begin(), chosen.end()), chosen.pop_back();
    chosen.push_back(pair);
    std::push_heap(chosen.begin(), chosen.end());
  }
};

// Cells in the order in which they are written.
using CellKey = std::tuple<unsigned, bool, bool, unsigned>;  // step, taken, current, distance

class DrawJob {
 public:
  explicit DrawJob(const DrawOptions& options)
      : options_(options), done_(options.output_dir), paths_(options.output_dir + "/" + records::unfinished_results) {
    least_step_ = calibration::step_of(options.least_similarity);
    if (least_step_ == 0 || least_step_ >= calibration::steps - 1)
      throw Error(ErrorCode::usage, "the least similarity to look at must be from 0.05 to 0.95");
    if (options.per_band == 0) throw Error(ErrorCode::usage, "at least one pair must be drawn of each band");
  }

  Drawn run() {
    records::check_paths(options_.input);  // before a mistyped name leaves a directory behind
    refuse_finished();
    outputs::OutputRule rule;
    rule.reads(options_.job.reads);
    rule.reads(options_.input);
    outputs::ResultsDirectory results(options_.output_dir, rule, names(), [this](const std::string& name) { return are_own_labels(name); });
    refuse_finished();  // as it is now that no other run writes there
    remember();
    results.begin();
    storage::posix_vfs().make_directories(paths_.stages);
    run_stages();
    {
      const sketches::SketchSet set({paths_.sketch}, 0, options_.input.in_memory);
      draw(set);
      write(set);
    }
    results.publish([this](const std::string& name) { return std::ranges::count(names(), name) > 0; });
    return drawn_;
  }

 private:
  [[nodiscard]] double least() const { return calibration::least_of(least_step_); }

  // Relative to the directory. What was made of other pairs must not stand beside these.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> paths = {done_.sketch, done_.pairs, done_.edges,  done_.taken,  done_.spool,  done_.rejected, done_.sample,
                                      done_.texts,  done_.page,  done_.labels, done_.result, done_.report, done_.rule};
    for (std::string& path : paths) path.erase(0, options_.output_dir.size() + 1);
    return paths;
  }

  // What was drawn before may be labelled: nobody loses that by mistake, and a greater sample goes on from it.
  void refuse_finished() const {
    auto& vfs = storage::posix_vfs();
    if (vfs.exists(done_.sample) && !options_.overwrite)
      throw Error(ErrorCode::usage, options_.output_dir +
                                        " holds pairs that were drawn before, and perhaps their labels: give another "
                                        "--output-dir, or --overwrite to replace them");
  }

  // Labels that say of which sample they are come from its page or from LabelSession.
  [[nodiscard]] bool are_own_labels(const std::string& name) const {
    try {
      return options_.output_dir + "/" + name == done_.labels &&
             calibration::are_labels_of(done_.labels, calibration::read_sample(options_.output_dir).id);
    } catch (const Error&) {
      return false;
    }
  }

  void remember() {
    auto& vfs = storage::posix_vfs();
    if (!vfs.exists(done_.sample) || !vfs.exists(done_.labels)) return;
    const LabelSession before(options_.output_dir);
    for (std::size_t i = 0; i < before.size(); ++i)
      if (before.label(i) != PairLabel::none) before_[texts_of(before.pair(i))] = before.label(i);
  }

  // In one order, whichever stands left.
  static std::pair<std::string, std::string> texts_of(const PairToLabel& pair) {
    return {std::min(pair.a.text, pair.b.text), std::max(pair.a.text, pair.b.text)};
  }

  void run_stages() {
    const SketchOptions sketch{options_.input, options_.profile, options_.job, paths_.sketch, paths_.rejected, paths_.spool};
    stage::sketch(sketch);
    Rule rule = options_.rule;
    rule.thresholds = {{0xffffffffU, least()}};
    JoinOptions join;
    join.sketches = {paths_.sketch}, join.output = paths_.pairs, join.k = options_.k, join.goal = options_.goal, join.job = options_.job;
    join.rule = rule;
    const Counts joined = stage::join(join);
    VerifyOptions verify;
    verify.pairs = paths_.pairs, verify.output = paths_.edges, verify.threshold = least(), verify.job = options_.job;
    verify.rule = rule, verify.in_memory = options_.input.in_memory;
    drawn_.counts = stage::verify(verify);
    drawn_.counts.recall = joined.recall;
    predict(joined);
    if (has_further_rules()) {
      verify.output = paths_.taken, verify.threshold.reset();
      stage::verify(verify);
    }
  }

  // Whether the rule asks for more than a similarity of pairs that are drawn.
  [[nodiscard]] bool has_further_rules() const {
    const Rule& rule = options_.rule;
    return (rule.sure_similarity > least() && rule.order_lcs > 0) || similarity::templates_matter(rule, least());
  }

  // Every edge to its cell.
  void draw(const sketches::SketchSet& set) {
    job::Job job(options_.job, "draw");
    words_ = fingerprint_words(set.profile().bits);
    if (const std::uint64_t needed = set.rows() * (8 * words_ + 5); needed > job.room())
      throw Error(ErrorCode::limit, fmt::format("drawing pairs of {} records takes a memory budget of at least {}M", set.rows(),
                                                (needed + job::Job::fixed_memory + (1U << 20) - 1) >> 20));
    fingerprints_.reserve(set.rows() * words_);
    set.for_each_block({SketchColumns::simhash}, [&](std::uint64_t, const storage::Block& block) {
      const auto part = block.column<std::uint64_t>(SketchColumns::simhash);
      fingerprints_.insert(fingerprints_.end(), part.begin(), part.end());
    });
    tokens_ = set.read_all<std::uint32_t>("tokens");
    flags_ = set.read_all<std::uint8_t>("flags");
    Edges all(paths_.edges, set.rows());
    identity_ = all.identity();
    std::optional<Edges> taken;
    if (has_further_rules()) taken.emplace(paths_.taken, set.rows());
    PairRow edge, kept;
    bool more = taken && taken->next(kept);
    for (std::uint64_t seen = 0; all.next(edge); ++seen) {
      if ((seen & 0xfff) == 0) job.check_stop(), job.progress(seen, drawn_.counts.edges, set.rows());
      while (more && key_of(kept) < key_of(edge)) more = taken->next(kept);
      add(edge, !taken || (more && key_of(kept) == key_of(edge)));
    }
    fingerprints_ = {}, tokens_ = {}, flags_ = {};
  }

  // How the candidate stage finds pairs of a similarity, as far as that is known.
  void predict(const Counts& joined) {
    predicts_ = joined.bands > 0;
    for (unsigned i = 0; i < nominated_.size() && predicts_; ++i)
      nominated_[i] = candidates::predicted_recall((i + 0.5) / static_cast<double>(nominated_.size()), {joined.bands, joined.slots},
                                                   stages::sketch_shape);
  }

  void add(const PairRow& edge, bool taken) {
    if (edge.kind == PairKind::equal) {
      ++drawn_.equal;
      return;
    }
    const int distance = distance_of(edge);
    const double similarity = static_cast<double>(edge.value);
    const bool current = taken && similarity + 1e-7 >= similarity::threshold_of(options_.rule, std::min(tokens_[edge.a], tokens_[edge.b]));
    const unsigned band =
        distance < 0 ? calibration::distance_bands - 1 : calibration::distance_band(static_cast<unsigned>(distance), options_.profile.bits);
    Draw& cell = cells_[{calibration::step_of(similarity), taken, current, band}];
    ++cell.population;
    cell.stands_for += 1 / nominated(edge);
    cell.add({scattered(options_.seed ^ choose_salt, edge.a, edge.b), edge, distance}, options_.per_band);
    ++drawn_.population;
  }

  [[nodiscard]] double nominated(const PairRow& edge) const {
    if (!predicts_ || edge.kind != PairKind::bands) return 1;
    const auto i = static_cast<std::size_t>(edge.value * static_cast<float>(nominated_.size()));
    return std::max(nominated_[std::min(i, nominated_.size() - 1)], 0.01);
  }

  [[nodiscard]] int distance_of(const PairRow& edge) const {
    if ((flags_[edge.a] & flags_[edge.b] & sketches::flags::fingerprint) == 0) return -1;
    int distance = 0;
    for (std::size_t w = 0; w < words_; ++w)
      distance += std::popcount(fingerprints_[edge.a * words_ + w] ^ fingerprints_[edge.b * words_ + w]);
    return distance;
  }

  void write(const sketches::SketchSet& set) {
    calibration::Sample sample = describe(set);
    std::vector<Draw::Chosen> chosen = choose(sample);
    drawn_.drawn = chosen.size();
    std::map<std::uint32_t, PairText> texts;
    for (const Draw::Chosen& pair : chosen) texts[pair.edge.a], texts[pair.edge.b];
    std::map<std::uint32_t, std::uint64_t> records;
    read_texts(set, texts, records);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      sample.pairs[i].a = records[chosen[i].edge.a];
      sample.pairs[i].b = records[chosen[i].edge.b];
    }
    std::vector<PairToLabel> pairs;
    for (const Draw::Chosen& pair : chosen)
      pairs.push_back(turned(pair) ? PairToLabel{texts[pair.edge.b], texts[pair.edge.a]}
                                   : PairToLabel{texts[pair.edge.a], texts[pair.edge.b]});
    outputs::write_file(paths_.texts, calibration::to_json_lines(pairs));
    const std::vector<PairLabel> labels = labels_before(pairs);
    if (drawn_.labelled > 0) outputs::write_file(paths_.labels, calibration::labels_json(sample.id, labels));
    outputs::write_file(paths_.page, page_of(sample, pairs, labels));
    outputs::write_file(paths_.sample, to_json(sample));  // last: the directory is complete when it stands
  }

  // Which text stands left: by chance, so that the order of the collection says nothing.
  [[nodiscard]] bool turned(const Draw::Chosen& pair) const {
    return (scattered(options_.seed ^ ~order_salt, pair.edge.a, pair.edge.b) & 1) != 0;
  }

  [[nodiscard]] calibration::Sample describe(const sketches::SketchSet& set) const {
    calibration::Sample sample;
    sample.id = fmt::format("{:016x}", scattered(options_.seed, options_.per_band, 0) ^ XXH3_64bits(identity_.data(), identity_.size()));
    sample.title = outputs::title_of_inputs(set.files());
    sample.profile = options_.profile;
    sample.profile_id = profile_id(options_.profile);
    sample.rule = options_.rule, sample.rule_id = rule_id(options_.rule);
    sample.profile.key.clear();  // a secret; similarity does not depend on it
    sample.least_similarity = least(), sample.per_band = options_.per_band, sample.seed = options_.seed;
    sample.records = drawn_.counts.records, sample.equal = drawn_.equal, sample.candidates = drawn_.counts.candidates;
    sample.bounded = drawn_.counts.bounded;
    sample.method = stages::stage_metadata_from_json(stages::open_stage_file(paths_.pairs, "pairs").metadata(), paths_.pairs).method;
    sample.predicts_recall = predicts_;
    for (const auto& [key, cell] : cells_) {
      const auto [step, taken, current, distance] = key;
      const auto population = static_cast<double>(cell.population);
      sample.cells.push_back({step, taken, current, distance, cell.population, population / cell.stands_for});
    }
    return sample;
  }

  // The pairs, in an order that says nothing of their cells, and what is known of them.
  std::vector<Draw::Chosen> choose(calibration::Sample& sample) {
    const std::vector<std::uint32_t> counts = calibration::allocate(sample.cells, options_.per_band);
    std::vector<std::tuple<std::uint64_t, std::uint32_t, Draw::Chosen>> ordered;
    std::uint32_t number = 0;
    for (auto& [key, cell] : cells_) {
      std::sort_heap(cell.chosen.begin(), cell.chosen.end());
      for (std::size_t i = 0; i < counts[number]; ++i)
        ordered.emplace_back(scattered(options_.seed ^ order_salt, cell.chosen[i].edge.a, cell.chosen[i].edge.b), number, cell.chosen[i]);
      ++number;
    }
    std::sort(ordered.begin(), ordered.end());
    std::vector<Draw::Chosen> chosen;
    for (const auto& [hash, cell, pair] : ordered) {
      sample.pairs.push_back({cell, static_cast<double>(pair.edge.value), pair.distance, 0, 0});
      chosen.push_back(pair);
    }
    return chosen;
  }

  // Longer texts are cut, so that what is labelled stays readable and its page a few megabytes.
  void read_texts(const sketches::SketchSet& set, std::map<std::uint32_t, PairText>& texts,
                  std::map<std::uint32_t, std::uint64_t>& records) const {
    constexpr std::size_t most_text = 20'000, most_all = 8'000'000;  // characters
    const std::size_t limit = std::min(most_text, most_all / std::max<std::size_t>(texts.size(), 1));
    sketches::RecordCursor cursor(set);
    sketches::RowReader reader(set, {SketchColumns::id, SketchColumns::source, SketchColumns::record});
    for (auto& [row, shown] : texts) {
      reader.seek(row);
      const sketches::SketchSet::File& file = set.files()[reader.file()];
      shown.id = job::plain_id(reader.text(SketchColumns::id));
      shown.source = shown_name(file.metadata.sources.at(reader.value<std::uint32_t>(SketchColumns::source)).path);
      records[row] = file.first_record + reader.value<std::uint64_t>(SketchColumns::record);
      const std::string_view text = cursor.text(row);
      const std::string_view head = text.substr(0, report::word_end(text, report::head_bytes(text, limit)));
      shown.text = text::without_surrogates(head);  // as no reader of UTF-8 takes them
      shown.cut = head.size() < text.size();
    }
  }

  std::vector<PairLabel> labels_before(const std::vector<PairToLabel>& pairs) {
    std::vector<PairLabel> labels;
    for (const PairToLabel& pair : pairs) {
      const auto found = before_.find(texts_of(pair));
      labels.push_back(found == before_.end() ? PairLabel::none : found->second);
      drawn_.labelled += static_cast<std::uint64_t>(labels.back() != PairLabel::none);
    }
    return labels;
  }

  [[nodiscard]] static std::string page_of(const calibration::Sample& sample, const std::vector<PairToLabel>& pairs,
                                           const std::vector<PairLabel>& labels) {
    std::vector<std::vector<DiffRun>> differences;
    for (const PairToLabel& pair : pairs) differences.push_back(difference(pair.a.text, pair.b.text, sample.profile));
    return report::render_label_page({sample.title, sample.id, labels}, pairs, differences);
  }

  const DrawOptions& options_;
  CalibrationPaths done_, paths_;  // of what stands in the directory; of what this run makes, until it is whole
  unsigned least_step_ = 0;
  Drawn drawn_;
  std::size_t words_ = 1;
  std::vector<std::uint64_t> fingerprints_;
  std::vector<std::uint32_t> tokens_;
  std::vector<std::uint8_t> flags_;
  bool predicts_ = false;
  std::array<double, 200> nominated_{};  // by similarity
  std::map<CellKey, Draw> cells_;
  std::string identity_;
  std::map<std::pair<std::string, std::string>, PairLabel> before_;  // labels of pairs of texts that were drawn before
};

}  // namespace

Drawn draw_pairs(const DrawOptions& options) {
  if (options.output_dir.empty()) throw Error(ErrorCode::usage, "no output directory given (--output-dir DIR)");
  return DrawJob(options).run();
}

}  // namespace leitong
