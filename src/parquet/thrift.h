// Thrift's compact protocol, as far as Parquet needs it: structs read field by field, and written.
//
// All errors are Error(format) without a file name; whoever knows it adds it (context.h). No read goes beyond the bytes given.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::parquet {

enum class ThriftType : std::uint8_t { stop, yes, no, byte, i16, i32, i64, number, binary, list, set, map, structure, uuid };

class ThriftReader {
 public:
  explicit ThriftReader(std::string_view bytes) : bytes_(bytes) {}

  struct Field {
    std::int16_t id = 0;
    ThriftType type = ThriftType::stop;
  };
  // The fields of one struct: next() until false; each field must be read or skipped before the next one.
  class Struct {
   public:
    explicit Struct(ThriftReader& reader) : reader_(reader) { reader_.enter(); }
    ~Struct() { --reader_.depth_; }
    Struct(const Struct&) = delete;
    Struct& operator=(const Struct&) = delete;
    bool next(Field& field);

   private:
    ThriftReader& reader_;
    std::int16_t last_ = 0;
  };

  // The value of a field; Error if the field has another type.
  [[nodiscard]] bool boolean(const Field& field) const;
  [[nodiscard]] std::int64_t integer(const Field& field);  // byte, i16, i32, i64
  [[nodiscard]] std::int32_t integer32(const Field& field);
  [[nodiscard]] std::string_view binary(const Field& field);
  // Number of elements of a list, which then follow; `type` is what they must be.
  [[nodiscard]] std::uint32_t list(const Field& field, ThriftType type);
  [[nodiscard]] std::string_view list_binary() { return take_binary(); }
  [[nodiscard]] std::int64_t list_integer() { return zigzag(); }
  void require(const Field& field, ThriftType type) const;
  void skip(ThriftType type);

  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  // Whether an error was that the bytes ended: more of them may help.
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  void enter();
  [[noreturn]] void fail(std::string_view what) const;
  std::uint8_t byte();
  std::uint64_t varint();
  std::int64_t zigzag();
  std::string_view take_binary();
  std::uint32_t list_header(ThriftType& type);

  std::string_view bytes_;
  std::size_t position_ = 0;
  int depth_ = 0;
  bool ended_ = false;
};

class ThriftWriter {
 public:
  void boolean(std::int16_t id, bool value);
  void i8(std::int16_t id, std::int8_t value);
  void i32(std::int16_t id, std::int32_t value);
  void i64(std::int16_t id, std::int64_t value);
  void binary(std::int16_t id, std::string_view value);
  void begin_struct(std::int16_t id);
  void end_struct();
  void begin_list(std::int16_t id, ThriftType type, std::size_t size);
  // Elements of a list.
  void element_i32(std::int32_t value);
  void element_binary(std::string_view value);
  void begin_element();                        // a struct
  void element_raw(std::string_view encoded);  // a struct that is encoded already
  // A field as another file encodes it: `value` is what stands behind the field's header.
  void raw(std::int16_t id, ThriftType type, std::string_view value);

  [[nodiscard]] std::string take();  // ends the outermost struct

 private:
  void header(std::int16_t id, ThriftType type);
  void varint(std::uint64_t value);

  std::string out_;
  std::vector<std::int16_t> last_{0};
};

}  // namespace leitong::parquet
