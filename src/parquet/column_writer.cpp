#include "parquet/column_writer.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cstring>
#include <limits>

#include "leitong/error.h"
#include "parquet/footer.h"

namespace leitong::parquet {
namespace {

constexpr std::size_t most_page_entries = 1U << 17U;  // so that a page of runs can still be read in steps

void append_number(std::string& out, std::uint32_t value) {
  char bytes[4];
  std::memcpy(bytes, &value, 4);
  out.append(bytes, 4);
}

int number(Encoding encoding) { return static_cast<int>(encoding); }

}  // namespace

ColumnWriter::ColumnWriter(const Schema& schema, std::uint32_t leaf, const WriterOptions& options, Packer& packer)
    : node_(schema.leaf(leaf)),
      path_(schema.path_of(leaf)),
      options_(options),
      packer_(packer),
      repetition_(bits_for(node_.repetition_level)),
      definition_(bits_for(node_.definition_level)) {
  begin_chunk();
}

void ColumnWriter::begin_chunk() {
  dictionary_on_ = !dictionary_gave_up_ && node_.physical != Physical::boolean && options_.dictionary_bytes > 0;
  dictionary_.clear();
  dictionary_values_.clear();
  dictionary_size_ = 0;
  pages_.clear();
  size_ = chunk_entries_ = nulls_ = 0;
  plain_pages_ = index_pages_ = 0;
}

void ColumnWriter::append(const Column& column, std::size_t first_row, std::size_t end_row) {
  for (std::size_t row = first_row; row < end_row; ++row) {
    const std::size_t end = column.row_end(row);
    for (std::size_t entry = column.row_begin(row); entry < end; ++entry) add_entry(column, entry);
    if (page_size() >= options_.page_bytes || entries_ >= most_page_entries) {
      end_page();
    } else if (dictionary_on_ && dictionary_size_ >= options_.dictionary_bytes) {
      end_page();
      dictionary_on_ = false;  // it is full
    }
  }
}

void ColumnWriter::add_entry(const Column& column, std::size_t entry) {
  repetition_.add(column.repetition.empty() ? 0 : column.repetition[entry]);
  const std::uint8_t level = column.definition.empty() ? node_.definition_level : column.definition[entry];
  definition_.add(level);
  ++entries_;
  if (level != node_.definition_level) {
    ++nulls_;
  } else if (node_.physical == Physical::bytes) {
    add_value(column.strings[entry]);
  } else {
    add_value({reinterpret_cast<const char*>(column.values.data() + entry * node_.width), node_.width});
  }
}

void ColumnWriter::append_plain(std::string_view value) {
  if (node_.physical == Physical::boolean) {
    if (values_ % 8 == 0) plain_ += '\0';
    plain_.back() = static_cast<char>(plain_.back() | (value.front() != 0 ? 1 << (values_ % 8) : 0));
    return;
  }
  if (node_.physical == Physical::bytes) append_number(plain_, static_cast<std::uint32_t>(value.size()));
  plain_ += value;
}

void ColumnWriter::add_value(std::string_view value) {
  if (value.size() > std::numeric_limits<std::int32_t>::max()) {
    throw Error(ErrorCode::limit, fmt::format("column {}: a value of {} bytes is more than Parquet takes", node_.name, value.size()));
  }
  plain_size_ += value.size() + (node_.physical == Physical::bytes ? 4 : 0);
  if (dictionary_on_) {
    auto found = dictionary_.find(value);
    if (found == dictionary_.end()) {
      found = dictionary_.emplace(value, static_cast<std::uint32_t>(dictionary_values_.size())).first;
      dictionary_values_.push_back(&found->first);
      dictionary_size_ += value.size() + (node_.physical == Physical::bytes ? 4 : 0);
    }
    indices_.push_back(found->second);
  } else {
    append_plain(value);
  }
  ++values_;
}

std::size_t ColumnWriter::page_size() const {
  if (!dictionary_on_) return plain_.size();
  // Whether the dictionary pays is not known before the first page, which should not be much larger if it does not.
  return index_pages_ == 0 ? plain_size_ : indices_.size() * 2;
}

bool ColumnWriter::dictionary_pays(const std::string& indices) const {
  return dictionary_size_ + indices.size() < plain_size_ - plain_size_ / 8;
}

// Values of the page at hand become plain ones.
void ColumnWriter::leave_dictionary() {
  dictionary_on_ = false;
  dictionary_gave_up_ = true;
  values_ = 0;
  for (const std::uint32_t index : indices_) {
    append_plain(*dictionary_values_[index]);
    ++values_;
  }
  indices_.clear();
}

void ColumnWriter::end_page() {
  if (entries_ == 0) return;
  if (values_ == 0) {
    write_page(false, {});
  } else if (dictionary_on_) {
    const unsigned bits = std::max(1U, bits_for(dictionary_values_.empty() ? 0 : dictionary_values_.size() - 1));
    RleWriter runs(bits);
    for (const std::uint32_t index : indices_) runs.add(index);
    const std::string indices = static_cast<char>(bits) + runs.take();
    if (index_pages_ > 0 || dictionary_pays(indices)) {
      write_page(true, indices);
    } else {
      leave_dictionary();
      dictionary_.clear();
      dictionary_values_.clear();
      dictionary_size_ = 0;
      write_page(false, plain_);
    }
  } else {
    write_page(false, plain_);
  }
  chunk_entries_ += entries_;
  entries_ = values_ = 0;
  plain_size_ = 0;
  plain_.clear();
  indices_.clear();
}

void ColumnWriter::write_page(bool of_indices, std::string_view values) {
  std::string body;
  const auto levels = [&](RleWriter& writer, std::uint8_t most) {
    const std::string encoded = writer.take();
    if (most == 0) return;
    append_number(body, static_cast<std::uint32_t>(encoded.size()));
    body += encoded;
  };
  levels(repetition_, node_.repetition_level);
  levels(definition_, node_.definition_level);
  body += values;
  write_packed(body, entries_, false, number(of_indices ? Encoding::rle_dictionary : Encoding::plain), pages_);
  ++(of_indices ? index_pages_ : plain_pages_);
}

void ColumnWriter::write_packed(std::string_view body, std::size_t entries, bool is_dictionary, int encoding, std::string& out) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max() - (1U << 24U);  // packed it may be a little larger
  if (body.size() > most)
    throw Error(ErrorCode::limit,
                fmt::format("column {}: a row of {} bytes is more than a page of Parquet takes", node_.name, body.size()));
  packer_.pack(body, packed_);
  ThriftWriter header;
  header.i32(1, static_cast<int>(is_dictionary ? PageType::dictionary : PageType::data));
  header.i32(2, static_cast<std::int32_t>(body.size()));
  header.i32(3, static_cast<std::int32_t>(packed_.size()));
  header.i32(4, static_cast<std::int32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(packed_.data()), packed_.size())));
  header.begin_struct(is_dictionary ? 7 : 5);
  header.i32(1, static_cast<std::int32_t>(entries));
  header.i32(2, encoding);
  if (!is_dictionary) {
    header.i32(3, number(Encoding::rle));
    header.i32(4, number(Encoding::rle));
  }
  header.end_struct();
  const std::string head = header.take();
  out += head;
  out += packed_;
  size_ += head.size() + body.size();
}

std::string ColumnWriter::encode_metadata(std::uint64_t offset, std::uint64_t dictionary_size, std::uint64_t packed_size) const {
  std::vector<int> encodings{number(Encoding::rle)};
  if (plain_pages_ > 0 || dictionary_size > 0) encodings.push_back(number(Encoding::plain));
  if (dictionary_size > 0) encodings.push_back(number(Encoding::rle_dictionary));
  ThriftWriter writer;
  writer.i64(2, 0);  // deprecated, but required
  writer.begin_struct(3);
  writer.i32(1, static_cast<int>(node_.physical));
  writer.begin_list(2, ThriftType::i32, encodings.size());
  for (const int encoding : encodings) writer.element_i32(encoding);
  writer.begin_list(3, ThriftType::binary, path_.size());
  for (const std::string& name : path_) writer.element_binary(name);
  writer.i32(4, static_cast<int>(options_.codec));
  writer.i64(5, static_cast<std::int64_t>(chunk_entries_));
  writer.i64(6, static_cast<std::int64_t>(size_));
  writer.i64(7, static_cast<std::int64_t>(packed_size));
  writer.i64(9, static_cast<std::int64_t>(offset + dictionary_size));
  if (dictionary_size > 0) writer.i64(11, static_cast<std::int64_t>(offset));
  writer.begin_struct(12);
  writer.i64(3, static_cast<std::int64_t>(nulls_));
  writer.end_struct();
  writer.end_struct();
  return writer.take();
}

ColumnWriter::Chunk ColumnWriter::finish(std::uint64_t offset) {
  end_page();
  Chunk chunk;
  if (index_pages_ > 0) {
    std::string values;
    std::swap(values, plain_);
    values_ = 0;
    for (const std::string* value : dictionary_values_) append_plain(*value);
    std::swap(values, plain_);
    write_packed(values, dictionary_values_.size(), true, number(Encoding::plain), chunk.bytes);
  }
  const std::uint64_t dictionary_size = chunk.bytes.size();
  chunk.bytes += pages_;
  chunk.size = size_;
  chunk.metadata = encode_metadata(offset, dictionary_size, chunk.bytes.size());
  begin_chunk();
  return chunk;
}

}  // namespace leitong::parquet
