#include "parquet/arrow_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "leitong/error.h"

namespace leitong::parquet {
namespace {

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorCode::format, what); }

// The i-th number of a buffer, whose size was checked when it was read.
template <typename T>
T number_at(std::string_view buffer, std::uint64_t i) {
  T value{};
  if ((i + 1) * sizeof(T) > buffer.size()) fail("an array is shorter than it should be");
  std::memcpy(&value, buffer.data() + i * sizeof(T), sizeof(T));
  return value;
}

std::int64_t signed_at(std::string_view buffer, std::uint64_t i, unsigned width) {
  switch (width) {
    case 1:
      return number_at<std::int8_t>(buffer, i);
    case 2:
      return number_at<std::int16_t>(buffer, i);
    case 4:
      return number_at<std::int32_t>(buffer, i);
    default:
      return number_at<std::int64_t>(buffer, i);
  }
}

std::uint64_t unsigned_at(std::string_view buffer, std::uint64_t i, unsigned width) {
  const std::uint64_t mask = width == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (width * 8)) - 1;
  return static_cast<std::uint64_t>(signed_at(buffer, i, width)) & mask;
}

struct Range {
  std::uint64_t begin = 0, end = 0;
};

Range offsets_at(const ArrowArray& array, std::uint64_t i, unsigned width) {
  const std::int64_t begin = signed_at(array.first, i, width), end = signed_at(array.first, i + 1, width);
  if (begin < 0 || end < begin) fail("offsets that do not ascend");
  return {static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end)};
}

Range range_of(const ArrowField& field, const ArrowArray& array, std::uint64_t i) {
  switch (field.type) {
    case ArrowType::fixed_list:
      return {i * field.list_size, (i + 1) * field.list_size};
    case ArrowType::large_list:
      return offsets_at(array, i, 8);
    case ArrowType::list_view:
    case ArrowType::large_list_view: {
      const unsigned width = field.type == ArrowType::list_view ? 4 : 8;
      const std::int64_t begin = signed_at(array.first, i, width), size = signed_at(array.second, i, width);
      if (begin < 0 || size < 0) fail("a list at a negative place");
      return {static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(begin) + static_cast<std::uint64_t>(size)};
    }
    default:
      return offsets_at(array, i, 4);
  }
}

// The part of a dictionary that holds value `index`, which becomes the index in it.
const ArrowArray& part_of(const ArrowDictionary* dictionary, std::uint64_t& index) {
  if (dictionary == nullptr) fail("its dictionary is missing");
  const auto part = std::upper_bound(dictionary->ends.begin(), dictionary->ends.end(), index);
  if (part == dictionary->ends.end())
    fail(fmt::format("index {} of a dictionary of {} values", index, dictionary->ends.empty() ? 0 : dictionary->ends.back()));
  if (part != dictionary->ends.begin()) index -= *(part - 1);
  return dictionary->parts[static_cast<std::size_t>(part - dictionary->ends.begin())];
}

}  // namespace

ArrowColumn::ArrowColumn(const ArrowSchema& schema, std::uint32_t leaf) : node_(schema.schema->leaf(leaf)), leaf_(leaf) {
  const std::vector<ArrowField>* fields = &schema.fields;
  for (;;) {
    const auto field =
        std::find_if(fields->begin(), fields->end(), [&](const ArrowField& one) { return leaf >= one.first_leaf && leaf < one.end_leaf; });
    if (path_.empty()) field_ = static_cast<std::size_t>(field - fields->begin());
    path_.push_back(&*field);
    if (field->children.empty() || !field->is_readable()) break;
    fields = &field->children;
  }
  if (!path_.back()->is_readable())
    throw Error(ErrorCode::unsupported, "unions and run-end encoded arrays are not read: leave the column out");
  values_field_ = values_of(*path_.back());
}

std::uint32_t ArrowColumn::read(const ArrowBatch& batch, const ArrowDictionaries& dictionaries, std::uint64_t row, std::uint32_t rows,
                                std::uint64_t bytes, const Limits& limits, Column& out) {
  out = Column{};
  out.leaf = leaf_;
  out.max_definition = node_.definition_level;
  out_ = &out;
  most_entries_ = limits.batch_entries;
  most_bytes_ = limits.value_bytes;
  dictionary_ = nullptr;
  if (const auto& id = path_.back()->dictionary) {
    const auto found = dictionaries.find(*id);
    if (found != dictionaries.end()) {
      dictionary_ = found->second.get();
      out.owners.push_back(found->second);
    }
  }
  out.owners.insert(out.owners.end(), batch.owners.begin(), batch.owners.end());
  std::uint32_t done = 0;
  for (std::uint64_t seen = 0; done < rows && seen < bytes; ++done) {
    const std::size_t before = out.strings.size();
    if (node_.repetition_level > 0) out.row_starts.push_back(static_cast<std::uint32_t>(out.entries));
    element(batch.arrays[field_], 0, row + done, 0);
    for (std::size_t i = before; i < out.strings.size(); ++i) seen += out.strings[i].size();
  }
  if (node_.repetition_level > 0) out.row_starts.push_back(static_cast<std::uint32_t>(out.entries));
  if (node_.physical != Physical::bytes) out.owners.clear();
  return done;
}

void ArrowColumn::element(const ArrowArray& array, std::size_t depth, std::uint64_t i, std::uint8_t repetition) {
  const ArrowField& field = *path_[depth];
  if (i >= array.length) fail("a list leads out of its elements");
  if (field.nullable && (field.type == ArrowType::null || array.is_null(i))) {
    nothing(static_cast<std::uint8_t>(field.definition_level - 1), repetition);
  } else if (depth + 1 == path_.size()) {
    value(array, i, repetition);
  } else if (field.is_list()) {
    elements(array, depth, i, repetition);
  } else {
    element(array.children[static_cast<std::size_t>(path_[depth + 1] - field.children.data())], depth + 1, i, repetition);
  }
}

void ArrowColumn::elements(const ArrowArray& array, std::size_t depth, std::uint64_t i, std::uint8_t repetition) {
  const ArrowField& field = *path_[depth];
  const Range range = range_of(field, array, i);
  if (range.begin == range.end) return nothing(field.definition_level, repetition);
  for (std::uint64_t j = range.begin; j < range.end; ++j) {
    element(array.children.front(), depth + 1, j, j == range.begin ? repetition : field.repetition_level);
  }
}

void ArrowColumn::levels(std::uint8_t definition, std::uint8_t repetition) {
  if (node_.definition_level > 0) out_->definition.push_back(definition);
  if (node_.repetition_level > 0) out_->repetition.push_back(repetition);
  if (++out_->entries > most_entries_) throw Error(ErrorCode::limit, fmt::format("rows with more than {} elements", most_entries_));
}

void ArrowColumn::nothing(std::uint8_t definition, std::uint8_t repetition) {
  levels(definition, repetition);
  if (node_.physical == Physical::bytes) {
    out_->strings.emplace_back();
  } else {
    out_->values.resize(out_->values.size() + node_.width);
  }
}

void ArrowColumn::value(const ArrowArray& array, std::uint64_t i, std::uint8_t repetition) {
  const ArrowField& field = *path_.back();
  if (!field.dictionary) {
    levels(node_.definition_level, repetition);
    return put(field, array, i);
  }
  std::uint64_t index = unsigned_at(array.first, i, field.index_width);
  if (field.index_signed && signed_at(array.first, i, field.index_width) < 0) fail("a negative index of a dictionary");
  const ArrowArray& part = part_of(dictionary_, index);
  if (part.is_null(index) && field.nullable) return nothing(static_cast<std::uint8_t>(node_.definition_level - 1), repetition);
  levels(node_.definition_level, repetition);
  put(values_field_, part, index);
}

void ArrowColumn::put(const ArrowField& field, const ArrowArray& array, std::uint64_t i) {
  if (node_.physical == Physical::bytes) {
    out_->strings.push_back(string_at(field, array, i));
    if (out_->strings.back().size() > most_bytes_) {
      throw Error(ErrorCode::limit, fmt::format("a value of {} bytes; at most {} are read", out_->strings.back().size(), most_bytes_));
    }
  } else {
    put_fixed(field, array, i);
  }
}

std::string_view ArrowColumn::string_at(const ArrowField& field, const ArrowArray& array, std::uint64_t i) const {
  if (field.type == ArrowType::binary_view || field.type == ArrowType::utf8_view) {
    constexpr std::uint32_t inside = 12;  // shorter strings stand in the view itself
    const auto length = number_at<std::uint32_t>(array.first, i * 4);
    if (length <= inside) return array.first.substr(i * 16 + 4, length);
    const auto buffer = number_at<std::uint32_t>(array.first, i * 4 + 2), offset = number_at<std::uint32_t>(array.first, i * 4 + 3);
    if (buffer >= array.variadic.size() || offset > array.variadic[buffer].size() || length > array.variadic[buffer].size() - offset) {
      fail("a view of a string leads out of its buffer");
    }
    return array.variadic[buffer].substr(offset, length);
  }
  const bool large = field.type == ArrowType::large_binary || field.type == ArrowType::large_utf8;
  const Range range = offsets_at(array, i, large ? 8 : 4);
  if (range.end > array.second.size()) fail("a string leads out of its buffer");
  return array.second.substr(range.begin, range.end - range.begin);
}

void ArrowColumn::put_fixed(const ArrowField& field, const ArrowArray& array, std::uint64_t i) {
  const std::size_t at = out_->values.size();
  out_->values.resize(at + node_.width);
  std::byte* out = out_->values.data() + at;
  if (field.type == ArrowType::null) return;
  if (field.type == ArrowType::boolean) {
    *out = static_cast<std::byte>(static_cast<std::uint8_t>(array.first[i / 8]) >> (i % 8) & 1U);
  } else if (node_.physical == Physical::fixed && field.type == ArrowType::decimal) {  // Parquet's stand the other way round
    for (std::size_t byte = 0; byte < field.width; ++byte)
      out[byte] = static_cast<std::byte>(array.first[(i + 1) * field.width - 1 - byte]);
  } else if (node_.physical == Physical::int32 || node_.physical == Physical::int64) {
    std::int64_t value = signed_at(array.first, i, field.width);
    if (!node_.logical.is_signed) value = static_cast<std::int64_t>(unsigned_at(array.first, i, field.width));
    if (field.divide > 1) value = value / field.divide - (value % field.divide < 0 ? 1 : 0);
    value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) * static_cast<std::uint64_t>(field.multiply));
    std::memcpy(out, &value, node_.width);
  } else {
    std::memcpy(out, array.first.data() + i * field.width, node_.width);
  }
}

void truncate(Column& column, const Node& leaf, std::uint32_t rows) {
  const std::size_t entries = column.row_starts.empty() ? rows : column.row_starts[rows];
  column.entries = entries;
  if (!column.definition.empty()) column.definition.resize(entries);
  if (!column.repetition.empty()) column.repetition.resize(entries);
  if (!column.row_starts.empty()) column.row_starts.resize(rows + std::size_t{1});
  if (!column.strings.empty()) column.strings.resize(entries);
  column.values.resize(std::min(column.values.size(), entries * leaf.width));
}

}  // namespace leitong::parquet
