// docs/file-format.md ("Store") against the library: tests/read_store.py, which was written from that page alone, must find in every store
// what the library finds there, and stores of older versions, committed under tests/stores, must stay readable by both.
//
// LEITONG_STORES_TO=DIR keeps the small stores of this run in DIR (tests/stores/make.sh).
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "collection/collection_about.h"
#include "collection/collection_keys.h"
#include "leitong/access.h"
#include "leitong/collection.h"
#include "leitong/error.h"
#include "records/json_object.h"
#include "records/read_input_test.h"
#include "storage/vfs.h"
#include "store/manifest.h"
#include "store/store.h"

namespace leitong {
namespace {

namespace fs = std::filesystem;

const fs::path committed = fs::path(LEITONG_SOURCE_DIR) / "tests" / "stores";

struct Printed {
  int status = -1;  // exit code
  std::string text;
};
Printed read_by_python(const std::string& directory, const std::string& options = "--check") {
  const std::string command =
      std::string(LEITONG_PYTHON) + " -B " + LEITONG_SOURCE_DIR + "/tests/read_store.py " + options + " '" + directory + "' 2>&1";
  Printed out;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  char buffer[1 << 16];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.text.append(buffer, got);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) out.status = WEXITSTATUS(status);
  return out;
}

std::string line_of(const CollectionEntry& entry, CollectionIds ids) {
  records::JsonObject line;
  if (ids == CollectionIds::number)
    line.raw("id", entry.id);
  else
    line.text("id", entry.id);
  line.number("sequence", entry.sequence).number("flags", (entry.fingerprint ? 1U : 0U) | (entry.unverified ? 4U : 0U));
  if (entry.fingerprint)
    line.text("fingerprint", to_hex(*entry.fingerprint));
  else
    line.null("fingerprint");
  return line.text("metadata", entry.metadata).text("text", entry.text).str() + "\n";
}

std::string read_by_library(const std::string& directory) {
  const Collection collection(directory, Access::read);
  std::string out;
  collection.scan([&](const CollectionEntry& entry) { out += line_of(entry, collection.options().ids); });
  return out;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}
void write_to(const fs::path& path, const std::string& content) { std::ofstream(path, std::ios::binary) << content; }

std::size_t files_in(const fs::path& directory, const std::string& begin, const std::string& end) {
  std::size_t count = 0;
  for (const auto& file : fs::directory_iterator(directory)) {
    const std::string name = file.path().filename().string();
    count += name.starts_with(begin) && name.ends_with(end) ? 1 : 0;
  }
  return count;
}

using Directory = TemporaryDirectory;

// The first line that is another one, in both.
std::string difference(const std::string& a, const std::string& b) {
  std::istringstream in_a(a), in_b(b);
  std::string line_a, line_b;
  do {
    if (!std::getline(in_a, line_a)) line_a = "(end)";
    if (!std::getline(in_b, line_b)) line_b = "(end)";
  } while (line_a == line_b && line_a != "(end)");
  return line_a.substr(0, 500) + "\n" + line_b.substr(0, 500);
}

void expect_same(const std::string& directory, const std::string& when) {
  const std::string rows = read_by_library(directory);
  EXPECT_FALSE(rows.empty()) << when;
  const Printed python = read_by_python(directory);
  EXPECT_EQ(python.status, 0) << when << ": " << python.text.substr(0, 300);
  EXPECT_TRUE(python.text == rows) << when << ", where they differ:\n" << difference(python.text, rows);
  EXPECT_NO_THROW(Collection(directory, Access::read).check()) << when;
}

struct Case {
  std::string name;
  CollectionOptions options;
};

Case make_case(const std::string& name, unsigned bits, unsigned k, CollectionIds ids, bool texts, bool metadata, bool fingerprints_only) {
  Case made{name, {}};
  made.options.profile.bits = bits;
  made.options.profile.minhash = bits != 128;  // without: sketches, but no keys
  made.options.k = k;
  made.options.ids = ids;
  made.options.texts = texts;
  made.options.metadata = metadata;
  made.options.fingerprints_only = fingerprints_only;
  return made;
}

std::vector<Case> cases() {
  return {make_case("texts", 64, 3, CollectionIds::text, true, true, false),
          make_case("numbers", 64, 3, CollectionIds::number, false, false, false),
          make_case("no_keys", 128, 6, CollectionIds::text, true, false, false),
          make_case("wide", 256, 16, CollectionIds::text, false, true, false),
          make_case("fingerprints", 64, 3, CollectionIds::number, false, false, true),
          make_case("wide_fingerprints", 256, 10, CollectionIds::number, false, true, true)};
}

std::string text_of(unsigned seed, unsigned words) {
  std::mt19937 random(seed);
  std::string text;
  for (unsigned w = 0; w < words; ++w)
    text += (w % 9 == 8 ? "\"Größe\\\" 雷同" : "word") + std::to_string(random() % 700) + (w % 12 == 11 ? ".\n\t" : " ");
  return text;
}

std::string id_of(const CollectionOptions& options, unsigned number) {
  if (options.ids == CollectionIds::number) return number == 0 ? "18446744073709551615" : std::to_string(number * 1'000'003ULL);
  return number == 0 ? std::string(300, 'x') : "a\"b/文" + std::to_string(number);
}

class Filler {
 public:
  explicit Filler(const CollectionOptions& options) : options_(options) {}

  void add(Collection& collection, unsigned first, unsigned last, unsigned seed) {
    std::vector<std::string> ids, texts;
    for (unsigned i = first; i < last; ++i) {
      ids.push_back(id_of(options_, i));
      texts.push_back(i % 7 == 3 ? "" : text_of(seed * 1000 + i, i % 5 == 1 ? 150 : 3 + 20 * (i % 5)));  // none, short, middling, long
    }
    std::vector<CollectionDocument> documents;
    for (std::size_t i = 0; i < ids.size(); ++i)
      documents.push_back({ids[i], texts[i], options_.metadata && i % 3 != 0 ? R"({"n":[1,"zwölf\n"]})" : ""});
    collection.add(documents, Acknowledge::durable);
  }
  void add_fingerprints(Collection& collection, unsigned first, unsigned last) {
    std::mt19937_64 random(first);
    std::vector<std::string> ids;
    for (unsigned i = first; i < last; ++i) ids.push_back(id_of(options_, i));
    std::vector<CollectionFingerprint> rows;
    for (const std::string& id : ids) {
      CollectionFingerprint row{id, {}, options_.metadata ? "17" : ""};
      row.fingerprint.bits = options_.profile.bits;
      for (unsigned w = 0; w < fingerprint_words(row.fingerprint.bits); ++w) row.fingerprint.words[w] = random();
      rows.push_back(row);
    }
    collection.add_fingerprints(rows, Acknowledge::durable);
  }
  void erase(Collection& collection, std::initializer_list<unsigned> numbers) {
    for (const unsigned number : numbers) {
      const std::string id = id_of(options_, number);
      const std::string_view view = id;
      EXPECT_EQ(collection.erase(std::span(&view, 1), Acknowledge::durable), 1U) << number;
    }
  }

 private:
  const CollectionOptions& options_;
};

// A run of what the logs hold, without a merge, which only the store itself offers.
void make_run(const std::string& directory) {
  storage::Vfs& vfs = storage::posix_vfs();
  const store::Manifest manifest = store::read_manifest(vfs, directory);
  const auto about = collection::read_about(manifest.about, manifest.shape, directory, {});
  store::Store store(vfs, directory, Access::write, {}, collection::keys_of_documents(about.bands));
  store.flush();
  store.close();
}

void keep(const std::string& directory, const std::string& name) {
  const char* to = std::getenv("LEITONG_STORES_TO");
  if (to == nullptr) return;
  const fs::path place = fs::path(to) / ("v" + std::to_string(store::manifest_version) + "-" + name);
  fs::remove_all(place);
  fs::copy(directory, place, fs::copy_options::recursive);
  write_to(place.string() + ".jsonl", read_by_library(directory));
}

class StoreFormat : public testing::TestWithParam<Case> {};

TEST_P(StoreFormat, ReaderFromTheSpecificationFindsTheSameRows) {
  const CollectionOptions& options = GetParam().options;
  const Directory root;
  const std::string path = root / "c", beside = root / "beside";
  Collection::create(path, options);
  EXPECT_EQ(read_by_python(path).text, "");
  Filler fill(options);
  {
    Collection collection(path, Access::write);
    fill.add(collection, 0, 25, 1);
    fill.add_fingerprints(collection, 25, 28);
    fs::copy(path, beside);
    expect_same(beside, "open log");
    fill.erase(collection, {4, 26});
  }
  expect_same(path, "sealed log");
  make_run(path);
  expect_same(path, "run");
  {
    Collection collection(path, Access::write);
    fill.add(collection, 20, 30, 2);  // replaces documents and fingerprints
    fill.erase(collection, {1, 22});
  }
  make_run(path);
  EXPECT_EQ(files_in(path, "run-", ".table"), 2U);
  EXPECT_EQ(files_in(path, "log-", ""), 0U);
  expect_same(path, "two runs");
  {
    Collection collection(path, Access::write);
    fill.add(collection, 1, 3, 3);  // an erased one comes back
    fill.erase(collection, {7});
  }
  Collection collection(path, Access::write);
  fill.erase(collection, {8, 29});
  fill.add(collection, 29, 31, 4);
  const std::string all = root / "all";
  fs::copy(path, all);
  EXPECT_EQ(files_in(all, "log-", ".log"), 2U);
  expect_same(all, "two runs, a sealed and an open log");
  keep(all, GetParam().name);
  collection.backup(root / "backup");
  expect_same(root / "backup", "backup");
  const std::string before = read_by_library(all);
  collection.compact();
  collection.close();
  EXPECT_EQ(files_in(path, "run-", ".table"), 1U);
  expect_same(path, "compact");
  EXPECT_EQ(read_by_library(path), before);
}

INSTANTIATE_TEST_SUITE_P(Shapes, StoreFormat, testing::ValuesIn(cases()), [](const auto& shape) { return shape.param.name; });

// Enough rows for an index that is sorted by halves.
TEST(StoreFormatTest, LargeIndexSaysWhatItsTableSays) {
  const Directory root;
  const Case of = make_case("large", 64, 3, CollectionIds::number, false, false, true);
  Collection::create(root / "c", of.options);
  Collection collection(root / "c", Access::write);
  Filler(of.options).add_fingerprints(collection, 0, 30'000);
  Filler(of.options).add(collection, 40'000, 40'020, 1);  // some without a fingerprint: row numbers are not 0, 1, 2, …
  collection.compact();
  collection.close();
  expect_same(root / "c", "large");
}

// Where the library's check finds a changed byte, the other reader does, and only there.
TEST(StoreFormatTest, ChangedBytesAreFoundByBoth) {
  const Directory root;
  std::size_t refused = 0, accepted = 0;
  std::mt19937 random(7);
  const unsigned attempts = std::getenv("LEITONG_FULL") != nullptr ? 15 : 4;
  const auto iterator = fs::directory_iterator(committed / "v1-texts");
  std::vector<fs::directory_entry> files(begin(iterator), end(iterator));
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    const std::string content = content_of(file.path());
    const std::string copy = root / "c";
    for (unsigned attempt = 0; attempt < attempts && !content.empty(); ++attempt) {
      fs::remove_all(copy);
      fs::copy(committed / "v1-texts", copy);
      std::string changed = content;
      const std::size_t at = attempt == 0 ? 0 : attempt == 1 ? content.size() - 1 : random() % content.size();
      changed[at] = static_cast<char>(changed[at] ^ (1 << random() % 8));
      write_to(fs::path(copy) / file.path().filename(), changed);
      bool good = true;
      try {
        Collection(copy, Access::read).check();
      } catch (const Error&) {
        good = false;
      }
      const Printed python = read_by_python(copy);
      EXPECT_EQ(python.status == 0, good) << file.path().filename() << " at " << at << ": " << python.text.substr(0, 200);
      if (good) {
        EXPECT_EQ(python.text, read_by_library(copy)) << file.path().filename() << " at " << at;
      }
      ++(good ? accepted : refused);
    }
  }
  EXPECT_GT(refused, 3 * accepted);
}

TEST(StoreFormatTest, ReadsBesideAWriter) {
  const Directory root;
  const std::string path = root / "c";
  const Case of = make_case("beside", 64, 3, CollectionIds::text, true, false, false);
  Collection::create(path, of.options);
  std::atomic<unsigned> added = 0;
  std::atomic<bool> stop = false;
  std::jthread writer([&] {
    Collection collection(path, Access::write);
    while (!stop) {
      const std::string id = std::to_string(added + 1), text = text_of(added, 20);
      const CollectionDocument document{id, text};
      collection.add(std::span(&document, 1), Acknowledge::durable);
      ++added;
      if (added % 50 == 0) collection.compact();
      std::this_thread::sleep_for(std::chrono::milliseconds(added < 500 ? 1 : 20));
    }
  });
  for (unsigned i = 0; i < 6; ++i) {
    const unsigned before = added;
    const Printed python = read_by_python(path);
    EXPECT_EQ(python.status, 0) << python.text;
    const auto rows = static_cast<unsigned>(std::count(python.text.begin(), python.text.end(), '\n'));
    EXPECT_GE(rows, before);
    EXPECT_LE(rows, added + 1);
  }
  stop = true;
}

// Stores as versions before wrote them: what this one does to formats must not lose them.
TEST(StoreFormatTest, CommittedStoresStayReadable) {
  std::size_t stores = 0;
  for (const auto& directory : fs::directory_iterator(committed)) {
    if (!directory.is_directory()) continue;
    ++stores;
    const std::string path = directory.path().string(), expected = content_of(path + ".jsonl");
    ASSERT_FALSE(expected.empty()) << path;
    EXPECT_EQ(read_by_library(path), expected) << path;
    EXPECT_NO_THROW(Collection(path, Access::read).check()) << path;
    const Printed python = read_by_python(path);
    EXPECT_EQ(python.status, 0) << python.text;
    EXPECT_EQ(python.text, expected) << path;
  }
  EXPECT_EQ(stores, cases().size());
}

TEST(StoreFormatTest, CommittedStoresCanBeWrittenTo) {
  for (const auto& directory : fs::directory_iterator(committed)) {
    if (!directory.is_directory()) continue;
    const Directory root;
    const std::string path = root / "c", expected = content_of(directory.path().string() + ".jsonl");
    fs::copy(directory.path(), path);
    {
      Collection collection(path, Access::write);
      EXPECT_EQ(read_by_library(path), expected);
      const std::string id = id_of(collection.options(), 500), text = text_of(500, 60);
      const CollectionDocument document{id, text};
      collection.add(std::span(&document, 1), Acknowledge::durable);
      if (collection.options().texts) {
        const auto found = collection.query(text).matches;
        ASSERT_FALSE(found.empty());
        EXPECT_EQ(found[0].id, id);
      }
      collection.compact();
    }
    expect_same(path, directory.path().string());
    EXPECT_GT(read_by_library(path).size(), expected.size());
  }
}

}  // namespace
}  // namespace leitong
