// What tables, their maps and column files say to callers who ask for what is not there, and to files that lie behind a good checksum.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstring>
#include <functional>

#include "leitong/error.h"
#include "storage/column_file.h"
#include "storage/external_sort.h"
#include "storage/fault_vfs_test.h"
#include "storage/sample_table_test.h"
#include "storage/table_map.h"

namespace leitong::storage {
namespace {

void expect_error(ErrorCode code, const std::function<void()>& action) {
  try {
    action();
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
  }
}

TEST(TableMisuse, OfReaders) {
  FaultVfs vfs;
  (void)write_sample(vfs, "a", 20);
  const TableReader table(vfs, "a", "sketch", 3);
  Block block(table.schema());
  const std::size_t beyond[] = {5}, first[] = {0};
  expect_error(ErrorCode::usage, [&] { table.read_block(0, beyond, block); });
  expect_error(ErrorCode::usage, [&] { table.read_block(3, first, block); });
  Block other({.kind = "sketch", .columns = {{"id", 0}}});
  expect_error(ErrorCode::usage, [&] { table.read_block(0, first, other); });
  const TableMap map(vfs, "a", "sketch", 3);
  expect_error(ErrorCode::format, [&] { (void)map.column("nothing"); });
  EXPECT_EQ(map.column("hash"), 2U);
}

TEST(TableMisuse, OfBlocks) {
  const Schema schema = sample_schema();
  Block block(schema);
  EXPECT_EQ(Block(Schema{}).rows(), 0U);
  block.reserve(10);
  expect_error(ErrorCode::usage, [&] { block.put<std::uint32_t>(2, 1); });  // of 8 bytes
  expect_error(ErrorCode::usage, [&] { block.put<std::uint32_t>(0, 1); });  // of any number
  put_sample(block, 1);
  Block to(schema);
  to.append_row(block, 0);
  EXPECT_EQ(to.text(0, 0), sample_text(1));
  expect_error(ErrorCode::usage, [&] { to.append_row(block, 1); });
}

TEST(TableMisuse, OfWriters) {
  FaultVfs vfs;
  const Schema schema = sample_schema();
  Block uneven(schema);
  put_sample(uneven, 1);
  uneven.put_text(3, "more");
  uneven.put<std::uint32_t>(1, 1);
  expect_error(ErrorCode::usage, [&] { TableWriter(vfs, "a", schema).append(uneven); });
  Block narrow({.kind = "sketch", .columns = {{"id", 0}, {"band", 8}, {"hash", 8}, {"note", 0}, {"wide", 40}}});
  expect_error(ErrorCode::usage, [&] { TableWriter(vfs, "a", schema).append(narrow); });
  Block good(schema);
  put_sample(good, 1);
  TableWriter writer(vfs, "a", schema);
  vfs.arm(FaultVfs::Fault::io_error, 0);
  expect_error(ErrorCode::io, [&] {
    writer.append(good);
    (void)writer.finish("{}");
  });
  expect_error(ErrorCode::usage, [&] { writer.append(good); });  // an error is final
  TableWriter whole(vfs, "b", schema);
  (void)whole.finish("{}");
  expect_error(ErrorCode::usage, [&] { whole.append(good); });
  const TableMap empty(vfs, "b", "sketch", 3);
  EXPECT_EQ(empty.rows(), 0U);
  empty.verify();
}

TEST(TableMisuse, OfMapsOfRottenAndUnevenTables) {
  FaultVfs vfs;
  Schema schema{.kind = "sketch", .columns = {{"id", 0}}, .rows_per_block = 100, .text_per_block = 64};
  {
    TableWriter writer(vfs, "a", schema);
    Block block(schema);
    for (std::uint64_t row = 0; row < 60; ++row) block.put_text(0, sample_text(row));
    writer.append(block);
    (void)writer.finish("{}");
  }
  {
    const TableMap map(vfs, "a", "sketch", 1);
    for (std::uint64_t row = 0; row < 60; ++row) EXPECT_EQ(map.text(0, map.place(row)), sample_text(row)) << row;
  }
  for (const std::size_t at : {68U, 64U}) {  // the first row's end beyond its chunk, and its begin behind its end
    const std::byte before = vfs.bytes("a")[at + 2];
    vfs.bytes("a")[at + 2] = std::byte{0x7f};
    const TableMap map(vfs, "a", "sketch", 1);
    expect_error(ErrorCode::format, [&] { (void)map.text(0, map.place(0)); });
    expect_error(ErrorCode::format, [&] { map.verify(); });
    vfs.bytes("a")[at + 2] = before;
  }
}

TEST(TableMisuse, ColumnsAndRecordsThatDifferInTheirLastPart) {
  EXPECT_NE((Column{"a", 8}), (Column{"a", 4}));
  EXPECT_EQ((Column{"a", 8}), (Column{"a", 8}));
  EXPECT_LT((SortRecord{1, 2}), (SortRecord{1, 3}));
  EXPECT_LT((SortRecord{1, 3}), (SortRecord{2, 0}));
  EXPECT_FALSE((SortRecord{1, 2}) < (SortRecord{1, 2}));
}

constexpr ColumnKind file_kind{"testcols", 3, "do so"};

struct Entry {
  std::uint64_t id, offset, size, checksum;
};
struct Places {
  std::size_t trailer, table;
};
Places places_in(const FaultVfs::Bytes& bytes) {
  Places places{bytes.size() - 64, 0};
  std::memcpy(&places.table, bytes.data() + places.trailer, sizeof places.table);
  return places;
}
// The checksum of header, table and trailer, made good.
void seal(FaultVfs::Bytes& bytes) {
  const Places at = places_in(bytes);
  std::uint64_t columns = 0;
  std::memcpy(&columns, bytes.data() + at.trailer + 8, sizeof columns);
  std::vector<std::byte> sum(bytes.begin(), bytes.begin() + 64);
  const auto add = [&](std::size_t begin, std::size_t size) {
    sum.insert(sum.end(), bytes.begin() + static_cast<std::ptrdiff_t>(begin), bytes.begin() + static_cast<std::ptrdiff_t>(begin + size));
  };
  add(at.table, columns * sizeof(Entry));
  add(at.trailer, 48);
  const std::uint64_t checksum = XXH3_64bits(sum.data(), sum.size());
  std::memcpy(bytes.data() + at.trailer + 48, &checksum, sizeof checksum);
}

TEST(ColumnFileMisuse, ColumnsOutsideOfTheFile) {
  const auto try_entry = [](const std::function<void(Entry&, std::uint64_t table)>& change, bool good) {
    FaultVfs vfs;
    {
      ColumnFileWriter writer(vfs, "a", file_kind);
      const std::uint64_t items[] = {1, 2, 3};
      writer.add(1, items, 3);
      writer.finish();
    }
    auto& bytes = vfs.bytes("a");
    const Places at = places_in(bytes);
    Entry entry;
    std::memcpy(&entry, bytes.data() + at.table, sizeof entry);
    change(entry, at.table);
    std::memcpy(bytes.data() + at.table, &entry, sizeof entry);
    seal(bytes);
    if (good) {
      const ColumnFile file(vfs, "a", file_kind);
      EXPECT_EQ(file.column<std::uint64_t>(1, 3)[2], 3U);
    } else {
      expect_error(ErrorCode::format, [&] { (void)ColumnFile(vfs, "a", file_kind); });
    }
  };
  try_entry([](Entry&, std::uint64_t) {}, true);
  try_entry([](Entry& entry, std::uint64_t) { entry.offset += 8; }, false);
  try_entry([](Entry& entry, std::uint64_t) { entry.offset = 0; }, false);
  try_entry([](Entry& entry, std::uint64_t table) { entry.offset = table + 64; }, false);
  try_entry([](Entry& entry, std::uint64_t) { entry.offset = ~std::uint64_t{63}; }, false);
  try_entry([](Entry& entry, std::uint64_t table) { entry.size = table; }, false);
  try_entry([](Entry& entry, std::uint64_t) { entry.size = ~std::uint64_t{0}; }, false);
}

TEST(ColumnFileMisuse, TablesOutsideOfTheFile) {
  FaultVfs vfs;
  ColumnFileWriter(vfs, "a", file_kind).finish();  // without columns
  {
    (void)ColumnFile(vfs, "a", file_kind);
  }
  const FaultVfs::Bytes whole = vfs.bytes("a");
  const auto try_trailer = [&](std::uint64_t table, std::uint64_t columns) {
    auto& bytes = vfs.bytes("a");
    bytes = whole;
    std::memcpy(bytes.data() + bytes.size() - 64, &table, sizeof table);
    std::memcpy(bytes.data() + bytes.size() - 56, &columns, sizeof columns);
    expect_error(ErrorCode::format, [&] { (void)ColumnFile(vfs, "a", file_kind); });
  };
  for (const std::uint64_t table : {std::uint64_t{0}, std::uint64_t{8}, std::uint64_t{1} << 20U, ~std::uint64_t{63}}) try_trailer(table, 0);
  for (const std::uint64_t columns : {std::uint64_t{1}, std::uint64_t{1} << 16U, ~std::uint64_t{0}}) try_trailer(64, columns);
}

TEST(ColumnFileMisuse, ColumnsOfOtherLengths) {
  FaultVfs vfs;
  {
    ColumnFileWriter writer(vfs, "a", file_kind);
    writer.add(1, std::vector<std::byte>(25));
    writer.finish();
  }
  const ColumnFile file(vfs, "a", file_kind);
  EXPECT_EQ(file.column<std::uint8_t>(1, 25).size(), 25U);
  expect_error(ErrorCode::format, [&] { (void)file.column<std::uint64_t>(1, 3); });  // three and a byte
  expect_error(ErrorCode::format, [&] { (void)file.column<std::uint64_t>(1, 4); });
  expect_error(ErrorCode::format, [&] { (void)file.column<std::uint8_t>(2, 25); });
}

}  // namespace
}  // namespace leitong::storage
