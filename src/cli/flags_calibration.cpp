// Flags of calibrate alone.
#include <array>

#include "cli/flag_tables.h"

namespace leitong::cli {
namespace {

constexpr std::array table{
    Flag{.name = "label",
         .help = "Label the pairs of DIR here in the terminal: y, n, u; b goes back, q ends; what is labelled is kept",
         .group = Group::calibration,
         .commands = cmd_calibrate,
         .set = [](Settings& s, const Value& v) { s.label = v.on; }},
    Flag{
        .name = "labels",
        .argument = "FILE",
        .kind = Kind::text,
        .help =
            "Labels for the pairs of DIR, as label.html and --label save them, or {\"pair\":1,\"label\":\"yes\"} a line (yes, no, unsure): "
            "writes calibration.json, calibration.html and profile.toml",
        .group = Group::calibration,
        .commands = cmd_calibrate,
        .set = [](Settings& s, const Value& v) { s.labels = v.text; }},
    Flag{.name = "precision",
         .argument = "P",
         .kind = Kind::real,
         .fallback = "0.95",
         .help = "The threshold to recommend: the lowest whose pairs are, with 95 % confidence, right in this share",
         .group = Group::calibration,
         .commands = cmd_calibrate,
         .set = [](Settings& s, const Value& v) { s.precision = v.real; }},
    Flag{.name = "per-band",
         .argument = "N",
         .kind = Kind::number,
         .fallback = "40",
         .help = "Pairs to draw of each tenth of similarity",
         .group = Group::calibration,
         .commands = cmd_calibrate,
         .low = 1,
         .high = 100'000,
         .set = [](Settings& s, const Value& v) { s.per_band = static_cast<std::uint32_t>(v.number); }},
    Flag{.name = "least-similarity",
         .argument = "S",
         .kind = Kind::real,
         .fallback = "0.4",
         .help = "Draw no pairs below this similarity; the candidate stage sees few of them",
         .group = Group::calibration,
         .commands = cmd_calibrate,
         .set = [](Settings& s, const Value& v) { s.least_similarity = v.real; }},
    Flag{.name = "seed",
         .argument = "N",
         .kind = Kind::number,
         .fallback = "1",
         .help = "Another number draws other pairs",
         .group = Group::calibration,
         .commands = cmd_calibrate,
         .set = [](Settings& s, const Value& v) { s.seed = v.number; }},
};

}  // namespace

std::span<const Flag> calibration_flags() { return table; }

}  // namespace leitong::cli
