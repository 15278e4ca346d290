// Blocks to a table file that is whole or not there.

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>

#include "leitong/error.h"
#include "storage/table.h"
#include "storage/table_format.h"

namespace leitong::storage {
namespace {

std::string hex(XXH128_hash_t hash) { return fmt::format("{:016x}{:016x}", hash.high64, hash.low64); }

// Rows from `first` on of a variable column that fit into `room` bytes.
std::size_t rows_that_fit(std::span<const std::uint32_t> ends, std::size_t first, std::uint64_t room) {
  const std::uint64_t start = first == 0 ? 0 : ends[first - 1];
  const auto stop = std::upper_bound(ends.begin() + static_cast<std::ptrdiff_t>(first), ends.end(), start + room,
                                     [](std::uint64_t most, std::uint32_t end) { return most < end; });
  return static_cast<std::size_t>(stop - ends.begin()) - first;
}

}  // namespace

struct TableWriter::Impl {
  Impl(Vfs& v, std::string p, Schema schema) : vfs(v), path(std::move(p)), temporary(path + ".tmp"), pending(schema) {
    check_schema(schema, path);
    footer.schema = std::move(schema);
    file = vfs.create(temporary);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  ~Impl() {
    if (renamed) return;
    file.reset();
    try {
      vfs.remove(temporary);
    } catch (...) {
      // A temporary file that stays is overwritten by the next attempt; a destructor must not throw.
    }
  }

  void write(std::span<const std::byte> bytes) {
    file->append(bytes);
    position += bytes.size();
  }
  void pad() {
    static constexpr std::array<std::byte, chunk_alignment> zeros{};
    write(std::span(zeros).first(static_cast<std::size_t>(aligned(position) - position)));
  }

  void write_chunk(const Block::Data& data) {
    pad();
    Chunk chunk;
    chunk.offset = position;
    if (data.width != 0) {
      chunk.checksum = XXH3_64bits(data.bytes.data(), data.bytes.size());
    } else {
      ends.assign(1, 0);
      ends.insert(ends.end(), data.ends.begin(), data.ends.end());
      const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> hash(XXH3_createState(), XXH3_freeState);
      XXH3_64bits_reset(hash.get());
      XXH3_64bits_update(hash.get(), ends.data(), ends.size() * sizeof(std::uint32_t));
      XXH3_64bits_update(hash.get(), data.bytes.data(), data.bytes.size());
      chunk.checksum = XXH3_64bits_digest(hash.get());
      write(std::as_bytes(std::span(ends)));
    }
    write(data.bytes);
    chunk.length = position - chunk.offset;
    footer.chunks.push_back(chunk);
  }

  void write_block(const Block& block, std::size_t rows) {
    for (const Block::Data& data : block.data_) write_chunk(data);
    footer.block_rows.push_back(static_cast<std::uint32_t>(rows));
  }

  void flush() {
    write_block(pending, pending_rows);
    pending.clear();
    pending_rows = 0;
  }

  void require_open() const {
    if (!file || failed)
      throw Error(ErrorCode::usage, fmt::format("{}: nothing can be appended to a table that is finished or met an error", path));
  }

  // All columns must have the same rows and the widths of the schema.
  std::size_t checked_rows(const Block& block) const {
    const std::size_t rows = block.rows();
    bool good = block.data_.size() == pending.data_.size();
    for (std::size_t c = 0; good && c < block.data_.size(); ++c) {
      const Block::Data& data = block.data_[c];
      good = data.width == pending.data_[c].width && (data.width != 0 ? data.bytes.size() == rows * data.width : data.ends.size() == rows);
    }
    if (!good)
      throw Error(ErrorCode::usage, fmt::format("{}: the appended block has other columns, or columns of different lengths", path));
    return rows;
  }

  // Rows of `block` from `first` on that the pending block still takes.
  std::size_t takes(const Block& block, std::size_t first, std::size_t rows) const {
    std::size_t count = std::min<std::size_t>(rows - first, footer.schema.rows_per_block - pending_rows);
    for (std::size_t c = 0; c < block.data_.size(); ++c) {
      if (block.data_[c].width != 0) continue;
      const std::size_t used = pending.data_[c].bytes.size(), limit = footer.schema.text_per_block;
      count = std::min(count, rows_that_fit(block.data_[c].ends, first, used < limit ? limit - used : 0));
    }
    // A row that is larger than the limit stands alone.
    return count == 0 && pending_rows == 0 ? 1 : count;
  }

  void take(const Block& block, std::size_t first, std::size_t count) {
    for (std::size_t c = 0; c < block.data_.size(); ++c) {
      const Block::Data& from = block.data_[c];
      Block::Data& to = pending.data_[c];
      std::size_t begin = first * from.width, end = (first + count) * from.width;
      if (from.width == 0) {
        begin = first == 0 ? 0 : from.ends[first - 1];
        end = from.ends[first + count - 1];
        const std::size_t base = to.bytes.size();
        for (std::size_t r = first; r < first + count; ++r) to.ends.push_back(static_cast<std::uint32_t>(base + (from.ends[r] - begin)));
      }
      const auto bytes = std::span(from.bytes).subspan(begin, end - begin);
      to.bytes.insert(to.bytes.end(), bytes.begin(), bytes.end());
    }
    pending_rows += count;
  }

  void append(const Block& block) {
    const std::size_t rows = checked_rows(block);
    for (std::size_t first = 0; first < rows;) {
      const std::size_t count = takes(block, first, rows);
      if (count == 0) {
        flush();
        continue;
      }
      if (count == rows && pending_rows == 0 && count == footer.schema.rows_per_block) {
        write_block(block, count);  // the usual case of a full block needs no copy
      } else {
        take(block, first, count);
        if (pending_rows == footer.schema.rows_per_block) flush();
      }
      first += count;
      footer.rows += count;
    }
  }

  std::string finish(std::string_view metadata) {
    if (pending_rows > 0) flush();
    pad();
    footer.metadata = metadata;
    const auto bytes = encode_footer(footer);
    if (bytes.size() > most_footer_bytes)
      throw Error(ErrorCode::limit, fmt::format("{}: the table has too many blocks; use more rows in each", path));
    const Trailer trailer{position, bytes.size(), XXH3_64bits(bytes.data(), bytes.size())};
    write(bytes);
    write(encode_trailer(trailer));
    file->sync();
    file->close();
    vfs.rename(temporary, path);
    renamed = true;
    vfs.sync_directory(parent_directory(path));
    file.reset();
    return hex(XXH3_128bits(bytes.data(), bytes.size()));
  }

  Vfs& vfs;
  std::string path, temporary;
  Block pending;
  std::size_t pending_rows = 0;
  Footer footer;
  std::unique_ptr<WritableFile> file;
  std::uint64_t position = 0;
  std::vector<std::uint32_t> ends;
  bool failed = false, renamed = false;
};

TableWriter::TableWriter(Vfs& vfs, std::string path, Schema schema)
    : impl_(std::make_unique<Impl>(vfs, std::move(path), std::move(schema))) {
  impl_->write(encode_header());
}

TableWriter::~TableWriter() = default;

void TableWriter::append(const Block& block) {
  impl_->require_open();
  impl_->failed = true;  // a failed write is final: the position in the file is unknown after it
  impl_->append(block);
  impl_->failed = false;
}

std::string TableWriter::finish(std::string_view metadata) {
  impl_->require_open();
  impl_->failed = true;
  return impl_->finish(metadata);
}

std::uint64_t TableWriter::rows() const { return impl_->footer.rows; }

}  // namespace leitong::storage
