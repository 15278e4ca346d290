// Flags that say what the inputs are.
#include <array>
#include <sstream>
#include <utility>

#include "cli/flag_tables.h"

namespace leitong::cli {
namespace {

void add_text_field(Settings& s, const Value& v) {
  if (!std::exchange(s.text_field_given, true))
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
                 "All but parquet and arrow may be packed as .gz or .zst",
         .group = Group::input,
         .commands = reads_input & ~cmd_fingerprint,
         .aliases = "input-format",
         .choices = "auto jsonl csv tsv text lines html parquet arrow warc",
         .set = [](Settings& s, const Value& v) { s.input.format = v.text; },
         .example = "csv",
         .took = [](const Settings& s) { return s.input.format == "csv"; }},
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
         .set = [](Settings& s, const Value& v) { s.input.encoding = v.text; },
         .example = "GB18030",
         .took = [](const Settings& s) { return s.input.encoding == "GB18030"; }},
    Flag{.name = "lines",
         .help = "Short for --format lines",
         .group = Group::input,
         .commands = reads_input & ~cmd_collection_import,
         .set = [](Settings& s, const Value& v) { s.input.format = v.on ? "lines" : s.input.format; },
         .took = [](const Settings& s) { return s.input.format == "lines"; }},
    Flag{.name = "text-field",
         .argument = "PATH",
         .kind = Kind::list,
         .fallback = "text",
         .help = "Field of the text: a column name (CSV, TSV) or a dotted path (JSON Lines, Parquet, Arrow), in which 0, 1, ... is an "
                 "element of an array "
                 "and * each of them: messages.*.content. May be repeated: the texts are joined by line ends",
         .group = Group::input,
         .commands = reads_input | cmd_collection_adopt,
         .aliases = "text-column column",
         .set = add_text_field,
         .example = "body",
         .took = [](const Settings& s) { return s.input.text_field == "body" && s.input.more_text_fields.empty(); }},
    Flag{.name = "extract",
         .argument = "WHAT",
         .kind = Kind::choice,
         .fallback = "main",
         .help =
             "What is taken of a web page: main (its main content, read as an article or as another page, whichever it is), article, page "
             "(of a forum, a shop, a documentation, a list), or all its text. Of a new collection: what it takes",
         .group = Group::input,
         .commands = reads_input | cmd_collection_create,
         .choices = "main article page all",
         .set = [](Settings& s, const Value& v) { s.input.extract = v.text; },
         .example = "article",
         .took = [](const Settings& s) { return s.input.extract == "article"; }},
    Flag{
        .name = "html-field",
        .argument = "PATH",
        .kind = Kind::text,
        .help = "Field that holds a web page, a column name or a dotted path as for --text-field; the text is made of it as --extract says",
        .group = Group::input,
        .commands = reads_input,
        .aliases = "html-column",
        .set = [](Settings& s, const Value& v) { s.input.html_field = v.text; },
        .example = "html",
        .took = [](const Settings& s) { return s.input.html_field == "html"; }},
    Flag{.name = "id-field",
         .argument = "PATH",
         .kind = Kind::text,
         .fallback = "id",
         .help = "Field of the record's name; records may lack it or share it",
         .group = Group::input,
         .commands = reads_input | cmd_collection_adopt,
         .aliases = "id-column",
         .set = [](Settings& s, const Value& v) { s.input.id_field = v.text; },
         .example = "some.path",
         .took = [](const Settings& s) { return s.input.id_field == "some.path"; }},
    Flag{.name = "include",
         .argument = "GLOB",
         .kind = Kind::list,
         .help = "In directories, take only files whose path below the directory, or whose name, matches; * also matches /, and **/ no "
                 "directory "
                 "too. May be repeated",
         .group = Group::input,
         .commands = reads_input,
         .set = [](Settings& s, const Value& v) { s.input.include.push_back(v.text); },
         .example = "*.csv",
         .took = [](const Settings& s) { return is_only(s.input.include, "*.csv"); }},
    Flag{.name = "exclude",
         .argument = "GLOB",
         .kind = Kind::list,
         .help = "In directories, leave out files whose path or name matches. May be repeated",
         .group = Group::input,
         .commands = reads_input,
         .set = [](Settings& s, const Value& v) { s.input.exclude.push_back(v.text); },
         .example = "*.csv",
         .took = [](const Settings& s) { return is_only(s.input.exclude, "*.csv"); }},
    Flag{.name = "no-header",
         .help = "CSV and TSV have no row of names: the first row is a record, columns are named 0, 1, 2 and so on",
         .group = Group::input,
         .commands = reads_input,
         .set = [](Settings& s, const Value& v) { s.input.header = !v.on; },
         .took = [](const Settings& s) { return !s.input.header; }},
    Flag{.name = "strict",
         .help = "End at the first bad record instead of counting and listing it",
         .group = Group::input,
         .commands = reads_input,
         .set = [](Settings& s, const Value& v) { s.input.strict = v.on; },
         .took = [](const Settings& s) { return s.input.strict; }},
    Flag{.name = "max-document",
         .argument = "SIZE",
         .kind = Kind::size,
         .fallback = "16M",
         .help = "A longer record is a bad record",
         .group = Group::input,
         .commands = reads_input,
         .set = [](Settings& s, const Value& v) { s.input.max_document_bytes = v.number; },
         .example = "1M",
         .took = [](const Settings& s) { return s.input.max_document_bytes == 1U << 20; }},
    Flag{.name = "max-expansion",
         .argument = "FACTOR",
         .kind = Kind::number,
         .fallback = "1000",
         .help = "A compressed input that unpacks to more than this many times its size is stopped (its first 64 MiB are free)",
         .group = Group::input,
         .commands = reads_input,
         .low = 1,
         .set = [](Settings& s, const Value& v) { s.input.max_expansion = v.number; },
         .example = "7",
         .took = [](const Settings& s) { return s.input.max_expansion == 7U; }},
};

}  // namespace

std::span<const Flag> input_flags() { return table; }

}  // namespace leitong::cli
