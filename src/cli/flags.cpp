#include "cli/flags.h"

#include <array>
#include <sstream>

#include "leitong/error.h"

namespace leitong::cli {
namespace {

constexpr unsigned one_by_one = cmd_fingerprint | cmd_segment | cmd_normalize | cmd_idf | cmd_parity;
constexpr unsigned reads_input = cmd_dedup | cmd_sketch | cmd_calibrate | one_by_one;
constexpr unsigned two_texts = cmd_compare | cmd_explain;
constexpr unsigned fingerprints = cmd_dedup | cmd_sketch | cmd_calibrate | cmd_fingerprint | two_texts;
constexpr unsigned segments = cmd_segment | cmd_idf;
constexpr unsigned takes_profile = fingerprints | segments | cmd_normalize;
constexpr unsigned overrides_profile = fingerprints | cmd_profiles;
constexpr unsigned chooses_words = overrides_profile | segments;
constexpr unsigned stages = cmd_sketch | cmd_join | cmd_verify | cmd_cluster | cmd_apply;
constexpr unsigned long_jobs = cmd_dedup | cmd_calibrate | stages | one_by_one;

FeatureKind feature_kind(const std::string& name) {
  return name == "character-ngrams" ? FeatureKind::character_ngrams : FeatureKind::token_ngrams;
}

WeightKind weight_kind(const std::string& name) {
  if (name == "tf") return WeightKind::tf;
  if (name == "sqrt") return WeightKind::sqrt;
  if (name == "log") return WeightKind::log;
  if (name == "table") return WeightKind::table;
  return name == "tfidf" ? WeightKind::tfidf : WeightKind::set;
}

WordKind word_kind(const std::string& name) {
  if (name == "jieba") return WordKind::jieba;
  if (name == "jieba-plain") return WordKind::jieba_plain;
  if (name == "jieba-search") return WordKind::jieba_search;
  if (name == "jieba-all") return WordKind::jieba_all;
  if (name == "hanlp") return WordKind::hanlp;
  return name == "ik" ? WordKind::ik : WordKind::tokens;
}

FingerprintFormat fingerprint_format(const std::string& name) {
  if (name == "bits") return FingerprintFormat::bits;
  if (name == "signed") return FingerprintFormat::signed_decimal;
  return name == "decimal" ? FingerprintFormat::decimal : FingerprintFormat::hex;
}

void add_parts_of_speech(Settings& s, const Value& v) {
  std::istringstream in(v.text);
  for (std::string part; std::getline(in, part, ',');) s.parts_of_speech.push_back(part);
}

Verify verify_kind(const std::string& name) {
  if (name == "none") return Verify::none;
  return name == "sketch" ? Verify::sketch : Verify::text;
}

When when(const std::string& name) {
  if (name == "always") return When::always;
  return name == "never" ? When::never : When::automatic;
}

void add_ngram_sizes(Settings& s, const Value& v) {
  std::vector<unsigned> sizes;
  std::istringstream in(v.text);
  for (std::string word; std::getline(in, word, ',');) {
    if (word.empty() || word.size() > 2 || word.find_first_not_of("0123456789") != std::string::npos || word == "0" || word == "00")
      throw Error(ErrorCode::usage, "\"" + v.text + "\" is not a list of sizes such as 1,2");
    sizes.push_back(static_cast<unsigned>(std::stoul(word)));
  }
  s.ngram_sizes = sizes;
}

void add_fields(Settings& s, const Value& v) {
  std::istringstream in(v.text);
  for (std::string field; std::getline(in, field, ',');) s.input.fields.push_back(field);
}

constexpr std::array input_flags{
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
    Flag{.name = "lines",
         .help = "Short for --format lines",
         .group = Group::input,
         .commands = reads_input,
         .set = [](Settings& s, const Value& v) { s.input.format = v.on ? "lines" : s.input.format; }},
    Flag{.name = "text-field",
         .argument = "PATH",
         .kind = Kind::text,
         .fallback = "text",
         .help = "Field of the text: a dotted path (JSON Lines) or a column name (CSV, TSV)",
         .group = Group::input,
         .commands = reads_input,
         .aliases = "text-column column",
         .set = [](Settings& s, const Value& v) { s.input.text_field = v.text; }},
    Flag{.name = "id-field",
         .argument = "PATH",
         .kind = Kind::text,
         .fallback = "id",
         .help = "Field of the record's name; records may lack it or share it",
         .group = Group::input,
         .commands = reads_input,
         .aliases = "id-column",
         .set = [](Settings& s, const Value& v) { s.input.id_field = v.text; }},
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
    Flag{
        .name = "include",
        .argument = "GLOB",
        .kind = Kind::list,
        .help = "In directories, take only files whose path below the directory, or whose name, matches; * also matches /. May be repeated",
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
};

constexpr std::array run_flags{
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

constexpr std::array profile_flags{
    Flag{.name = "profile",
         .letter = 'p',
         .argument = "NAME|FILE",
         .kind = Kind::text,
         .fallback = "the first of `leitong profiles`",
         .help = "Every choice that decides a fingerprint's bits, by name or as a TOML file; the flags below replace parts of it",
         .group = Group::profile,
         .commands = takes_profile | cmd_parity,
         .set = [](Settings& s, const Value& v) { s.profile = v.text; }},
    Flag{.name = "bits",
         .argument = "N",
         .kind = Kind::choice,
         .help = "Width of the fingerprint; 32 only with the profiles java-ik and java-hanlp",
         .group = Group::profile,
         .commands = overrides_profile,
         .choices = "32 64 128 256",
         .set = [](Settings& s, const Value& v) { s.bits = static_cast<unsigned>(std::stoul(v.text)); }},
    Flag{.name = "sketch",
         .argument = "KIND",
         .kind = Kind::choice,
         .help = "How features become a fingerprint: simhash, by vote; minhash1, a 1-bit MinHash, the better estimate at the same width, "
                 "of n-grams "
                 "that all weigh the same",
         .group = Group::profile,
         .commands = overrides_profile,
         .choices = "simhash minhash1",
         .set = [](Settings& s, const Value& v) { s.sketch = v.text == "minhash1" ? SketchKind::minhash1 : SketchKind::simhash; }},
    Flag{.name = "features",
         .argument = "KIND",
         .kind = Kind::choice,
         .help = "What is hashed; word shingles are token n-grams of one size, 5 if --ngram-sizes does not say",
         .group = Group::profile,
         .commands = overrides_profile,
         .choices = "token-ngrams character-ngrams word-shingles",
         .set =
             [](Settings& s, const Value& v) {
               s.features = feature_kind(v.text);
               s.shingles = v.text == "word-shingles";
             }},
    Flag{.name = "ngram-sizes",
         .argument = "N[,N]",
         .kind = Kind::text,
         .help = "Sizes of the n-grams; character n-grams and word shingles have one size",
         .group = Group::profile,
         .commands = overrides_profile,
         .aliases = "ngram-size ngram",
         .set = add_ngram_sizes},
    Flag{.name = "weights",
         .argument = "KIND",
         .kind = Kind::choice,
         .help = "How much a feature counts",
         .group = Group::profile,
         .commands = overrides_profile,
         .choices = "set tf sqrt log tfidf table",
         .set = [](Settings& s, const Value& v) { s.weights = weight_kind(v.text); }},
    Flag{.name = "idf",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Table of inverse document frequencies, \"feature idf\" a line (leitong idf makes one): makes the weights tfidf; of the "
                 "profile java-hanlp-tfidf its program's table",
         .group = Group::profile,
         .commands = overrides_profile | cmd_parity,
         .set = [](Settings& s, const Value& v) { s.idf_file = v.text; }},
    Flag{.name = "words",
         .argument = "SEGMENTER",
         .kind = Kind::choice,
         .help =
             "Make the SimHash of words instead of n-grams of the standard tokens: jieba (plain: without its hidden Markov model; search: "
             "cut_for_search; all: cut_all), hanlp or ik",
         .group = Group::profile,
         .commands = chooses_words,
         .choices = "tokens jieba jieba-plain jieba-search jieba-all hanlp ik",
         .set = [](Settings& s, const Value& v) { s.words = word_kind(v.text); }},
    Flag{.name = "data",
         .argument = "NAME|FILE",
         .kind = Kind::text,
         .fallback = "jieba, hanlp or ik, as the segmenter",
         .help = "The segmenter's compiled dictionary, as `leitong data` lists it",
         .group = Group::profile,
         .commands = chooses_words,
         .set = [](Settings& s, const Value& v) { s.data = v.text; }},
    Flag{.name = "stop-words",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Words that do not count, one a line",
         .group = Group::profile,
         .commands = overrides_profile | cmd_parity,
         .set = [](Settings& s, const Value& v) { s.stop_words = v.text; }},
    Flag{.name = "word-weights",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "How much a word counts, \"word weight\" a line, times its frequency; a word that is not listed weighs 1",
         .group = Group::profile,
         .commands = overrides_profile,
         .set = [](Settings& s, const Value& v) { s.word_weights = v.text; }},
    Flag{.name = "parts-of-speech",
         .argument = "TAG[,TAG]",
         .kind = Kind::text,
         .help = "Only words whose tag begins like one of these count; -TAG leaves those out: \"n,v\", \"-u\". HanLP tags every "
                 "word; jieba's tags are those of its dictionary, and a word that it lacks has none",
         .group = Group::profile,
         .commands = overrides_profile,
         .set = add_parts_of_speech},
    Flag{.name = "top-words",
         .argument = "N",
         .kind = Kind::number,
         .help = "Only the N heaviest words count; 0: all",
         .group = Group::profile,
         .commands = overrides_profile,
         .high = 0xffffffffU,
         .set = [](Settings& s, const Value& v) { s.top_words = static_cast<std::uint32_t>(v.number); }},
    Flag{.name = "fold-traditional",
         .help = "Count a traditional Chinese character as its simplified one",
         .group = Group::profile,
         .commands = overrides_profile | cmd_idf,
         .set = [](Settings& s, const Value& v) { s.fold_traditional = v.on; }},
    Flag{.name = "key",
         .argument = "HEX",
         .kind = Kind::text,
         .help = "Secret of the feature hash; others can see it in the process list, so rather use --key-file",
         .group = Group::profile,
         .commands = overrides_profile,
         .set = [](Settings& s, const Value& v) { s.key = v.text; }},
    Flag{.name = "key-file",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "File that holds the secret of the feature hash, in hexadecimal digits",
         .group = Group::profile,
         .commands = overrides_profile,
         .set = [](Settings& s, const Value& v) { s.key_file = v.text; }},
};

constexpr std::array matching_flags{
    Flag{.name = "threshold",
         .letter = 't',
         .argument = "S",
         .kind = Kind::real,
         .fallback = "the profile's, by length of text",
         .help = "Texts of at least this similarity (multiset Jaccard, above 0 to 1) are near-duplicates",
         .group = Group::matching,
         .commands = cmd_dedup | cmd_join | cmd_verify | two_texts | cmd_profiles,
         .set = [](Settings& s, const Value& v) { s.threshold = v.real; }},
    Flag{.name = "against",
         .argument = "OLD",
         .kind = Kind::list,
         .help = "Also remove what resembles a record of this old collection, which is only read: a file or directory; of one with a run's "
                 "results, what that run kept; of join, a sketch file. May be repeated",
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
         .commands = cmd_dedup | cmd_join | cmd_calibrate,
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
    Flag{.name = "verify",
         .argument = "HOW",
         .kind = Kind::choice,
         .fallback = "text",
         .help = "What confirms a candidate: text reads the texts again, sketch estimates from the sketches, none takes every candidate",
         .group = Group::matching,
         .commands = cmd_dedup | cmd_verify,
         .choices = "text sketch none",
         .set = [](Settings& s, const Value& v) { s.verify = verify_kind(v.text); }},
};

constexpr std::array keeping_flags{
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

constexpr std::array output_flags{
    Flag{.name = "output-dir",
         .letter = 'o',
         .argument = "DIR",
         .kind = Kind::text,
         .help = "Directory of the results; made if need be",
         .group = Group::output,
         .commands = cmd_dedup | cmd_apply | cmd_calibrate,
         .required = cmd_dedup | cmd_apply,
         .set = [](Settings& s, const Value& v) { s.output_dir = v.text; }},
    Flag{.name = "output",
         .letter = 'o',
         .argument = "FILE",
         .kind = Kind::text,
         .help = "The stage's file; it appears under this name only when it is whole",
         .group = Group::output,
         .commands = cmd_sketch | cmd_join | cmd_verify | cmd_cluster,
         .required = cmd_sketch | cmd_join | cmd_verify | cmd_cluster,
         .set = [](Settings& s, const Value& v) { s.output = v.text; }},
    Flag{.name = "rejected",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "List bad records here, as JSON Lines with source, line and reason",
         .group = Group::output,
         .commands = cmd_sketch,
         .set = [](Settings& s, const Value& v) { s.rejected = v.text; }},
    Flag{.name = "spool",
         .argument = "FILE",
         .kind = Kind::text,
         .fallback = "beside the output",
         .help = "Where standard input is kept, compressed, because verification reads it again",
         .group = Group::output,
         .commands = cmd_sketch,
         .set = [](Settings& s, const Value& v) { s.spool = v.text; }},
    Flag{.name = "format",
         .argument = "FORM",
         .kind = Kind::choice,
         .fallback = "hex",
         .help =
             "How fingerprints are written: hex, decimal, signed (as Java's int and long), or bits in the order of the profile's program: "
             "java-ik and java-hanlp begin with the least significant, all others with the most significant. What the inputs are "
             "says --input-format here",
         .group = Group::output,
         .commands = cmd_fingerprint,
         .choices = "hex bits decimal signed",
         .set = [](Settings& s, const Value& v) { s.fingerprint_format = fingerprint_format(v.text); }},
    Flag{.name = "reverse-bits",
         .help = "Write the bits in the other order, and numbers of the bits in the other order",
         .group = Group::output,
         .commands = cmd_fingerprint,
         .set = [](Settings& s, const Value& v) { s.reverse_bits = v.on; }},
    Flag{.name = "blocks",
         .argument = "D",
         .kind = Kind::number,
         .help = "Add the search blocks that java-ik's and java-hanlp's subByDistance makes for distance D",
         .group = Group::output,
         .commands = cmd_fingerprint,
         .high = 127,
         .set = [](Settings& s, const Value& v) { s.blocks = static_cast<std::int32_t>(v.number); }},
    Flag{.name = "trace",
         .help = "Print the five steps instead: segment, hash, weigh, merge, reduce",
         .group = Group::output,
         .commands = cmd_fingerprint,
         .set = [](Settings& s, const Value& v) { s.trace = v.on; }},
    Flag{.name = "output",
         .letter = 'o',
         .argument = "FILE",
         .kind = Kind::text,
         .help = "The table; it appears under this name only when it is whole",
         .group = Group::output,
         .commands = cmd_idf,
         .required = cmd_idf,
         .set = [](Settings& s, const Value& v) { s.output = v.text; }},
    Flag{.name = "smoothing",
         .argument = "FORMULA",
         .kind = Kind::choice,
         .fallback = "standard",
         .help =
             "idf of a word that df of N documents hold: standard log(N / (df + 1)), plain log(N / df), plus-one log(N / df) + 1, add-one "
             "log((N + 1) / (df + 1)) + 1, probabilistic log((N - df) / df), bm25 log(1 + (N - df + 0.5) / (df + 0.5)); natural "
             "logarithms, and 0 instead of a negative value",
         .group = Group::output,
         .commands = cmd_idf,
         .choices = "standard plain plus-one add-one probabilistic bm25",
         .set = [](Settings& s, const Value& v) { s.smoothing = v.text; }},
    Flag{.name = "min-df",
         .argument = "N",
         .kind = Kind::number,
         .fallback = "1",
         .help = "Leave out words that fewer documents hold",
         .group = Group::output,
         .commands = cmd_idf,
         .low = 1,
         .set = [](Settings& s, const Value& v) { s.least_documents = v.number; }},
    Flag{.name = "pos",
         .help =
             "Print each word with its tag, [\"word\", \"tag\"]: HanLP's nature, IKAnalyzer's type, or what jieba's dictionary says of the "
             "word (nothing of a word that it lacks)",
         .group = Group::output,
         .commands = cmd_segment,
         .set = [](Settings& s, const Value& v) { s.pos = v.on; }},
    Flag{.name = "name",
         .argument = "NAME",
         .kind = Kind::text,
         .fallback = "the segmenter's",
         .help = "What to call the compiled dictionary; --data NAME chooses it",
         .group = Group::output,
         .commands = cmd_data,
         .set = [](Settings& s, const Value& v) { s.add_data.name = v.text; }},
    Flag{.name = "output",
         .letter = 'o',
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Write the compiled dictionary here",
         .group = Group::output,
         .commands = cmd_data,
         .set = [](Settings& s, const Value& v) { s.add_data.output = v.text; }},
    Flag{.name = "jar",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Where what SOURCE lacks comes from",
         .group = Group::output,
         .commands = cmd_data,
         .set = [](Settings& s, const Value& v) { s.add_data.jar = v.text; }},
    Flag{.name = "add-words",
         .argument = "FILE",
         .kind = Kind::text,
         .help =
             "Words to add, one a line: for HanLP as CustomDictionary.insert does (\"word nature frequency\"), for IKAnalyzer as ext_dict, "
             "for jieba as load_userdict (\"word frequency tag\")",
         .group = Group::output,
         .commands = cmd_data,
         .set = [](Settings& s, const Value& v) { s.add_data.add_words = v.text; }},
    Flag{.name = "remove-words",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Words to remove, one a line",
         .group = Group::output,
         .commands = cmd_data,
         .set = [](Settings& s, const Value& v) { s.add_data.remove_words = v.text; }},
    Flag{.name = "stop-words",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "HanLP: these replace its core stop words; IKAnalyzer: join its stop words, as ext_stopwords does",
         .group = Group::output,
         .commands = cmd_data,
         .set = [](Settings& s, const Value& v) { s.add_data.stop_words = v.text; }},
    Flag{.name = "add-stop-words",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Stop words to add to those there are, one a line",
         .group = Group::output,
         .commands = cmd_data,
         .set = [](Settings& s, const Value& v) { s.add_data.add_stop_words = v.text; }},
    Flag{.name = "remove-stop-words",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Stop words to remove, one a line",
         .group = Group::output,
         .commands = cmd_data,
         .set = [](Settings& s, const Value& v) { s.add_data.remove_stop_words = v.text; }},
    Flag{.name = "full-width",
         .help = "Turn ASCII characters and spaces into full-width ones",
         .group = Group::output,
         .commands = cmd_normalize,
         .set = [](Settings& s, const Value& v) { s.full_width = v.on; }},
    Flag{.name = "half-width",
         .help = "Turn full-width characters and spaces into ASCII ones",
         .group = Group::output,
         .commands = cmd_normalize,
         .set = [](Settings& s, const Value& v) { s.half_width = v.on; }},
    Flag{.name = "simplified",
         .help = "Turn traditional Chinese characters into simplified ones, one for one",
         .group = Group::output,
         .commands = cmd_normalize,
         .set = [](Settings& s, const Value& v) { s.simplified = v.on; }},
    Flag{.name = "annotate",
         .help = "Write all records to annotated.jsonl, each with one added object, instead of kept.jsonl",
         .group = Group::output,
         .commands = cmd_dedup | cmd_apply,
         .set = [](Settings& s, const Value& v) { s.annotate = v.on; }},
    Flag{.name = "annotate-key",
         .argument = "NAME",
         .kind = Kind::text,
         .fallback = "leitong",
         .help = "Name of the added object; a record that has a field of this name already is an error",
         .group = Group::output,
         .commands = cmd_dedup | cmd_apply,
         .set = [](Settings& s, const Value& v) { s.annotate_key = v.text; }},
    Flag{.name = "resume",
         .help = "Go on with a stopped run: stages whose file is whole and was made from the same inputs and settings are not run again. "
                 "Standard input is not read again but taken from its copy",
         .group = Group::output,
         .commands = cmd_dedup,
         .aliases = "skip-completed",
         .set = [](Settings& s, const Value& v) { s.resume = v.on; }},
    Flag{.name = "overwrite",
         .help = "Replace the results of another run",
         .group = Group::output,
         .commands = cmd_dedup | cmd_calibrate,
         .set = [](Settings& s, const Value& v) { s.overwrite = v.on; }},
    Flag{.name = "dry-run",
         .letter = 'n',
         .help = "Only print what the run would take: records, memory, disk, candidates, time",
         .group = Group::output,
         .commands = cmd_dedup,
         .set = [](Settings& s, const Value& v) { s.dry_run = v.on; }},
    Flag{.name = "text",
         .help = "A and B are texts, even if files of these names exist",
         .group = Group::output,
         .commands = two_texts,
         .set = [](Settings& s, const Value& v) { s.as_text = v.on; }},
    Flag{.name = "json",
         .help = "Print one JSON object",
         .group = Group::output,
         .commands = two_texts | cmd_parity,
         .set = [](Settings& s, const Value& v) { s.json = v.on; }},
    Flag{.name = "context",
         .argument = "BYTES",
         .kind = Kind::number,
         .fallback = "160",
         .help = "Equal stretches of the difference that are longer show only their ends; 0 shows everything",
         .group = Group::output,
         .commands = two_texts | cmd_calibrate,
         .set = [](Settings& s, const Value& v) { s.context = v.number; }},
    Flag{.name = "top",
         .argument = "N",
         .kind = Kind::number,
         .fallback = "4",
         .help = "Features to name with each differing bit; four times as many over all bits",
         .group = Group::output,
         .commands = cmd_explain,
         .high = 100'000,
         .set = [](Settings& s, const Value& v) { s.top = static_cast<std::uint32_t>(v.number); }},
    Flag{.name = "man",
         .help = "The whole manual as a man page (roff)",
         .group = Group::output,
         .commands = cmd_help,
         .set = [](Settings& s, const Value& v) { s.man = v.on; }},
};

constexpr std::array calibration_flags{
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

constexpr std::array general_flags{
    Flag{.name = "threads",
         .letter = 'j',
         .argument = "N",
         .kind = Kind::number,
         .fallback = "all cores",
         .help = "Threads to use; the results are the same whatever their number",
         .group = Group::job,
         .commands = long_jobs,
         .aliases = "num-proc workers",
         .low = 1,
         .high = 1024,
         .set = [](Settings& s, const Value& v) { s.job.threads = static_cast<unsigned>(v.number); }},
    Flag{.name = "memory",
         .argument = "SIZE",
         .kind = Kind::size,
         .fallback = "half of the machine's",
         .help = "Memory to stay below, e.g. 512M or 4G (powers of 1024); what does not fit goes to disk",
         .group = Group::job,
         .commands = cmd_dedup | cmd_calibrate | stages | cmd_idf,
         .low = 64ULL << 20,
         .set = [](Settings& s, const Value& v) { s.job.memory = v.number; }},
    Flag{.name = "quiet",
         .letter = 'q',
         .help = "No progress line and no closing summary",
         .group = Group::job,
         .commands = long_jobs,
         .set = [](Settings& s, const Value& v) { s.quiet = v.on; }},
    Flag{.name = "config",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "TOML file whose keys are the long flag names; flags on the command line win",
         .group = Group::general,
         .commands = long_jobs | two_texts,
         .set = [](Settings& s, const Value& v) { s.config = v.text; }},
    Flag{.name = "color",
         .argument = "WHEN",
         .kind = Kind::choice,
         .fallback = "auto",
         .help = "Colours: auto means on a terminal, unless NO_COLOR is set",
         .group = Group::general,
         .commands = two_texts | cmd_calibrate,
         .aliases = "colour",
         .choices = "auto always never",
         .set = [](Settings& s, const Value& v) { s.color = when(v.text); }},
    Flag{.name = "help",
         .letter = 'h',
         .help = "Show this help",
         .group = Group::general,
         .commands = cmd_all,
         .set = [](Settings& s, const Value& v) { s.help = v.on; }},
    Flag{.name = "version",
         .letter = 'V',
         .help = "Show the version",
         .group = Group::general,
         .commands = cmd_all,
         .set = [](Settings& s, const Value& v) { s.version = v.on; }},
};

std::vector<Flag> join_tables() {
  std::vector<Flag> all(input_flags.begin(), input_flags.end());
  all.insert(all.end(), run_flags.begin(), run_flags.end());
  all.insert(all.end(), profile_flags.begin(), profile_flags.end());
  all.insert(all.end(), matching_flags.begin(), matching_flags.end());
  all.insert(all.end(), keeping_flags.begin(), keeping_flags.end());
  all.insert(all.end(), output_flags.begin(), output_flags.end());
  all.insert(all.end(), calibration_flags.begin(), calibration_flags.end());
  all.insert(all.end(), general_flags.begin(), general_flags.end());
  return all;
}

}  // namespace

std::span<const Flag> flags() {
  static const std::vector<Flag> all = join_tables();
  return all;
}

}  // namespace leitong::cli
