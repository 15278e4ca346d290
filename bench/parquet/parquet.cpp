// How fast is text read from Parquet, and written?
//
// usage: bench_parquet read FILE COLUMN ROUNDS    each round: all strings of the column, their bytes counted
//        bench_parquet copy FILE OUT              all rows to another file, as kept.parquet is written
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>

#include "leitong/error.h"
#include "parquet/table.h"
#include "parquet/writer.h"

namespace {

using namespace leitong::parquet;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::unique_ptr<Table> open(const char* path) { return open_table(leitong::storage::posix_vfs().open(path), path); }

void read(const char* path, const char* column, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const double begin = processor_seconds();
    const std::unique_ptr<Table> table = open(path);
    const auto found = table->schema().find(column);
    if (!found) throw leitong::Error(leitong::ErrorCode::usage, "no such column");
    const std::unique_ptr<RowReader> rows = table->read({&found->leaf, 1});
    std::uint64_t bytes = 0, texts = 0;
    for (Batch batch; rows->next(batch);) {
      for (const std::string_view text : batch.columns.front().strings) bytes += text.size();
      texts += batch.rows;
    }
    const double seconds = processor_seconds() - begin;
    std::printf("%llu texts, %.1f MB, %.3f s, %.0f MB/s\n", static_cast<unsigned long long>(texts), static_cast<double>(bytes) / 1e6,
                seconds, static_cast<double>(bytes) / 1e6 / seconds);
  }
}

void copy(const char* path, const char* to) {
  const double begin = processor_seconds();
  const std::unique_ptr<Table> table = open(path);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(to, "wb"), std::fclose);
  if (!out) throw leitong::Error(leitong::ErrorCode::io, "the output cannot be written");
  WriterOptions options;
  options.row_group_rows = largest_group(table->group_starts());
  options.metadata = table->metadata();
  Writer writer([&](std::string_view bytes) { std::fwrite(bytes.data(), 1, bytes.size(), out.get()); }, table->schema(), options);
  const std::unique_ptr<RowReader> rows = table->read_all();
  for (Batch batch; rows->next(batch);) writer.append(batch, 0, batch.rows);
  writer.finish();
  std::printf("%llu rows copied, %.3f s\n", static_cast<unsigned long long>(writer.rows()), processor_seconds() - begin);
}

}  // namespace

int main(int count, char** arguments) try {
  const std::string_view command = count > 1 ? arguments[1] : "";
  if (command == "read" && count == 5) {
    read(arguments[2], arguments[3], std::atoi(arguments[4]));
  } else if (command == "copy" && count == 4) {
    copy(arguments[2], arguments[3]);
  } else {
    std::fputs("usage: bench_parquet read FILE COLUMN ROUNDS | copy FILE OUT\n", stderr);
    return 2;
  }
  return 0;
} catch (const leitong::Error& error) {
  std::fprintf(stderr, "bench_parquet: %s\n", error.what());
  return 1;
}
