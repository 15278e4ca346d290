// Flags of the job and of the program.
#include <array>

#include "cli/flag_tables.h"
#include "cli/named_choices.h"

namespace leitong::cli {
namespace {

constexpr std::array table{
    Flag{.name = "threads",
         .letter = 'j',
         .argument = "N",
         .kind = Kind::number,
         .fallback = "all cores",
         .help = "Threads to use; the results are the same whatever their number",
         .group = Group::job,
         .commands = long_jobs | cmd_serve,
         .aliases = "num-proc workers",
         .low = 1,
         .high = 1024,
         .set = [](Settings& s, const Value& v) { s.job.threads = static_cast<unsigned>(v.number); },
         .example = "7",
         .took = [](const Settings& s) { return s.job.threads == 7U; }},
    Flag{.name = "memory",
         .argument = "SIZE",
         .kind = Kind::size,
         .fallback = "half of the machine's",
         .help = "Memory to stay below, e.g. 512M or 4G (powers of 1024), at least 64M; what does not fit goes to disk",
         .group = Group::job,
         .commands = cmd_dedup | cmd_calibrate | cmd_overlap | stages | cmd_idf | (collection_jobs & ~cmd_collection_query) | cmd_serve,
         .low = 64ULL << 20,
         .set = [](Settings& s, const Value& v) { s.job.memory = v.number; },
         .example = "4G",
         .took = [](const Settings& s) { return s.job.memory == 4ULL << 30; }},
    Flag{.name = "quiet",
         .letter = 'q',
         .help = "No progress line and no closing summary",
         .group = Group::job,
         .commands = long_jobs | cmd_serve,
         .set = [](Settings& s, const Value& v) { s.face.quiet = v.on; },
         .took = [](const Settings& s) { return s.face.quiet; }},
    Flag{.name = "config",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "TOML file whose keys are the long flag names; flags on the command line win",
         .group = Group::general,
         .commands = long_jobs | two_texts | cmd_serve,
         .set = [](Settings& s, const Value& v) { s.face.config = v.text; },
         .example = "/dev/null",
         .took = [](const Settings& s) { return s.face.config == "/dev/null"; }},
    Flag{.name = "color",
         .argument = "WHEN",
         .kind = Kind::choice,
         .fallback = "auto",
         .help = "Colours: auto means on a terminal, unless NO_COLOR is set",
         .group = Group::general,
         .commands = two_texts | cmd_calibrate,
         .aliases = "colour",
         .choices = "auto always never",
         .set = [](Settings& s, const Value& v) { s.face.color = when(v.text); },
         .example = "never",
         .took = [](const Settings& s) { return s.face.color == When::never; }},
    Flag{.name = "help",
         .letter = 'h',
         .help = "Show this help",
         .group = Group::general,
         .commands = cmd_all,
         .set = [](Settings& s, const Value& v) { s.face.help = v.on; },
         .took = [](const Settings& s) { return s.face.help; }},
    Flag{.name = "version",
         .letter = 'V',
         .help = "Show the version",
         .group = Group::general,
         .commands = cmd_all,
         .set = [](Settings& s, const Value& v) { s.face.version = v.on; },
         .took = [](const Settings& s) { return s.face.version; }},
};

}  // namespace

std::span<const Flag> general_flags() { return table; }

}  // namespace leitong::cli
