// The whole job on small collections: against a brute-force oracle, and determinism, resuming, shards and limits.

#include "leitong/dedup.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>

#include "fingerprint/features.h"
#include "leitong/error.h"
#include "leitong/job.h"
#include "leitong/stages.h"
#include "records/read_input_test.h"
#include "similarity/measures.h"
#include "stages/stages.h"
#include "support/read_json.h"

namespace leitong {
namespace {

namespace fs = std::filesystem;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> lines(const std::string& path) {
  std::vector<std::string> all;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) all.push_back(line);
  return all;
}

void write_jsonl(const std::string& path, const std::vector<std::string>& texts) {
  std::ofstream file(path);
  for (std::size_t i = 0; i < texts.size(); ++i) file << "{\"id\":\"d" << i << "\",\"text\":\"" << texts[i] << "\",\"n\":" << i << "}\n";
}

// Texts of made-up words and Han characters, short and long, many of them edited copies of earlier ones.
std::vector<std::string> collection(std::uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  const auto token = [&](std::uint64_t range) -> std::string {
    const std::uint64_t value = random() % range;
    if (value % 3 != 0) return "w" + std::to_string(value) + " ";
    const auto code = static_cast<unsigned>(0x4e00 + value % 3000);
    return {static_cast<char>(0xe0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 63)), static_cast<char>(0x80 | (code & 63))};
  };
  std::vector<std::vector<std::string>> documents;
  for (int i = 0; i < count; ++i) {
    std::vector<std::string> document;
    if (i > 0 && random() % 3 == 0) {
      document = documents[random() % documents.size()];
      for (std::uint64_t edits = random() % (1 + document.size() / 4); edits > 0 && !document.empty(); --edits)
        document[random() % document.size()] = token(2000);
    } else {
      const std::uint64_t length = random() % 3 == 0 ? random() % 60 : 40 + random() % 300;
      for (std::uint64_t n = 0; n < length; ++n) document.push_back(token(random() % 4 == 0 ? 30 : 2000));
    }
    documents.push_back(std::move(document));
  }
  std::vector<std::string> texts;
  for (const auto& document : documents) {
    std::string text;
    for (const auto& word : document) text += word;
    texts.push_back(text);
  }
  return texts;
}

DedupOptions options_for(const std::string& input, const std::string& output) {
  DedupOptions options;
  options.input.paths = {input};
  options.output_dir = output;
  options.job.threads = 1;
  options.rule.template_similarity = 0;  // the oracle compares two texts without learning templates
  return options;
}

struct Edge {
  std::uint32_t a, b;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

std::set<Edge> edges_of(const std::string& run) {
  const auto table = stages::open_stage_file(run + "/stages/edges.ltt", "edges");
  const auto a = table.read_all<std::uint32_t>("a"), b = table.read_all<std::uint32_t>("b");
  std::set<Edge> edges;
  for (std::size_t i = 0; i < a.size(); ++i) edges.insert({a[i], b[i]});
  return edges;
}

// Every pair judged by its texts, without nomination.
std::set<Edge> oracle(const std::vector<std::string>& texts, const Rule& rule = {}) {
  fingerprint::FeatureExtractor extractor{Profile{}};
  std::vector<std::vector<std::uint64_t>> features(texts.size()), tokens(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    extractor.set_text(texts[i]);
    extractor.sorted_features(features[i]);
    tokens[i].assign(extractor.token_hashes().begin(), extractor.token_hashes().end());
  }
  const auto accepted = [&](std::size_t i, std::size_t j) {
    const auto shorter = static_cast<std::uint32_t>(std::min(tokens[i].size(), tokens[j].size()));
    const double jaccard = similarity::overlap(features[i], features[j]).jaccard();
    if (jaccard < similarity::threshold_of(rule, shorter)) return false;
    if (shorter <= rule.order_tokens || jaccard >= rule.sure_similarity) return true;
    const auto total = static_cast<std::uint32_t>(tokens[i].size() + tokens[j].size());
    const double common = similarity::lcs_length(tokens[i], tokens[j], total).value();
    return common * 2.0 >= rule.order_lcs * total || common >= rule.order_contained * shorter;
  };
  std::set<Edge> edges;
  for (std::uint32_t i = 0; i < texts.size(); ++i)
    for (std::uint32_t j = i + 1; j < texts.size(); ++j)
      if (accepted(i, j)) edges.insert({i, j});
  return edges;
}

// The run leaves out edges between a text and copies of texts equal to it; this adds them.
std::set<Edge> with_equals(const std::set<Edge>& edges, const std::vector<std::string>& texts) {
  std::map<std::string, std::vector<std::uint32_t>> classes;
  for (std::uint32_t i = 0; i < texts.size(); ++i) classes[texts[i]].push_back(i);
  std::set<Edge> all;
  for (const auto& [text, rows] : classes)
    if (!text.empty())
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = i + 1; j < rows.size(); ++j) all.insert({rows[i], rows[j]});
  for (const Edge& edge : edges)
    for (const std::uint32_t x : classes[texts[edge.a]])
      for (const std::uint32_t y : classes[texts[edge.b]])
        if (x != y) all.insert({std::min(x, y), std::max(x, y)});
  return all;
}

TEST(Dedup, FindsWhatBruteForceFinds) {
  const TemporaryDirectory directory;
  const auto texts = collection(17, 600);
  write_jsonl(directory / "in.jsonl", texts);
  dedup(options_for(directory / "in.jsonl", directory / "out"));
  const auto found = with_equals(edges_of(directory / "out"), texts);
  const auto wanted = oracle(texts);
  std::size_t missed = 0;
  for (const Edge& edge : wanted) missed += found.contains(edge) ? 0 : 1;
  for (const Edge& edge : found) EXPECT_TRUE(wanted.contains(edge)) << edge.a << " " << edge.b;
  EXPECT_GT(wanted.size(), 150U);
  EXPECT_LE(missed, wanted.size() / 100) << "of " << wanted.size();  // the bands' predicted recall at the threshold is .99998, at .5 .994
}

TEST(Dedup, ShortTextsAreJoinedExactly) {
  const TemporaryDirectory directory;
  std::vector<std::string> texts;
  for (auto& text : collection(23, 900))
    if (text.size() < 250) texts.push_back(text);
  ASSERT_GT(texts.size(), 100U);
  Profile profile;
  profile.short_tokens = 1000;
  write_jsonl(directory / "in.jsonl", texts);
  auto options = options_for(directory / "in.jsonl", directory / "out");
  options.profile = profile;
  dedup(options);
  EXPECT_EQ(with_equals(edges_of(directory / "out"), texts), oracle(texts));
}

TEST(Dedup, EveryRemovedRecordResemblesTheKeptOne) {
  const TemporaryDirectory directory;
  const auto texts = collection(29, 500);
  write_jsonl(directory / "in.jsonl", texts);
  const Counts counts = dedup(options_for(directory / "in.jsonl", directory / "out"));
  const auto edges = with_equals(edges_of(directory / "out"), texts);
  std::set<std::uint64_t> removed;
  for (const std::string& line : lines(directory / "out/removed.jsonl")) {
    const JsonLine record(line);
    const std::uint64_t row = record.number("record"), kept = record.number("kept_record");
    EXPECT_TRUE(edges.contains({static_cast<std::uint32_t>(std::min(row, kept)), static_cast<std::uint32_t>(std::max(row, kept))})) << line;
    EXPECT_TRUE(removed.insert(row).second);
  }
  EXPECT_EQ(counts.removed, removed.size());
  // kept.jsonl is the input without the removed lines, byte for byte.
  std::string expected;
  const auto input = lines(directory / "in.jsonl");
  for (std::size_t i = 0; i < input.size(); ++i)
    if (!removed.contains(i)) expected += input[i] + "\n";
  EXPECT_EQ(read(directory / "out/kept.jsonl"), expected);
  // restore gives the removed lines back.
  std::string restored, removed_lines;
  restore(directory / "out", std::nullopt, [&](std::string_view record) { restored.append(record).push_back('\n'); });
  for (const std::uint64_t row : removed) removed_lines += input[row] + "\n";
  EXPECT_EQ(restored, removed_lines);
}

const std::vector<std::string> outputs = {"kept.jsonl", "removed.jsonl", "clusters.jsonl", "summary.json", "report.html", "rejected.jsonl"};

TEST(Dedup, ThreadsAndMemoryChangeNothing) {
  const TemporaryDirectory directory;
  write_jsonl(directory / "in.jsonl", collection(31, 3000));
  dedup(options_for(directory / "in.jsonl", directory / "one"));
  auto options = options_for(directory / "in.jsonl", directory / "three");
  options.job.threads = 3;
  options.job.memory = 64 << 20;
  dedup(options);
  for (const std::string& name : outputs) EXPECT_EQ(read(directory / ("one/" + name)), read(directory / ("three/" + name))) << name;
}

TEST(Dedup, ResumesToTheSameBytes) {
  const TemporaryDirectory directory;
  write_jsonl(directory / "in.jsonl", collection(37, 400));
  dedup(options_for(directory / "in.jsonl", directory / "whole"));
  // Stops the run at each progress report in turn, and resumes it.
  auto options = options_for(directory / "in.jsonl", directory / "stopped");
  std::atomic<bool> stop = false;
  options.job.stop = &stop;
  options.resume = true;
  int calls_left = 0;
  options.job.progress = [&](const Progress&) { stop = stop || calls_left-- <= 0; };
  int interruptions = 0;
  for (int calls = 0; calls < 20; ++calls) {
    stop = false;
    calls_left = calls;
    try {
      dedup(options);
      break;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::interrupted);
      ++interruptions;
    }
  }
  EXPECT_GT(interruptions, 2);
  for (const std::string& name : outputs) EXPECT_EQ(read(directory / ("whole/" + name)), read(directory / ("stopped/" + name))) << name;
  // A damaged stage file must be noticed and made again.
  {
    std::fstream file(directory / "stopped/stages/edges.ltt", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(100);
    file.put('\x5a');
  }
  stop = false;
  options.job.progress = nullptr;
  dedup(options);
  for (const std::string& name : outputs) EXPECT_EQ(read(directory / ("whole/" + name)), read(directory / ("stopped/" + name))) << name;
}

TEST(Dedup, ResumeSeesThatTheInputChanged) {
  const TemporaryDirectory directory;
  write_jsonl(directory / "in.jsonl", collection(41, 50));
  auto options = options_for(directory / "in.jsonl", directory / "out");
  options.resume = true;
  const Counts before = dedup(options);
  write_jsonl(directory / "in.jsonl", collection(41, 60));
  EXPECT_EQ(before.records, 50U);
  EXPECT_THROW(dedup(options), Error);  // a finished run is replaced only with overwrite
  options.overwrite = true;
  EXPECT_EQ(dedup(options).records, 60U);
}

// The sketches are reused; what depends on the rule is made again.
TEST(Dedup, ResumeSeesThatTheRuleChanged) {
  const TemporaryDirectory directory;
  write_jsonl(directory / "in.jsonl", collection(43, 300));
  auto options = options_for(directory / "in.jsonl", directory / "out");
  dedup(options);
  const auto sketches = read(directory / "out/stages/sketch.ltt");
  options.rule.name = "strict", options.rule.thresholds = {{0xffffffffU, 0.9}};
  options.resume = true;
  const Counts resumed = dedup(options);
  options.resume = false, options.output_dir = directory / "fresh";
  EXPECT_EQ(dedup(options).edges, resumed.edges);
  EXPECT_EQ(read(directory / "out/stages/sketch.ltt"), sketches);
  for (const std::string& name : outputs) EXPECT_EQ(read(directory / ("out/" + name)), read(directory / ("fresh/" + name))) << name;
  EXPECT_NE(read(directory / "out/summary.json").find(R"("rule":"strict","rule_id":")" + rule_id(options.rule)), std::string::npos);
  EXPECT_NE(read(directory / "out/report.html").find(rule_id(options.rule)), std::string::npos);
  EXPECT_NE(read(directory / "out/run.json").find(rule_id(options.rule)), std::string::npos);
}

TEST(Dedup, AFinishedRunIsNotOverwrittenUnasked) {
  const TemporaryDirectory directory;
  write_jsonl(directory / "in.jsonl", {"one text"});
  auto options = options_for(directory / "in.jsonl", directory / "out");
  dedup(options);
  EXPECT_THROW(dedup(options), Error);
  options.overwrite = true;
  EXPECT_NO_THROW(dedup(options));
}

TEST(Dedup, ShardsJoinedLaterEqualOneRun) {
  const TemporaryDirectory directory;
  const auto texts = collection(43, 400);
  write_jsonl(directory / "all.jsonl", texts);
  write_jsonl(directory / "a.jsonl", {texts.begin(), texts.begin() + 150});
  std::ofstream second(directory / "b.jsonl");
  const auto input = lines(directory / "all.jsonl");
  for (std::size_t i = 150; i < input.size(); ++i) second << input[i] << "\n";
  second.close();
  dedup(options_for(directory / "all.jsonl", directory / "one"));
  const auto run = [&](const std::string& name) {
    SketchOptions sketch;
    sketch.input.paths = {directory / (name + ".jsonl")};
    sketch.output = directory / (name + ".ltt");
    stage::sketch(sketch);
  };
  run("a"), run("b");
  stage::join({{directory / "a.ltt", directory / "b.ltt"}, {}, directory / "pairs.ltt", {}, {}, {}, {}});
  stage::verify({directory / "pairs.ltt", directory / "edges.ltt", Verify::text, {}, {}});
  stage::cluster({directory / "edges.ltt", directory / "clusters.ltt", default_keep, {}});
  ApplyOptions apply;
  apply.clusters = directory / "clusters.ltt";
  apply.output_dir = directory / "two";
  stage::apply(apply);
  for (const char* name : {"kept.jsonl", "clusters.jsonl"})
    EXPECT_EQ(read(directory / (std::string("one/") + name)), read(directory / (std::string("two/") + name)));
}

// The sketch says how many tokens the stored features of a text have. The text may have changed since, or be damaged.
TEST(Dedup, ATextThatIsNotThatOfItsSketchIsAnError) {
  const TemporaryDirectory directory;
  const auto texts = collection(44, 60);
  write_jsonl(directory / "in.jsonl", texts);
  SketchOptions sketch;
  sketch.input.paths = {directory / "in.jsonl"};
  sketch.output = directory / "in.ltt";
  stage::sketch(sketch);
  stage::join({{directory / "in.ltt"}, {}, directory / "pairs.ltt", {}, {}, {}, {}});
  VerifyOptions verify{directory / "pairs.ltt", directory / "edges.ltt", Verify::text, {}, {}};
  verify.job.threads = 1;
  for (const double share : {0.0, 0.1, 0.9, 1.5}) {
    const auto open = [&]() -> sketches::TextOfRow {
      return [&, text = std::string()](std::uint64_t row) mutable -> std::string_view {
        text = texts[row] + texts[row];
        return std::string_view(text).substr(
            0, text.find_last_of(' ', static_cast<std::size_t>(share * static_cast<double>(texts[row].size()))));
      };
    };
    try {
      stages::verify_with(verify, open);
      ADD_FAILURE() << "no error at " << share;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::format);
      EXPECT_NE(std::string(error.what()).find("in.ltt: row "), std::string::npos) << error.what();
    }
  }
}

// A line of removed.jsonl: the record's id, the kept record's id, and whether the kept record is old.
struct Removed {
  std::string id, kept;
  bool for_old = false;
};

std::vector<Removed> removed_of(const std::string& run) {
  std::vector<Removed> all;
  for (const std::string& line : lines(run + "/removed.jsonl")) {
    const JsonLine entry(line);
    all.push_back({entry.text("id"), entry.text("kept"), static_cast<bool>(entry["against"])});
  }
  return all;
}

std::size_t number_of(const std::string& id) { return std::stoul(id.substr(1)); }

// The first 250 texts are old, the others new; for every way of nominating, compared with the brute-force oracle for each pair.
TEST(Dedup, AgainstAnOldCollectionRemovesWhatResemblesIt) {
  const TemporaryDirectory directory;
  constexpr std::size_t old_count = 250;
  auto texts = collection(53, 600);
  texts[old_count + 7] = texts[3], texts[old_count + 8] = texts[3], texts[4] = texts[3];  // new and old texts that are all equal
  write_jsonl(directory / "all.jsonl", texts);
  const auto all = lines(directory / "all.jsonl");
  std::ofstream old_file(directory / "old.jsonl"), new_file(directory / "new.jsonl");
  for (std::size_t i = 0; i < all.size(); ++i) (i < old_count ? old_file : new_file) << all[i] << "\n";
  old_file.close(), new_file.close();
  const std::set<Edge> similar = oracle(texts, options_for("", "").rule);
  const auto resemble = [&](std::size_t x, std::size_t y) {
    return (texts[x] == texts[y] && !texts[x].empty()) ||  // blank texts are not copies of each other
           similar.contains({static_cast<std::uint32_t>(std::min(x, y)), static_cast<std::uint32_t>(std::max(x, y))});
  };
  for (const char* keep : {default_keep, "length:min,last"}) {
    auto options = options_for(directory / "new.jsonl", directory / "out");
    options.against = {directory / "old.jsonl"};
    options.keep = keep, options.overwrite = true;
    const Counts counts = dedup(options);
    EXPECT_EQ(counts.records, texts.size() - old_count);
    EXPECT_EQ(counts.old_records, old_count);
    std::set<std::size_t> gone;
    std::size_t for_old = 0;
    for (const Removed& removed : removed_of(directory / "out")) {
      const std::size_t id = number_of(removed.id), kept = number_of(removed.kept);
      EXPECT_EQ(removed.for_old, kept < old_count) << removed.id;
      EXPECT_TRUE(resemble(id, kept)) << removed.id << " " << removed.kept;
      EXPECT_GE(id, old_count);
      gone.insert(id);
      for_old += removed.for_old ? 1 : 0;
    }
    EXPECT_EQ(counts.removed, gone.size());
    EXPECT_EQ(counts.removed_for_old, for_old);
    EXPECT_GT(for_old, 50U);
    EXPECT_GT(gone.size(), for_old) << "new ones that resemble new ones alone";
    for (std::size_t i = old_count; i < texts.size(); ++i)
      for (std::size_t j = 0; j < old_count && !gone.contains(i); ++j) EXPECT_FALSE(resemble(i, j)) << i << " stays beside " << j;
    std::vector<std::string> kept;
    for (std::size_t i = old_count; i < texts.size(); ++i)
      if (!gone.contains(i)) kept.push_back(all[i]);
    EXPECT_EQ(lines(directory / "out/kept.jsonl"), kept);
  }
}

TEST(Dedup, AgainstByFingerprintsAndInLittleMemoryIsTheSame) {
  const TemporaryDirectory directory;
  const auto texts = collection(59, 900);
  write_jsonl(directory / "old.jsonl", {texts.begin(), texts.begin() + 500});
  write_jsonl(directory / "new.jsonl", {texts.begin() + 500, texts.end()});
  const auto written = [&](std::optional<unsigned> k, unsigned threads, std::uint64_t memory) {
    auto options = options_for(directory / "new.jsonl", directory / "out");
    options.against = {directory / "old.jsonl"};
    options.k = k, options.job.threads = threads, options.job.memory = memory, options.overwrite = true;
    EXPECT_GT(dedup(options).removed_for_old, 0U);
    for (const Edge& edge : edges_of(directory / "out")) EXPECT_GE(edge.b, 500U) << "two old records";
    return read(directory / "out/kept.jsonl") + read(directory / "out/removed.jsonl") + read(directory / "out/clusters.jsonl") +
           read(directory / "out/summary.json") + read(directory / "out/report.html");
  };
  for (const std::optional<unsigned> k : {std::optional<unsigned>(), std::optional<unsigned>(6)})
    EXPECT_EQ(written(k, 1, 0), written(k, 3, 64ULL << 20));
}

TEST(Dedup, AgainstNothingSimilarIsAsWithout) {
  const TemporaryDirectory directory;
  write_jsonl(directory / "new.jsonl", collection(61, 300));
  std::ofstream(directory / "old.jsonl") << "{\"text\":\"nothing of this stands in the other file, not a word of all that\"}\n{bad\n";
  dedup(options_for(directory / "new.jsonl", directory / "plain"));
  auto options = options_for(directory / "new.jsonl", directory / "held");
  options.against = {directory / "old.jsonl"};
  const Counts counts = dedup(options);
  EXPECT_EQ(counts.old_records, 2U);
  EXPECT_EQ(counts.rejected, 0U) << "of the inputs";
  EXPECT_EQ(lines(directory / "held/rejected-against.jsonl").size(), 1U);
  for (const char* name : {"kept.jsonl", "removed.jsonl", "clusters.jsonl", "rejected.jsonl"})
    EXPECT_EQ(read(directory / (std::string("plain/") + name)), read(directory / (std::string("held/") + name))) << name;
}

TEST(Dedup, BadRecordsAreListedAndTheRestGoesOn) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "in.jsonl")
      << "{\"id\":1,\"text\":\"a good record\"}\n{broken\n\n{\"id\":2}\n{\"id\":3,\"text\":\"\\ud800 lone surrogate\"}\n"
      << "{\"id\":4,\"text\":\"bad \xff byte\"}\n{\"id\":1,\"text\":\"a good record\"}\n";
  auto options = options_for(directory / "in.jsonl", directory / "out");
  const Counts counts = dedup(options);
  EXPECT_EQ(counts.records, 6U);
  EXPECT_EQ(counts.rejected, 3U);
  EXPECT_EQ(counts.kept, 2U);
  const auto rejected = lines(directory / "out/rejected.jsonl");
  ASSERT_EQ(rejected.size(), 3U);
  EXPECT_NE(rejected[0].find("\"line\":2,"), std::string::npos) << rejected[0];
  EXPECT_NE(rejected[1].find("\"line\":4,"), std::string::npos) << rejected[1];
  EXPECT_NE(rejected[2].find("\"line\":6,"), std::string::npos) << rejected[2];
  options.input.strict = true, options.overwrite = true;
  EXPECT_THROW(dedup(options), Error);
}

TEST(Dedup, BlankTextsAreNeverDuplicatesEqualOnesWithoutWordsAre) {
  const TemporaryDirectory directory;
  write_jsonl(directory / "in.jsonl", {"", " ", "", "!!!", "!!!", "???"});
  const Counts counts = dedup(options_for(directory / "in.jsonl", directory / "out"));
  EXPECT_EQ(counts.featureless, 6U);
  EXPECT_EQ(counts.removed, 1U);
  EXPECT_EQ(lines(directory / "out/clusters.jsonl"),
            (std::vector<std::string>{R"({"cluster":0,"size":2,"keep":"d3","keep_record":3,"members":["d3","d4"],"records":[3,4]})"}));
}

TEST(Dedup, AGiantClusterIsExplained) {
  const TemporaryDirectory directory;
  std::string text;
  for (int i = 0; i < 120; ++i) text += "word" + std::to_string(i) + " ";
  std::vector<std::string> texts(6, text);
  for (int i = 0; i < 3; ++i) texts.push_back(text + "and " + std::to_string(i));  // similarity of at least .9
  texts.push_back(text.substr(0, text.size() * 7 / 10));                           // an excerpt
  write_jsonl(directory / "in.jsonl", texts);
  auto options = options_for(directory / "in.jsonl", directory / "out");
  options.giant_cluster = 11, options.keep = "first";
  dedup(options);
  EXPECT_EQ(read(directory / "out/summary.json").find("Cluster 0"), std::string::npos) << "it is no giant";
  options.giant_cluster = 10, options.overwrite = true;
  dedup(options);
  EXPECT_NE(read(directory / "out/summary.json")
                .find("Cluster 0 holds 10 records: 5 have the text of the one that is kept, 3 a similarity of 0.8 and more to it, 1 less "
                      "(the least 0."),
            std::string::npos)
      << read(directory / "out/summary.json");
}

TEST(Dedup, AMillionEqualTextsAreAStarNotAClique) {
  const TemporaryDirectory directory;
  const std::string text = collection(47, 1)[0] + " some words so that it is not short at all";
  write_jsonl(directory / "in.jsonl", std::vector<std::string>(20000, text));
  const Counts counts = dedup(options_for(directory / "in.jsonl", directory / "out"));
  EXPECT_EQ(counts.candidates, 19999U);
  EXPECT_EQ(counts.removed, 19999U);
}

TEST(Dedup, KeepPolicyChoosesAmongEqualTextsToo) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "in.jsonl") << R"({"id":"a","text":"the very same text in three places","source":"blog","date":"2024-03-01"})"
                                        << "\n"
                                        << R"({"id":"b","text":"the very same text in three places","source":"gov","date":"2024-02-01"})"
                                        << "\n"
                                        << R"({"id":"c","text":"the very same text in three places","source":"gov","date":"2023-01-01"})"
                                        << "\n";
  auto options = options_for(directory / "in.jsonl", directory / "out");
  options.keep = "source:gov>news,date:oldest,length:max,first";
  dedup(options);
  EXPECT_NE(read(directory / "out/kept.jsonl").find("\"id\":\"c\""), std::string::npos);
  EXPECT_EQ(lines(directory / "out/kept.jsonl").size(), 1U);
}

TEST(Dedup, HammingCandidatesAreExact) {
  const TemporaryDirectory directory;
  const auto texts = collection(53, 400);
  write_jsonl(directory / "in.jsonl", texts);
  auto options = options_for(directory / "in.jsonl", directory / "out");
  options.k = 8;
  options.verify = Verify::none;
  dedup(options);
  Fingerprinter fingerprinter{Profile{}};
  std::vector<std::optional<Fingerprint>> fingerprints;
  for (const auto& text : texts) fingerprints.push_back(fingerprinter(text).fingerprint);
  std::set<Edge> wanted;
  for (std::uint32_t i = 0; i < texts.size(); ++i)
    for (std::uint32_t j = i + 1; j < texts.size(); ++j)
      if (fingerprints[i] && fingerprints[j] && distance(*fingerprints[i], *fingerprints[j]) <= 8) wanted.insert({i, j});
  EXPECT_EQ(with_equals(edges_of(directory / "out"), texts), wanted);
}

TEST(Dedup, AnnotateKeepsEveryRecordAndAddsOneObject) {
  const TemporaryDirectory directory;
  write_jsonl(directory / "in.jsonl", {"the same words here", "the same words here", "something else"});
  auto options = options_for(directory / "in.jsonl", directory / "out");
  options.annotate = true;
  dedup(options);
  const auto annotated = lines(directory / "out/annotated.jsonl");
  ASSERT_EQ(annotated.size(), 3U);
  const JsonLine second(annotated[1]);
  EXPECT_EQ(second.text("text"), "the same words here");
  EXPECT_EQ(second.number("n"), 1U);
  EXPECT_EQ(JsonLine::as<bool>(second["leitong"]["keep"]), false);
  EXPECT_EQ(JsonLine::as<std::string_view>(second["leitong"]["dup_of"]), "d0");
  EXPECT_EQ(JsonLine::as<std::uint64_t>(second["leitong"]["size"]), 2U);
  EXPECT_FALSE(fs::exists(directory / "out/kept.jsonl"));
}

TEST(Dedup, EmptyInput) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "in.jsonl").close();
  const Counts counts = dedup(options_for(directory / "in.jsonl", directory / "out"));
  EXPECT_EQ(counts.records, 0U);
  EXPECT_TRUE(fs::exists(directory / "out/report.html"));
  EXPECT_EQ(read(directory / "out/kept.jsonl"), "");
}

TEST(Dedup, PlanOfASmallInputIsExact) {
  const TemporaryDirectory directory;
  write_jsonl(directory / "in.jsonl", collection(59, 200));
  const Plan planned = plan(options_for(directory / "in.jsonl", directory / "out"));
  EXPECT_TRUE(planned.exact);
  EXPECT_EQ(planned.records, 200U);
  EXPECT_GT(planned.disk_bytes, 200U * 300);
  EXPECT_FALSE(fs::exists(directory / "out"));
}

}  // namespace
}  // namespace leitong
