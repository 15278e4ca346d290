// tiers: plain+sanitized
// The cluster stage on made-up edges: against the definition with everything in memory, with and without spilling, and how much it holds.

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "cluster/keep.h"
#include "leitong/error.h"
#include "records/read_input_test.h"
#include "sketches/sketch_file.h"
#include "stages/stages.h"

namespace leitong {
namespace {

namespace fs = std::filesystem;

struct Edge {
  std::uint32_t a = 0, b = 0;
  bool equal = false;
  float similarity = 1;
};

struct Clustered {
  std::uint32_t row = 0, kept = 0, cluster = 0;
  float similarity = 0;
  std::uint16_t distance = 0;
  std::uint8_t kind = 0;
  friend bool operator==(const Clustered&, const Clustered&) = default;
  friend void PrintTo(const Clustered& c, std::ostream* out) {
    *out << c.row << "->" << c.kept << " in " << c.cluster << " at " << c.similarity << ", " << c.distance << " kind " << int{c.kind};
  }
};

class ClusterStage : public testing::Test {
 protected:
  [[nodiscard]] std::string operator/(const std::string& name) const { return directory_ / name; }

  void make_rows(std::uint32_t rows, std::mt19937_64& random) {
    std::ofstream file(*this / "in.jsonl");
    const std::vector<std::string> sources = {"gov", "news", ""}, dates = {"2020", "2021-02", "", "x"};
    for (std::uint32_t i = 0; i < rows; ++i) {
      file << R"({"id":)" << i << R"(,"source":")" << sources[random() % 3] << R"(","date":")" << dates[random() % 4] << R"(","text":")";
      for (std::uint64_t words = random() % 8; words > 0; --words) file << "w" << random() % 50 << " ";
      file << "\"}\n";
    }
    file.close();
    SketchOptions sketch;
    sketch.input.paths = {*this / "in.jsonl"};
    sketch.input.fields = {"source", "date"};
    sketch.output = *this / "sketch.ltt";
    sketch.job.threads = 1;
    stage::sketch(sketch);
  }

  void write_edges(const std::vector<Edge>& edges) {
    const storage::Schema schema = stages::pair_schema("edges");
    storage::TableWriter writer(storage::posix_vfs(), *this / "edges.ltt", schema);
    storage::Block block(schema);
    for (const Edge& edge : edges) {
      block.put(stages::PairColumns::a, edge.a);
      block.put(stages::PairColumns::b, edge.b);
      block.put(stages::PairColumns::kind, static_cast<std::uint8_t>(edge.equal ? 0 : 1));
      block.put(stages::PairColumns::value, edge.similarity);
      if (block.rows() == schema.rows_per_block) writer.append(block), block.clear();
    }
    writer.append(block);
    stages::StageMetadata metadata;
    metadata.sketches = {*this / "sketch.ltt"};
    metadata.identities = {stages::open_stage_file(*this / "sketch.ltt", "sketch").identity()};
    writer.finish(to_json(metadata, *this / "edges.ltt"));
  }

  Counts run(const std::string& keep, std::uint64_t memory, const std::string& output) {
    ClusterOptions options{*this / "edges.ltt", *this / output, keep, {}};
    options.job.memory = memory;
    return stage::cluster(options);
  }

  std::vector<Clustered> clusters(const std::string& name) {
    const auto table = stages::open_stage_file(*this / name, "clusters");
    const auto row = table.read_all<std::uint32_t>("row"), kept = table.read_all<std::uint32_t>("kept"),
               cluster = table.read_all<std::uint32_t>("cluster");
    const auto similarity = table.read_all<float>("similarity");
    const auto distance = table.read_all<std::uint16_t>("distance");
    const auto kind = table.read_all<std::uint8_t>("kind");
    std::vector<Clustered> all;
    for (std::size_t i = 0; i < row.size(); ++i) all.push_back({row[i], kept[i], cluster[i], similarity[i], distance[i], kind[i]});
    return all;
  }

  // The clusters by definition, computed with everything in memory.
  std::vector<Clustered> oracle(const std::vector<Edge>& edges, const std::string& keep, std::map<std::string, std::uint64_t>& reasons);

 private:
  TemporaryDirectory directory_;
};

std::vector<Clustered> ClusterStage::oracle(const std::vector<Edge>& edges, const std::string& keep,
                                            std::map<std::string, std::uint64_t>& reasons) {
  const cluster::KeepPolicy policy(keep);
  const sketches::SketchSet set({*this / "sketch.ltt"});
  const auto rows = static_cast<std::uint32_t>(set.rows());
  sketches::RowReader reader(set, {sketches::SketchColumns::text_bytes, sketches::SketchColumns::flags, sketches::SketchColumns::simhash,
                                   sketches::SketchColumns::fields});
  std::vector<std::uint32_t> first(rows), best(rows), kept(rows);
  std::iota(first.begin(), first.end(), 0);
  std::iota(best.begin(), best.end(), 0);
  std::iota(kept.begin(), kept.end(), 0);
  std::vector<std::map<std::uint32_t, float>> near(rows);
  std::set<std::uint32_t> nodes;
  for (const Edge& edge : edges) {
    nodes.insert(edge.a), nodes.insert(edge.b);
    if (edge.equal)
      first[edge.b] = edge.a;
    else
      near[edge.a][edge.b] = near[edge.b][edge.a] = edge.similarity;
  }
  std::vector<std::vector<std::uint64_t>> keys(rows);
  std::vector<std::uint64_t> fingerprint(rows);
  std::vector<bool> has(rows);
  const std::string source = *this / "in.jsonl";
  for (std::uint32_t row = 0; row < rows; ++row) {
    reader.seek(row);
    const auto fields = sketches::unpack_fields(reader.text(sketches::SketchColumns::fields));
    cluster::KeepCandidate candidate{row, reader.value<std::uint32_t>(sketches::SketchColumns::text_bytes), source, {}};
    candidate.neighbours = static_cast<std::uint32_t>(near[first[row]].size());
    for (const std::string& field : policy.fields()) candidate.fields.push_back(fields[field == "source" ? 0 : 1]);
    for (std::size_t rule = 0; rule < policy.rules(); ++rule) keys[row].push_back(policy.key(rule, candidate));
    fingerprint[row] = reader.value<std::uint64_t>(sketches::SketchColumns::simhash);
    has[row] = (reader.value<std::uint8_t>(sketches::SketchColumns::flags) & sketches::flags::fingerprint) != 0;
  }
  for (std::uint32_t row = 0; row < rows; ++row)
    if (keys[row] < keys[best[first[row]]]) best[first[row]] = row;
  std::vector<std::uint32_t> order;  // first row of each class
  for (const std::uint32_t row : nodes)
    if (first[row] == row) order.push_back(row);
  std::sort(order.begin(), order.end(), [&](auto x, auto y) { return keys[best[x]] < keys[best[y]]; });
  std::vector<bool> grouped(rows, false);
  for (const std::uint32_t centre : order) {
    if (grouped[centre]) continue;
    grouped[centre] = true;
    for (const auto& [other, similarity] : near[centre])
      if (!grouped[other]) grouped[other] = true, kept[other] = centre;
  }
  std::map<std::uint32_t, std::uint32_t> size, number;
  for (const std::uint32_t row : nodes) ++size[kept[first[row]]];
  std::vector<Clustered> all;
  for (const std::uint32_t row : nodes) {
    const std::uint32_t centre = kept[first[row]], by = best[centre];
    if (size[centre] < 2) continue;
    const auto cluster = number.emplace(centre, static_cast<std::uint32_t>(number.size())).first->second;
    const bool equal = centre == first[row];
    const auto distance = static_cast<std::uint16_t>(std::popcount(fingerprint[row] ^ fingerprint[by]));
    all.push_back({row, by, cluster, equal ? 1.0F : near[centre].at(first[row]), has[row] && has[by] ? distance : stages::no_distance,
                   static_cast<std::uint8_t>(equal ? 0 : 1)});
    if (row == by) continue;
    std::size_t rule = 0;
    while (keys[row][rule] == keys[by][rule]) ++rule;
    ++reasons[policy.text(rule)];
  }
  return all;
}

std::vector<Edge> random_edges(std::uint32_t rows, std::mt19937_64& random) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Edge> edges;
  std::vector<std::uint32_t> first;
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (!first.empty() && random() % 4 == 0) {
      const std::uint32_t of = first[random() % first.size()];
      edges[{of, row}] = {of, row, true, 1};
    } else {
      first.push_back(row);
    }
  }
  for (std::uint64_t i = random() % (3 * rows); i > 0; --i) {
    const std::uint32_t x = first[random() % first.size()], y = first[random() % first.size()];
    if (x != y) edges[{std::min(x, y), std::max(x, y)}] = {std::min(x, y), std::max(x, y), false, static_cast<float>(random() % 100) / 100};
  }
  std::vector<Edge> all;
  for (const auto& [rows_of, edge] : edges) all.push_back(edge);
  return all;
}

TEST_F(ClusterStage, RandomGraphsAsByDefinition) {
  std::mt19937_64 random(3);
  const std::vector<std::string> policies = {"length:max,first",
                                             "first",
                                             "last",
                                             "source:gov>news,date:oldest,length:min",
                                             "date:newest,last",
                                             "central,length:max,first",
                                             "source:gov>news,central,last"};
  for (int round = 0; round < 40; ++round) {
    const auto rows = static_cast<std::uint32_t>(1 + random() % 60);
    make_rows(rows, random);
    const auto edges = random_edges(rows, random);
    write_edges(edges);
    for (const std::string& keep : policies) {
      std::map<std::string, std::uint64_t> reasons;
      const auto expected = oracle(edges, keep, reasons);
      const Counts counts = run(keep, 0, "clusters.ltt");
      ASSERT_EQ(clusters("clusters.ltt"), expected) << keep;
      EXPECT_EQ(counts.clusters,
                expected.empty() ? 0 : 1 + std::max_element(expected.begin(), expected.end(), [](const auto& x, const auto& y) {
                                             return x.cluster < y.cluster;
                                           })->cluster);
      const auto metadata = stages::stage_metadata_from_json(stages::open_stage_file(*this / "clusters.ltt", "clusters").metadata(), "");
      EXPECT_EQ((std::map<std::string, std::uint64_t>(metadata.keep_reasons.begin(), metadata.keep_reasons.end())), reasons);
    }
  }
}

TEST_F(ClusterStage, AnEdgeOutOfPlaceIsAnError) {
  std::mt19937_64 random(5);
  make_rows(10, random);
  const std::vector<std::vector<Edge>> wrong = {{{3, 2}},
                                                {{3, 3}},
                                                {{2, 10}},
                                                {{2, 5}, {2, 4}},
                                                {{2, 5}, {2, 5}},
                                                {{1, 5, true}, {5, 7, false}},
                                                {{1, 5, true}, {2, 5, false}},
                                                {{1, 5, true}, {5, 7, true}}};
  for (const auto& edges : wrong) {
    write_edges(edges);
    try {
      run("length:max,first", 0, "clusters.ltt");
      ADD_FAILURE() << edges.back().a << " " << edges.back().b;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::format) << error.what();
    }
    for (const auto& entry : fs::directory_iterator(*this / "")) EXPECT_NE(entry.path().filename().string().substr(0, 12), "clusters.ltt");
  }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memory_counts = false;
#else
constexpr bool memory_counts = true;
#endif

double resident_mebibytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0, resident = 0;
  file >> size >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// Peak memory of `work` in MiB above what this process already holds; `work` runs in a child process.
template <typename Work>
double peak_of(const Work& work) {
  malloc_trim(0);  // otherwise the child could reuse memory that the parent has freed
  const double before = resident_mebibytes();
  const pid_t child = fork();
  if (child == 0) {
    try {
      work();
      _exit(0);
    } catch (...) {
      _exit(1);
    }
  }
  int status = 0;
  rusage usage{};
  EXPECT_EQ(wait4(child, &status, 0, &usage), child);
  EXPECT_EQ(status, 0);
  return static_cast<double>(usage.ru_maxrss) / 1024 - before;
}

// Five thousand records of one template give millions of edges, far more than the smallest budget holds.
TEST_F(ClusterStage, KeepsToItsBudgetAndSpillsToTheSameClusters) {
  std::mt19937_64 random(7);
  constexpr std::uint32_t rows = 5000, reach = memory_counts ? 500 : 100;
  make_rows(rows, random);
  {
    std::vector<Edge> edges;
    for (std::uint32_t a = 0; a < rows; ++a)
      for (std::uint32_t b = a + 1; b < std::min(rows, a + reach); ++b) edges.push_back({a, b, false, static_cast<float>(b - a) / reach});
    write_edges(edges);
    std::map<std::string, std::uint64_t> reasons;
    const auto expected = oracle(edges, "central,length:max,first", reasons);
    run("central,length:max,first", 1ULL << 30, "roomy.ltt");
    EXPECT_EQ(clusters("roomy.ltt"), expected);
  }
  const double cluster = peak_of([&] { run("central,length:max,first", 64 << 20, "tight.ltt"); });
  EXPECT_EQ(clusters("tight.ltt"), clusters("roomy.ltt"));
  ApplyOptions apply;
  apply.clusters = *this / "tight.ltt", apply.output_dir = *this / "out", apply.job.memory = 64 << 20;
  const double applied = peak_of([&] { stage::apply(apply); });
  EXPECT_EQ(std::distance(fs::directory_iterator(apply.output_dir), {}), 6) << "no scratch file is left";
  if (memory_counts) {
    EXPECT_GT(cluster, 4);
    EXPECT_LT(cluster, 64 * 1.05);
    EXPECT_LT(applied, 64 * 1.05);
  }
}

}  // namespace
}  // namespace leitong
