// What may be written where: the rule that every job of the library keeps, for callers who write files themselves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace leitong {

// How an output of lines is packed, and which end of its name says so: none, .gz, .zst.
enum class Compression : std::uint8_t { none, gzip, zstd };

// What the records that stay are written as. Lists (removed, clusters, rejected) are JSON Lines always. warc: records of WARC files as they
// stand, one member a record if it is packed.
enum class RecordFormat : std::uint8_t { jsonl, parquet, warc };

// Where the records go: into one file, or into one for each input file (an empty one too) in a directory of that name without .jsonl. There
// a file is called as its input: by the path inside a directory that was given, by the last name if the file was given itself, standard
// input stdin.jsonl; behind a name of another format stands .jsonl. docs/outputs.md says it in full.
enum class OutputLayout : std::uint8_t { one, input };

// What tells a file that Leitong made from any other: its first bytes; of a text, an extended attribute of the file, so that where the file
// system has none, no text is replaced.
enum class OutputForm { text, table, index, data, spool };

// Throws Error(usage) that says what to do, unless a run that reads the files `inputs` ("-" is standard input) may write `path`: it must
// not be one of them by device and inode, links included, and if something stands there, it must be a regular file that is empty or that
// Leitong made.
void check_output(const std::string& path, const std::vector<std::string>& inputs, OutputForm form);

}  // namespace leitong
