// Opens a run whose table, index and keys were edited, with and without checksums that fit, and reads all of it in every way there is:
// Error(format) or, where the checksums were made to fit, wrong values, never anything else. What check finds good can be read without an
// error.
#include <cstdlib>

#include "store_edits.h"

namespace {

using namespace leitong;
using namespace leitong::fuzz;

volatile std::uint64_t touched = 0;  // so that no read is optimised away

void touch(const store::Row& row) {
  std::uint64_t sum = row.key + row.sequence + row.flags + (row.words != nullptr ? row.words[0] : 0);
  for (const std::string_view bytes : {row.id, row.sketch, row.metadata, row.text})
    for (const char c : bytes) sum += static_cast<unsigned char>(c);
  touched = touched + sum;
}

void read_all(const store::Run& run, const store::Shape& shape) {
  const bool good = goes([&] { run.verify(); });
  bool all = true;
  for (std::uint64_t r = 0; r < std::min<std::uint64_t>(run.rows(), 3000); ++r) {
    all = goes([&] {
            touch(run.row(r));
            const store::Row row = run.head(r);
            if (run.find_id(row.key, row.id) > run.rows()) std::abort();
          }) &&
          all;
  }
  std::vector<hamming::Found> found;
  std::vector<std::uint64_t> queries;
  for (std::uint64_t n = 0; n < 40; ++n) {
    const Words words = fingerprint(n);
    queries.insert(queries.end(), words.words, words.words + shape.words);
  }
  for (const unsigned k : {0U, 3U, 5U, 64U})
    for (const auto& index : run.index()) all = goes([&] { index->find(queries, k, found); }) && all;
  for (const hamming::Found& f : found)
    if (good || f.id < run.rows()) all = goes([&] { touch(run.head(run.index_row(f.id))); }) && all;
  if (run.postings() != nullptr) {
    const auto touch_rows_of = [&](std::uint64_t key) {
      all = goes([&] {
              for (const std::uint32_t row : run.postings()->rows_of(static_cast<std::uint32_t>(key))) touched = touched + row;
              for (const auto& list : run.postings()->lists_of(store::group_of(static_cast<std::uint32_t>(key))))
                for (const std::uint32_t row : list) touched = touched + row;
            }) &&
            all;
    };
    for (std::uint64_t n = 0; n < 40; ++n) {
      touch_rows_of(fingerprint(n).words[0]);
      touch_rows_of(n * 0x07ffffffU);
    }
  }
  if (good && !all) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  store::Shape shape;
  const auto vfs = edited_store(data, size, {0, 1, 2}, shape);
  for (const std::string& name : vfs->list(test_path)) {
    if (!name.ends_with(".table")) continue;
    const std::uint64_t number = std::strtoull(name.c_str() + 4, nullptr, 10);
    (void)goes([&] { read_all(store::Run(*vfs, test_path, number, shape), shape); });
  }
  return 0;
}
