// Parquet's mixture of runs and bit-packed groups: levels, dictionary indices, booleans.
//
// Reading goes in slices of any size, so that a run that claims billions costs what is asked of it. Error(format) where bytes are missing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace leitong::parquet {

class RleReader {
 public:
  RleReader() = default;
  // `bits` of a value: 0 (all are 0) to 32.
  RleReader(std::string_view bytes, unsigned bits) : bytes_(bytes), bits_(bits) {}
  // The deprecated encoding of levels: no runs, bits from the most significant one on.
  static RleReader bit_packed(std::string_view bytes, unsigned bits);

  void read(std::uint8_t* out, std::size_t count);  // at most 8 bits
  void read(std::uint32_t* out, std::size_t count);
  void skip(std::size_t count);

 private:
  void begin_run();
  template <typename Value>
  void read_values(Value* out, std::size_t count);
  template <typename Value>
  void unpack(Value* out, std::size_t count);

  std::string_view bytes_;  // what follows the current run
  unsigned bits_ = 0;
  bool reversed_ = false;
  std::uint64_t left_ = 0;  // of the current run
  bool repeats_ = false;
  std::uint32_t value_ = 0;  // that it repeats
  std::string_view packed_;  // or its packed bytes
  std::uint64_t bit_ = 0;    // in them
};

class RleWriter {
 public:
  explicit RleWriter(unsigned bits) : bits_(bits) {}
  void add(std::uint32_t value);
  [[nodiscard]] std::string take();  // all so far, and begins again

 private:
  void flush_run();
  void flush_group();
  void end_packed();
  void number(std::uint64_t value);

  unsigned bits_;
  std::string out_;
  std::uint32_t group_[8] = {};  // values that wait for their group of eight
  unsigned waiting_ = 0;
  std::uint32_t run_value_ = 0;  // the same value since
  std::uint64_t run_ = 0;
  std::string packed_;  // groups of the current packed run
  std::uint64_t groups_ = 0;
};

// Bits that hold values up to `most`.
[[nodiscard]] unsigned bits_for(std::uint64_t most);

// The `bits` (up to 64) that begin at bit `at` of `bytes`, the least significant first. Bytes beyond the end are zeros.
[[nodiscard]] std::uint64_t bits_at(std::string_view bytes, std::uint64_t at, unsigned bits);

}  // namespace leitong::parquet
