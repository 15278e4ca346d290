// What each command is for, in words.
#include <algorithm>
#include <array>

#include "cli/commands_collection.h"

namespace leitong::cli {
namespace {

constexpr const char* done_or_error = "0 done\n2 error\n130 stopped by a signal";

constexpr std::array table{
    CommandInfo{
        .command = cmd_dedup,
        .name = "dedup",
        .purpose = "Find near-duplicate texts, keep one of each group, and report what was done",
        .usage = "INPUT... --output-dir DIR [FLAG...]",
        .description =
            "Reads files and directories of texts (- is standard input), groups near-duplicates and keeps one record of each group. A "
            "fingerprint only nominates a pair; the texts are read again to confirm it, and a removed record always resembles the very "
            "record that is kept in its place.\n\n"
            "DIR receives kept.jsonl (input records, untouched, in input order), removed.jsonl (why each was removed), clusters.jsonl, "
            "rejected.jsonl (bad records), summary.json, report.html and run.json (times and host). Same inputs and settings give the "
            "same bytes, except for run.json. A stopped run goes on with --resume. Results of this or other runs that lie in an "
            "input directory are not read as input.",
        .examples = "leitong dedup /usr/share/doc --include '*/copyright' --output-dir out\n"
                    "leitong dedup news.jsonl.gz --text-field body --keep 'source:gov>news,date:oldest' -o out\n"
                    "zcat crawl.jsonl.gz | leitong dedup - --memory 4G --output-dir out\n"
                    "leitong dedup today.jsonl --against yesterday/ --output-dir out\n"
                    "leitong dedup big/ --dry-run --output-dir out",
        .exit_codes = "0 done\n1 there was not one good record\n2 error\n130 stopped by a signal",
        .least = 1,
        .most = ~0U,
        .operands = "files"},
    CommandInfo{.command = cmd_sketch,
                .name = "sketch",
                .purpose = "Stage 1: inputs to a sketch file",
                .usage = "INPUT... --output FILE [FLAG...]",
                .description =
                    "Reads the inputs once and writes, for each record, its position, lengths and sketches. Shards can be sketched "
                    "on different machines and joined later, if the profile is the same. verify and apply read the inputs again: relative "
                    "paths count from the directory in which sketch was run.",
                .examples = "leitong sketch part-07.jsonl.zst --output part-07.sketch --rejected part-07.rejected.jsonl",
                .exit_codes = done_or_error,
                .least = 1,
                .most = ~0U,
                .operands = "files"},
    CommandInfo{.command = cmd_join,
                .name = "join",
                .purpose = "Stage 2: sketch files to candidate pairs. Or: all pairs of fingerprints within k bits",
                .usage = "SKETCHES... --output FILE [FLAG...] | FILE [FILE_B] [-k K] --count|--pairs OUT|--clusters OUT [FLAG...]",
                .description =
                    "With --output it is a stage of dedup: nominates pairs of records that may be near-duplicates. Records are numbered "
                    "through all sketch files in the order given.\n\n"
                    "With --count, --pairs or --clusters it joins files of fingerprints: finds every pair of FILE, or every pair of a row "
                    "of FILE and a row of FILE_B, that differs in at most K bits (3 without -k), exactly. Raw values are mapped and may be "
                    "larger than memory; what the join itself needs stays below --memory. A row is a value's number in a raw file and a "
                    "line's number in the others, from 0. Bad lines are listed and counted, and leave their numbers unused, and so do "
                    "records whose fingerprint is null. Pairs come in the same order whatever the number of threads (not in that of "
                    "their rows: sort -t, -k1n,1 -k2n,2).",
                .examples = "leitong join part-*.sketch --output all.pairs\nleitong join part-*.sketch -k 3 --output close.pairs\n"
                            "leitong join values.u64 -k 3 --count\n"
                            "leitong join today.hex archive.hex -k 6 --pairs near.csv\n"
                            "leitong fingerprint news.jsonl | leitong join - -k 3 --pairs -",
                .exit_codes = "0 done\n1 every line was bad, or a file could not be read to its end\n2 error\n130 stopped by a signal",
                .most = ~0U,
                .operands = "files"},
    CommandInfo{.command = cmd_verify,
                .name = "verify",
                .purpose = "Stage 3: candidate pairs to pairs that are near-duplicates",
                .usage = "PAIRS --output FILE [FLAG...]",
                .description =
                    "Computes the similarity of each candidate pair and keeps those that reach the threshold. With --verify text "
                    "the inputs are read again, in order.",
                .examples = "leitong verify all.pairs --output all.edges",
                .exit_codes = done_or_error,
                .least = 1,
                .most = 1,
                .operands = "files"},
    CommandInfo{.command = cmd_cluster,
                .name = "cluster",
                .purpose = "Stage 4: near-duplicate pairs to groups, and the record that each keeps",
                .usage = "EDGES --output FILE [FLAG...]",
                .description = "Visits records best first by the rules of --keep; each takes the free records that it is a near-duplicate "
                               "of. So every removed record is a near-duplicate of the one that is kept, not of a chain of others.",
                .examples = "leitong cluster all.edges --keep 'length:max,first' --output all.clusters",
                .exit_codes = done_or_error,
                .least = 1,
                .most = 1,
                .operands = "files"},
    CommandInfo{.command = cmd_apply,
                .name = "apply",
                .purpose = "Stage 5: groups to the outputs of a run",
                .usage = "CLUSTERS --output-dir DIR [FLAG...]",
                .description = "Reads the inputs again and writes kept.jsonl, removed.jsonl, clusters.jsonl, summary.json and report.html.",
                .examples = "leitong apply all.clusters --output-dir out",
                .exit_codes = done_or_error,
                .least = 1,
                .most = 1,
                .operands = "files"},
    CommandInfo{.command = cmd_restore,
                .name = "restore",
                .purpose = "Give removed records back, as they were in the input",
                .usage = "DIR|CLUSTERS [--cluster ID]",
                .description = "Prints the removed records of a finished run to standard output, in input order. DIR is the run's output "
                               "directory, CLUSTERS the file that `cluster` wrote; the inputs must be unchanged and where they were.",
                .examples = "leitong restore out > removed-records.jsonl\nleitong restore out --cluster 12",
                .exit_codes = "0 records were printed\n1 nothing was removed, or the group does not exist\n2 error",
                .least = 1,
                .most = 1,
                .operands = "files"},
    CommandInfo{.command = cmd_fingerprint,
                .name = "fingerprint",
                .purpose = "Print the fingerprint of each record as JSON Lines",
                .usage = "INPUT... [--profile P] [FLAG...]",
                .description =
                    "Prints {\"id\",\"fp\",\"features\"} for each good record, in input order. fp is hexadecimal, most significant "
                    "bit first (--format has others), or null for a text without features; features is their number; id is null if the "
                    "record has none. Fingerprints may be compared only if they were made with the same profile id (leitong profiles). "
                    "The profiles java-* give exactly what the Java programs of the articles give; docs/migrating-from-java.md says which.",
                .examples = "leitong fingerprint articles.jsonl > articles.fp.jsonl\n"
                            "leitong fingerprint articles.jsonl --profile java-hanlp --format bits\n"
                            "leitong fingerprint new.jsonl --profile java-hanlp-tfidf --idf idf.txt --stop-words stop.txt --format signed\n"
                            "leitong fingerprint - --lines --trace --profile jieba <<< '雷同文本'",
                .exit_codes = "0 done\n1 there was not one good record\n2 error\n130 stopped by a signal",
                .least = 1,
                .most = ~0U,
                .operands = "files"},
    CommandInfo{
        .command = cmd_segment,
        .name = "segment",
        .purpose = "Print the words of each record as JSON Lines",
        .usage = "INPUT... [--profile P | --words SEGMENTER] [--pos] [FLAG...]",
        .description =
            "Prints {\"id\",\"tokens\"} for each good record, in input order: all words that the profile's segmenter cuts the text "
            "into, stop words and punctuation included. The profile jieba cuts as the Python package jieba 0.42.1 does, java-hanlp "
            "as HanLP portable-1.8.1, java-ik as IKAnalyzer 3.2.8. HanLP and IKAnalyzer need their dictionaries once: leitong data.",
        .examples = "leitong segment news.jsonl --profile jieba\n"
                    "leitong segment news.jsonl --profile java-hanlp --pos\n"
                    "leitong segment - --lines --profile jieba --words jieba-search < titles.txt",
        .exit_codes = "0 done\n1 there was not one good record\n2 error\n130 stopped by a signal",
        .least = 1,
        .most = ~0U,
        .operands = "files"},
    CommandInfo{
        .command = cmd_normalize,
        .name = "normalize",
        .purpose = "Print the normal form of each record's text as JSON Lines",
        .usage = "INPUT... [--full-width|--half-width] [--simplified] [FLAG...]",
        .description =
            "Prints {\"id\",\"text\"} for each good record, in input order. Without a flag: the text as the profile has it before it "
            "is cut, which is NFKC_Casefold of Unicode 15.0, and for java-hanlp-length and java-hanlp-tfidf the cleaning of article "
            "001. With flags: those steps only, width before simplification.",
        .examples = "leitong normalize news.jsonl --half-width --simplified\n"
                    "leitong normalize news.jsonl --profile java-hanlp-length",
        .exit_codes = "0 done\n1 there was not one good record\n2 error\n130 stopped by a signal",
        .least = 1,
        .most = ~0U,
        .operands = "files"},
    CommandInfo{
        .command = cmd_keywords,
        .name = "keywords",
        .purpose = "Print the keywords of each record as JSON Lines",
        .usage = "INPUT... [--top N] [--stop-words FILE] [--user-words FILE] [FLAG...]",
        .description =
            "Prints {\"id\",\"keywords\":[[word,weight],...]} for each good record, in input order: the words of the greatest weight by "
            "term frequency and inverse document frequency, heaviest first, as jieba.analyse.extract_tags of the Python package jieba "
            "0.42.1 gives them.",
        .examples = "leitong keywords news.jsonl --top 5\n"
                    "leitong keywords - --lines --stop-words stopwords.txt < titles.txt",
        .exit_codes = "0 done\n1 there was not one good record\n2 error\n130 stopped by a signal",
        .least = 1,
        .most = ~0U,
        .operands = "files"},
    CommandInfo{
        .command = cmd_idf,
        .name = "idf",
        .purpose = "Count in how many documents each word occurs, and write a table of inverse document frequencies",
        .usage = "INPUT... --output FILE [--profile P | --words SEGMENTER] [--smoothing FORMULA] [FLAG...]",
        .description =
            "Writes a line \"word idf\" for each word of the inputs, in the order of their bytes: the table that --weights tfidf, the "
            "profile java-hanlp-tfidf and its Java program read (--idf FILE). Words are those into which the profile cuts a text, so make "
            "the table with the profile that will use it. Words without a letter or digit are left out, and words that hold white space, "
            "because a line has two fields. What does not fit --memory is sorted on disk, beside the output.",
        .examples = "leitong idf news.jsonl --words jieba -o idf.txt\n"
                    "leitong idf news.jsonl --profile java-hanlp-tfidf --min-df 2 -o idf.txt\n"
                    "leitong fingerprint news.jsonl --profile java-hanlp-tfidf --idf idf.txt --stop-words stopwords.txt",
        .exit_codes = done_or_error,
        .least = 1,
        .most = ~0U,
        .operands = "files"},
    CommandInfo{
        .command = cmd_parity,
        .name = "parity",
        .purpose = "Find the profile that gives the fingerprints that a Java program has stored",
        .usage = "INPUT... [--text-field PATH] [--fp-field PATH] [--idf FILE --stop-words FILE] [FLAG...]",
        .description =
            "Each record has a text and the fingerprint that is stored for it. All Java profiles of all compiled dictionaries (leitong "
            "data), "
            "java-hanlp-tfidf if --idf is given, and the profile of --profile are computed and compared with the stored value in every "
            "written form: bits in either order, hexadecimal, decimal, Java's signed numbers, and null. Prints a row for each profile, "
            "with "
            "the form that fits best, the mean distance of what does not match and its first ids, and then what it means: which profile "
            "fits, or what to look at.",
        .examples = "leitong parity sample.jsonl --text-field content --fp-field simhash\n"
                    "leitong parity sample.csv --idf idf.txt --stop-words stopwords.txt --json",
        .exit_codes = "0 a profile fits: all values are its fingerprints\n1 none fits\n2 error\n130 stopped by a signal",
        .least = 1,
        .most = ~0U,
        .operands = "files"},
    CommandInfo{.command = cmd_data,
                .name = "data",
                .purpose = "Compile a segmenter's dictionaries, or list those that are there",
                .usage = "[add jieba|hanlp|ik SOURCE] [FLAG...]",
                .description =
                    "Without operands: name, content id and path of each compiled dictionary. `add hanlp` takes the jar of "
                    "com.hankcs:hanlp:portable-1.8.1 (Maven Central), a hanlp.properties or a folder with its data; `add ik` the jar of "
                    "IKAnalyzer 3.2.8, an IKAnalyzer.cfg.xml or a folder of .dic files; `add jieba` the folder of the Python package. The "
                    "result is one file in $LEITONG_DATA, or ~/.local/share/leitong. Its content id enters the id of every profile that "
                    "uses it: other words are another profile.",
                .examples = "leitong data\n"
                            "leitong data add hanlp hanlp-portable-1.8.1.jar\n"
                            "leitong data add ik IKAnalyzer.cfg.xml --name ik-shop\n"
                            "leitong data add hanlp hanlp.jar --name hanlp-news --add-words names.txt",
                .exit_codes = done_or_error,
                .most = 3,
                .operands = "data"},
    CommandInfo{.command = cmd_compare,
                .name = "compare",
                .purpose = "Compare two texts: distance, similarities, and what differs",
                .usage = "A B [FLAG...]",
                .description = "A and B are files where files of these names exist (one may be - for standard input), else the texts "
                               "themselves; what looks like the name of a file that is not there is an error. The difference is by words, "
                               "or characters in Chinese: coloured on a terminal, otherwise "
                               "[-only in A-] and {+only in B+}.",
                .examples = "leitong compare old.txt new.txt\nleitong compare --text '谢谢童学们的支持' '谢谢同学们的支持'",
                .exit_codes = "0 near-duplicates: the similarity reaches the threshold\n1 not near-duplicates\n2 error",
                .least = 2,
                .most = 2,
                .operands = "files"},
    CommandInfo{
        .command = cmd_explain,
        .name = "explain",
        .purpose = "Say why two fingerprints differ, and what a run did with two records",
        .usage = "A B [--run DIR] [FLAG...]",
        .description =
            "Prints what compare does, and what stands behind the fingerprints: the features that weigh more in one text than in the "
            "other, and of each bit that differs its counter in A and in B and the features that pulled it over. A feature that only A has "
            "is marked -, one that only B has +. Bit 0 is the least significant.\n\n"
            "With --run, A and B are records of a finished run. Says in which group each is and which record that group keeps, "
            "whether the pair was nominated and how, whether it was accepted and with which similarity, and for members of one group the "
            "shortest chain of accepted pairs between them; then explains the texts, read again from the inputs, by the run's own profile.",
        .examples = "leitong explain old.txt new.txt\n"
                    "leitong explain --text '谢谢童学们的支持' '谢谢同学们的支持' --profile jieba\n"
                    "leitong explain --run out en-001 en-002\n"
                    "leitong explain --run out news.jsonl:17 :2041 --json",
        .exit_codes = "0 done\n1 with --run: the texts could not be read again\n2 error",
        .least = 2,
        .most = 2,
        .operands = "files"},
    CommandInfo{
        .command = cmd_overlap,
        .name = "overlap",
        .purpose = "Find which texts of A hold passages of B, and where",
        .usage = "A B --output-dir DIR [FLAG...]",
        .description =
            "A is what is searched (a training set, today's crawl), B is what is looked for (benchmarks, an archive); each is a file or "
            "a directory, and one of them may be - for standard input. A match is a run of at least --span equal tokens, wherever it "
            "stands in either text, so that a question is found inside a page of any length. Letter case, width and punctuation do not "
            "count. A text of B below 8 tokens is not looked for, but counted.\n\n"
            "DIR receives matches.jsonl (each pair of texts with its passages, as places in characters), summary.json (counts, and the "
            "matrix of B's sources by A's), report.html (the matrix, and pairs side by side) and rejected.jsonl (bad records). Same "
            "inputs and settings give the same bytes. B is held in memory, in as many parts as --memory asks for; A is read once for "
            "each.",
        .examples = "leitong overlap training/ benchmarks/ --output-dir out\n"
                    "leitong overlap crawl.jsonl.zst mmlu.jsonl --b-text-field question --span 15 --output-dir out\n"
                    "zcat crawl.jsonl.gz | leitong overlap - archive/ --contained 0.8 --output-dir out",
        .exit_codes = "0 done\n1 A or B has not one good record\n2 error\n130 stopped by a signal",
        .least = 2,
        .most = 2,
        .operands = "files"},
    CommandInfo{
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
            "in calibration.json and calibration.html, and in profile.toml the profile with the lowest threshold that reaches "
            "--precision. docs/calibration.md says how to read them.",
        .examples = "leitong calibrate news.jsonl --output-dir cal\n"
                    "leitong calibrate --label cal\n"
                    "leitong calibrate --labels cal/labels.json cal\n"
                    "leitong dedup news.jsonl --profile cal/profile.toml --output-dir out",
        .exit_codes = "0 done\n1 there was nothing to draw, or no threshold can be recommended\n2 error\n130 stopped by a signal",
        .least = 1,
        .most = ~0U,
        .operands = "files"},
    CommandInfo{
        .command = cmd_copy,
        .name = "copy",
        .purpose = "Copy a collection's fingerprints from any store into any other, and verify them",
        .usage = "FROM TO [--layout L] [--progress FILE] [FLAG...]",
        .description =
            "FROM and TO are stores as leitong collection takes them: directories or addresses of servers. TO is made if it is not there, "
            "with "
            "the profile, the k and the kind of ids of FROM; if it is, its profile must be the same. Then everything is read again from "
            "both "
            "sides and compared, and the count and a checksum are printed.\n\n"
            "Run again after a stop, it writes what is missing; with --progress it also goes on where it was. What servers do not keep, "
            "texts and second sketches, stays behind. A directory is copied into a new one whole, as by collection backup.",
        .examples = "leitong copy news 'redis://localhost:6379/0?prefix=news:'\n"
                    "leitong copy 'redis://localhost:6379/0?prefix=news:' es+http://localhost:9200/news --progress copy.json",
        .exit_codes = "0 done and verified\n2 error, or the two differ\n130 stopped by a signal",
        .least = 2,
        .most = 2,
        .operands = "files"},
    CommandInfo{
        .command = cmd_search,
        .name = "search",
        .purpose = "Build an index of fingerprints, and find what is within k bits of a query",
        .usage = "--build FILE --output INDEX | INDEX QUERIES|--query HEX [-k K] [--nearest N] | INDEX --check",
        .description =
            "With --build: makes an index file of the fingerprints of FILE. Their ids are their rows: a value's number in a raw "
            "file, a line's number in the others, from 0; or, if every record of a jsonl file has an unsigned integer as its id, "
            "these. It says which.\n\n"
            "With QUERIES (a file as for --build, or - for standard input) or --query: prints {\"query\",\"id\",\"distance\"} for "
            "each fingerprint of the index within K bits of a query, by query, distance and id; query is the query's row, and queries "
            "of a jsonl file with ids have \"query_id\", too. Exact for any K. The index is mapped, so that a few look-ups in a large one "
            "read little of it.",
        .examples = "leitong search --build values.u64 -o values.index\n"
                    "leitong search values.index new.hex -k 3\n"
                    "leitong search values.index --query 8f3a90c15e7d2b64 --nearest 5\n"
                    "leitong fingerprint new.jsonl | leitong search values.index -\n"
                    "leitong search values.index --check",
        .exit_codes = "0 done\n1 every line was bad, or a file could not be read to its end\n2 error\n130 stopped by a signal",
        .most = 2,
        .operands = "files"},
    CommandInfo{.command = cmd_profiles,
                .name = "profiles",
                .purpose = "List the built-in profiles, or print one as TOML",
                .usage = "[NAME|FILE] [FLAG...]",
                .description =
                    "Without a name: name, bits and id of each built-in profile, the default first. With one: the profile as TOML, "
                    "with the overrides of the flags put in, ready to be a file for --profile. The id hashes every setting and "
                    "table; only fingerprints of one id may be compared.",
                .examples = "leitong profiles\nleitong profiles leitong-1 --bits 128 > mine.toml",
                .exit_codes = "0 done\n2 error",
                .most = 1,
                .operands = "profiles"},
    CommandInfo{
        .command = cmd_rules,
        .name = "rules",
        .purpose = "List the built-in rules, which say what near-duplicates are, or print one as TOML",
        .usage = "[NAME|FILE] [FLAG...]",
        .description =
            "Without a name: name and id of each built-in rule, the default first. With one: the rule as TOML, ready to be changed "
            "and to be a file for --rule. A profile decides what is stored of a text, a rule which texts are near-duplicates; so a "
            "collection may be asked under any rule. The id hashes every setting and stands in every output that the rule judged.",
        .examples = "leitong rules\nleitong rules near-1 --threshold 0.6 > mine.toml\nleitong dedup news.jsonl --rule mine.toml -o out",
        .exit_codes = "0 done\n2 error",
        .most = 1,
        .operands = "rules"},
    CommandInfo{.command = cmd_help,
                .name = "help",
                .purpose = "Show help, of one command or of all",
                .usage = "[COMMAND] [--man]",
                .description = "leitong COMMAND --help says the same.",
                .examples = "leitong help dedup\nleitong help collection add\nleitong help --man | man -l -",
                .exit_codes = "0 done\n2 error",
                .most = 2,
                .operands = "commands"},
    CommandInfo{.command = cmd_version,
                .name = "version",
                .purpose = "Show the version",
                .usage = "",
                .description = "leitong --version says the same.",
                .exit_codes = "0 done"},
    CommandInfo{.command = cmd_completions,
                .name = "completions",
                .purpose = "Print a completion script for a shell",
                .usage = "bash|zsh|fish",
                .description = "Put the output where the shell looks for completions.",
                .examples = "leitong completions bash > ~/.local/share/bash-completion/completions/leitong\n"
                            "leitong completions zsh > ~/.zfunc/_leitong\n"
                            "leitong completions fish > ~/.config/fish/completions/leitong.fish",
                .exit_codes = "0 done\n2 error",
                .least = 1,
                .most = 1,
                .operands = "shells"},
};

}  // namespace

std::span<const CommandInfo> commands() {
  static const std::vector<CommandInfo> all = [] {
    std::vector<CommandInfo> joined(table.begin(), table.end());
    const auto behind_search =
        std::find_if(joined.begin(), joined.end(), [](const CommandInfo& info) { return info.command == cmd_profiles; });
    joined.insert(behind_search, collection_commands().begin(), collection_commands().end());
    return joined;
  }();
  return all;
}

const CommandInfo* find_command(std::string_view name) {
  constexpr std::string_view collection = "collection", older = "index";  // its other name, "index add" too
  const bool by_alias = name.starts_with(older) && (name.size() == older.size() || name[older.size()] == ' ');
  const std::string full = by_alias ? std::string(collection).append(name.substr(older.size())) : std::string(name);
  for (const CommandInfo& info : commands())
    if (full == info.name) return &info;
  return nullptr;
}

std::vector<const CommandInfo*> actions(const CommandInfo& command) {
  const std::string begin = std::string(command.name) + " ";
  std::vector<const CommandInfo*> out;
  for (const CommandInfo& info : commands())
    if (std::string_view(info.name).starts_with(begin)) out.push_back(&info);
  return out;
}

std::string_view action_name(const CommandInfo& info) {
  const std::string_view name = info.name;
  const std::size_t space = name.find(' ');
  return space == std::string_view::npos ? std::string_view() : name.substr(space + 1);
}

const CommandInfo& command_info(Command command) {
  for (const CommandInfo& info : commands())
    if (info.command == command) return info;
  return table[0];
}

}  // namespace leitong::cli
