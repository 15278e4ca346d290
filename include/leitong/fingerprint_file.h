// FingerprintFile: fingerprints from a file, as joins and indexes take them.
//
// Forms: u64, u128, u256 are raw values, little-endian, least significant word first, and nothing else; such a file is mapped, not read,
// and may be larger than memory. hex is one fingerprint a line, 16, 32 or 64 digits with or without 0x, most significant first. jsonl is
// one JSON object a line with such digits as a string, as `leitong fingerprint` prints it. Both may be packed as gzip or zstd.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace leitong {

enum class KeepIds { none, numbers, text };

struct FingerprintFileOptions {
  // u64, u128, u256, hex, jsonl; auto: by the name (.u64 .u128 .u256 .hex .jsonl .ndjson .json, before .gz and .zst), else by the first
  // bytes: a line of JSON or of digits, else u64, and guessed() is true. .gz and .zst are known by their first bytes, whatever the name, if
  // nothing says that the values are raw
  std::string format = "auto";
  std::string field;                           // jsonl: dotted path of the digits; empty: "fp" or, in a record without it, "fingerprint"
  std::string id_field = "id";                 // jsonl
  KeepIds ids = KeepIds::none;                 // jsonl: what is kept of the ids
  bool strict = false;                         // the first bad line is an Error(format)
  std::uint64_t most_memory = 0;               // bytes that may be held (mapped ones do not count); more is an Error(limit). 0: any number
  std::uint64_t max_line_bytes = 16ULL << 20;  // a longer line is bad
  std::uint64_t max_expansion = 1000;          // unpacked : packed bytes, beyond the first 64 MiB
  const std::atomic<bool>* stop = nullptr;     // set, it ends a wait for input with Error(interrupted)
};

// Thread-safe for reading. A mapped file must not be cut while it is in use.
class FingerprintFile {
 public:
  // "-" is standard input. Throws Error(io) for a file that cannot be read; Error(format) for raw values that are no whole rows and for a
  // name that says packed where the bytes are not; Error(usage) for a file that is no list of fingerprints: what looks like text but is
  // neither hex nor jsonl, and, unless options.format is raw, files of numpy, Parquet and the like. A packed file that is cut off is read
  // as far as it goes: see broken_off().
  explicit FingerprintFile(const std::string& path, const FingerprintFileOptions& options = {});
  // Of digits as a hex line has them. Throws Error(usage) for others.
  [[nodiscard]] static FingerprintFile of_hex(const std::vector<std::string>& digits);
  ~FingerprintFile();
  FingerprintFile(FingerprintFile&&) noexcept;
  FingerprintFile& operator=(FingerprintFile&&) noexcept;

  [[nodiscard]] std::span<const std::uint64_t> values() const;  // size() × words()
  [[nodiscard]] unsigned words() const;                         // 64-bit words a fingerprint: 1, 2, 4; without any line 1
  [[nodiscard]] std::uint64_t size() const { return values().size() / words(); }
  // The row of fingerprint i, ascending: its number in a raw file, its line in the others, from 0. Bad and empty lines leave gaps.
  [[nodiscard]] std::uint64_t row(std::uint64_t i) const;
  [[nodiscard]] bool has_gaps() const;
  [[nodiscard]] std::string_view format() const;   // never auto
  [[nodiscard]] const std::string& path() const;   // as given
  [[nodiscard]] std::uint64_t held_bytes() const;  // in memory; 0 for what is mapped

  // jsonl, KeepIds::text: a JSON value; empty: the record has none.
  [[nodiscard]] bool has_ids() const;
  [[nodiscard]] std::string_view id(std::uint64_t i) const;
  // jsonl, KeepIds::numbers: the ids, if every record has an unsigned integer as one; else empty, and the first row that has none.
  [[nodiscard]] std::span<const std::uint64_t> numbers() const;
  [[nodiscard]] std::optional<std::uint64_t> row_without_number() const;

  struct BadLine {
    std::uint64_t line;  // from 1
    std::string reason;
  };
  static constexpr std::size_t most_listed = 100;
  [[nodiscard]] bool guessed() const;                        // raw, and nothing said so: neither options, nor name, nor first bytes
  [[nodiscard]] std::uint64_t lines() const;                 // read, empty ones too; 0 for raw values
  [[nodiscard]] std::uint64_t bad() const;                   // lines that are no fingerprint
  [[nodiscard]] std::span<const BadLine> bad_lines() const;  // the first most_listed of them
  [[nodiscard]] std::uint64_t without() const;               // records whose fingerprint is null: a text without features
  [[nodiscard]] const std::string& broken_off() const;       // not empty: why the file could not be read to its end

 private:
  struct Impl;
  FingerprintFile();
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong
