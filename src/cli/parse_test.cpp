#include "cli/parse.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "leitong/error.h"

namespace leitong::cli {
namespace {

using Words = std::vector<std::string>;

// The message of the error that `arguments` end in; empty: none.
std::string refused(const Words& arguments) {
  try {
    (void)parse(arguments);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
    return error.what();
  }
  return {};
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// join is two commands in one: neither --output nor another output is required by the table.
TEST(Parse, JoinOfFingerprintsNeedsNoOutput) {
  EXPECT_EQ(parse({"join", "a.u64", "b.u64", "-k", "6", "--count"}).operands, (Words{"a.u64", "b.u64"}));
  EXPECT_EQ(parse({"join", "-", "--pairs", "-"}).settings.near.pairs, "-");
  EXPECT_EQ(parse({"join", "a.hex", "--clusters=out"}).settings.near.clusters, "out");
  EXPECT_TRUE(holds(refused({"search", "a.index", "--nearest", "0"}), "from 1 on"));
  EXPECT_TRUE(holds(refused({"join", "a.u64", "--format", "csv"}), "one of auto, u64"));
}

TEST(Parse, ListsGrow) {
  EXPECT_EQ(parse({"search", "a.index", "--query", "0f", "--query", "1f"}).settings.near.queries, (Words{"0f", "1f"}));
  EXPECT_EQ(parse({"collection", "query", "d", "--text", "a", "--text", "b"}).settings.collection.query.texts, (Words{"a", "b"}));
  const InputOptions input =
      parse({"idf", "x", "-o", "y", "--text-field", "title", "--text-field", "body", "--include", "a", "--include", "b"}).settings.input;
  EXPECT_EQ(input.text_field, "title");
  EXPECT_EQ(input.more_text_fields, (Words{"body"}));
  EXPECT_EQ(input.include, (Words{"a", "b"}));
}

TEST(Parse, ActionsOfCollection) {
  const Invocation added = parse({"collection", "add", "d", "a.jsonl", "-", "--unique"});
  EXPECT_EQ(added.command, cmd_collection_add);
  EXPECT_EQ(added.operands, (Words{"d", "a.jsonl", "-"}));
  EXPECT_EQ(parse({"collection", "delete", "d", "--", "-x"}).operands, (Words{"d", "-x"}));
  EXPECT_EQ(parse({"collection", "--help"}).command, cmd_collection);
  EXPECT_EQ(parse({"collection", "add", "--help"}).command, cmd_collection_add);
  EXPECT_EQ(parse({"index", "add", "d", "a.jsonl"}).command, cmd_collection_add) << "the command's other name";
  EXPECT_EQ(parse({"help", "collection", "add"}).operands, (Words{"collection", "add"}));
}

TEST(Parse, RefusesWhatCollectionDoesNotTake) {
  EXPECT_TRUE(holds(refused({"collection"}), "collection needs an action"));
  EXPECT_TRUE(holds(refused({"collection", "qurey", "d"}), "unknown action \"qurey\" of collection; did you mean query?"));
  EXPECT_TRUE(holds(refused({"collection", "--unique", "add", "d"}), "--unique is not a flag of collection but of collection add"));
  EXPECT_TRUE(
      holds(refused({"collection", "get", "d", "a", "--texts"}), "--texts is not a flag of collection get but of collection create"));
  EXPECT_TRUE(holds(refused({"collection", "add"}), "collection add needs STORE"));
  EXPECT_TRUE(holds(refused({"collection", "delete", "d"}), "collection delete needs STORE ID"));
  EXPECT_TRUE(holds(refused({"collection", "backup", "d"}), "collection backup needs DIR TO"));
  EXPECT_TRUE(holds(refused({"collection", "stats", "d", "e"}), "collection stats: one operand too many: \"e\""));
  EXPECT_TRUE(holds(refused({"collection", "query", "d", "--most", "0"}), "from 1 on"));
  EXPECT_TRUE(holds(refused({"collection add", "d"}), "unknown command \"collection add\""));
}

TEST(Parse, ArgumentsMayFollowWithoutASpace) {
  const Settings s = parse({"dedup", "x", "-oout", "-k7", "--ngram-sizes=3"}).settings;
  EXPECT_EQ(s.output.directory, "out");
  EXPECT_EQ(s.match.k, 7U);
  EXPECT_EQ(s.profile.ngram_sizes, (std::vector<unsigned>{3}));
}

TEST(Parse, SaysWhyPeersFlagsAreMissing) {
  EXPECT_TRUE(holds(refused({"dedup", "x", "-o", "out", "--num_bucket", "8"}), "plans its own blocks"));
  EXPECT_TRUE(holds(refused({"join", "x", "-o", "out", "--num-blocks=8"}), "plans its own blocks"));
}

TEST(Parse, OperandsMayLookLikeFlags) {
  EXPECT_EQ(parse({"fingerprint", "-", "--", "--odd", "-k"}).operands, (Words{"-", "--odd", "-k"}));
  EXPECT_EQ(parse({"compare", "--text", "", "a"}).operands, (Words{"", "a"}));
}

TEST(Parse, SmallThings) {
  EXPECT_FALSE(parse({"dedup", "x", "-o", "d", "--resume", "--resume=false"}).settings.output.resume);
  EXPECT_TRUE(parse({"dedup", "x", "-n"}).settings.output.dry_run) << "a dry run writes nothing, so it needs no directory";
  EXPECT_TRUE(parse({"dedup", "x", "-qno", "d"}).settings.face.quiet);
  EXPECT_TRUE(parse({"dedup", "--help"}).settings.face.help) << "help needs nothing else";
  EXPECT_EQ(parse({"fingerprint", "x", "--words", "jieba_plain"}).settings.profile.words.segmenter, WordKind::jieba_plain);
  EXPECT_EQ(parse({"--version"}).command, cmd_version);
  EXPECT_EQ(parse({"-h"}).command, cmd_help);
}

TEST(Parse, RefusesWithAHint) {
  EXPECT_TRUE(holds(refused({"dedup", "x", "-o", "d", "--treads", "2"}), "did you mean --threads?"));
  EXPECT_TRUE(holds(refused({"dedup", "x", "-o", "d", "--outputdir", "2"}), "did you mean --output-dir?"));
  EXPECT_TRUE(holds(refused({"dedpu", "x"}), "did you mean dedup?"));
  EXPECT_TRUE(holds(refused({"join", "x", "-o", "d", "--keep", "first"}), "--keep is not a flag of join but of dedup, cluster"));
  EXPECT_FALSE(holds(refused({"dedup", "--qqqqqqqq"}), "did you mean"));
  EXPECT_TRUE(holds(refused({"dedup", "x", "--output-dir"}), "--output-dir needs an argument"));
  EXPECT_TRUE(holds(refused({"dedup", "x"}), "needs --output-dir DIR"));
  EXPECT_TRUE(holds(refused({"dedup", "--output-dir", "d"}), "dedup needs INPUT..."));
  EXPECT_TRUE(holds(refused({"verify", "a", "b", "-o", "c"}), "one operand too many: \"b\""));
  EXPECT_TRUE(holds(refused({"dedup", "x", "-z"}), "unknown flag -z"));
  EXPECT_TRUE(holds(refused({"--resume", "dedup"}), "a command comes before its flags"));
  EXPECT_TRUE(holds(refused({}), "a command is missing"));
  EXPECT_TRUE(holds(refused({"dedup", "x", "-o", "d", "--resume=perhaps"}), "--resume: \"perhaps\" is not true or false"));
}

TEST(Parse, RefusesBadValues) {
  const auto with = [](const std::string& flag, const std::string& value) {
    return refused({"dedup", "x", "-o", "d", flag + "=" + value});
  };
  for (const char* value : {"", "x", "3x", "-1", "1e3", "257", "99999999999999999999"})
    EXPECT_TRUE(holds(with("--k", value), "--k: ")) << value;
  for (const char* value : {"", "M", "4X", "-4G", "0", "4GG", "inf", "nan", "1e400G"})
    EXPECT_TRUE(holds(with("--memory", value), "a size")) << value;
  for (const char* value : {"", "2", "0", "-0.1", "nan", "0.5x"})
    EXPECT_TRUE(holds(with("--threshold", value), "above 0 and at most 1")) << value;
  EXPECT_TRUE(holds(with("--memory", "63M"), "--memory: \"63M\" is not enough: at least 64M"));
  for (const char* value : {"", "65", "sixty"}) EXPECT_TRUE(holds(with("--bits", value), "one of 32, 64, 128, 256")) << value;
  for (const char* value : {"1,,2", "0", "a", "1;2", "100"}) EXPECT_TRUE(holds(with("--ngram-sizes", value), "--ngram-sizes: ")) << value;
  EXPECT_TRUE(holds(with("--verify", "maybe"), "one of text, sketch, none"));
  EXPECT_TRUE(holds(with("--threads", "0"), "a whole number from 1 to 1024"));
}

TEST(Parse, ReadsSizes) {
  const auto size = [](const std::string& text) {
    return parse({"dedup", "x", "-o", "d", "--max-document", text}).settings.input.max_document_bytes;
  };
  EXPECT_EQ(size("1000"), 1000U);
  EXPECT_EQ(size("64k"), 64U << 10);
  EXPECT_EQ(size("512M"), 512U << 20);
  EXPECT_EQ(size("1.5GiB"), 3ULL << 29);
  EXPECT_EQ(size("2GB"), 2ULL << 30);
  EXPECT_EQ(size("1T"), 1ULL << 40);
}

TEST(Config, EveryKeyIsAFlag) {
  const char* toml =
      "output_dir = \"out\"\nngram-sizes = [1, 2]\ninclude = [\"a\", \"b\"]\nstrict = true\nthreshold = 0.5\nk = 3\nman = true\n";
  const auto got = read_config(toml, "c.toml", cmd_dedup);
  std::string all;
  for (const Assignment& a : got) all += std::string(a.flag->name) + "=" + a.text + " ";
  EXPECT_EQ(all, "include=a include=b k=3 ngram-sizes=1,2 output-dir=out strict=true threshold=0.5 ") << "man is a flag of another command";
  EXPECT_EQ(got[2].origin, "c.toml:6: k");
}

TEST(Config, RefusesWithFileAndLine) {
  const auto message = [](std::string_view toml) {
    try {
      (void)read_config(toml, "c.toml", cmd_dedup);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_TRUE(holds(message("strict = true\ntreads = 2\n"), "c.toml:2: treads is not a flag; did you mean threads?"));
  EXPECT_TRUE(holds(message("num_bucket = 2\n"), "plans its own blocks"));
  EXPECT_TRUE(holds(message("k = [1]\n"), "c.toml:1: k: one value"));
  EXPECT_TRUE(holds(message("\n\nk = \n"), "c.toml:3: "));
  EXPECT_TRUE(holds(message("[input]\nformat = \"csv\"\n"), "input is not a flag"));
  EXPECT_TRUE(holds(message("config = \"other.toml\"\n"), "has no meaning in a file"));
}

TEST(Config, CommandLineWins) {
  const std::string path = testing::TempDir() + "leitong-config-" + std::to_string(::getpid()) + ".toml";
  std::ofstream(path) << "output-dir = \"from-file\"\nthreads = 3\ninclude = [\"a\"]\nresume = true\n";
  const Settings s = parse({"dedup", "x", "--config", path, "--include", "b", "--threads", "2", "--resume=false"}).settings;
  EXPECT_EQ(s.output.directory, "from-file");
  EXPECT_EQ(s.job.threads, 2U);
  EXPECT_EQ(s.input.include, (Words{"b"}));
  EXPECT_FALSE(s.output.resume);
  std::ofstream(path) << "threads = 0\n";
  EXPECT_TRUE(holds(refused({"dedup", "x", "-o", "d", "--config", path}), ":1: threads: \"0\" is not a whole number from 1"));
  ::unlink(path.c_str());
  EXPECT_THROW((void)parse({"dedup", "x", "-o", "d", "--config", path}), Error);
}

TEST(Suggest, NearNamesOnly) {
  EXPECT_EQ(suggest("trheads", {"threads", "threshold"}), "threads");
  EXPECT_EQ(suggest("thres", {"threads", "threshold"}), "threshold");
  EXPECT_EQ(suggest("xyz", {"threads", "threshold"}), "");
  EXPECT_EQ(suggest(std::string(100000, 'a'), {"threads"}), "");
}

}  // namespace
}  // namespace leitong::cli
