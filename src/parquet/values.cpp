#include "parquet/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "leitong/error.h"
#include "parquet/delta.h"
#include "parquet/rle.h"

namespace leitong::parquet {
namespace {

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorCode::format, what); }
[[noreturn]] void too_few() { fail("a page has fewer values than it should have"); }

constexpr std::size_t skip_slice = 256;

void check_length(std::uint64_t length, const ValueLimits& limits) {
  if (length > limits.value_bytes) {
    throw Error(ErrorCode::limit, fmt::format("a value of {} bytes; at most {} are read", length, limits.value_bytes));
  }
}

// Cuts `size` bytes off the front.
std::string_view take(std::string_view& bytes, std::uint64_t size) {
  if (size > bytes.size()) too_few();
  const std::string_view front = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return front;
}

std::uint32_t take_number(std::string_view& bytes) {
  const std::string_view four = take(bytes, sizeof(std::uint32_t));
  std::uint32_t value = 0;
  std::memcpy(&value, four.data(), four.size());
  return value;
}

class PlainStrings final : public ValueReader {
 public:
  PlainStrings(std::string_view page, const ValueLimits& limits) : page_(page), limits_(limits) {}
  void read(std::string_view* out, std::size_t count, std::vector<Owner>& /*owners*/) override {
    for (std::size_t i = 0; i < count; ++i) out[i] = next();
  }
  void skip(std::size_t count) override {
    for (std::size_t i = 0; i < count; ++i) static_cast<void>(next());
  }

 private:
  std::string_view next() {
    const std::uint32_t length = take_number(page_);
    if (length > page_.size()) fail("a string ends beyond its page");
    check_length(length, limits_);
    return take(page_, length);
  }

  std::string_view page_;
  ValueLimits limits_;
};

class PlainFixed final : public ValueReader {
 public:
  PlainFixed(std::string_view page, std::size_t width) : page_(page), width_(width) {}
  void read(std::byte* out, std::size_t count) override {
    const std::string_view bytes = take(page_, std::uint64_t{count} * width_);
    if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
  }
  void skip(std::size_t count) override { static_cast<void>(take(page_, std::uint64_t{count} * width_)); }

 private:
  std::string_view page_;
  std::size_t width_;
};

class PlainBooleans final : public ValueReader {
 public:
  explicit PlainBooleans(std::string_view page) : page_(page) {}
  void read(std::byte* out, std::size_t count) override {
    if (count > page_.size() * 8 - bit_) too_few();
    for (std::size_t i = 0; i < count; ++i, ++bit_)
      out[i] = static_cast<std::byte>(static_cast<std::uint8_t>(page_[bit_ / 8]) >> (bit_ % 8) & 1U);
  }
  void skip(std::size_t count) override {
    if (count > page_.size() * 8 - bit_) too_few();
    bit_ += count;
  }

 private:
  std::string_view page_;
  std::uint64_t bit_ = 0;
};

class RleBooleans final : public ValueReader {
 public:
  explicit RleBooleans(std::string_view page) {
    const std::uint32_t size = take_number(page);
    runs_ = RleReader(take(page, size), 1);
  }
  void read(std::byte* out, std::size_t count) override { runs_.read(reinterpret_cast<std::uint8_t*>(out), count); }
  void skip(std::size_t count) override { runs_.skip(count); }

 private:
  RleReader runs_;
};

class DictionaryValues final : public ValueReader {
 public:
  DictionaryValues(const Dictionary& dictionary, std::size_t width, std::string_view page) : dictionary_(dictionary), width_(width) {
    if (page.empty()) return;  // nothing but nulls
    const auto bits = static_cast<std::uint8_t>(page.front());
    if (bits > 32) fail(fmt::format("indices of {} bits", bits));
    indices_ = RleReader(page.substr(1), bits);
    empty_ = false;
  }
  void read(std::string_view* out, std::size_t count, std::vector<Owner>& owners) override {
    if (count > 0 && (owners.empty() || owners.back() != dictionary_.owner)) owners.push_back(dictionary_.owner);
    each(count, [&](std::uint32_t index) { *out++ = dictionary_.strings[index]; });
  }
  void read(std::byte* out, std::size_t count) override {
    each(count, [&](std::uint32_t index) {
      std::memcpy(out, dictionary_.values.data() + index * width_, width_);
      out += width_;
    });
  }
  void skip(std::size_t count) override {
    if (count > 0 && empty_) too_few();
    indices_.skip(count);
  }

 private:
  template <typename Use>
  void each(std::size_t count, const Use& use) {
    if (count > 0 && empty_) too_few();
    std::uint32_t slice[skip_slice];
    while (count > 0) {
      const std::size_t part = std::min(count, skip_slice);
      indices_.read(slice, part);
      for (std::size_t i = 0; i < part; ++i) {
        if (slice[i] >= dictionary_.size) fail(fmt::format("index {} of a dictionary of {} values", slice[i], dictionary_.size));
        use(slice[i]);
      }
      count -= part;
    }
  }

  const Dictionary& dictionary_;
  std::size_t width_;
  RleReader indices_;
  bool empty_ = true;
};

class DeltaIntegers final : public ValueReader {
 public:
  DeltaIntegers(std::string_view page, std::size_t most, std::size_t width) : values_(page, most), width_(width) {}
  void read(std::byte* out, std::size_t count) override {
    for (std::size_t i = 0; i < count; ++i, out += width_) {
      const std::uint64_t value = values_.next();
      std::memcpy(out, &value, width_);
    }
  }
  void skip(std::size_t count) override {
    for (std::size_t i = 0; i < count; ++i) static_cast<void>(values_.next());
  }

 private:
  DeltaReader values_;
  std::size_t width_;
};

// Lengths first, then all bytes.
class DeltaLengthStrings final : public ValueReader {
 public:
  DeltaLengthStrings(std::string_view page, std::size_t most, const ValueLimits& limits)
      : lengths_(page, most), bytes_(DeltaReader(page, most).rest()), limits_(limits) {}
  void read(std::string_view* out, std::size_t count, std::vector<Owner>& /*owners*/) override {
    for (std::size_t i = 0; i < count; ++i) out[i] = next();
  }
  void skip(std::size_t count) override {
    for (std::size_t i = 0; i < count; ++i) static_cast<void>(next());
  }
  std::string_view next() {
    const auto length = static_cast<std::int32_t>(lengths_.next());
    if (length < 0) fail("a string of negative length");
    check_length(static_cast<std::uint32_t>(length), limits_);
    return take(bytes_, static_cast<std::uint32_t>(length));
  }

 private:
  DeltaReader lengths_;
  std::string_view bytes_;
  ValueLimits limits_;
};

// Each string shares a beginning with the one before.
class DeltaStrings final : public ValueReader {
 public:
  DeltaStrings(std::string_view page, std::size_t most, std::size_t width, const ValueLimits& limits)
      : prefixes_(page, most), suffixes_(DeltaReader(page, most).rest(), most, limits), width_(width), limits_(limits) {}
  void read(std::string_view* out, std::size_t count, std::vector<Owner>& owners) override {
    // Two passes: the strings' memory must not move.
    auto memory = std::make_shared<std::string>();
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < count; ++i) {
      advance();
      memory->append(last_);
      check_length(memory->size(), limits_);
      ends.push_back(memory->size());
    }
    for (std::size_t i = 0, begin = 0; i < count; begin = ends[i++]) out[i] = std::string_view(*memory).substr(begin, ends[i] - begin);
    if (count > 0) owners.push_back(std::move(memory));
  }
  void read(std::byte* out, std::size_t count) override {
    for (std::size_t i = 0; i < count; ++i, out += width_) {
      advance();
      if (last_.size() != width_) fail("a fixed value of another length");
      std::memcpy(out, last_.data(), width_);
    }
  }
  void skip(std::size_t count) override {
    for (std::size_t i = 0; i < count; ++i) advance();
  }
  [[nodiscard]] std::size_t slice() const override { return 16; }

 private:
  void advance() {
    const auto prefix = static_cast<std::int32_t>(prefixes_.next());
    if (prefix < 0 || static_cast<std::size_t>(prefix) > last_.size()) fail("a string shares more than the one before has");
    const std::string_view suffix = suffixes_.next();
    check_length(std::uint64_t{static_cast<std::uint32_t>(prefix)} + suffix.size(), limits_);
    last_.resize(static_cast<std::size_t>(prefix));
    last_ += suffix;
  }

  DeltaReader prefixes_;
  DeltaLengthStrings suffixes_;
  std::size_t width_;
  ValueLimits limits_;
  std::string last_;
};

class ByteStreamSplit final : public ValueReader {
 public:
  ByteStreamSplit(std::string_view page, std::size_t width) : page_(page), width_(width), stride_(width == 0 ? 0 : page.size() / width) {}
  void read(std::byte* out, std::size_t count) override {
    if (count > stride_ - next_) too_few();
    for (std::size_t byte = 0; byte < width_; ++byte) {
      const char* from = page_.data() + byte * stride_ + next_;
      for (std::size_t i = 0; i < count; ++i) out[i * width_ + byte] = static_cast<std::byte>(from[i]);
    }
    next_ += count;
  }
  void skip(std::size_t count) override {
    if (count > stride_ - next_) too_few();
    next_ += count;
  }

 private:
  std::string_view page_;
  std::size_t width_;
  std::size_t stride_;
  std::size_t next_ = 0;
};

[[noreturn]] void misfit(Encoding encoding) { fail(fmt::format("encoding {} does not fit the column's type", encoding_name(encoding))); }

std::unique_ptr<ValueReader> plain(const Node& leaf, std::string_view page, const ValueLimits& limits) {
  if (leaf.physical == Physical::bytes) return std::make_unique<PlainStrings>(page, limits);
  if (leaf.physical == Physical::boolean) return std::make_unique<PlainBooleans>(page);
  return std::make_unique<PlainFixed>(page, leaf.width);
}

}  // namespace

void ValueReader::read(std::string_view* /*out*/, std::size_t /*count*/, std::vector<Owner>& /*owners*/) {
  fail("the encoding does not fit a column of strings");
}
void ValueReader::read(std::byte* /*out*/, std::size_t /*count*/) { fail("the encoding does not fit the column's type"); }

std::unique_ptr<ValueReader> read_values(const Node& leaf, Encoding encoding, std::string_view page, std::size_t most,
                                         const Dictionary* dictionary, const ValueLimits& limits) {
  const Physical type = leaf.physical;
  switch (encoding) {
    case Encoding::plain:
      return plain(leaf, page, limits);
    case Encoding::plain_dictionary:
    case Encoding::rle_dictionary:
      if (dictionary == nullptr) fail("a page of indices without a dictionary before it");
      return std::make_unique<DictionaryValues>(*dictionary, leaf.width, page);
    case Encoding::rle:
      if (type != Physical::boolean) misfit(encoding);
      return std::make_unique<RleBooleans>(page);
    case Encoding::delta_binary_packed:
      if (type != Physical::int32 && type != Physical::int64) misfit(encoding);
      return std::make_unique<DeltaIntegers>(page, most, leaf.width);
    case Encoding::delta_length_byte_array:
      if (type != Physical::bytes) misfit(encoding);
      return std::make_unique<DeltaLengthStrings>(page, most, limits);
    case Encoding::delta_byte_array:
      if (type != Physical::bytes && type != Physical::fixed) misfit(encoding);
      return std::make_unique<DeltaStrings>(page, most, leaf.width, limits);
    case Encoding::byte_stream_split:
      if (type == Physical::bytes || type == Physical::boolean || type == Physical::int96) misfit(encoding);
      return std::make_unique<ByteStreamSplit>(page, leaf.width);
    default:
      misfit(encoding);
  }
}

Dictionary read_dictionary(const Node& leaf, std::string_view page, std::size_t count, Owner owner, const ValueLimits& limits) {
  Dictionary dictionary;
  dictionary.owner = std::move(owner);
  dictionary.size = count;
  if (leaf.physical == Physical::bytes) {
    if (count > page.size() / 4) fail("a dictionary has more values than bytes for them");
    dictionary.strings.resize(count);
    std::vector<Owner> none;
    PlainStrings(page, limits).read(dictionary.strings.data(), count, none);
  } else {
    if (leaf.physical == Physical::boolean) fail("a dictionary of booleans");
    if (leaf.width > 0 && count > page.size() / leaf.width) fail("a dictionary has more values than bytes for them");
    dictionary.values = page.substr(0, count * leaf.width);
  }
  return dictionary;
}

}  // namespace leitong::parquet
