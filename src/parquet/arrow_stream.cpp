// An Arrow IPC stream, message by message.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "leitong/error.h"
#include "parquet/arrow_reader.h"
#include "parquet/context.h"
#include "parquet/table.h"

namespace leitong::parquet {
namespace {

constexpr std::uint32_t continuation = 0xFFFFFFFFU;
constexpr std::uint64_t read_step = std::uint64_t{16} << 20;  // memory is taken as bytes come, whatever a message claims

class ArrowStream final : public StreamReader {
 public:
  ArrowStream(ReadBytes read, std::string name, const Limits& limits) : read_(std::move(read)), name_(std::move(name)), limits_(limits) {
    in_context([&] { return where(); }, [&] { begin(); });
  }

  [[nodiscard]] const Schema& schema() const override { return *schema_.schema; }
  [[nodiscard]] const KeyValues& metadata() const override { return schema_.metadata; }
  [[nodiscard]] std::uint64_t offset() const override { return offset_; }

  void choose(std::span<const std::uint32_t> leaves) override {
    if (begun_) throw Error(ErrorCode::usage, name_ + ": columns are chosen before the first row is read");
    leaves_.assign(leaves.begin(), leaves.end());
  }

  bool next(Batch& batch, const BatchSize& size) override {
    return in_context([&] { return where(); },
                      [&] {
                        batch = Batch{};
                        start();
                        while (row_ >= batch_end_) {
                          if (!next_batch()) {
                            if (row_ > batch_end_) throw Error(ErrorCode::usage, fmt::format("there is no row {}", row_));
                            return false;
                          }
                        }
                        rows_->read(row_ - batch_begin_, size, batch);
                        batch.first_row = row_;
                        batch.group = batches_ - 1;
                        row_ += batch.rows;
                        return true;
                      });
  }

  void seek(std::uint64_t row) override {
    if (row < row_) throw Error(ErrorCode::usage, fmt::format("{}: a stream is read forward only", name_));
    row_ = row;
  }

 private:
  [[nodiscard]] std::string where() const { return fmt::format("{}: at byte {}", name_, offset_); }

  void begin() {
    std::string metadata;
    if (!read_message(metadata)) throw Error(ErrorCode::format, "it is empty, not a stream of Arrow");
    const ArrowHeader header = read_arrow_header(metadata);
    if (header.kind != ArrowMessage::schema) throw Error(ErrorCode::format, "it does not begin with a schema, as a stream of Arrow does");
    schema_ = read_arrow_schema(*header.body);
    static_cast<void>(read_body(header.body_size));
    leaves_.resize(schema_.schema->leaf_count());
    std::iota(leaves_.begin(), leaves_.end(), 0U);
  }

  void start() {
    if (begun_) return;
    rows_.emplace(schema_, leaves_, limits_);
    begun_ = true;
  }

  // False at the end.
  bool read_message(std::string& metadata) {
    std::uint32_t head = 0;
    if (!read_number(head)) return false;
    if (head == continuation && !read_number(head)) throw Error(ErrorCode::format, "it ends in a message");
    if (head == 0) return false;
    if (head > limits_.metadata_bytes) throw Error(ErrorCode::limit, fmt::format("metadata of {} bytes: is it a stream of Arrow?", head));
    metadata = read_exactly(head);
    return true;
  }

  bool read_number(std::uint32_t& number) {
    const std::size_t got = read_(std::as_writable_bytes(std::span(&number, 1)));
    offset_ += got;
    if (got != 0 && got != sizeof number) throw Error(ErrorCode::format, "it ends in a message");
    return got != 0;
  }

  std::string read_exactly(std::uint64_t size) {
    std::string bytes;
    while (bytes.size() < size) {
      const std::size_t before = bytes.size();
      bytes.resize(before + std::min<std::uint64_t>(size - before, read_step));
      const std::size_t got = read_(std::as_writable_bytes(std::span(bytes).subspan(before)));
      offset_ += got;
      if (got < bytes.size() - before)
        throw Error(ErrorCode::format, "it ends in a message: it was cut off, or its writer did not close it");
    }
    return bytes;
  }

  BodyBytes read_body(std::uint64_t size) {
    if (size > limits_.page_bytes * 8) throw Error(ErrorCode::limit, fmt::format("a message of {} bytes", size));
    auto memory = std::make_shared<const std::string>(read_exactly(size));
    return [memory](std::uint64_t offset, std::uint64_t part, Owner& owner) {
      owner = memory;
      return std::string_view(*memory).substr(offset, part);
    };
  }

  bool next_batch() {
    std::string metadata;
    while (read_message(metadata)) {
      const ArrowHeader header = read_arrow_header(metadata);
      const BodyBytes body = read_body(header.body_size);
      if (header.kind == ArrowMessage::dictionary) {
        rows_->add_dictionary(*header.body, header.body_size, body);
      } else if (header.kind == ArrowMessage::batch) {
        rows_->begin(*header.body, header.body_size, body);
        ++batches_;
        batch_begin_ = batch_end_;
        batch_end_ += rows_->rows();
        return true;
      } else if (header.kind == ArrowMessage::schema) {
        throw Error(ErrorCode::format, "a second schema in one stream");
      }
    }
    return false;
  }

  ReadBytes read_;
  std::string name_;
  Limits limits_;
  ArrowSchema schema_;
  std::vector<std::uint32_t> leaves_;
  std::optional<ArrowRows> rows_;
  bool begun_ = false;
  std::uint64_t offset_ = 0, row_ = 0, batch_begin_ = 0, batch_end_ = 0;
  std::uint32_t batches_ = 0;
};

}  // namespace

bool may_be_arrow_stream(std::string_view head) {
  if (head.size() < 8) return false;
  const FlatBytes bytes(head);
  const auto size = bytes.at<std::uint32_t>(4);
  return bytes.at<std::uint32_t>(0) == continuation && size >= 16 && size <= 1U << 28U && size % 8 == 0;
}

std::unique_ptr<StreamReader> open_arrow_stream(ReadBytes read, std::string name, const Limits& limits) {
  return std::make_unique<ArrowStream>(std::move(read), std::move(name), limits);
}

}  // namespace leitong::parquet
