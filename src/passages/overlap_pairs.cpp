#include "passages/overlap_pairs.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace leitong::passages {
namespace {

constexpr std::size_t first_read = 2048;  // most pairs are shorter

struct StoredText {
  std::uint64_t record, line, offset, length;
  std::uint32_t source, tokens, covered, id_size;
};
struct Stored {
  std::uint32_t spans, bounded;
  StoredText a, b;
};

StoredText stored(const OverlapPair::Text& text) {
  return {text.record, text.line,   text.offset,  text.length,
          text.source, text.tokens, text.covered, static_cast<std::uint32_t>(text.id.size())};
}

OverlapPair::Text text_of(const StoredText& stored, const std::byte* id) {
  return {stored.record, stored.line,   stored.offset,  stored.length,
          stored.source, stored.tokens, stored.covered, std::string(reinterpret_cast<const char*>(id), stored.id_size)};
}

void append(std::vector<std::byte>& out, const void* from, std::size_t size) {
  const std::size_t at = out.size();
  out.resize(at + size);
  if (size > 0) std::memcpy(out.data() + at, from, size);
}

}  // namespace

OverlapPairs::OverlapPairs(const std::string& directory, std::uint64_t memory)
    : file_(storage::posix_vfs(), directory + "/pairs"), sort_(storage::posix_vfs(), directory + "/order", memory, false) {}

void OverlapPairs::add(const OverlapPair& pair) {
  const Stored head{static_cast<std::uint32_t>(pair.spans.size()), pair.bounded ? 1U : 0U, stored(pair.a), stored(pair.b)};
  buffer_.clear();
  append(buffer_, &head, sizeof head);
  append(buffer_, pair.spans.data(), pair.spans.size() * sizeof(OverlapPair::Span));
  append(buffer_, pair.a.id.data(), pair.a.id.size());
  append(buffer_, pair.b.id.data(), pair.b.id.size());
  // Offsets ascend as pairs come, so they put those of one record of B in the order of A.
  const storage::SortRecord record{pair.b.record, file_.append(buffer_)};
  sort_.add({&record, 1});
  ++size_;
}

bool OverlapPairs::next(OverlapPair& pair) {
  if (batch_.empty()) batch_ = sort_.next();
  if (batch_.empty()) return false;
  const std::uint64_t offset = batch_.front().low;
  batch_ = batch_.subspan(1);
  buffer_.resize(std::min<std::uint64_t>(first_read, file_.size() - offset));
  file_.read(offset, buffer_);
  Stored head;
  std::memcpy(&head, buffer_.data(), sizeof head);
  const std::size_t spans = head.spans * sizeof(OverlapPair::Span);
  const std::size_t size = sizeof head + spans + head.a.id_size + head.b.id_size;
  if (size > buffer_.size()) {
    buffer_.resize(size);
    file_.read(offset, buffer_);
  }
  const std::byte* rest = buffer_.data() + sizeof head;
  pair.spans.resize(head.spans);
  std::memcpy(pair.spans.data(), rest, spans);
  pair.a = text_of(head.a, rest + spans);
  pair.b = text_of(head.b, rest + spans + head.a.id_size);
  pair.bounded = head.bounded != 0;
  return true;
}

}  // namespace leitong::passages
