// Flags that say what the inputs are.
#include <array>
#include <sstream>

#include "cli/flag_tables.h"

namespace leitong::cli {
namespace {

void add_fields(Settings& s, const Value& v) {
  std::istringstream in(v.text);
  for (std::string field; std::getline(in, field, ',');) s.input.fields.push_back(field);
}

void add_text_field(Settings& s, const Value& v) {
  if (s.text_fields_given++ == 0)
    s.input.text_field = v.text;
  else
    s.input.more_text_fields.push_back(v.text);
}

constexpr std::array table{
    Flag{.name = "format",
         .argument = "NAME",
         .kind = Kind::choice,
         .fallback = "auto",
         .help = "What the inputs are: auto goes by name, then by content; text makes each file one document, lines each line. "
                 "All may be packed as .gz or .zst",
         .group = Group::input,
         .commands = reads_input & ~cmd_fingerprint,
         .aliases = "input-format",
         .choices = "auto jsonl csv tsv text lines html",
         .set = [](Settings& s, const Value& v) { s.input.format = v.text; }},
    Flag{.name = "input-format",
         .argument = "NAME",
         .kind = Kind::choice,
         .fallback = "auto",
         .help = "What the inputs are; --format of the other commands",
         .group = Group::input,
         .commands = cmd_fingerprint,
         .choices = "auto jsonl csv tsv text lines html",
         .set = [](Settings& s, const Value& v) { s.input.format = v.text; }},
    Flag{.name = "encoding",
         .argument = "NAME",
         .kind = Kind::text,
         .fallback = "auto",
         .help =
             "How the bytes of texts are to be understood: UTF-8, GB18030, GBK, Big5, UTF-16, or another name that iconv knows. auto finds "
             "out, and says what it took: by a byte order mark, by the bytes, by what an HTML page declares",
         .group = Group::input,
         .commands = reads_input,
         .aliases = "charset",
         .set = [](Settings& s, const Value& v) { s.input.encoding = v.text; }},
    Flag{.name = "lines",
         .help = "Short for --format lines",
         .group = Group::input,
         .commands = reads_input & ~cmd_collection_import,
         .set = [](Settings& s, const Value& v) { s.input.format = v.on ? "lines" : s.input.format; }},
    Flag{.name = "text-field",
         .argument = "PATH",
         .kind = Kind::list,
         .fallback = "text",
         .help = "Field of the text: a column name (CSV, TSV) or a dotted path (JSON Lines), in which 0, 1, ... is an element of an array "
                 "and * each of them: messages.*.content. May be repeated: the texts are joined by line ends",
         .group = Group::input,
         .commands = reads_input | cmd_collection_adopt,
         .aliases = "text-column column",
         .set = add_text_field},
    Flag{.name = "id-field",
         .argument = "PATH",
         .kind = Kind::text,
         .fallback = "id",
         .help = "Field of the record's name; records may lack it or share it",
         .group = Group::input,
         .commands = reads_input | cmd_collection_adopt,
         .aliases = "id-column",
         .set = [](Settings& s, const Value& v) { s.input.id_field = v.text; }},
    Flag{.name = "b-text-field",
         .argument = "PATH",
         .kind = Kind::text,
         .fallback = "--text-field",
         .help = "Field of the text in B, if it has another name there",
         .group = Group::input,
         .commands = cmd_overlap,
         .set = [](Settings& s, const Value& v) { s.b_text_field = v.text; }},
    Flag{.name = "b-id-field",
         .argument = "PATH",
         .kind = Kind::text,
         .fallback = "--id-field",
         .help = "Field of the id in B, if it has another name there",
         .group = Group::input,
         .commands = cmd_overlap,
         .set = [](Settings& s, const Value& v) { s.b_id_field = v.text; }},
    Flag{.name = "fp-field",
         .argument = "PATH",
         .kind = Kind::text,
         .fallback = "fp",
         .help = "Field of the stored fingerprint: a dotted path (JSON Lines) or a column name (CSV, TSV)",
         .group = Group::input,
         .commands = cmd_parity,
         .aliases = "fingerprint-field",
         .set = [](Settings& s, const Value& v) { s.fingerprint_field = v.text; }},
    Flag{.name = "fields",
         .argument = "PATH[,PATH]",
         .kind = Kind::list,
         .help = "Further fields to carry along, for the rules of `cluster --keep`. May be repeated",
         .group = Group::input,
         .commands = cmd_sketch,
         .aliases = "field",
         .set = add_fields},
    Flag{.name = "include",
         .argument = "GLOB",
         .kind = Kind::list,
         .help = "In directories, take only files whose path below the directory, or whose name, matches; * also matches /, and **/ no "
                 "directory "
                 "too. May be repeated",
         .group = Group::input,
         .commands = reads_input,
         .set = [](Settings& s, const Value& v) { s.input.include.push_back(v.text); }},
    Flag{.name = "exclude",
         .argument = "GLOB",
         .kind = Kind::list,
         .help = "In directories, leave out files whose path or name matches. May be repeated",
         .group = Group::input,
         .commands = reads_input,
         .set = [](Settings& s, const Value& v) { s.input.exclude.push_back(v.text); }},
    Flag{.name = "no-header",
         .help = "CSV and TSV have no row of names: the first row is a record, columns are named 0, 1, 2 and so on",
         .group = Group::input,
         .commands = reads_input,
         .set = [](Settings& s, const Value& v) { s.input.header = !v.on; }},
    Flag{.name = "strict",
         .help = "End at the first bad record instead of counting and listing it",
         .group = Group::input,
         .commands = reads_input,
         .set = [](Settings& s, const Value& v) { s.input.strict = v.on; }},
    Flag{.name = "max-document",
         .argument = "SIZE",
         .kind = Kind::size,
         .fallback = "16M",
         .help = "A longer record is a bad record",
         .group = Group::input,
         .commands = reads_input,
         .set = [](Settings& s, const Value& v) { s.input.max_document_bytes = v.number; }},
    Flag{.name = "max-expansion",
         .argument = "FACTOR",
         .kind = Kind::number,
         .fallback = "1000",
         .help = "A compressed input that unpacks to more than this many times its size is stopped (its first 64 MiB are free)",
         .group = Group::input,
         .commands = reads_input,
         .low = 1,
         .set = [](Settings& s, const Value& v) { s.input.max_expansion = v.number; }},
    Flag{.name = "run",
         .argument = "DIR",
         .kind = Kind::text,
         .help =
             "A and B are records of the finished run in DIR: their ids, or SOURCE:RECORD or :RECORD with the number that removed.jsonl "
             "and clusters.jsonl give",
         .group = Group::input,
         .commands = cmd_explain,
         .set = [](Settings& s, const Value& v) { s.run = v.text; }},
};

}  // namespace

std::span<const Flag> input_flags() { return table; }

}  // namespace leitong::cli
