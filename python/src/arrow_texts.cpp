// Texts of a stream of Arrow, in place: strings and binary of 32 and 64 bit offsets, views, and dictionaries of these.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "leitong/arrow.h"
#include "leitong/error.h"
#include "texts.h"

namespace leitong::python {
namespace {

constexpr std::int64_t most_texts = 8192;
constexpr std::size_t most_bytes = std::size_t{4} << 20;

template <class Structure>
struct Released : Structure {
  Released() : Structure{} {}
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  ~Released() {
    if (this->release != nullptr) this->release(this);
  }
};

template <class T>
const T* buffer(const ArrowArray& array, std::int64_t i) {
  return static_cast<const T*>(array.buffers[i]);
}

bool is_valid(const ArrowArray& array, std::int64_t row) {
  const auto* bits = array.n_buffers > 0 ? buffer<std::uint8_t>(array, 0) : nullptr;
  const std::int64_t at = array.offset + row;
  return bits == nullptr || (bits[at / 8] >> (at % 8) & 1) != 0;
}

template <class Offset>
std::string_view by_offsets(const ArrowArray& array, std::int64_t at) {
  const auto* offsets = buffer<Offset>(array, 1) + at;
  const char* data = buffer<char>(array, 2);
  return {data == nullptr ? "" : data + offsets[0], static_cast<std::size_t>(offsets[1] - offsets[0])};
}

std::string_view by_view(const ArrowArray& array, std::int64_t at) {
  struct View {
    std::int32_t length;
    char prefix[4];  // up to 12 bytes stand here, with those of the two below
    std::int32_t buffer, offset;
  };
  const View& view = buffer<View>(array, 1)[at];
  const auto length = static_cast<std::size_t>(view.length);
  return {length <= 12 ? view.prefix : buffer<char>(array, 2 + view.buffer) + view.offset, length};
}

std::int64_t index_at(const ArrowArray& array, char type, std::int64_t at) {
  switch (type) {
    case 'c':
      return buffer<std::int8_t>(array, 1)[at];
    case 'C':
      return buffer<std::uint8_t>(array, 1)[at];
    case 's':
      return buffer<std::int16_t>(array, 1)[at];
    case 'S':
      return buffer<std::uint16_t>(array, 1)[at];
    case 'i':
      return buffer<std::int32_t>(array, 1)[at];
    case 'I':
      return buffer<std::uint32_t>(array, 1)[at];
    default:
      return buffer<std::int64_t>(array, 1)[at];
  }
}

std::string_view text_at(const ArrowArray& array, const ArrowSchema& type, std::int64_t row) {
  if (type.format[0] == 'n' || !is_valid(array, row)) return {};
  const std::int64_t at = array.offset + row;
  if (type.dictionary != nullptr) return text_at(*array.dictionary, *type.dictionary, index_at(array, type.format[0], at));
  if (type.format[0] == 'v') return by_view(array, at);
  return type.format[0] == 'u' || type.format[0] == 'z' ? by_offsets<std::int32_t>(array, at) : by_offsets<std::int64_t>(array, at);
}

bool is_text(const ArrowSchema& type) {
  const std::string_view format = type.format;
  if (type.dictionary != nullptr) return is_text(*type.dictionary);
  return format == "u" || format == "U" || format == "z" || format == "Z" || format == "vu" || format == "vz" || format == "n";
}

std::int64_t column_of(const ArrowSchema& table, const std::string& name) {
  std::string names;
  for (std::int64_t i = 0; i < table.n_children; ++i) {
    if (name == table.children[i]->name || (name.empty() && table.n_children == 1)) return i;
    names += (i == 0 ? "" : ", ") + std::string(table.children[i]->name);
  }
  if (name.empty()) throw Error(ErrorCode::usage, "a table has several columns (" + names + "): give the column of the texts");
  throw Error(ErrorCode::usage, "the table has no column '" + name + "', but " + names);
}

class ArrowTexts : public Texts {
 public:
  ArrowTexts(ArrowArrayStream& given, const std::string& name) {
    static_cast<ArrowArrayStream&>(stream_) = given;
    given.release = nullptr;
    check(stream_.get_schema(&stream_, &schema_));
    type_ = &schema_;
    if (std::string_view(schema_.format) == "+s") {
      column_ = column_of(schema_, name);
      type_ = schema_.children[column_];
    }
    if (!is_text(*type_)) {
      throw Error(ErrorCode::usage, "the column '" + std::string(type_->name == nullptr ? "" : type_->name) +
                                        "' holds no texts: its type in Arrow's notation is '" + type_->format + "'");
    }
  }

  bool next(TextBatch& batch) override {
    batch.texts.clear();
    if (!array_ && !read()) return false;
    const ArrowArray& values = column();
    std::size_t bytes = 0;
    const std::int64_t end = std::min(array_->length, at_ + most_texts);
    for (; at_ < end && bytes < most_bytes; ++at_) {
      batch.texts.push_back(row(values));
      bytes += batch.texts.back().size();
    }
    batch.array = array_;
    if (at_ == array_->length) array_.reset();
    return true;
  }

 private:
  [[nodiscard]] const ArrowArray& column() const { return column_ < 0 ? *array_ : *array_->children[column_]; }

  // A table's own validity and offset hold for its columns, too.
  [[nodiscard]] std::string_view row(const ArrowArray& values) const {
    if (column_ < 0) return text_at(values, *type_, at_);
    return is_valid(*array_, at_) ? text_at(values, *type_, at_ + array_->offset) : std::string_view();
  }

  // The next array that is not empty.
  bool read() {
    for (;;) {
      auto array = std::make_shared<Released<ArrowArray>>();
      check(stream_.get_next(&stream_, array.get()));
      if (array->release == nullptr) return false;
      if (array->length == 0) continue;
      array_ = std::move(array);
      at_ = 0;
      return true;
    }
  }

  void check(int code) {
    if (code == 0) return;
    const char* message = stream_.get_last_error(&stream_);
    throw Error(ErrorCode::format, std::string("the stream of Arrow fails: ") + (message != nullptr ? message : std::strerror(code)));
  }

  Released<ArrowArrayStream> stream_;
  Released<ArrowSchema> schema_;
  const ArrowSchema* type_ = nullptr;
  std::int64_t column_ = -1;  // of a table
  std::shared_ptr<Released<ArrowArray>> array_;
  std::int64_t at_ = 0;  // row of the array
};

}  // namespace

std::unique_ptr<Texts> arrow_texts(nb::handle capsule, const std::string& column) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  if (stream->release == nullptr) throw Error(ErrorCode::usage, "this stream of Arrow has been read already");
  return std::make_unique<ArrowTexts>(*stream, column);
}

}  // namespace leitong::python
