#include "storage/table.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstring>

#include "leitong/error.h"
#include "storage/fault_vfs_test.h"
#include "storage/sample_table_test.h"
#include "storage/table_format.h"

namespace leitong::storage {
namespace {

TableReader open_sample(FaultVfs& vfs) { return {vfs, "d/t", "sketch", 3}; }

ErrorCode error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error was thrown";
  return ErrorCode::interrupted;
}

// Opens and reads everything; true if that worked, false on Error(format) or Error(unsupported). Anything else fails the test.
bool reads(Vfs& vfs) {
  try {
    const TableReader table(vfs, "d/t", "sketch", 3);
    table.check();
    return true;
  } catch (const Error& error) {
    EXPECT_TRUE(error.code() == ErrorCode::format || error.code() == ErrorCode::unsupported) << error.what();
    EXPECT_NE(std::string(error.what()).find("d/t"), std::string::npos);
    return false;
  }
}

TEST(Table, RoundTripsWhateverTheBlocksAndCalls) {
  for (const std::uint64_t rows : {0, 1, 6, 7, 8, 50})
    for (const std::uint32_t per_block : {1, 2, 7, 49, 50, 51})
      for (const std::uint64_t call : {1, 7, 13, 1000}) {
        FaultVfs vfs;
        const std::string identity = write_sample(vfs, "d/t", rows, per_block, call);
        const TableReader table = open_sample(vfs);
        EXPECT_EQ(table.identity(), identity);
        EXPECT_EQ(table.schema().columns, sample_schema().columns);
        EXPECT_EQ(table.blocks(), (rows + per_block - 1) / per_block);
        expect_sample(table, rows);
        EXPECT_EQ(vfs.all_names(), std::vector<std::string>{"d/t"});
      }
}

TEST(Table, BytesDoNotDependOnTheCalls) {
  FaultVfs one, other;
  EXPECT_EQ(write_sample(one, "d/t", 100, 7, 1), write_sample(other, "d/t", 100, 7, 33));
  EXPECT_EQ(one.bytes("d/t"), other.bytes("d/t"));
  EXPECT_NE(write_sample(other, "d/t", 101, 7, 33), TableReader(one, "d/t", "", 3).identity());
}

TEST(Table, ReadsChosenColumns) {
  FaultVfs vfs;
  write_sample(vfs, "d/t", 20);
  const TableReader table = open_sample(vfs);
  const auto hashes = table.read_all<std::uint64_t>("hash");
  ASSERT_EQ(hashes.size(), 20U);
  EXPECT_EQ(hashes[19], 19 * 0x9E3779B97F4A7C15U);
  Block block(table.schema());
  const std::size_t note = table.column("note");
  table.read_block(1, std::span(&note, 1), block);
  EXPECT_EQ(block.rows(), 7U);
  EXPECT_EQ(block.text(note, 0), "雷同");
  EXPECT_TRUE(block.raw(1).empty());
  EXPECT_TRUE(table.has_column("wide"));
  EXPECT_FALSE(table.has_column("none"));
  EXPECT_EQ(error_of([&] { (void)table.column("none"); }), ErrorCode::format);
  EXPECT_EQ(error_of([&] { (void)table.read_all<std::uint32_t>("hash"); }), ErrorCode::format);
  std::vector<std::byte> wrong(5);
  EXPECT_EQ(error_of([&] { table.read_column(1, 0, wrong); }), ErrorCode::usage);
  EXPECT_EQ(error_of([&] { table.read_column(1, 99, wrong); }), ErrorCode::usage);
}

TEST(Table, RefusesOtherKindsAndNewerVersions) {
  FaultVfs vfs;
  write_sample(vfs, "d/t", 3);
  EXPECT_EQ(error_of([&] { TableReader(vfs, "d/t", "pairs", 3); }), ErrorCode::format);
  EXPECT_EQ(error_of([&] { TableReader(vfs, "d/t", "sketch", 2); }), ErrorCode::unsupported);
  EXPECT_NO_THROW(TableReader(vfs, "d/t", "", 4));
  vfs.bytes("d/t")[8] = std::byte{2};
  EXPECT_EQ(error_of([&] { TableReader(vfs, "d/t", "sketch", 3); }), ErrorCode::unsupported);
}

TEST(Table, BlocksEndEarlyBeforeTheirTextIsTooMuch) {
  FaultVfs vfs;
  Schema schema{.kind = "k", .columns = {{"text", 0}, {"n", 4}}, .rows_per_block = 100, .text_per_block = 10};
  Block block(schema);
  const std::vector<std::size_t> lengths = {4, 4, 4, 30, 0, 0, 10, 1, 9, 9};
  for (std::uint32_t i = 0; i < lengths.size(); ++i) {
    block.put_text(0, std::string(lengths[i], 'x'));
    block.put<std::uint32_t>(1, i);
  }
  TableWriter writer(vfs, "t", schema);
  writer.append(block);
  EXPECT_EQ(writer.rows(), lengths.size());
  writer.finish("{}");
  const TableReader table(vfs, "t", "k", 1);
  std::vector<std::uint32_t> sizes;
  for (std::size_t b = 0; b < table.blocks(); ++b) sizes.push_back(table.block_rows(b));
  EXPECT_EQ(sizes, (std::vector<std::uint32_t>{2, 1, 3, 1, 2, 1}));
  EXPECT_EQ(table.read_all<std::uint32_t>("n"), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(Table, UnevenBlocksAndBadSchemasAreRefused) {
  FaultVfs vfs;
  const Schema schema = sample_schema();
  TableWriter writer(vfs, "d/t", schema);
  Block uneven(schema);
  put_sample(uneven, 0);
  uneven.put<std::uint32_t>(1, 5);
  EXPECT_EQ(error_of([&] { writer.append(uneven); }), ErrorCode::usage);
  EXPECT_EQ(error_of([&] { uneven.put<std::uint64_t>(1, 5); }), ErrorCode::usage);
  EXPECT_EQ(error_of([&] { (void)writer.finish("{}"); }), ErrorCode::usage);  // an error is final
  EXPECT_EQ(error_of([&] { TableWriter(vfs, "u", Schema{.kind = "k", .columns = {}}); }), ErrorCode::usage);
  EXPECT_EQ(error_of([&] { TableWriter(vfs, "u", Schema{.kind = "k", .columns = {{"a", 1}, {"a", 2}}}); }), ErrorCode::usage);
  EXPECT_EQ(error_of([&] { TableWriter(vfs, "u", Schema{.kind = "", .columns = {{"a", 1}}}); }), ErrorCode::usage);
}

TEST(Block, CopiesRowsAndTakesMany) {
  const Schema schema = sample_schema();
  Block from(schema), to(schema);
  for (std::uint64_t row = 0; row < 9; ++row) put_sample(from, row);
  to.append_row(from, 8);
  EXPECT_EQ(to.rows(), 1U);
  EXPECT_EQ(to.text(0, 0), sample_text(8));
  EXPECT_EQ(error_of([&] { to.append_row(from, 9); }), ErrorCode::usage);
  const std::vector<std::uint32_t> values = {1, 2, 3};
  to.put_all<std::uint32_t>(1, values);
  EXPECT_EQ(to.column<std::uint32_t>(1)[3], 3U);
  EXPECT_EQ(to.rows(), 1U);
}

TEST(TableCorruption, EveryByteIsGuardedOrPadding) {
  FaultVfs vfs;
  write_sample(vfs, "d/t", 17);
  ASSERT_TRUE(reads(vfs));
  auto& bytes = vfs.bytes("d/t");
  std::size_t harmless = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (const unsigned flip : {1U, 0x80U, 0xFFU}) {
      bytes[i] ^= static_cast<std::byte>(flip);
      if (reads(vfs)) {
        ++harmless;
        EXPECT_EQ(bytes[i], static_cast<std::byte>(flip)) << "byte " << i << " changed unseen and is no zero padding";
        expect_sample(open_sample(vfs), 17);
      }
      bytes[i] ^= static_cast<std::byte>(flip);
    }
  EXPECT_LT(harmless, 3 * 64 * 5 * 3U);
}

TEST(TableCorruption, EveryTruncationAndAdditionIsSeen) {
  FaultVfs vfs;
  write_sample(vfs, "d/t", 17);
  const auto whole = vfs.bytes("d/t");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    vfs.bytes("d/t").assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_FALSE(reads(vfs)) << length;
  }
  vfs.bytes("d/t") = whole;
  vfs.bytes("d/t").push_back(std::byte{0});
  EXPECT_FALSE(reads(vfs));
}

// A rotten footer under a valid checksum, as an attacker would write it: every 1-, 4- and 8-byte field value at every place.
TEST(TableCorruption, FooterIsCheckedBeyondItsChecksum) {
  FaultVfs vfs;
  write_sample(vfs, "d/t", 17);
  const auto whole = vfs.bytes("d/t");
  auto& bytes = vfs.bytes("d/t");
  std::uint64_t offset = 0, length = 0;
  std::memcpy(&offset, &bytes[bytes.size() - 32], 8);
  std::memcpy(&length, &bytes[bytes.size() - 24], 8);
  const std::uint64_t values[] = {0, 1, 7, 64, 0x7FFFFFFFU, 0xFFFFFFFFU, UINT64_MAX / 24, UINT64_MAX - 63, UINT64_MAX};
  for (std::uint64_t at = offset; at < offset + length; ++at)
    for (const std::uint64_t value : values)
      for (const std::size_t width : {1, 4, 8}) {
        if (at + width > offset + length) continue;
        std::memcpy(&bytes[at], &value, width);
        const std::uint64_t checksum = XXH3_64bits(&bytes[offset], length);
        std::memcpy(&bytes[bytes.size() - 16], &checksum, 8);
        (void)reads(vfs);
        bytes = whole;
      }
  EXPECT_TRUE(reads(vfs));
}

TEST(TableCorruption, EndsOfRowsAreCheckedBeyondTheChecksum) {
  FaultVfs vfs;
  write_sample(vfs, "d/t", 7);
  auto& bytes = vfs.bytes("d/t");
  // Row 2 of column "id" (the first chunk) begins after it ends; all checksums are made good.
  const std::uint32_t far = 0x01000000;
  std::memcpy(&bytes[64 + 8], &far, 4);
  std::uint64_t offset = 0, length = 0;
  std::memcpy(&offset, &bytes[bytes.size() - 32], 8);
  std::memcpy(&length, &bytes[bytes.size() - 24], 8);
  Footer footer = decode_footer(std::span(bytes).subspan(offset, length), offset, "d/t");
  footer.chunks[0].checksum = XXH3_64bits(&bytes[64], footer.chunks[0].length);
  const auto encoded = encode_footer(footer);
  std::memcpy(&bytes[offset], encoded.data(), encoded.size());
  const auto trailer = encode_trailer({offset, length, XXH3_64bits(encoded.data(), encoded.size())});
  std::memcpy(&bytes[offset + length], trailer.data(), trailer.size());
  const TableReader table = open_sample(vfs);
  EXPECT_EQ(error_of([&] { table.check(); }), ErrorCode::format);
}

}  // namespace
}  // namespace leitong::storage
