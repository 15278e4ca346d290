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
         .set = [](Settings& s, const Value& v) { s.rule = v.text; }},
    Flag{.name = "threshold",
         .letter = 't',
         .argument = "S",
         .kind = Kind::real,
         .fallback = "the rule's, by length of text",
         .help = "Texts of at least this similarity (multiset Jaccard, above 0 to 1) are near-duplicates",
         .group = Group::matching,
         .commands = cmd_dedup | cmd_join | cmd_verify | two_texts | cmd_rules,
         .set = [](Settings& s, const Value& v) { s.threshold = v.real; }},
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
         .set = [](Settings& s, const Value& v) { s.against.push_back(v.text); }},
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
         .set = [](Settings& s, const Value& v) { s.k = static_cast<unsigned>(v.number); }},
    Flag{.name = "recall",
         .argument = "R",
         .kind = Kind::real,
         .fallback = "by the number of records; with --similarity 0.99",
         .help =
             "Find this share of the pairs of the similarity that --similarity says: fewer, longer bands are used where they find enough. "
             "The predicted recall at each similarity is printed and stands in the report",
         .group = Group::matching,
         .commands = cmd_dedup | cmd_join | cmd_calibrate,
         .set = [](Settings& s, const Value& v) { s.goal = RecallGoal{s.goal.value_or(RecallGoal()).similarity, v.real}; }},
    Flag{.name = "similarity",
         .argument = "S",
         .kind = Kind::real,
         .fallback = "with --recall 0.8",
         .help = "The least similarity (multiset Jaccard) at which --recall must hold; --threshold says what is accepted",
         .group = Group::matching,
         .commands = cmd_dedup | cmd_join | cmd_calibrate,
         .set = [](Settings& s, const Value& v) { s.goal = RecallGoal{v.real, s.goal.value_or(RecallGoal()).recall}; }},
    Flag{.name = "span",
         .argument = "N",
         .kind = Kind::number,
         .fallback = "20",
         .help =
             "A passage is in both if they have at least N tokens in a row in common; a shorter text of B must be held whole. A token is a "
             "word, or one Han character",
         .group = Group::matching,
         .commands = cmd_overlap,
         .low = 5,
         .high = 10'000,
         .set = [](Settings& s, const Value& v) { s.span = static_cast<std::uint32_t>(v.number); }},
    Flag{.name = "contained",
         .argument = "R",
         .kind = Kind::real,
         .fallback = "0.5",
         .help =
             "A text of B counts as contained if one text of A holds at least this share of its tokens in such passages; less is partial",
         .group = Group::matching,
         .commands = cmd_overlap,
         .set = [](Settings& s, const Value& v) { s.contained = v.real; }},
    Flag{.name = "verify",
         .argument = "HOW",
         .kind = Kind::choice,
         .fallback = "text",
         .help = "What confirms a candidate: text reads the texts again, sketch estimates from the sketches, none takes every candidate",
         .group = Group::matching,
         .commands = cmd_dedup | cmd_verify,
         .choices = "text sketch none",
         .set = [](Settings& s, const Value& v) { s.verify = verify_kind(v.text); }},
    Flag{.name = "keep",
         .argument = "RULES",
         .kind = Kind::text,
         .fallback = default_keep,
         .help = "Which copy of a group stays: rules in order of rank, e.g. \"source:gov>news,date:oldest,length:max,first\". A rule is "
                 "central (the copy that most others resemble), length:max|min (of the text), first, last, FIELD:max|min (number), "
                 "FIELD:newest|oldest (date) or FIELD:a>b>c (the value; "
                 "those not listed come last). FIELD is a dotted path or a column name. source:a>b also goes by a part of the value "
                 "between slashes, and by the input's path if the record has no such field. A rule that fits no record is named in a note",
         .group = Group::keeping,
         .commands = cmd_dedup | cmd_cluster,
         .set = [](Settings& s, const Value& v) { s.keep = v.text; }},
    Flag{.name = "giant-cluster",
         .argument = "N",
         .kind = Kind::number,
         .fallback = "1000",
         .help = "A group of this many records raises an alarm in the summary and the report",
         .group = Group::keeping,
         .commands = cmd_dedup | cmd_apply,
         .low = 2,
         .high = 0xffffffffU,
         .set = [](Settings& s, const Value& v) { s.giant_cluster = static_cast<std::uint32_t>(v.number); }},
    Flag{.name = "cluster",
         .argument = "ID",
         .kind = Kind::number,
         .help = "Only the records of this group (as numbered in clusters.jsonl)",
         .group = Group::keeping,
         .commands = cmd_restore,
         .set = [](Settings& s, const Value& v) { s.cluster = v.number; }},
};

}  // namespace

std::span<const Flag> matching_flags() { return table; }

}  // namespace leitong::cli
