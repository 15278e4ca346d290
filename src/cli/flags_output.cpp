// Flags that say what comes out.
#include <array>

#include "cli/flag_tables.h"
#include "cli/named_choices.h"

namespace leitong::cli {
namespace {

RecordFormat record_format(std::string_view name) {
  return name == "parquet" ? RecordFormat::parquet : name == "warc" ? RecordFormat::warc : RecordFormat::jsonl;
}

constexpr std::array table{
    Flag{.name = "output-dir",
         .letter = 'o',
         .argument = "DIR",
         .kind = Kind::text,
         .help = "Directory of the results; made if need be",
         .group = Group::output,
         .commands = cmd_dedup | cmd_apply | cmd_calibrate | cmd_overlap,
         .required = cmd_dedup | cmd_apply | cmd_overlap,
         .set = [](Settings& s, const Value& v) { s.output.directory = v.text; },
         .example = "some/dir",
         .took = [](const Settings& s) { return s.output.directory == "some/dir"; }},
    Flag{.name = "output",
         .letter = 'o',
         .argument = "FILE",
         .kind = Kind::text,
         .help = "The stage's file; it appears under this name only when it is whole",
         .group = Group::output,
         .commands = cmd_sketch | cmd_join | cmd_verify | cmd_cluster,
         .required = cmd_sketch | cmd_verify | cmd_cluster,  // join: or one of --count, --pairs, --clusters
         .set = [](Settings& s, const Value& v) { s.output.file = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.output.file == "some/file"; }},
    Flag{.name = "rejected",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "List bad records here, as JSON Lines with source, line and reason",
         .group = Group::output,
         .commands = cmd_sketch | cmd_collection_add | cmd_collection_import,
         .set = [](Settings& s, const Value& v) { s.output.rejected = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.output.rejected == "some/file"; }},
    Flag{.name = "annotate",
         .help = "Write all records to annotated.jsonl, each with one added object, instead of kept.jsonl; rows of Parquet to "
                 "annotated.parquet, "
                 "with added columns",
         .group = Group::output,
         .commands = cmd_dedup | cmd_apply,
         .set = [](Settings& s, const Value& v) { s.output.annotate = v.on; },
         .took = [](const Settings& s) { return s.output.annotate; }},
    Flag{.name = "annotate-key",
         .argument = "NAME",
         .kind = Kind::text,
         .fallback = "leitong",
         .help = "Name of the added object, or what the names of the added columns begin with; a record that has one already is an error",
         .group = Group::output,
         .commands = cmd_dedup | cmd_apply,
         .set = [](Settings& s, const Value& v) { s.output.annotate_key = v.text; },
         .example = "mine",
         .took = [](const Settings& s) { return s.output.annotate_key == "mine"; }},
    Flag{.name = "output-compression",
         .argument = "HOW",
         .kind = Kind::choice,
         .fallback = "none; with --output-layout input, what the end of the input's name says",
         .help = "Pack what is written as JSON Lines: kept.jsonl.zst, removed.jsonl.zst and so on. Whatever reads a run finds them",
         .group = Group::output,
         .commands = cmd_dedup | cmd_apply | cmd_overlap,
         .choices = "none zst gz",
         .set = [](Settings& s, const Value& v) { s.output.compression = compression(v.text); },
         .example = "zst",
         .took = [](const Settings& s) { return s.output.compression == Compression::zstd; }},
    Flag{.name = "output-format",
         .argument = "NAME",
         .kind = Kind::choice,
         .fallback = "parquet if all inputs are Parquet or Arrow, warc if all are WARC or ARC, else jsonl",
         .help = "What the records that stay are written as: parquet keeps the schema, the metadata and the row groups of Parquet inputs "
                 "(kept.parquet), jsonl makes of each of their rows a JSON object, warc keeps records of WARC inputs byte for byte "
                 "(kept.warc.gz, packed as the "
                 "first input). Lists are JSON Lines always",
         .group = Group::output,
         .commands = cmd_dedup | cmd_apply,
         .choices = "jsonl parquet warc",
         .set = [](Settings& s, const Value& v) { s.output.format = record_format(v.text); },
         .example = "parquet",
         .took = [](const Settings& s) { return s.output.format == RecordFormat::parquet; }},
    Flag{.name = "output-layout",
         .argument = "HOW",
         .kind = Kind::choice,
         .fallback = "one",
         .help = "input writes, for kept.jsonl, a directory kept with one file for each input file, empty ones too: in/a/b.jsonl of the "
                 "operand in/ becomes kept/a/b.jsonl, standard input kept/stdin.jsonl, and t.csv kept/t.csv.jsonl",
         .group = Group::output,
         .commands = cmd_dedup | cmd_apply,
         .choices = "one input",
         .set = [](Settings& s, const Value& v) { s.output.layout = v.text == "input" ? OutputLayout::input : OutputLayout::one; },
         .example = "input",
         .took = [](const Settings& s) { return s.output.layout == OutputLayout::input; }},
    Flag{.name = "overwrite",
         .help = "Replace the results of another run; what Leitong did not make is never replaced",
         .group = Group::output,
         .commands = cmd_dedup | cmd_calibrate | cmd_overlap,
         .set = [](Settings& s, const Value& v) { s.output.overwrite = v.on; },
         .took = [](const Settings& s) { return s.output.overwrite; }},
    Flag{.name = "text",
         .help = "A and B are texts, even if files of these names exist",
         .group = Group::output,
         .commands = two_texts,
         .set = [](Settings& s, const Value& v) { s.face.as_text = v.on; },
         .took = [](const Settings& s) { return s.face.as_text; }},
    Flag{.name = "json",
         .help = "Print one JSON object",
         .group = Group::output,
         .commands = two_texts | cmd_parity | cmd_collection_stats | cmd_collection_inspect | cmd_copy,
         .set = [](Settings& s, const Value& v) { s.face.json = v.on; },
         .took = [](const Settings& s) { return s.face.json; }},
    Flag{.name = "context",
         .argument = "BYTES",
         .kind = Kind::number,
         .fallback = "160",
         .help = "Equal stretches of the difference that are longer show only their ends; 0 shows everything",
         .group = Group::output,
         .commands = two_texts | cmd_calibrate,
         .set = [](Settings& s, const Value& v) { s.face.context = v.number; },
         .example = "7",
         .took = [](const Settings& s) { return s.face.context == 7U; }},
};

}  // namespace

std::span<const Flag> output_flags() { return table; }

}  // namespace leitong::cli
