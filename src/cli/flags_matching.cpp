// Flags that say what is near, and which copy of a group stays.
#include <array>

#include "cli/flag_tables.h"
#include "cli/named_choices.h"

namespace leitong::cli {
namespace {

constexpr std::array table{
    Flag{.name = "rule",
         .argument = "NAME|FILE",
         .kind = Kind::text,
         .fallback = "the first of `leitong rules`",
         .help = "Which texts are near-duplicates, by name or as a TOML file. Nothing that is stored depends on it",
         .group = Group::matching,
         .commands = judges,
         .set = [](Settings& s, const Value& v) { s.rule.name = v.text; },
         .example = "mine.toml",
         .took = [](const Settings& s) { return s.rule.name == "mine.toml"; }},
    Flag{.name = "threshold",
         .letter = 't',
         .argument = "S",
         .kind = Kind::real,
         .fallback = "the rule's, by length of text",
         .help = "Texts of at least this similarity (multiset Jaccard, above 0 to 1) are near-duplicates",
         .group = Group::matching,
         .commands = cmd_dedup | cmd_join | cmd_verify | two_texts | cmd_rules,
         .set = [](Settings& s, const Value& v) { s.rule.threshold = v.real; },
         .example = "0.25",
         .took = [](const Settings& s) { return s.rule.threshold == 0.25; }},
    Flag{.name = "against",
         .argument = "OLD",
         .kind = Kind::list,
         .help =
             "Also remove what resembles a record of this old collection, which is only read: a file or directory; of one with a run's "
             "results, what that run kept; a collection of leitong collection. One that keeps no texts, or is on a server (redis://..., "
             "es+http://...; docs/remote-stores.md), decides by fingerprints, within -k or its own k bits. Of join, a sketch file. "
             "May be repeated",
         .group = Group::matching,
         .commands = cmd_dedup | cmd_join,
         .set = [](Settings& s, const Value& v) { s.match.against.push_back(v.text); },
         .example = "old.jsonl",
         .took = [](const Settings& s) { return is_only(s.match.against, "old.jsonl"); }},
    Flag{.name = "k",
         .letter = 'k',
         .argument = "K",
         .kind = Kind::number,
         .fallback = "the profile's own method",
         .help = "Candidates are exactly the pairs whose fingerprints differ in at most K bits",
         .group = Group::matching,
         .commands = cmd_dedup | cmd_calibrate,
         .aliases = "bit-diff hamming-distance",
         .high = 256,
         .set = [](Settings& s, const Value& v) { s.match.k = static_cast<unsigned>(v.number); },
         .example = "7",
         .took = [](const Settings& s) { return s.match.k == 7U; }},
    Flag{.name = "recall",
         .argument = "R",
         .kind = Kind::real,
         .fallback = "by the number of records; with --similarity 0.99",
         .help =
             "Find this share of the pairs of the similarity that --similarity says: fewer, longer bands are used where they find enough. "
             "The predicted recall at each similarity is printed and stands in the report",
         .group = Group::matching,
         .commands = cmd_dedup | cmd_join | cmd_calibrate,
         .set = [](Settings& s, const Value& v) { s.match.goal = RecallGoal{s.match.goal.value_or(RecallGoal()).similarity, v.real}; },
         .example = "0.9",
         .took = [](const Settings& s) { return s.match.goal && s.match.goal->recall == 0.9; }},
    Flag{.name = "similarity",
         .argument = "S",
         .kind = Kind::real,
         .fallback = "with --recall 0.8",
         .help = "The least similarity (multiset Jaccard) at which --recall must hold; --threshold says what is accepted",
         .group = Group::matching,
         .commands = cmd_dedup | cmd_join | cmd_calibrate,
         .set = [](Settings& s, const Value& v) { s.match.goal = RecallGoal{v.real, s.match.goal.value_or(RecallGoal()).recall}; },
         .example = "0.7",
         .took = [](const Settings& s) { return s.match.goal && s.match.goal->similarity == 0.7; }},
    Flag{.name = "verify",
         .argument = "HOW",
         .kind = Kind::choice,
         .fallback = "text",
         .help = "What confirms a candidate: text reads the texts again, sketch estimates from the sketches, none takes every candidate",
         .group = Group::matching,
         .commands = cmd_dedup | cmd_verify,
         .choices = "text sketch none",
         .set = [](Settings& s, const Value& v) { s.match.verify = verify_kind(v.text); },
         .example = "sketch",
         .took = [](const Settings& s) { return s.match.verify == Verify::sketch; }},
    Flag{.name = "keep",
         .argument = "RULES",
         .kind = Kind::text,
         .fallback = default_keep,
         .help =
             "Which copy of a group stays: rules in order of rank, e.g. \"source:gov>news,date:oldest,length:max,first\". A rule is "
             "central (the copy that most others resemble), length:max|min (of the text), first, last, FIELD:max|min (number), "
             "FIELD:newest|oldest (date), url (the canonical address, https, the shortest), site:a>b (hosts) or FIELD:a>b>c (the value; "
             "those not listed come last). FIELD is a dotted path or a column name. source:a>b also goes by a part of the value "
             "between slashes, and by the input's path if the record has no such field. A rule that fits no record is named in a note",
         .group = Group::keeping,
         .commands = cmd_dedup | cmd_cluster,
         .set = [](Settings& s, const Value& v) { s.match.keep = v.text; },
         .example = "date:oldest,first",
         .took = [](const Settings& s) { return s.match.keep == "date:oldest,first"; }},
    Flag{.name = "giant-cluster",
         .argument = "N",
         .kind = Kind::number,
         .fallback = "1000",
         .help = "A group of this many records raises an alarm in the summary and the report",
         .group = Group::keeping,
         .commands = cmd_dedup | cmd_apply,
         .low = 2,
         .high = 0xffffffffU,
         .set = [](Settings& s, const Value& v) { s.match.giant_cluster = static_cast<std::uint32_t>(v.number); },
         .example = "7",
         .took = [](const Settings& s) { return s.match.giant_cluster == 7U; }},
};

}  // namespace

std::span<const Flag> matching_flags() { return table; }

}  // namespace leitong::cli
