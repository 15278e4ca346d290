#include "collection/collection_row.h"

#include <fmt/format.h>
#include <zstd.h>

#include <charconv>
#include <cstring>

#include "leitong/error.h"

namespace leitong::collection {
namespace {

constexpr std::uint64_t most_text = 512U << 20U;
enum TextForm : char { as_it_is, zstd };
constexpr std::uint8_t has_slots_flag = 1;
constexpr std::size_t head_bytes = 25;

template <typename T>
void put(const T& value, std::string& out) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
template <typename T>
void take(std::string_view& from, T& value) {
  std::memcpy(&value, from.data(), sizeof value);
  from.remove_prefix(sizeof value);
}

[[noreturn]] void damaged(std::string_view id, const char* what) {
  throw Error(ErrorCode::format, fmt::format("the stored {} of document {} makes no sense; run a check of the collection", what, id));
}

}  // namespace

store::Shape shape_of(const CollectionOptions& options) {
  store::Shape shape;
  shape.words = fingerprint_words(options.profile.bits);
  shape.k = options.k;
  shape.numeric_ids = options.ids == CollectionIds::number;
  shape.sketches = !options.fingerprints_only;
  shape.metadata = options.metadata;
  shape.texts = options.texts;
  shape.keys = shape.sketches && options.profile.minhash;
  return shape;
}

std::string stored_id(CollectionIds ids, std::string_view id) {
  if (ids == CollectionIds::text) {
    if (id.empty() || id.size() > 65535) throw Error(ErrorCode::format, fmt::format("an id has 1 to 65,535 bytes, this one {}", id.size()));
    return std::string(id);
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  if (error != std::errc() || end != id.data() + id.size() || (id.size() > 1 && id[0] == '0'))
    throw Error(ErrorCode::format,
                fmt::format("\"{}\" is no id of this collection, whose ids are numbers from 0 to 2^64 - 1", id.substr(0, 100)));
  return store::bytes_of(number);
}

std::string shown_id(CollectionIds ids, std::string_view stored) {
  return ids == CollectionIds::text ? std::string(stored) : std::to_string(store::number_of(stored));
}

std::string packed_text(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > most_text) throw Error(ErrorCode::limit, fmt::format("a text of {} bytes; the most is {}", text.size(), most_text));
  std::string packed(1 + ZSTD_compressBound(text.size()), zstd);
  const std::size_t size = ZSTD_compress(packed.data() + 1, packed.size() - 1, text.data(), text.size(), 1);
  if (ZSTD_isError(size) == 0 && size < text.size()) {
    packed.resize(1 + size);
    return packed;
  }
  packed.assign(1, as_it_is);
  return packed.append(text);
}

std::uint64_t text_size(std::string_view stored, std::string_view id) {
  if (stored.empty()) return 0;
  const std::string_view body = stored.substr(1);
  if (stored[0] == as_it_is) return body.size();
  const unsigned long long size = ZSTD_getFrameContentSize(body.data(), body.size());
  if (stored[0] != zstd || size > most_text) damaged(id, "text");
  return size;
}

std::string unpacked_text(std::string_view stored, std::string_view id) {
  std::string text(static_cast<std::size_t>(text_size(stored, id)), '\0');
  if (stored.empty()) return text;
  const std::string_view body = stored.substr(1);
  if (stored[0] == as_it_is) return std::string(body);
  if (ZSTD_decompress(text.data(), text.size(), body.data(), body.size()) != text.size()) damaged(id, "text");
  return text;
}

std::string packed_sketch(const fingerprint::Sketch& sketch) {
  std::string out;
  put(sketch.content, out);
  put(sketch.tokens, out);
  put(sketch.features, out);
  put(sketch.has_slots ? has_slots_flag : std::uint8_t{0}, out);
  if (sketch.has_slots) out.append(reinterpret_cast<const char*>(sketch.slots.data()), sketch.slots.size());
  out.append(reinterpret_cast<const char*>(sketch.short_features.data()), sketch.short_features.size() * sizeof(std::uint32_t));
  return out;
}

std::optional<SketchView> possible_sketch(std::string_view stored) {
  SketchView sketch;
  if (stored.empty()) return sketch;
  if (stored.size() < head_bytes) return std::nullopt;
  std::uint8_t has = 0;
  take(stored, sketch.content);
  take(stored, sketch.tokens);
  take(stored, sketch.features);
  take(stored, has);
  if (has > has_slots_flag) return std::nullopt;
  if (has == has_slots_flag) {
    if (stored.size() < fingerprint::slot_count) return std::nullopt;
    sketch.slots = stored.substr(0, fingerprint::slot_count);
    stored.remove_prefix(fingerprint::slot_count);
  }
  if (stored.size() % sizeof(std::uint32_t) != 0) return std::nullopt;
  sketch.short_features = stored;
  return sketch;
}

SketchView sketch_view(std::string_view stored, std::string_view id) {
  const auto sketch = possible_sketch(stored);
  if (!sketch) damaged(id, "sketch");
  return *sketch;
}

fingerprint::Sketch unpacked_sketch(std::string_view stored, std::string_view id) {
  const SketchView view = sketch_view(stored, id);
  fingerprint::Sketch sketch;
  sketch.content = view.content;
  sketch.tokens = view.tokens;
  sketch.features = view.features;
  sketch.has_slots = !view.slots.empty();
  if (sketch.has_slots) std::memcpy(sketch.slots.data(), view.slots.data(), view.slots.size());
  sketch.short_features.resize(view.short_count());
  if (!view.short_features.empty()) std::memcpy(sketch.short_features.data(), view.short_features.data(), view.short_features.size());
  return sketch;
}

store::Row StoredDocument::row() const {
  store::Row row;
  row.id = id;
  row.flags = flags;
  row.words = fingerprint.words.data();
  row.sketch = sketch;
  row.metadata = metadata;
  row.text = text;
  return row;
}

}  // namespace leitong::collection
