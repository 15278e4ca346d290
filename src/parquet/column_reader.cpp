#include "parquet/column_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "leitong/error.h"
#include "parquet/context.h"

namespace leitong::parquet {
namespace {

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorCode::format, what); }

// The first `count` elements go to `to`, the others stay.
template <typename T>
void split(std::vector<T>& from, std::size_t count, std::vector<T>& to) {
  if (from.empty()) {
    to.clear();
    return;
  }
  std::vector<T> rest(from.begin() + static_cast<std::ptrdiff_t>(count), from.end());
  from.resize(count);
  to.swap(from);
  from.swap(rest);
}

}  // namespace

ColumnReader::ColumnReader(const ParquetFile& file, std::uint32_t leaf)
    : file_(file), node_(file.footer.schema->leaf(leaf)), leaf_(leaf), pages_(file) {
  ready_.leaf = leaf;
  ready_.max_definition = node_.definition_level;
}

std::string ColumnReader::where() const {
  return fmt::format("{}: row group {}, column {}, at byte {}", file_.name, group_, file_.footer.schema->dotted_path_of(leaf_),
                     pages_.offset());
}

void ColumnReader::clear_ready() {
  Column empty;
  empty.leaf = leaf_;
  empty.max_definition = node_.definition_level;
  ready_ = std::move(empty);
  held_.clear();
}

void ColumnReader::begin_group(std::uint32_t group) {
  group_ = group;
  chunk_ = &file_.footer.groups[group].columns[leaf_];
  clear_ready();
  ready_row_ = 0;
  locations_.reset();
  has_dictionary_ = false;
  dictionary_ = {};
  page_left_ = 0;
  values_.reset();
  pages_end_rows_ = false;
  entries_left_ = chunk_->entries;
  in_context([&] { return where(); }, [&] { pages_.begin(*chunk_); });
}

bool ColumnReader::at_end() const { return page_left_ == 0 && (entries_left_ ? *entries_left_ == 0 : pages_left_ == 0); }

// A row below a list is known to be complete when the next one begins.
std::size_t ColumnReader::complete_rows() {
  if (is_flat()) return ready_.entries;
  const std::size_t begun = ready_.row_starts.size();
  if (begun == 0 || at_end()) return begun;
  if (page_left_ == 0 && (pages_end_rows_ || pages_.header().type == PageType::data_v2)) return begun;
  return begun - 1;
}

std::uint32_t ColumnReader::rows_up_to(std::size_t rows, std::uint64_t bytes) const {
  if (ready_.strings.empty()) return static_cast<std::uint32_t>(rows);
  std::uint64_t seen = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t begin = is_flat() ? row : ready_.row_starts[row];
    std::size_t end = row + 1;
    if (!is_flat()) end = row + 1 < ready_.row_starts.size() ? ready_.row_starts[row + 1] : ready_.entries;
    for (std::size_t i = begin; i < end; ++i) seen += ready_.strings[i].size();
    if (seen >= bytes) return static_cast<std::uint32_t>(row + 1);
  }
  return static_cast<std::uint32_t>(rows);
}

std::uint32_t ColumnReader::prepare(std::uint32_t rows, std::uint64_t bytes) {
  return in_context([&] { return where(); },
                    [&] {
                      fill(rows, bytes);
                      const std::size_t complete = complete_rows();
                      return rows_up_to(std::min<std::size_t>(complete, rows), bytes);
                    });
}

// Until `rows` are ready, or `bytes` of strings in one row at least.
void ColumnReader::fill(std::size_t rows, std::uint64_t bytes) {
  std::uint64_t filled = 0;
  for (const std::string_view string : ready_.strings) filled += string.size();
  for (std::size_t complete = complete_rows(); complete < rows; complete = complete_rows()) {
    if (filled >= bytes && complete > 0) return;
    if (page_left_ == 0 && !open_page()) {
      if (complete_rows() >= rows) return;
      fail(fmt::format("it ends with row {} of {}", ready_row_ + complete_rows(), file_.footer.groups[group_].rows));
    }
    std::size_t slice = is_flat() ? rows - complete : std::clamp<std::size_t>(rows - complete, 16, 1024);
    if (node_.physical == Physical::bytes) slice = std::min(slice, values_->slice());
    const std::size_t base = ready_.entries;
    decode(std::min(slice, page_left_));
    for (std::size_t i = base; i < ready_.strings.size(); ++i) filled += ready_.strings[i].size();
    if (ready_.entries > file_.limits.batch_entries) {
      throw Error(ErrorCode::limit, fmt::format("a row has more than {} elements", file_.limits.batch_entries));
    }
  }
}

bool ColumnReader::open_page() {
  while (!at_end()) {
    switch (pages_.header().type) {
      case PageType::index:
        pages_.skip();
        break;
      case PageType::dictionary:
        load_dictionary();
        break;
      default:
        load_page();
        if (page_left_ > 0) return true;
    }
  }
  return false;
}

void ColumnReader::load_dictionary() {
  const PageHeader header = pages_.header();
  if (header.encoding != Encoding::plain && header.encoding != Encoding::plain_dictionary) fail("a dictionary of an unknown encoding");
  std::shared_ptr<const Page> page = pages_.load();
  const std::string_view bytes = page->bytes();
  dictionary_ = read_dictionary(node_, bytes, header.entries, std::move(page), {file_.limits.value_bytes});
  has_dictionary_ = true;
}

// The bytes of one kind of levels of a page of version 1, cut off `rest`.
std::string_view ColumnReader::level_bytes(std::string_view& rest, Encoding encoding, unsigned bits) const {
  std::uint64_t size = 0;
  if (encoding == Encoding::rle) {
    if (rest.size() < 4) fail("a page ends in its levels");
    std::uint32_t told = 0;
    std::memcpy(&told, rest.data(), 4);
    rest.remove_prefix(4);
    size = told;
  } else if (encoding == Encoding::bit_packed) {
    size = (page_left_ * bits + 7) / 8;
  } else {
    fail(fmt::format("levels in the encoding {}", encoding_name(encoding)));
  }
  if (size > rest.size()) fail("a page ends in its levels");
  const std::string_view levels = rest.substr(0, size);
  rest.remove_prefix(size);
  return levels;
}

void ColumnReader::load_page() {
  const PageHeader header = pages_.header();
  if (entries_left_ ? header.entries > *entries_left_ : pages_left_ == 0) fail("its pages have more values than it should have");
  std::shared_ptr<const Page> page = pages_.load();
  page_left_ = header.entries;
  if (entries_left_) {
    *entries_left_ -= header.entries;
  } else {
    --pages_left_;
  }
  std::string_view rest = page->bytes();
  const unsigned repetition_bits = bits_for(node_.repetition_level), definition_bits = bits_for(node_.definition_level);
  const auto levels = [&](unsigned bits, Encoding encoding, std::uint32_t size) {
    if (header.type == PageType::data_v2) {
      const std::string_view bytes = rest.substr(0, size);
      rest.remove_prefix(size);
      return RleReader(bytes, bits);
    }
    if (bits == 0) return RleReader({}, 0);
    const std::string_view bytes = level_bytes(rest, encoding, bits);
    return encoding == Encoding::bit_packed ? RleReader::bit_packed(bytes, bits) : RleReader(bytes, bits);
  };
  repetition_ = levels(repetition_bits, header.repetition_encoding, header.repetition_size);
  definition_ = levels(definition_bits, header.definition_encoding, header.definition_size);
  values_ = read_values(node_, header.encoding, rest, page_left_, has_dictionary_ ? &dictionary_ : nullptr, {file_.limits.value_bytes});
  page_ = std::move(page);
}

void ColumnReader::hold(std::size_t first, std::size_t end, Owner owner) {
  if (!held_.empty() && held_.back().owner == owner) {
    held_.back().end = end;
  } else {
    held_.push_back({first, end, std::move(owner)});
  }
}

void ColumnReader::decode(std::size_t count) {
  const std::size_t base = ready_.entries;
  const std::size_t present = decode_levels(base, count);
  decode_values(base, count, present);
  ready_.entries += count;
  page_left_ -= count;
}

// Gives how many of the entries have a value.
std::size_t ColumnReader::decode_levels(std::size_t base, std::size_t count) {
  if (!is_flat()) {
    ready_.repetition.resize(base + count);
    std::uint8_t* levels = ready_.repetition.data() + base;
    repetition_.read(levels, count);
    for (std::size_t i = 0; i < count; ++i) {
      if (levels[i] > node_.repetition_level) fail("a repetition level that the schema has not");
      if (levels[i] == 0) ready_.row_starts.push_back(static_cast<std::uint32_t>(base + i));
      if (ready_.row_starts.empty()) fail("its first value does not begin a row");
    }
  }
  if (node_.definition_level == 0) return count;
  ready_.definition.resize(base + count);
  std::uint8_t* levels = ready_.definition.data() + base;
  definition_.read(levels, count);
  std::size_t present = 0;
  std::uint8_t most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    most = std::max(most, levels[i]);
    present += levels[i] == node_.definition_level ? 1 : 0;
  }
  if (most > node_.definition_level) fail("a definition level that the schema has not");
  return present;
}

// Values come without the nulls; they are moved to their entries from the last one on.
void ColumnReader::decode_values(std::size_t base, std::size_t count, std::size_t present) {
  const auto each_backward = [&](const auto& move, const auto& empty) {
    std::size_t from = base + present;
    for (std::size_t to = base + count; from < to && to-- > base;) {
      if (ready_.definition[to] == node_.definition_level) {
        move(--from, to);
      } else {
        empty(to);
      }
    }
  };
  if (node_.physical == Physical::bytes) {
    ready_.strings.resize(base + count);
    std::vector<Owner> owners;
    values_->read(ready_.strings.data() + base, present, owners);
    if (owners.empty()) owners.push_back(page_);
    for (Owner& owner : owners) hold(base, base + count, std::move(owner));
    each_backward([&](std::size_t from, std::size_t to) { ready_.strings[to] = ready_.strings[from]; },
                  [&](std::size_t to) { ready_.strings[to] = {}; });
    return;
  }
  const std::size_t width = node_.width;
  ready_.values.resize((base + count) * width);
  std::byte* values = ready_.values.data();
  values_->read(values + base * width, present);
  each_backward([&](std::size_t from, std::size_t to) { std::memmove(values + to * width, values + from * width, width); },
                [&](std::size_t to) { std::memset(values + to * width, 0, width); });
}

void ColumnReader::take(std::uint32_t rows, Column& out) {
  const bool all = rows == (is_flat() ? ready_.entries : ready_.row_starts.size());
  const std::size_t entries = all ? ready_.entries : is_flat() ? rows : ready_.row_starts[rows];
  out = Column{};
  out.leaf = leaf_;
  out.max_definition = node_.definition_level;
  out.entries = entries;
  split(ready_.definition, entries, out.definition);
  split(ready_.repetition, entries, out.repetition);
  split(ready_.strings, entries, out.strings);
  split(ready_.values, entries * node_.width, out.values);
  if (!is_flat()) {
    split(ready_.row_starts, rows, out.row_starts);
    out.row_starts.push_back(static_cast<std::uint32_t>(entries));
    for (std::uint32_t& start : ready_.row_starts) start -= static_cast<std::uint32_t>(entries);
  }
  ready_.entries -= entries;
  ready_row_ += rows;
  give_owners(entries, out);
}

void ColumnReader::give_owners(std::size_t entries, Column& out) {
  std::vector<Held> kept;
  for (Held& held : held_) {
    if (held.first < entries) out.owners.push_back(held.owner);
    if (held.end > entries) kept.push_back({held.first - std::min(held.first, entries), held.end - entries, std::move(held.owner)});
  }
  held_ = std::move(kept);
}

// Passes over entries of the page at hand of a flat column.
void ColumnReader::discard(std::size_t count) {
  std::size_t present = count;
  if (node_.definition_level > 0) {
    scratch_.resize(1024);
    present = 0;
    for (std::size_t done = 0; done < count;) {
      const std::size_t part = std::min(count - done, scratch_.size());
      definition_.read(scratch_.data(), part);
      present += static_cast<std::size_t>(
          std::count(scratch_.begin(), scratch_.begin() + static_cast<std::ptrdiff_t>(part), node_.definition_level));
      done += part;
    }
  }
  values_->skip(present);
  page_left_ -= count;
}

void ColumnReader::drop(std::size_t rows) {
  Column dropped;
  take(static_cast<std::uint32_t>(rows), dropped);
}

const std::vector<PageLocation>& ColumnReader::locations() {
  if (locations_) return *locations_;
  locations_.emplace();
  if (chunk_->index_length == 0) return *locations_;
  const std::uint64_t size = file_.bytes->size();
  if (chunk_->index_offset > size || chunk_->index_length > size - chunk_->index_offset ||
      chunk_->index_length > file_.limits.metadata_bytes) {
    fail("its index of pages is not in the file");
  }
  std::string bytes(chunk_->index_length, '\0');
  file_.bytes->read(chunk_->index_offset, std::as_writable_bytes(std::span(bytes)));
  *locations_ = read_offset_index(bytes, file_.footer.groups[group_].rows, file_.data_end);
  return *locations_;
}

// To the page with the row, if the file has an index of pages and that page is not the one at hand.
void ColumnReader::jump(std::uint64_t row) {
  const std::vector<PageLocation>& pages = locations();
  const auto after = std::upper_bound(pages.begin(), pages.end(), row,
                                      [](std::uint64_t wanted, const PageLocation& page) { return wanted < page.first_row; });
  if (after == pages.begin()) return;
  const PageLocation& page = *(after - 1);
  if (page.first_row <= ready_row_ + (is_flat() ? ready_.entries : complete_rows())) return;
  if (!has_dictionary_) {
    pages_.go_to(chunk_->begin);
    if (pages_.header().type == PageType::dictionary) load_dictionary();
  }
  pages_.go_to(page.offset);
  clear_ready();
  ready_row_ = page.first_row;
  page_left_ = 0;
  pages_end_rows_ = true;
  if (is_flat()) {
    entries_left_ = file_.footer.groups[group_].rows - page.first_row;
  } else {
    entries_left_.reset();
    pages_left_ = static_cast<std::size_t>(pages.end() - (after - 1));
  }
}

void ColumnReader::skip_to(std::uint64_t row) {
  in_context([&] { return where(); },
             [&] {
               if (row == ready_row_) return;
               if (row - ready_row_ < complete_rows()) return drop(row - ready_row_);
               jump(row);
               if (is_flat()) {
                 skip_flat(row);
               } else {
                 skip_nested(row);
               }
             });
}

void ColumnReader::skip_flat(std::uint64_t row) {
  std::uint64_t at = ready_row_ + ready_.entries;
  clear_ready();
  while (at < row) {
    if (page_left_ == 0 && !at_end() && (pages_.header().type == PageType::data || pages_.header().type == PageType::data_v2) &&
        pages_.header().entries <= std::min(row - at, *entries_left_)) {
      at += pages_.header().entries;
      *entries_left_ -= pages_.header().entries;
      pages_.skip();
      continue;
    }
    if (page_left_ == 0 && !open_page()) fail(fmt::format("it ends with row {} of {}", at, file_.footer.groups[group_].rows));
    const std::size_t part = std::min<std::uint64_t>(page_left_, row - at);
    discard(part);
    at += part;
  }
  ready_row_ = row;
}

void ColumnReader::skip_nested(std::uint64_t row) {
  while (ready_row_ < row) {
    if (ready_.entries == 0 && page_left_ == 0 && !at_end() && entries_left_ && pages_.header().type == PageType::data_v2 &&
        pages_.header().rows <= row - ready_row_ && pages_.header().entries <= *entries_left_) {
      ready_row_ += pages_.header().rows;
      *entries_left_ -= pages_.header().entries;
      pages_.skip();
      continue;
    }
    fill(static_cast<std::size_t>(std::min<std::uint64_t>(row - ready_row_, 256)), std::uint64_t{1} << 20);
    drop(static_cast<std::size_t>(std::min<std::uint64_t>(row - ready_row_, complete_rows())));
  }
}

}  // namespace leitong::parquet
