// dedup --against collections without texts: against brute force over fingerprints, together with files and collections with texts, with
// equal texts; and what explain and the outputs say of such a run.

#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "deduplication/against_stores.h"
#include "leitong/access.h"
#include "leitong/collection.h"
#include "leitong/dedup.h"
#include "leitong/error.h"
#include "leitong/explain.h"
#include "leitong/fingerprint.h"
#include "leitong/stages.h"
#include "records/read_input_test.h"
#include "sketches/sketch_file.h"
#include "stages/pair_reader.h"
#include "stages/stages.h"
#include "support/read_json.h"

namespace leitong {
namespace {

namespace fs = std::filesystem;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string text_of(unsigned seed, unsigned words = 90) {
  std::mt19937 random(seed);
  std::string text;
  for (unsigned w = 0; w < words; ++w) text += "word" + std::to_string(random() % 9000) + " ";
  return text;
}

std::uint64_t fingerprint_of(const std::string& text) {
  thread_local Fingerprinter fingerprinter{Profile{}};
  return fingerprinter(text).fingerprint.value().words[0];
}

unsigned distance_of(std::uint64_t a, std::uint64_t b) { return static_cast<unsigned>(std::popcount(a ^ b)); }

struct Document {
  std::string id;
  std::uint64_t fingerprint = 0;
};
using Documents = std::vector<Document>;

// A line of removed.jsonl.
struct Removed {
  std::string kept, against, reason;  // against: empty if the kept one is an input record
  std::optional<std::uint64_t> distance, kept_record;
  bool has_similarity = false;
};

class DedupAgainstStores : public testing::Test {
 protected:
  std::string store(const std::string& name, const Documents& documents, unsigned k = 3) {
    CollectionOptions options;
    options.k = k;
    options.fingerprints_only = true;
    Collection::create(directory_ / name, options);
    Collection collection(directory_ / name, Access::write);
    for (const Document& document : documents) {
      const CollectionFingerprint row{document.id, Fingerprint{{document.fingerprint}, 64}};
      collection.add_fingerprints({&row, 1}, Acknowledge::buffered);
    }
    return directory_ / name;
  }
  std::string inputs(const std::vector<std::string>& texts, const std::string& name = "new.jsonl") {
    std::ofstream file(directory_ / name);
    for (std::size_t i = 0; i < texts.size(); ++i) file << "{\"id\":\"n" << i << "\",\"text\":\"" << texts[i] << "\"}\n";
    return directory_ / name;
  }
  DedupOptions options_for(const std::vector<std::string>& texts, const std::vector<std::string>& against) {
    DedupOptions options;
    options.input.paths = {inputs(texts)};
    options.against = against;
    options.output_dir = directory_ / "out";
    options.job.threads = 2;
    options.overwrite = true;
    return options;
  }
  [[nodiscard]] std::map<std::string, Removed> removed() const {
    std::map<std::string, Removed> all;
    std::ifstream file(directory_ / "out/removed.jsonl");
    for (std::string line; std::getline(file, line);) {
      const JsonLine entry(line);
      Removed& one = all[entry.text("id")];
      one.kept = entry.text("kept");
      one.reason = entry.text("reason");
      std::string_view against;
      if (entry["against"].get(against)) one.against = against;
      if (!entry["distance"].is_null()) one.distance = entry.number("distance");
      if (!entry["kept_record"].is_null()) one.kept_record = entry.number("kept_record");
      one.has_similarity = !entry["similarity"].is_null();
    }
    return all;
  }
  [[nodiscard]] std::string outputs() const {
    std::string all;
    for (const char* name : {"kept.jsonl", "removed.jsonl", "clusters.jsonl", "summary.json", "report.html"})
      all += read(directory_ / (std::string("out/") + name));
    return all;
  }
  template <typename Run>
  static std::string refusal(ErrorCode code, const Run& run) {
    try {
      run();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "it was not refused";
    return {};
  }
  TemporaryDirectory directory_;
};

// Documents whose fingerprints are those of some texts with up to 8 bits flipped, and other documents.
Documents documents_near(const std::vector<std::string>& texts, unsigned seed, const char* prefix) {
  std::mt19937_64 random(seed);
  Documents documents;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::uint64_t fingerprint = random();
    if (random() % 3 != 0) {
      fingerprint = fingerprint_of(texts[random() % texts.size()]);
      for (std::uint64_t flips = random() % 9; flips > 0; --flips) fingerprint ^= std::uint64_t{1} << random() % 64;
    }
    documents.push_back({prefix + std::to_string(documents.size()), fingerprint});
  }
  return documents;
}

struct Store {
  std::string path;
  Documents documents;
  unsigned k = 3;
};

// The nearest document within k bits; of equally near ones the one from the first store, and within a store the oldest.
struct Nearest {
  std::string store, id;
  unsigned distance = 0;
};
std::optional<Nearest> nearest(std::uint64_t fingerprint, const std::vector<Store>& stores, std::optional<unsigned> k) {
  std::optional<Nearest> best;
  for (const Store& store : stores)
    for (const Document& document : store.documents)
      if (const unsigned d = distance_of(fingerprint, document.fingerprint); d <= k.value_or(store.k) && (!best || d < best->distance))
        best = {store.path, document.id, d};
  return best;
}

TEST_F(DedupAgainstStores, RemovesExactlyWhatIsWithinK) {
  std::vector<std::string> texts;
  for (unsigned i = 0; i < 300; ++i) texts.push_back(text_of(i));
  std::vector<Store> stores;
  for (unsigned s = 0; s < 3; ++s) {
    Store& one = stores.emplace_back();
    one.k = s == 1 ? 5 : 3;
    one.documents = documents_near(texts, 40 + s, s == 0 ? "a" : s == 1 ? "b" : "c");
    one.path = store("store" + std::to_string(s), one.documents, one.k);
  }
  for (const std::optional<unsigned> k : {std::optional<unsigned>(), std::optional<unsigned>(0), std::optional<unsigned>(6)})
    for (const Verify verify : {Verify::text, Verify::sketch, Verify::none}) {
      DedupOptions options = options_for(texts, {stores[0].path, stores[1].path, stores[2].path});
      options.k = k, options.verify = verify;
      const Counts counts = dedup(options);
      const auto gone = removed();
      std::set<std::pair<std::string, std::string>> met;
      std::size_t for_store = 0;
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto want = nearest(fingerprint_of(texts[i]), stores, k);
        const auto found = gone.find("n" + std::to_string(i));
        ASSERT_EQ(found != gone.end(), want.has_value()) << i;
        if (!want) continue;
        ++for_store;
        met.insert({want->store, want->id});
        EXPECT_EQ(found->second.against, want->store) << i;
        EXPECT_EQ(found->second.kept, want->id) << i;
        EXPECT_EQ(found->second.distance, want->distance) << i;
        EXPECT_EQ(found->second.reason, "unverified");
        EXPECT_FALSE(found->second.has_similarity);
        EXPECT_EQ(found->second.kept_record, std::nullopt);
      }
      EXPECT_GT(for_store, 20U);
      EXPECT_EQ(counts.removed_for_old, for_store);
      EXPECT_EQ(counts.old_met, met.size()) << "only what some input met comes into the run";
      EXPECT_EQ(counts.old_records, met.size());
      EXPECT_EQ(counts.old_stores, 3U);
      EXPECT_EQ(counts.kept, texts.size() - for_store);
    }
}

TEST_F(DedupAgainstStores, IsTheSameOnAnyNumberOfThreadsAndInLittleMemory) {
  std::vector<std::string> texts;
  for (unsigned i = 0; i < 400; ++i) texts.push_back(text_of(i / 2, 60) + (i % 2 == 0 ? "" : "and one word"));
  DedupOptions options = options_for(texts, {store("store", documents_near(texts, 7, "a"))});
  const auto written = [&](unsigned threads, std::uint64_t memory) {
    options.job.threads = threads, options.job.memory = memory;
    EXPECT_GT(dedup(options).removed_for_old, 0U);
    return outputs();
  };
  EXPECT_TRUE(written(1, 0) == written(3, 64ULL << 20));
}

// More inputs than fit in one request, and more equal fingerprints than the join compares with each other.
TEST_F(DedupAgainstStores, HoldsForCrowdsToo) {
  Documents documents;
  const std::string text = text_of(1);
  const std::uint64_t fingerprint = fingerprint_of(text);
  for (unsigned i = 0; i < 700; ++i) documents.push_back({"old" + std::to_string(i), fingerprint ^ (i % 3)});
  std::vector<std::string> texts;
  for (unsigned i = 0; i < 9000; ++i) texts.push_back(i % 2 == 0 ? text_of(i + 10, 20) : text);
  DedupOptions options = options_for(texts, {store("store", documents)});
  options.k = 3, options.verify = Verify::none;
  const Counts counts = dedup(options);
  EXPECT_EQ(counts.removed_for_old, 4500U);
  EXPECT_EQ(counts.old_met, 1U);
  for (const auto& [id, one] : removed()) EXPECT_EQ(one.kept, "old0") << id;
}

TEST_F(DedupAgainstStores, EqualTextsGoTogether) {
  const std::string text = text_of(3);
  const DedupOptions options =
      options_for({text_of(1), text, text_of(2), text + "!", text}, {store("store", {{"s", fingerprint_of(text)}})});
  const Counts counts = dedup(options);
  EXPECT_EQ(counts.removed_for_old, 3U);
  const auto gone = removed();
  for (const char* id : {"n1", "n3", "n4"}) EXPECT_EQ(gone.at(id).kept, "s") << id;
  EXPECT_EQ(counts.clusters, 1U);
}

// Copies the sketch file `from` with other fingerprints in some rows. Profiles on words can give equal texts different fingerprints,
// because segmenters see the texts as written while equality is decided on tokens.
void write_with_fingerprints(const std::string& from, const std::string& to, const std::map<std::size_t, std::uint64_t>& others) {
  using sketches::SketchColumns;
  const storage::TableReader table = stages::open_stage_file(from, "sketch");
  storage::TableWriter writer(storage::posix_vfs(), to, table.schema());
  storage::Block rows(table.schema()), out(table.schema());
  ASSERT_EQ(table.blocks(), 1U);
  std::vector<std::size_t> columns(table.schema().columns.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  table.read_block(0, columns, rows);
  for (std::size_t row = 0; row < rows.rows(); ++row)
    for (const std::size_t column : columns) {
      const std::uint32_t width = table.schema().columns[column].width;
      if (width == 0) {
        out.put_text(column, rows.text(column, row));
      } else if (column == SketchColumns::simhash && others.contains(row)) {
        out.put(column, others.at(row));
      } else {
        out.put_bytes(column, rows.raw(column).subspan(row * width, width));
      }
    }
  writer.append(out);
  writer.finish(table.metadata());
}

TEST_F(DedupAgainstStores, ADocumentNearACopyIsNearTheFirstOfTheEqualTexts) {
  const std::string text = text_of(3);
  const auto file = [&](const char* name) { return directory_ / name; };
  SketchOptions sketch;
  sketch.input.paths = {inputs({text_of(1), text, text_of(2), text, text})};
  sketch.output = file("same.ltt");
  stage::sketch(sketch);
  sketch.input.paths = {inputs({text_of(2)}, "old.jsonl")};
  sketch.output = file("old.ltt");
  stage::sketch(sketch);
  write_with_fingerprints(file("same.ltt"), file("new.ltt"), {{2, 0x0f0f}, {3, 0xf0f0}, {4, 0xf0f1}});
  deduplication::StoresOptions stores;
  stores.stores = {store("store", {{"b", 0xf0f0}, {"a", 0xf0f1}, {"of the old one", 0x0f0f}})};
  stores.sketches = file("new.ltt"), stores.met = file("met.ltt"), stores.pairs = file("met-pairs.ltt");
  deduplication::ask_stores(stores, deduplication::open_stores(stores));
  EXPECT_TRUE(deduplication::stores_were_asked(stores));
  stage::join({{file("new.ltt")}, {file("old.ltt"), file("met.ltt")}, file("pairs.ltt"), {}, {}, {}, {}});
  stage::verify({file("pairs.ltt"), file("verified.ltt"), Verify::text, {}, {}});
  deduplication::add_stored_edges({file("verified.ltt"), file("met-pairs.ltt"), file("edges.ltt"), {}});
  const storage::TableReader edges = stages::open_stage_file(file("edges.ltt"), "edges");
  stages::PairRows rows(edges);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  for (stages::PairRow row; rows.next(row);) found.emplace_back(row.a, row.b);
  // Rows: 0 is the old text; 1 to 3 are documents (a and b, and one of the old text); 4 to 8 are the inputs. Of these 5, 7 and 8 are equal,
  // and 6 equals the old text.
  EXPECT_EQ(found, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 6}, {1, 5}, {2, 5}, {5, 7}, {5, 8}}));
  EXPECT_EQ(stage::cluster({file("edges.ltt"), file("clusters.ltt"), default_keep, {}}).removed, 4U);
}

TEST_F(DedupAgainstStores, WhatTextsDecideComesFirst) {
  const std::string in_file = text_of(1), in_both = text_of(2), in_store = text_of(3), with_texts = text_of(4), fresh = text_of(5);
  const std::string old = inputs({in_file, in_both}, "old.jsonl");
  CollectionOptions keeping;
  keeping.texts = true;
  Collection::create(directory_ / "texts", keeping);
  {
    Collection collection(directory_ / "texts", Access::write);
    const CollectionDocument document{"t", with_texts};
    collection.add({&document, 1}, Acknowledge::durable);
  }
  // The store's document has many near inputs, so the default --keep would prefer it.
  const std::string path = store("store", {{"s2", fingerprint_of(in_both)}, {"s3", fingerprint_of(in_store) ^ 5}});
  const std::vector<std::string> texts = {in_file, in_both, in_store, with_texts, fresh, in_both + " more"};
  for (const char* keep : {default_keep, "last"}) {
    DedupOptions options = options_for(texts, {path, old, directory_ / "texts"});
    options.keep = keep;
    const Counts counts = dedup(options);
    EXPECT_EQ(counts.removed_for_old, 5U);
    EXPECT_EQ(counts.old_records, 3U + counts.old_met);
    const auto gone = removed();
    EXPECT_EQ(gone.at("n0").against, old);
    EXPECT_EQ(gone.at("n1").against, old) << "its text is there";
    EXPECT_EQ(gone.at("n1").reason, "equal");
    EXPECT_EQ(gone.at("n2").kept, "s3");
    EXPECT_EQ(gone.at("n2").distance, 2U);
    EXPECT_EQ(gone.at("n3").kept, "t");
    EXPECT_EQ(gone.at("n5").against, old);
    EXPECT_FALSE(gone.contains("n4"));
  }
}

TEST_F(DedupAgainstStores, AnEmptyOneChangesNothing) {
  std::vector<std::string> texts;
  for (unsigned i = 0; i < 60; ++i) texts.push_back(text_of(i % 40) + (i < 40 ? "" : "again"));
  dedup(options_for(texts, {}));
  std::map<std::string, std::string> without;
  const auto names = {"kept.jsonl", "removed.jsonl", "clusters.jsonl"};
  for (const char* name : names) without[name] = read(directory_ / (std::string("out/") + name));
  DedupOptions options = options_for(texts, {store("store", {})});
  const Counts counts = dedup(options);
  EXPECT_EQ(counts.old_met, 0U);
  EXPECT_EQ(counts.old_stores, 1U);
  EXPECT_EQ(counts.removed, 20U);
  for (const char* name : names) EXPECT_EQ(read(directory_ / (std::string("out/") + name)), without[name]) << name;
  EXPECT_EQ(read(directory_ / "out/summary.json").find("The old collection holds no"), std::string::npos);
  options.against = {};
  dedup(options);
  for (const char* name : {"against-stores.ltt", "against-pairs.ltt", "verified.ltt"})
    EXPECT_FALSE(fs::exists(directory_ / (std::string("out/stages/") + name))) << name << " is left of another run";
}

TEST_F(DedupAgainstStores, IdsAreAnyBytes) {
  using namespace std::string_literals;
  const std::vector<std::string> ids = {"ab", "a\0b"s, "a\0"s, "a", "a\0\xff"s, "\""};
  Documents documents;
  std::vector<std::string> texts;
  for (unsigned i = 0; i < ids.size(); ++i) {
    texts.push_back(text_of(i));
    documents.push_back({ids[i], fingerprint_of(texts[i])});
  }
  EXPECT_EQ(dedup(options_for(texts, {store("store", documents)})).old_met, ids.size());
  const auto gone = removed();
  for (unsigned i = 0; i < ids.size(); ++i)
    EXPECT_EQ(gone.at("n" + std::to_string(i)).kept, i == 4 ? "a\0\xEF\xBF\xBD"s : ids[i]) << i;  // U+FFFD where it is not UTF-8
}

TEST_F(DedupAgainstStores, BlankInputsMeetNothing) {
  const Counts counts = dedup(options_for({"", " ", "!!!"}, {store("store", {{"zero", 0}})}));
  EXPECT_EQ(counts.removed, 0U);
  EXPECT_EQ(dedup(options_for({}, {directory_ / "store"})).records, 0U);
}

// What a stopped run has written about the store stays valid, whatever happens to the store afterwards.
TEST_F(DedupAgainstStores, ResumesWithoutAskingAgain) {
  const std::vector<std::string> texts = {text_of(1), text_of(2), text_of(3)};
  const std::string path = store("store", {{"s", fingerprint_of(texts[1])}});
  DedupOptions options = options_for(texts, {path});
  options.overwrite = false;
  dedup(options);
  const std::string first = outputs();
  const auto files = [&] { return read(directory_ / "out/stages/against-stores.ltt") + read(directory_ / "out/stages/against-pairs.ltt"); };
  const std::string met = files();
  {
    Collection collection(path, Access::write);
    const CollectionFingerprint row{"later", Fingerprint{{fingerprint_of(texts[2])}, 64}};
    collection.add_fingerprints({&row, 1}, Acknowledge::durable);
  }
  for (const char* name : {"summary.json", "stages/clusters.ltt", "stages/edges.ltt", "stages/pairs.ltt"})
    fs::remove(directory_ / (std::string("out/") + name));
  options.resume = true;
  dedup(options);
  EXPECT_EQ(outputs(), first);
  EXPECT_EQ(files(), met);

  fs::remove(directory_ / "out/summary.json");
  fs::remove(directory_ / "out/stages/against-pairs.ltt");  // so that the store is asked again
  EXPECT_EQ(dedup(options).removed_for_old, 2U);
  EXPECT_NE(outputs(), first);

  // One complete file of the two is not enough; this damaged one is from the first answer.
  fs::remove(directory_ / "out/summary.json");
  std::ofstream(directory_ / "out/stages/against-stores.ltt", std::ios::binary) << met.substr(0, met.size() / 2);
  EXPECT_EQ(dedup(options).removed_for_old, 2U);

  options.k = 1;
  EXPECT_NE(refusal(ErrorCode::usage, [&] { dedup(options); }).find("finished run of other inputs"), std::string::npos);
  fs::remove(directory_ / "out/summary.json");
  EXPECT_EQ(dedup(options).removed_for_old, 2U);
}

TEST_F(DedupAgainstStores, RefusesBeforeAnythingIsWritten) {
  const std::string path = store("store", {{"s", 1}});
  DedupOptions options = options_for({text_of(1)}, {path});
  options.profile.bits = 128;
  const std::string said = refusal(ErrorCode::usage, [&] { dedup(options); });
  EXPECT_NE(said.find(profile_id(options.profile)), std::string::npos) << said;
  EXPECT_NE(said.find(profile_id(Profile{})), std::string::npos) << said;
  EXPECT_NE(said.find(path), std::string::npos) << said;
  EXPECT_EQ(refusal(ErrorCode::usage, [&] { (void)plan(options); }), said);
  options.profile.bits = 64;
  options.against = {"redis://somebody:secret@127.0.0.1:1/0"};
  const std::string unreachable = refusal(ErrorCode::io, [&] { dedup(options); });
  EXPECT_NE(unreachable.find("127.0.0.1"), std::string::npos) << unreachable;
  EXPECT_EQ(unreachable.find("secret"), std::string::npos) << unreachable;
  EXPECT_FALSE(fs::exists(directory_ / "out"));
}

TEST_F(DedupAgainstStores, PlanAsksNothing) {
  const DedupOptions options = options_for({text_of(1), text_of(2)}, {store("store", {{"s", fingerprint_of(text_of(1))}})});
  const Plan planned = plan(options);
  EXPECT_EQ(planned.records, 2U);
  EXPECT_TRUE(planned.exact);
  EXPECT_NE(planned.basis.back().find("stores of --against are not asked"), std::string::npos) << planned.basis.back();
}

TEST_F(DedupAgainstStores, IsExplained) {
  const std::vector<std::string> texts = {text_of(1), text_of(2)};
  DedupOptions options = options_for(texts, {store("store", {{"far", ~fingerprint_of(texts[0])}, {"n1", fingerprint_of(texts[1]) ^ 1}})});
  options.giant_cluster = 2;
  dedup(options);
  RunQuestion question;
  question.directory = directory_ / "out";
  question.a = ":1", question.b = (directory_ / "store") + ":0";
  const RunExplanation said = explain_run(question);
  EXPECT_FALSE(said.a.is_kept);
  EXPECT_EQ(said.a.distance, 1U);
  EXPECT_TRUE(said.a.kept.stored);
  EXPECT_EQ(said.a.kept.id, "\"n1\"");
  EXPECT_TRUE(said.unverified);
  EXPECT_EQ(said.nominated, "hamming");
  EXPECT_NE(said.no_texts.find("store: no text is kept there"), std::string::npos) << said.no_texts;
  EXPECT_FALSE(said.comparison);
  ASSERT_EQ(said.chain.size(), 1U);
  question.b = ":0";
  EXPECT_FALSE(explain_run(question).unverified);

  std::string back;
  EXPECT_EQ(restore(directory_ / "out", {}, [&](std::string_view record) { back = record; }), 1U);
  EXPECT_NE(back.find("\"id\":\"n1\""), std::string::npos) << back;
  const std::string page = read(directory_ / "out/report.html"), summary = read(directory_ / "out/summary.json");
  EXPECT_NE(page.find("no text is kept there"), std::string::npos);
  EXPECT_NE(summary.find("Cluster 0 holds 1 records, for one document of a store"), std::string::npos) << summary;
  EXPECT_NE(summary.find("\"met_in_stores\":1"), std::string::npos) << summary;
}

TEST_F(DedupAgainstStores, PasswordsAreNotWritten) {
  DedupOptions options = options_for({text_of(1)}, {store("store", {})});
  options.command = {"leitong", "dedup", "--against=redis://somebody:secret@host/0", "redis://somebody:secret@host/0", "a=b"};
  dedup(options);
  const std::string run = read(directory_ / "out/run.json");
  EXPECT_EQ(run.find("secret"), std::string::npos) << run;
  EXPECT_NE(run.find("host"), std::string::npos) << run;
  EXPECT_NE(run.find("\"a=b\""), std::string::npos) << run;
}

}  // namespace
}  // namespace leitong
