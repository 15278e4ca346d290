// What can be read only once, kept as a zstd file that can be read from anywhere: frames of 1 MiB and a table of their sizes at the end, in
// Zstandard's published seekable format, so `zstd -d` reads it too.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "records/byte_stream.h"
#include "records/input.h"

namespace leitong::records {

inline constexpr std::size_t spool_frame = std::size_t{1} << 20;

// Compresses and writes on its own thread. Throws Error(io) from append or finish when the disk refuses.
class SpoolWriter {
 public:
  explicit SpoolWriter(std::string path);
  ~SpoolWriter();  // without finish the file is left without its table
  SpoolWriter(const SpoolWriter&) = delete;
  SpoolWriter& operator=(const SpoolWriter&) = delete;
  void append(std::string_view bytes);
  void finish();
  [[nodiscard]] std::uint64_t written() const { return written_.load(std::memory_order_relaxed); }

 private:
  void enqueue();
  void run();
  void compress(const std::vector<char>& block, void* context);
  void write(const char* bytes, std::size_t size);
  void write_table();
  void check();
  void stop();

  std::string path_;
  int descriptor_;
  std::vector<char> block_;                                      // being filled
  std::vector<char> packed_;                                     // of the writing thread
  std::vector<std::pair<std::uint32_t, std::uint32_t>> frames_;  // packed and unpacked bytes
  std::atomic<std::uint64_t> written_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::vector<char>> queue_, free_;
  std::string error_;
  bool closing_ = false;
  std::thread thread_;
};

// Reads a stream and keeps a copy of it.
class SpoolingStream final : public ByteStream {
 public:
  SpoolingStream(std::unique_ptr<ByteStream> inner, SpoolWriter& spool) : inner_(std::move(inner)), spool_(spool) {}
  std::size_t read(char* out, std::size_t size) override;
  [[nodiscard]] std::uint64_t packed() const override { return inner_->packed(); }

 private:
  std::unique_ptr<ByteStream> inner_;
  SpoolWriter& spool_;
};

// Throws Error(io) or Error(format) if there is no whole spool at the path.
class SpoolReader final : public ByteStream {
 public:
  explicit SpoolReader(std::string path);
  ~SpoolReader() override;
  SpoolReader(const SpoolReader&) = delete;
  SpoolReader& operator=(const SpoolReader&) = delete;
  std::size_t read(char* out, std::size_t size) override;
  [[nodiscard]] std::uint64_t packed() const override { return 0; }
  void seek(std::uint64_t offset);
  [[nodiscard]] std::uint64_t size() const { return frames_.back().unpacked; }

 private:
  struct Frame {
    std::uint64_t packed, unpacked;  // where it begins
  };
  void read_table();
  void read_at(std::uint64_t offset, char* out, std::size_t size);
  void load(std::size_t frame);
  [[noreturn]] void damaged(std::string_view what) const;

  std::string path_;
  int descriptor_;
  std::vector<Frame> frames_;  // and one more: the end
  std::size_t loaded_;         // frame in unpacked_
  std::uint64_t position_ = 0;
  std::vector<char> packed_, unpacked_;
  void* context_;
};

// Whether a source can be read only once, so that it has a spool.
[[nodiscard]] inline bool is_spooled(const Source& source) { return source.size == 0 && source.modified == 0; }
// Whether the file has the table of a whole spool at its end.
[[nodiscard]] bool is_spool(const std::string& path);
// The path of the spool of the n-th source that needs one.
[[nodiscard]] std::string spool_path(const std::string& spool, std::size_t n);

}  // namespace leitong::records
