// For fuzz targets: small stores in memory, edits of their files that an input describes, and checksums that are made to fit afterwards, so
// that what is behind them meets the edits too.
#pragma once

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "leitong/error.h"
#include "storage/fault_vfs_test.h"
#include "storage/table_format.h"
#include "storage/table_map.h"
#include "store/manifest.h"
#include "store/run.h"
#include "store/store.h"

namespace leitong::fuzz {

using storage::FaultBytes;
using storage::FaultVfs;

inline constexpr const char* test_path = "s";

inline void keys_of(const store::Row& row, std::vector<std::uint32_t>& keys) {
  for (std::size_t i = 0; i + 4 <= row.sketch.size(); i += 4) {
    std::uint32_t key = 0;
    std::memcpy(&key, row.sketch.data() + i, sizeof key);
    keys.push_back(key);
  }
}

inline store::Limits limits_of(std::uint32_t table_rows) {
  store::Limits limits;
  limits.background = false;
  limits.table_rows = table_rows;
  limits.runs = 3;
  return limits;
}

struct Words {
  std::uint64_t words[4];
};
inline Words fingerprint(std::uint64_t n) {
  Words out{};
  for (std::uint64_t w = 0; w < 4; ++w) out.words[w] = (n % 37) * 0x0123456789abcdefU ^ 1ULL << (n * 7 + w) % 64;
  return out;
}

// The same bytes in every process: an input means the same everywhere.
inline std::unique_ptr<FaultVfs> make_store(store::Shape shape, std::uint64_t rows, std::uint32_t table_rows) {
  auto vfs = std::make_unique<FaultVfs>();
  store::Manifest manifest;
  manifest.store[0] = 1;
  manifest.store[1] = 2;
  manifest.shape = shape;
  manifest.shape.id_seed = 3;
  manifest.about = "{}";
  manifest.epoch = 1;
  store::write_manifest(*vfs, test_path, manifest);
  store::Store store(*vfs, test_path, Access::write, limits_of(table_rows), keys_of);
  for (std::uint64_t n = 0; n < rows; ++n) {
    const std::string id = shape.numeric_ids ? store::bytes_of(n % (rows - rows / 8)) : "id " + std::to_string(n % (rows - rows / 8));
    const Words words = fingerprint(n);
    const std::string sketch(reinterpret_cast<const char*>(words.words), 16), text(n % 50, 't');
    store::Row row;
    row.id = id;
    row.flags = n % 9 == 0 ? store::flags::erased : n % 10 == 0 ? std::uint8_t{0} : store::flags::fingerprint;
    row.words = words.words;
    if (!row.erased() && shape.sketches) row.sketch = sketch;
    if (!row.erased() && shape.metadata) row.metadata = "{}";
    if (!row.erased() && shape.texts) row.text = text;
    store.add({&row, 1}, Acknowledge::buffered);
    if (n == rows - rows / 20) store.close();
    if (n == rows - rows / 20) break;
  }
  store::Store again(*vfs, test_path, Access::write, limits_of(table_rows), keys_of);  // a sealed log, and an open one
  const std::string id = shape.numeric_ids ? store::bytes_of(7) : "id 7";
  const Words words = fingerprint(7);
  store::Row row;
  row.id = id;
  row.flags = store::flags::fingerprint;
  row.words = words.words;
  for (unsigned i = 0; i < 3; ++i) again.add({&row, 1}, Acknowledge::durable);
  return vfs->after_crash(FaultVfs::Names::synced, FaultVfs::Data::synced);
}

inline std::vector<store::Shape> shapes() {
  return {{.words = 1, .k = 3, .sketches = true, .metadata = true, .texts = true, .keys = true},
          {.words = 1, .k = 3, .numeric_ids = true},  // with enough rows for an index in halves
          {.words = 2, .k = 6, .sketches = true, .keys = true}};
}
// Made once. The second has rows enough for an index of halves.
inline const FaultVfs& base(std::size_t which) {
  static const std::unique_ptr<FaultVfs> stores[] = {make_store(shapes()[0], 60, 20), make_store(shapes()[1], 900, 700),
                                                     make_store(shapes()[2], 40, 15)};
  return *stores[which % 3];
}

// Whether it went without an error.
inline bool goes(const std::function<void()>& call) {
  try {
    call();
    return true;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) std::abort();
    return false;
  }
}

// Takes numbers off an input; zeros once it is used up.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}
  [[nodiscard]] bool empty() const { return rest_.empty(); }
  std::uint64_t take(std::size_t bytes) {
    std::uint64_t value = 0;
    const std::size_t size = std::min(bytes, rest_.size());
    if (size > 0) std::memcpy(&value, rest_.data(), size);
    rest_ = rest_.subspan(size);
    return value;
  }

 private:
  std::span<const std::uint8_t> rest_;
};

inline void edit(FaultBytes& bytes, Input& input) {
  const std::uint64_t kind = input.take(1), where = input.take(3), value = input.take(8);
  if (bytes.empty()) return;
  // Half of the edits count from the end: there stand the trailers, footers and tables of columns.
  const std::uint64_t at = kind % 2 == 0 ? where % bytes.size() : bytes.size() - 1 - where % bytes.size();
  const auto put = [&](std::uint64_t offset, std::size_t size) {
    std::memcpy(bytes.data() + offset, &value, std::min<std::size_t>(size, bytes.size() - offset));
  };
  switch (kind / 2 % 6) {
    case 0:
      bytes[at] ^= static_cast<std::byte>(value | 1);
      break;
    case 1:
      put(at / 4 * 4, 4);
      break;
    case 2:
      put(at / 8 * 8, 8);
      break;
    case 3:
      bytes.resize(at);
      break;
    case 4: {
      const std::uint64_t from = value % bytes.size(), size = std::min<std::uint64_t>(64, bytes.size() - std::max(from, at));
      std::memmove(bytes.data() + at, bytes.data() + from, size);
      break;
    }
    default:
      bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::size_t>(value % 128), std::byte{0});
  }
}

template <typename T>
T get(const FaultBytes& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
template <typename T>
void set(FaultBytes& bytes, std::size_t at, const T& value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

// Column files: docs/file-format.md. The checksums of columns, and that of header, table and trailer.
inline void mend_columns(FaultBytes& bytes) {
  if (bytes.size() < 128) return;
  const std::size_t trailer = bytes.size() - 64;
  const auto table = get<std::uint64_t>(bytes, trailer), columns = get<std::uint64_t>(bytes, trailer + 8);
  set<std::uint64_t>(bytes, trailer + 16, bytes.size());
  if (table > trailer || columns > (trailer - table) / 32) return;
  for (std::size_t entry = table; entry < table + columns * 32; entry += 32) {
    const auto offset = get<std::uint64_t>(bytes, entry + 8), size = get<std::uint64_t>(bytes, entry + 16);
    if (offset > bytes.size() || size > bytes.size() - offset) continue;
    set<std::uint64_t>(bytes, entry + 24, XXH3_64bits(bytes.data() + offset, size));
  }
  std::vector<std::byte> sum(bytes.begin(), bytes.begin() + 64);
  sum.insert(sum.end(), bytes.begin() + static_cast<std::ptrdiff_t>(table),
             bytes.begin() + static_cast<std::ptrdiff_t>(table + columns * 32));
  sum.insert(sum.end(), bytes.begin() + static_cast<std::ptrdiff_t>(trailer), bytes.begin() + static_cast<std::ptrdiff_t>(trailer + 48));
  set<std::uint64_t>(bytes, trailer + 48, XXH3_64bits(sum.data(), sum.size()));
}

// Table files: the chunks' checksums where the footer can be read, and the footer's.
inline void mend_table(FaultBytes& bytes) {
  if (bytes.size() < storage::header_bytes + storage::trailer_bytes) return;
  const std::size_t end = bytes.size() - storage::trailer_bytes;
  auto offset = get<std::uint64_t>(bytes, end);
  if (offset > end || offset < storage::header_bytes) return;
  std::vector<std::byte> footer(bytes.begin() + static_cast<std::ptrdiff_t>(offset), bytes.begin() + static_cast<std::ptrdiff_t>(end));
  try {
    storage::Footer decoded = storage::decode_footer(footer, offset, "fuzz");
    for (storage::Chunk& chunk : decoded.chunks) chunk.checksum = XXH3_64bits(bytes.data() + chunk.offset, chunk.length);
    footer = storage::encode_footer(decoded);
  } catch (const Error&) {
  }
  bytes.resize(offset);
  bytes.insert(bytes.end(), footer.begin(), footer.end());
  const auto trailer = storage::encode_trailer({offset, footer.size(), XXH3_64bits(footer.data(), footer.size())});
  bytes.insert(bytes.end(), trailer.begin(), trailer.end());
}

inline void mend_log(FaultBytes& bytes) {
  if (bytes.size() < 64) return;
  set<std::uint64_t>(bytes, 56, XXH3_64bits(bytes.data(), 56));
  const std::uint64_t key = XXH3_64bits(bytes.data() + 16, 24);
  for (std::size_t at = 64; at + 24 <= bytes.size();) {
    const std::uint64_t size = get<std::uint32_t>(bytes, at), padded = (size + 7) / 8 * 8, room = bytes.size() - at - 24;
    std::byte head[16];
    std::memcpy(head, bytes.data() + at, 8);
    std::memcpy(head + 8, &at, 8);
    const std::uint64_t check = XXH3_64bits_withSeed(head, sizeof head, key);
    set(bytes, at + 8, check);
    if (padded <= room) set<std::uint64_t>(bytes, at + 16, XXH3_64bits_withSeed(bytes.data() + at + 24, size, check));
    at += 24 + std::min<std::uint64_t>(padded, room / 8 * 8);
  }
}

inline void mend_file(const std::string& name, FaultBytes& bytes) {
  if (name.ends_with(".table")) mend_table(bytes);
  if (name.ends_with(".index") || name.ends_with(".keys")) mend_columns(bytes);
  if (name.ends_with(".log")) mend_log(bytes);
}

// The manifest's checksum, and the identities by which it names the runs' files.
inline void mend_manifest(FaultVfs& vfs) {
  FaultBytes& bytes = vfs.bytes(store::manifest_path(test_path));
  if (bytes.size() < 18) return;
  const std::size_t json = bytes.size() - 18;
  const std::string ending = fmt::format("\n{:016x}\n", XXH3_64bits(bytes.data(), json));
  std::memcpy(bytes.data() + json, ending.data(), ending.size());
  try {
    store::Manifest manifest = store::read_manifest(vfs, test_path);
    for (store::ManifestRun& run : manifest.runs) try {
        run = store::Run(vfs, test_path, run.number, manifest.shape).named();
      } catch (const Error&) {
      }
    store::write_manifest(vfs, test_path, manifest);
  } catch (const Error&) {
  }
}

// First byte: which of the stores, and whether checksums are mended; then edits of 13 bytes.
inline std::unique_ptr<FaultVfs> edited_store(const std::uint8_t* data, std::size_t size, std::initializer_list<std::size_t> stores,
                                              store::Shape& shape) {
  Input input(data, size);
  const std::uint64_t first = input.take(1);
  const std::size_t which = stores.begin()[first / 4 % stores.size()];
  shape = shapes()[which];
  shape.id_seed = 3;
  auto vfs = base(which).after_crash(FaultVfs::Names::synced, FaultVfs::Data::synced);
  std::vector<std::string> names = vfs->list(test_path);
  std::erase(names, "LOCK");
  for (unsigned edits = 0; !input.empty() && edits < 24; ++edits)
    edit(vfs->bytes(test_path + ("/" + names[input.take(1) % names.size()])), input);
  if (first % 4 != 0)
    for (const std::string& name : names) mend_file(name, vfs->bytes(test_path + ("/" + name)));
  if (first % 4 >= 2) mend_manifest(*vfs);
  return vfs;
}

}  // namespace leitong::fuzz
