// calibrate: draw pairs, label them in the terminal, make estimates of labels.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/commands.h"
#include "cli/diff.h"
#include "cli/keys.h"
#include "cli/parse.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "leitong/calibrate.h"
#include "leitong/error.h"

namespace leitong::cli {
namespace {

int draw(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  if (s.output.directory.empty())
    throw Error(ErrorCode::usage, "calibrate needs --output-dir DIR for the pairs that it draws, or --label, or --labels FILE");
  DrawOptions options;
  options.input = s.input;
  options.input.paths = invocation.operands;
  options.profile = effective_profile(s.profile);
  options.rule = effective_rule(s.rule);
  options.output_dir = s.output.directory;
  options.k = s.match.k, options.goal = s.match.goal, options.overwrite = s.output.overwrite;
  options.least_similarity = s.calibrate.least_similarity, options.per_band = s.calibrate.per_band, options.seed = s.calibrate.seed;
  ProgressLine line(!s.face.quiet);
  options.job = line.watch(s.job);
  const Drawn drawn = draw_pairs(options);
  line.erase();
  if (!s.face.quiet) {
    output.write(fmt::format("{} records read, {} bad\n", human_count(drawn.counts.records), human_count(drawn.counts.rejected)));
    output.write(fmt::format("{} pairs of equal texts: right without a label\n", human_count(drawn.equal)));
    output.write(fmt::format("{} pairs of different texts of similarity {:.2f} and more; {} drawn\n", human_count(drawn.population),
                             s.calibrate.least_similarity, human_count(drawn.drawn)));
    if (drawn.labelled > 0) output.write(fmt::format("{} of them have the label that they had before\n", human_count(drawn.labelled)));
    if (drawn.drawn > 0)
      output.write(fmt::format("label them: open {0}/label.html in a browser, or leitong calibrate --label {0}\n", s.output.directory));
  }
  if (drawn.drawn == 0) print_note("there is nothing to label: no two different texts are that similar");
  return drawn.drawn == 0 ? 1 : 0;
}

// Pairs in order, first those without a label.
class Labelling {
 public:
  Labelling(LabelSession& session, const FaceSettings& face, Output& output)
      : session_(session), face_(face), output_(output), color_(use_color(face.color)) {}

  void run() {
    const Keys keys;
    std::size_t at = open_from(0);
    while (at < session_.size()) {
      show(at);
      const auto key = keys.next();
      output_.write(key ? std::string(1, *key) + "\n" : "\n");
      if (!key || *key == 'q') break;
      if (*key == 'b') {
        at -= at > 0 ? 1 : 0;
      } else if (const PairLabel label = label_of(*key); label != PairLabel::none) {
        const bool first = session_.label(at) == PairLabel::none;
        session_.set_label(at, label);
        session_.save();
        at = first ? open_from(at) : at + 1;
      }
    }
  }

 private:
  static PairLabel label_of(char key) {
    if (key == 'y') return PairLabel::yes;
    if (key == 'n') return PairLabel::no;
    return key == 'u' ? PairLabel::unsure : PairLabel::none;
  }

  // The first pair without a label from there on, around the end.
  [[nodiscard]] std::size_t open_from(std::size_t from) const {
    for (std::size_t i = 0; i < session_.size(); ++i)
      if (const std::size_t at = (from + i) % session_.size(); session_.label(at) == PairLabel::none) return at;
    return session_.size();
  }

  [[nodiscard]] std::string bold(const std::string& text) const { return color_ ? "\x1b[1m" + text + "\x1b[0m" : text; }

  void show(std::size_t at) {
    static constexpr const char* words[] = {"", ", labelled yes", ", labelled no", ", labelled unsure"};
    const PairToLabel& pair = session_.pair(at);
    output_.write("\n" + bold(fmt::format("Pair {} of {}", at + 1, session_.size())) +
                  fmt::format(" ({} labelled{})\n", session_.labelled(), words[static_cast<std::size_t>(session_.label(at))]));
    for (const auto& [name, text] : {std::pair("A", &pair.a), std::pair("B", &pair.b)})
      output_.write(fmt::format("{} {}{}\n", bold(name), harmless(text->source), text->id == "null" ? "" : " · " + harmless(text->id)));
    const std::string diff = marked_diff(pair.a.text, pair.b.text, session_.difference(at), face_.context, color_);
    output_.write("\n" + (color_ ? diff : harmless(diff)) + (diff.ends_with('\n') ? "" : "\n"));
    if (pair.a.cut || pair.b.cut) output_.write("[the texts go on]\n");
    output_.write("\n" + bold("Would it be right to keep only one of these two?") + " [y]es, [n]o, [u]nsure, [b]ack, [q]uit: ");
    output_.finish();
  }

  LabelSession& session_;
  const FaceSettings& face_;
  Output& output_;
  bool color_;
};

int label(const Invocation& invocation, Output& output) {
  const std::string& directory = invocation.operands[0];
  LabelSession session(directory);
  Labelling(session, invocation.settings.face, output).run();
  output.write(fmt::format("{} of {} pairs are labelled", session.labelled(), session.size()));
  output.write(session.labelled() < session.size() ? fmt::format("; the same command goes on\n")
                                                   : fmt::format(": leitong calibrate --labels {0}/labels.json {0}\n", directory));
  return 0;
}

std::string percent(const Share& share) {
  return share.known ? fmt::format("{:5.1f} ({:5.1f}-{:5.1f})", 100 * share.value, 100 * share.low, 100 * share.high)
                     : fmt::format("{:>19}", "unknown");
}

void show_threshold(const CalibratedThreshold& t, const Calibration& c, Output& output) {
  output.write(fmt::format("{:>9}  {:>11}  {:>6}  {}  {}{}\n", t.threshold > 0 ? fmt::format("{:.2f}", t.threshold) : "now",
                           human_count(t.taken.population), t.taken.labels(), percent(t.taken.precision), percent(t.recall),
                           c.recommended && *c.recommended == t.threshold ? "  <" : ""));
}

int estimate(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  const std::string& directory = invocation.operands[0];
  const Calibration c = calibrate({directory, s.calibrate.labels, s.calibrate.precision});
  if (!s.face.quiet) {
    output.write("threshold        pairs  labels  precision %          recall %\n");
    show_threshold(c.current, c, output);
    for (const CalibratedThreshold& t : c.thresholds) show_threshold(t, c, output);
    output.write("\n");
    for (const std::string& finding : c.findings) output.write(finding + "\n");
    output.write(fmt::format("\nreport: {}/calibration.html\n", directory));
    if (c.recommended) output.write(fmt::format("leitong dedup INPUT... --rule {}/rule.toml\n", directory));
  }
  return c.recommended ? 0 : 1;
}

int run_calibrate(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  if (!s.calibrate.label && s.calibrate.labels.empty()) return draw(invocation, output);
  if (s.calibrate.label && !s.calibrate.labels.empty()) throw Error(ErrorCode::usage, "--label and --labels are two steps: label first");
  if (invocation.operands.size() != 1 || !s.output.directory.empty())
    throw Error(ErrorCode::usage, fmt::format("--{} takes the directory that calibrate made, and no inputs: leitong calibrate --{} DIR",
                                              s.calibrate.label ? "label" : "labels", s.calibrate.label ? "label" : "labels FILE"));
  return s.calibrate.label ? label(invocation, output) : estimate(invocation, output);
}

constexpr std::array own_flags{
    Flag{.name = "label",
         .help = "Label the pairs of DIR here in the terminal: y, n, u; b goes back, q ends; what is labelled is kept",
         .group = Group::calibration,
         .set = [](Settings& s, const Value& v) { s.calibrate.label = v.on; },
         .took = [](const Settings& s) { return s.calibrate.label; }},
    Flag{
        .name = "labels",
        .argument = "FILE",
        .kind = Kind::text,
        .help =
            "Labels for the pairs of DIR, as label.html and --label save them, or {\"pair\":1,\"label\":\"yes\"} a line (yes, no, unsure): "
            "writes calibration.json, calibration.html and rule.toml",
        .group = Group::calibration,
        .set = [](Settings& s, const Value& v) { s.calibrate.labels = v.text; },
        .example = "some/file",
        .took = [](const Settings& s) { return s.calibrate.labels == "some/file"; }},
    Flag{.name = "precision",
         .argument = "P",
         .kind = Kind::real,
         .fallback = "0.95",
         .help = "The threshold to recommend: the lowest whose pairs are, with 95 % confidence, right in this share",
         .group = Group::calibration,
         .set = [](Settings& s, const Value& v) { s.calibrate.precision = v.real; },
         .example = "0.25",
         .took = [](const Settings& s) { return s.calibrate.precision == 0.25; }},
    Flag{.name = "per-band",
         .argument = "N",
         .kind = Kind::number,
         .fallback = "40",
         .help = "Pairs to draw of each tenth of similarity",
         .group = Group::calibration,
         .low = 1,
         .high = 100'000,
         .set = [](Settings& s, const Value& v) { s.calibrate.per_band = static_cast<std::uint32_t>(v.number); },
         .example = "7",
         .took = [](const Settings& s) { return s.calibrate.per_band == 7U; }},
    Flag{.name = "least-similarity",
         .argument = "S",
         .kind = Kind::real,
         .fallback = "0.4",
         .help = "Draw no pairs below this similarity; the candidate stage sees few of them",
         .group = Group::calibration,
         .set = [](Settings& s, const Value& v) { s.calibrate.least_similarity = v.real; },
         .example = "0.25",
         .took = [](const Settings& s) { return s.calibrate.least_similarity == 0.25; }},
    Flag{.name = "seed",
         .argument = "N",
         .kind = Kind::number,
         .fallback = "1",
         .help = "Another number draws other pairs",
         .group = Group::calibration,
         .set = [](Settings& s, const Value& v) { s.calibrate.seed = v.number; },
         .example = "7",
         .took = [](const Settings& s) { return s.calibrate.seed == 7U; }},
};

}  // namespace

constexpr CommandInfo calibrate_command{
    .command = cmd_calibrate,
    .name = "calibrate",
    .purpose = "Find out how right dedup is on a collection, and which threshold to take, by labelling pairs",
    .usage = "INPUT... --output-dir DIR | --label DIR | --labels FILE DIR",
    .description =
        "In three steps. First it draws pairs of all similarities and distances at random, from the candidates that dedup would look "
        "at, with the same flags for input and profile. DIR receives label.html, pairs.jsonl and sample.json.\n\n"
        "Then a person says of each pair whether it would be right to keep only one of the two: in label.html (open it in a "
        "browser; it needs no network and keeps its state), in the terminal with --label, or in any other way that "
        "gives a labels file. The similarity is not shown.\n\n"
        "Then --labels gives precision by similarity and distance, precision and recall of each threshold, all with 95 % intervals, "
        "in calibration.json and calibration.html, and in rule.toml the rule with the lowest threshold that reaches "
        "--precision. docs/calibration.md says how to read them.",
    .examples =
        "leitong calibrate news.jsonl --output-dir cal\n"
        "leitong calibrate --label cal\n"
        "leitong calibrate --labels cal/labels.json cal\n"
        "leitong dedup news.jsonl --rule cal/rule.toml --output-dir out",
    .exit_codes = "0 done\n1 there was nothing to draw, or no threshold can be recommended\n2 error\n130 stopped by a signal",
    .least = 1,
    .most = ~0U,
    .operands = "files",
    .own_flags = own_flags,
    .run = run_calibrate};

}  // namespace leitong::cli
