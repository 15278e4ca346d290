#include "parquet/arrow_array.h"

#include <fmt/format.h>

#include <algorithm>

#include "leitong/error.h"
#include "parquet/context.h"

namespace leitong::parquet {
namespace {

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorCode::format, what); }

constexpr std::uint64_t always_allowed = std::uint64_t{64} << 20;  // bytes of a buffer, whatever they expand from
constexpr std::uint64_t rows_allowed = std::uint64_t{16} << 20;

class BatchReader {
 public:
  BatchReader(const ArrowBatchSource& source, const Limits& limits)
      : source_(source),
        limits_(limits),
        nodes_(source.table.vector(1, 16)),
        buffers_(source.table.vector(2, 16)),
        variadic_(source.table.vector(4, 8)) {
    if (const std::optional<FlatTable> compression = source.table.table(3)) {
      packed_ = true;
      zstd_ = compression->number<std::int8_t>(0, 0) == 1;
      if (compression->number<std::int8_t>(0, 0) > 1) throw Error(ErrorCode::unsupported, "its buffers are compressed in an unknown way");
    }
  }

  ArrowBatch read(const std::vector<ArrowField>& fields, const std::vector<bool>& wanted) {
    const auto rows = source_.table.number<std::int64_t>(0, 0);
    if (rows < 0) fail("a record batch with a negative number of rows");
    batch_.rows = static_cast<std::uint64_t>(rows);
    if (batch_.rows > rows_allowed && static_cast<double>(batch_.rows) > static_cast<double>(source_.body_size) * limits_.expansion) {
      throw Error(ErrorCode::limit, fmt::format("a record batch of {} bytes that would have {} rows", source_.body_size, batch_.rows));
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
      batch_.arrays.push_back(
          in_context([&] { return "column " + fields[i].name; }, [&] { return array(fields[i], wanted[i], batch_.rows); }));
    }
    return std::move(batch_);
  }

 private:
  // `least`: values that it must have.
  ArrowArray array(const ArrowField& field, bool wanted, std::uint64_t least) {
    if (next_node_ >= nodes_.size()) fail("a record batch has fewer arrays than its schema has fields");
    ArrowArray made;
    const auto length = nodes_.number<std::int64_t>(next_node_++, 16);
    if (length < 0) fail("an array of negative length");
    made.length = static_cast<std::uint64_t>(length);
    if (wanted && made.length < least) fail(fmt::format("an array of {} values where {} are needed", made.length, least));
    if (made.length > std::uint64_t{1} << 48U) fail("an array of impossible length");
    buffers_of(field, wanted, made);
    if (field.dictionary) return made;
    for (const ArrowField& child : field.children)
      made.children.push_back(array(child, wanted && field.is_readable(), least_of_child(field, made)));
    return made;
  }

  [[nodiscard]] static std::uint64_t least_of_child(const ArrowField& field, const ArrowArray& made) {
    if (field.type == ArrowType::structure) return made.length;
    if (field.type == ArrowType::fixed_list) return made.length * field.list_size;
    return 0;  // of other lists each offset is checked when it is used
  }

  void buffers_of(const ArrowField& field, bool wanted, ArrowArray& made) {
    const auto next = [&](std::uint64_t least) { return buffer(wanted, least); };
    const std::uint64_t bits = (made.length + 7) / 8;
    if (!field.dictionary && (field.type == ArrowType::null || field.type == ArrowType::run_end)) return;
    if (!field.dictionary && field.type == ArrowType::union_of) {
      skip_buffers(field.dense ? 2 : 1);
      return;
    }
    made.validity = next(0);
    if (wanted && !made.validity.empty() && made.validity.size() < bits) fail("a buffer of validity is too short");
    if (field.dictionary) {
      made.first = next(made.length * field.index_width);
      return;
    }
    switch (field.type) {
      case ArrowType::structure:
      case ArrowType::fixed_list:
        return;
      case ArrowType::boolean:
        made.first = next(bits);
        return;
      case ArrowType::binary:
      case ArrowType::utf8:
      case ArrowType::large_binary:
      case ArrowType::large_utf8: {
        const bool large = field.type == ArrowType::large_binary || field.type == ArrowType::large_utf8;
        made.first = next(made.length == 0 ? 0 : (made.length + 1) * (large ? 8 : 4));
        made.second = next(0);
        return;
      }
      case ArrowType::list:
      case ArrowType::map:
        made.first = next(made.length == 0 ? 0 : (made.length + 1) * 4);
        return;
      case ArrowType::large_list:
        made.first = next(made.length == 0 ? 0 : (made.length + 1) * 8);
        return;
      case ArrowType::list_view:
      case ArrowType::large_list_view: {
        const unsigned width = field.type == ArrowType::list_view ? 4 : 8;
        made.first = next(made.length * width);
        made.second = next(made.length * width);
        return;
      }
      case ArrowType::binary_view:
      case ArrowType::utf8_view:
        made.first = next(made.length * 16);
        views(wanted, made);
        return;
      default:
        made.first = next(made.length * field.width);
    }
  }

  void views(bool wanted, ArrowArray& made) {
    if (next_variadic_ >= variadic_.size()) fail("a record batch does not tell the buffers of its views");
    const auto count = variadic_.number<std::int64_t>(next_variadic_++, 8);
    if (count < 0 || count > buffers_.size() - next_buffer_) fail("a record batch has fewer buffers than it should have");
    for (std::int64_t i = 0; i < count; ++i) made.variadic.push_back(buffer(wanted, 0));
  }

  void skip_buffers(unsigned count) {
    for (unsigned i = 0; i < count; ++i) static_cast<void>(buffer(false, 0));
  }

  std::string_view buffer(bool wanted, std::uint64_t least) {
    if (next_buffer_ >= buffers_.size()) fail("a record batch has fewer buffers than its schema needs");
    const auto offset = buffers_.number<std::int64_t>(next_buffer_, 16), size = buffers_.number<std::int64_t>(next_buffer_, 16, 8);
    ++next_buffer_;
    if (!wanted) return {};
    const auto from = static_cast<std::uint64_t>(offset), length = static_cast<std::uint64_t>(size);
    if (offset < 0 || size < 0 || from > source_.body_size || length > source_.body_size - from)
      fail("a buffer lies beyond its record batch");
    if (length > limits_.page_bytes)
      throw Error(ErrorCode::limit, fmt::format("a buffer of {} bytes; at most {} are read", length, limits_.page_bytes));
    std::string_view bytes;
    if (length > 0) bytes = fetch(from, length);
    if (bytes.size() < least) fail(fmt::format("a buffer of {} bytes where {} are needed", bytes.size(), least));
    return bytes;
  }

  std::string_view fetch(std::uint64_t offset, std::uint64_t size) {
    Owner owner;
    std::string_view bytes = source_.body(offset, size, owner);
    if (!packed_) {
      batch_.owners.push_back(std::move(owner));
      return bytes;
    }
    if (bytes.size() < 8) fail("a packed buffer is too short");
    std::int64_t told = 0;
    std::memcpy(&told, bytes.data(), 8);
    bytes.remove_prefix(8);
    if (told == -1) {  // packing did not pay
      batch_.owners.push_back(std::move(owner));
      return bytes;
    }
    return unpack(bytes, told);
  }

  std::string_view unpack(std::string_view packed, std::int64_t told) {
    const auto length = static_cast<std::uint64_t>(told);
    if (told < 0 || length > limits_.page_bytes ||
        (length > always_allowed && static_cast<double>(length) > static_cast<double>(packed.size()) * limits_.expansion)) {
      throw Error(ErrorCode::limit, fmt::format("a buffer of {} bytes that would become {}", packed.size(), told));
    }
    const std::shared_ptr<char[]> memory(new char[length + 1]);
    if (zstd_) {
      unpacker_.unpack(Codec::zstd, packed, memory.get(), length);
    } else {
      unpacker_.unpack_lz4_frame(packed, memory.get(), length);
    }
    batch_.owners.push_back(memory);
    return {memory.get(), length};
  }

  const ArrowBatchSource& source_;
  const Limits& limits_;
  FlatVector nodes_, buffers_, variadic_;
  std::uint32_t next_node_ = 0, next_buffer_ = 0, next_variadic_ = 0;
  bool packed_ = false, zstd_ = false;
  Unpacker unpacker_;
  ArrowBatch batch_;
};

}  // namespace

ArrowBatch read_arrow_batch(const std::vector<ArrowField>& fields, const std::vector<bool>& wanted, const ArrowBatchSource& source,
                            const Limits& limits) {
  return BatchReader(source, limits).read(fields, wanted);
}

ArrowField values_of(const ArrowField& field) {
  ArrowField values = field;
  values.dictionary.reset();
  return values;
}

}  // namespace leitong::parquet
