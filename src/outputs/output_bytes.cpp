#include "outputs/output_bytes.h"

#include <algorithm>
#include <span>
#include <utility>

#include "records/pack.h"

namespace leitong::outputs {
namespace {

std::string packed(const std::string& bytes, Compression compression) {
  std::string out;
  records::pack(bytes, compression, out);
  return out;
}

}  // namespace

OutputBytes::OutputBytes(const std::string& path, Compression compression, unsigned threads)
    : compression_(compression), threads_(threads), file_(storage::posix_vfs().create(path)), parts_(*file_, threads) {}

OutputBytes::~OutputBytes() {
  for (auto& part : packing_) part.wait();
}

bool OutputBytes::can_copy(const records::Source& source) const {
  return compression_ == Compression::none && records::is_plain_file(source);
}

void OutputBytes::copy(const records::Source& source, std::uint64_t offset, std::uint64_t length) {
  if (!buffer_.empty()) flush();
  parts_.copy(source, offset, length);
}

void OutputBytes::flush() { compression_ == Compression::none ? parts_.add(buffer_) : flush_packed(); }

void OutputBytes::flush_packed() {
  if (threads_ > 1) {
    while (packing_.size() >= threads_) write_first();
    packing_.push_back(std::async(std::launch::async, [this, bytes = std::move(buffer_)] { return packed(bytes, compression_); }));
  } else {
    write(packed(buffer_, compression_));
  }
  buffer_.clear();
}

void OutputBytes::write_first() {
  const std::string bytes = packing_.front().get();
  packing_.pop_front();
  write(bytes);
}

void OutputBytes::write(const std::string& bytes) {
  constexpr std::uint64_t stretch = 16 << 20;
  file_->append(std::as_bytes(std::span(bytes)));
  if (size_ / stretch != (size_ + bytes.size()) / stretch) file_->start_writing();
  size_ += bytes.size();
}

void OutputBytes::finish(bool durable) {
  if (!buffer_.empty() || (compression_ != Compression::none && size_ == 0 && packing_.empty())) flush();
  parts_.finish();
  while (!packing_.empty()) write_first();
  if (durable) file_->sync();
  file_->close();
  file_.reset();
}

}  // namespace leitong::outputs
