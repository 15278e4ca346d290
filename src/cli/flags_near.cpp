// Flags that join of fingerprints and search share.
#include <array>

#include "cli/flag_tables.h"

namespace leitong::cli {
namespace {

constexpr std::array table{
    Flag{.name = "format",
         .argument = "FORM",
         .kind = Kind::choice,
         .fallback = "auto",
         .help =
             "What files of fingerprints are: u64, u128, u256 are raw values, little-endian, least significant word first; hex is 16, 32 "
             "or 64 digits a line; jsonl has such digits in a field. auto goes by the name (.u64, .hex, .jsonl and so on), then by the "
             "first line, else it is u64, and a note says so. hex and jsonl may be packed with gzip or zstd",
         .group = Group::fingerprints,
         .commands = near_fingerprints,
         .choices = "auto u64 u128 u256 hex jsonl",
         .set = [](Settings& s, const Value& v) { s.near.format = v.text; },
         .example = "u64",
         .took = [](const Settings& s) { return s.near.format == "u64"; }},
    Flag{.name = "fp-field",
         .argument = "PATH",
         .kind = Kind::text,
         .fallback = "fp, or fingerprint in a record without it",
         .help = "Field of the fingerprint in jsonl: a dotted path",
         .group = Group::fingerprints,
         .commands = near_fingerprints,
         .aliases = "fingerprint-field",
         .set = [](Settings& s, const Value& v) { s.near.field = v.text; },
         .example = "some.path",
         .took = [](const Settings& s) { return s.near.field == "some.path"; }},
    Flag{.name = "id-field",
         .argument = "PATH",
         .kind = Kind::text,
         .fallback = "id",
         .help = "Field of the record's id in jsonl; --clusters prints it, search prints that of a query, --build takes it if it is an "
                 "unsigned integer in every record",
         .group = Group::fingerprints,
         .commands = near_fingerprints,
         .set = [](Settings& s, const Value& v) { s.input.id_field = v.text; },
         .example = "some.path",
         .took = [](const Settings& s) { return s.input.id_field == "some.path"; }},
    Flag{.name = "strict",
         .help = "End at the first bad line of fingerprints, and at a file that is cut off, instead of saying so and going on",
         .group = Group::fingerprints,
         .commands = near_fingerprints,
         .set = [](Settings& s, const Value& v) { s.input.strict = v.on; },
         .took = [](const Settings& s) { return s.input.strict; }},
    Flag{.name = "max-document",
         .argument = "SIZE",
         .kind = Kind::size,
         .fallback = "16M",
         .help = "A longer line of fingerprints is a bad line",
         .group = Group::fingerprints,
         .commands = near_fingerprints,
         .set = [](Settings& s, const Value& v) { s.input.max_document_bytes = v.number; },
         .example = "1M",
         .took = [](const Settings& s) { return s.input.max_document_bytes == 1U << 20; }},
    Flag{.name = "max-expansion",
         .argument = "FACTOR",
         .kind = Kind::number,
         .fallback = "1000",
         .help =
             "A compressed file of fingerprints that unpacks to more than this many times its size is stopped (its first 64 MiB are free)",
         .group = Group::fingerprints,
         .commands = near_fingerprints,
         .low = 1,
         .set = [](Settings& s, const Value& v) { s.input.max_expansion = v.number; },
         .example = "7",
         .took = [](const Settings& s) { return s.input.max_expansion == 7U; }},
};

}  // namespace

std::span<const Flag> near_flags() { return table; }

}  // namespace leitong::cli
