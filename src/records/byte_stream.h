// A stream of bytes read once, forward: a file, a pipe, memory, or one of them unpacked.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leitong::records {

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Fills `out` with `size` bytes; fewer only at the end, and then fault() says whether it was a clean one. So what comes before a
  // break is never lost, and how a pipe cuts its bytes is never seen.
  virtual std::size_t read(char* out, std::size_t size) = 0;
  // Empty, or why the stream ended before its time.
  [[nodiscard]] const std::string& fault() const { return fault_; }
  // Bytes taken from the file itself so far.
  [[nodiscard]] virtual std::uint64_t packed() const = 0;

 protected:
  std::string fault_;
};

// Reads a descriptor and closes it (standard input is left open).
class FileStream final : public ByteStream {
 public:
  // `stop`, if not null, is looked at while the file keeps its reader waiting: set, it ends the reading with Error(interrupted).
  explicit FileStream(int descriptor, const std::atomic<bool>* stop = nullptr) : descriptor_(descriptor), stop_(stop) {}
  ~FileStream() override;
  FileStream(const FileStream&) = delete;
  FileStream& operator=(const FileStream&) = delete;
  std::size_t read(char* out, std::size_t size) override;
  // Waits until there is something, and gives what there is. 0: the end, or a fault.
  std::size_t read_some(char* out, std::size_t size);
  [[nodiscard]] std::uint64_t packed() const override { return position_; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  void seek(std::uint64_t position);  // the descriptor must be a file

 private:
  void wait() const;

  int descriptor_;
  const std::atomic<bool>* stop_;
  std::uint64_t position_ = 0;
};

// Null, and `error` says why, if the file cannot be opened. "-" is standard input.
[[nodiscard]] std::unique_ptr<FileStream> open_file(const std::string& path, bool follow_link, std::string& error,
                                                    const std::atomic<bool>* stop = nullptr);

class MemoryStream final : public ByteStream {
 public:
  explicit MemoryStream(std::string_view bytes) : bytes_(bytes) {}  // does not copy
  std::size_t read(char* out, std::size_t size) override;
  [[nodiscard]] std::uint64_t packed() const override { return position_; }

 private:
  std::string_view bytes_;
  std::size_t position_ = 0;
};

// Lets the first bytes of a stream be looked at before they are read.
class HeadStream final : public ByteStream {
 public:
  explicit HeadStream(std::unique_ptr<ByteStream> inner) : inner_(std::move(inner)) {}
  // The next `size` bytes, fewer at the end. Valid until the next call of anything.
  std::string_view peek(std::size_t size);
  std::size_t read(char* out, std::size_t size) override;
  [[nodiscard]] std::uint64_t packed() const override { return inner_->packed(); }

 private:
  std::unique_ptr<ByteStream> inner_;
  std::vector<char> head_;
  std::size_t begin_ = 0;
};

}  // namespace leitong::records
