// Opens a store whose files were edited, with and without checksums that fit, to read and then to write, and does everything with it:
// errors, never a crash, a hang or memory without bound. What check finds good can be read without an error, also after compacting.
#include <cstdlib>

#include "store_edits.h"

namespace {

using namespace leitong;
using namespace leitong::fuzz;

bool read_all(const store::Store& store, const store::Shape& shape) {
  const store::Snapshot now = store.snapshot();
  std::vector<std::uint64_t> queries;
  std::vector<std::uint32_t> keys;
  for (std::uint64_t n = 0; n < 40; ++n) {
    const Words words = fingerprint(n);
    queries.insert(queries.end(), words.words, words.words + shape.words);
    keys.push_back(static_cast<std::uint32_t>(words.words[0]));
  }
  std::vector<store::Match> matches;
  bool truncated = false;
  bool all = goes([&] {
    const auto rows = now.scan();
    for (store::Row row; rows->next(row);) (void)now.get(row.id);
  });
  for (std::uint64_t n = 0; n < 60; ++n)
    all = goes([&] { (void)now.get(shape.numeric_ids ? store::bytes_of(n) : "id " + std::to_string(n)); }) && all;
  for (const unsigned k : {0U, 3U, 7U}) all = goes([&] { now.find(queries, k, true, matches); }) && all;
  if (shape.keys) all = goes([&] { now.find_keys({keys, {}, {}}, 100, matches, truncated); }) && all;
  all = goes([&] { now.visit_in_sequence([](const store::Row&) {}); }) && all;
  (void)store.stats();
  return all;
}

void work(FaultVfs& vfs, const store::Shape& shape, bool good) {
  store::Store writer(vfs, test_path, Access::write, limits_of(50), keys_of);
  (void)read_all(writer, shape);
  const Words words = fingerprint(5);
  const std::string id = shape.numeric_ids ? store::bytes_of(3) : "id 3";
  store::Row row;
  row.id = id;
  row.flags = store::flags::fingerprint;
  row.words = words.words;
  (void)writer.add({&row, 1}, Acknowledge::durable);
  writer.compact();
  writer.check();
  writer.backup("b");
  writer.close();
  if (good && !read_all(store::Store(vfs, test_path, Access::read, limits_of(50), keys_of), shape)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  store::Shape shape;
  const auto vfs = edited_store(data, size, {0, 2}, shape);  // not the long one, which run_fuzz has
  bool good = false;
  (void)goes([&] {
    const store::Store reader(*vfs, test_path, Access::read, limits_of(50), keys_of);
    shape = reader.shape();  // the manifest's, which may be edited, too
    good = goes([&] { reader.check(); });
    if (!read_all(reader, shape) && good) std::abort();
  });
  (void)goes([&] { work(*vfs, shape, good); });
  return 0;
}
