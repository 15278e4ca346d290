// The room's reader and writer as a program, for the oracles: columns COMMAND FILE ...
//   json FILE [ROWS BYTES]                every row as a line of JSON, read in batches of that size
//   rows FILE ROW...                      these rows, sought one after the other
//   column FILE PATH                      a text column: a line of JSON a row, an array for lists
//   copy FILE OUT CODEC GROUP EVERY NAME  rows whose number is a multiple of EVERY; NAME not empty: with an added column of that name
//   stream                                an Arrow stream from standard input, every row as JSON
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>

#include "leitong/error.h"
#include "parquet/row_json.h"
#include "parquet/table.h"
#include "parquet/writer.h"

namespace {

using namespace leitong;
using namespace leitong::parquet;

std::unique_ptr<Table> open(const char* path) { return open_table(storage::posix_vfs().open(path), path); }

void print(std::string& lines) {
  std::fwrite(lines.data(), 1, lines.size(), stdout);
  lines.clear();
}

void json(const Schema& schema, RowReader& rows, const BatchSize& size) {
  const RowJson writer(schema);
  Batch batch;
  std::string lines;
  while (rows.next(batch, size)) {
    for (std::size_t row = 0; row < batch.rows; ++row) {
      writer.append(lines, batch, row);
      lines += '\n';
    }
    print(lines);
  }
}

void sought(const Table& table, int count, char** numbers) {
  const RowJson writer(table.schema());
  const std::unique_ptr<RowReader> rows = table.read_all();
  Batch batch;
  std::string lines;
  for (int i = 0; i < count; ++i) {
    rows->seek(std::strtoull(numbers[i], nullptr, 10));
    if (!rows->next(batch, {.rows = 1})) continue;
    writer.append(lines, batch, 0);
    lines += '\n';
  }
  print(lines);
}

void column(const Table& table, const char* path) {
  const std::optional<Found> found = table.schema().find(path);
  if (!found) throw Error(ErrorCode::usage, "no such column");
  if (!found->is_text && !found->is_texts) throw Error(ErrorCode::usage, "it is " + table.schema().type_name(*found->node));
  const std::unique_ptr<RowReader> rows = table.read({&found->leaf, 1});
  std::string lines;
  for (Batch batch; rows->next(batch);) {
    const Column& texts = batch.columns.front();
    for (std::size_t row = 0; row < batch.rows; ++row) {
      if (found->is_text) {
        append_value_json(lines, *found->node, texts, row);
      } else {
        lines += '[';
        for (std::size_t i = texts.row_begin(row), first = i; i < texts.row_end(row); ++i) {
          if (texts.is_null(i)) continue;
          if (i > first && lines.back() != '[') lines += ',';
          append_json_text(lines, texts.strings[i]);
        }
        lines += ']';
      }
      lines += '\n';
    }
  }
  print(lines);
}

Codec codec_of(std::string_view name) {
  if (name == "snappy") return Codec::snappy;
  if (name == "gzip") return Codec::gzip;
  if (name == "lz4") return Codec::lz4_raw;
  return name == "zstd" ? Codec::zstd : Codec::none;
}

void copy(const Table& table, char** arguments) {
  const std::uint64_t every = std::strtoull(arguments[3], nullptr, 10);
  WriterOptions options;
  options.codec = codec_of(arguments[1]);
  options.row_group_rows = std::strtoull(arguments[2], nullptr, 10);
  if (options.row_group_rows == 0) options.row_group_rows = largest_group(table.group_starts());
  options.metadata = table.metadata();
  const FlatField added[] = {{arguments[4], FlatType::string},
                             {std::string(arguments[4]) + "_row", FlatType::uint64},
                             {std::string(arguments[4]) + "_even", FlatType::boolean, true}};
  const bool annotated = *arguments[4] != '\0';
  const Schema schema = annotated ? extended(table.schema(), added) : table.schema();
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(arguments[0], "wb"), std::fclose);
  Writer writer([&](std::string_view bytes) { std::fwrite(bytes.data(), 1, bytes.size(), out.get()); }, schema, options);
  const auto leaf = static_cast<std::uint32_t>(table.schema().leaf_count());
  const std::unique_ptr<RowReader> rows = table.read_all();
  for (Batch batch; rows->next(batch);) {
    if (annotated) {
      FlatColumn text(schema, leaf), row(schema, leaf + 1), even(schema, leaf + 2);
      for (std::uint64_t at = batch.first_row; at < batch.first_row + batch.rows; ++at) {
        if (at % 3 == 0) {
          text.add_null();
        } else {
          text.add("row " + std::to_string(at));
        }
        row.add(static_cast<std::int64_t>(at));
        even.add(at % 2 == 0);
      }
      for (FlatColumn* made : {&text, &row, &even}) batch.columns.push_back(made->take());
    }
    for (std::uint32_t i = 0; i < batch.rows; ++i) {
      std::uint32_t end = i;
      while (end < batch.rows && (batch.first_row + end) % every == 0) ++end;
      writer.append(batch, i, end);
      i = end;
    }
  }
  writer.finish();
}

}  // namespace

int main(int count, char** arguments) try {
  const std::string_view command = count > 1 ? arguments[1] : "";
  if (command == "json" && (count == 3 || count == 5)) {
    const std::unique_ptr<Table> table = open(arguments[2]);
    BatchSize size;
    if (count == 5) size = {static_cast<std::uint32_t>(std::strtoul(arguments[3], nullptr, 10)), std::strtoull(arguments[4], nullptr, 10)};
    json(table->schema(), *table->read_all(), size);
  } else if (command == "rows" && count > 2) {
    sought(*open(arguments[2]), count - 3, arguments + 3);
  } else if (command == "column" && count == 4) {
    column(*open(arguments[2]), arguments[3]);
  } else if (command == "stream" && count == 2) {
    const auto read = [](std::span<std::byte> out) { return std::fread(out.data(), 1, out.size(), stdin); };
    const std::unique_ptr<StreamReader> rows = open_arrow_stream(read, "standard input");
    json(rows->schema(), *rows, BatchSize{});
  } else if (command == "copy" && count == 8) {
    copy(*open(arguments[2]), arguments + 3);
  } else {
    std::fputs("columns: see the source\n", stderr);
    return 2;
  }
  return 0;
} catch (const leitong::Error& error) {
  std::fflush(stdout);
  std::fprintf(stderr, "columns: %s\n", error.what());
  return 1;
}
