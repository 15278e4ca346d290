// Converts documents to rows of the store and back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/sketcher.h"
#include "leitong/collection.h"
#include "store/row.h"

namespace leitong::collection {

[[nodiscard]] store::Shape shape_of(const CollectionOptions& options);

// The bytes under which the store keeps an id. Throws Error(format) if the collection does not accept the id.
[[nodiscard]] std::string stored_id(CollectionIds ids, std::string_view id);
[[nodiscard]] std::string shown_id(CollectionIds ids, std::string_view stored);

// A text as it is stored: one byte for the encoding (0: plain, 1: zstd), then the bytes. An empty text is stored as no bytes.
[[nodiscard]] std::string packed_text(std::string_view text);
[[nodiscard]] std::uint64_t text_size(std::string_view stored, std::string_view id);  // bytes
[[nodiscard]] std::string unpacked_text(std::string_view stored, std::string_view id);

// The content of a store's `sketch` bytes, specified in docs/file-format.md ("Store", "sketch").
[[nodiscard]] std::string packed_sketch(const fingerprint::Sketch& sketch);
// The same where it stands, so that a candidate costs no more than what is read of it.
struct SketchView {
  std::array<std::uint64_t, 2> content{};
  std::uint32_t tokens = 0, features = 0;
  std::string_view slots, short_features;  // bytes; empty: it has none
  [[nodiscard]] std::size_t short_count() const { return short_features.size() / sizeof(std::uint32_t); }
};
[[nodiscard]] std::optional<SketchView> possible_sketch(std::string_view stored);  // none: it makes no sense
[[nodiscard]] SketchView sketch_view(std::string_view stored, std::string_view id);
// Everything except the fingerprint, which the row holds.
[[nodiscard]] fingerprint::Sketch unpacked_sketch(std::string_view stored, std::string_view id);

// A row together with the bytes that its views point to.
struct StoredDocument {
  std::string id, sketch, metadata, text;
  Fingerprint fingerprint;
  std::uint8_t flags = 0;
  [[nodiscard]] store::Row row() const;
};

}  // namespace leitong::collection
