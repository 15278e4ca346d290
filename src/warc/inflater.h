// Packed data in memory, as a whole or piece by piece: gzip, zlib and raw deflate, Zstandard, LZ4 frames, Brotli.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace leitong::warc {

enum class Coding { gzip, zlib, deflate, zstd, lz4, brotli };

// What a stream of one coding gives, piece by piece. One member or frame; reset() begins the next.
class Inflater {
 public:
  virtual ~Inflater() = default;
  enum class State { more, done, broken };
  struct Step {
    std::size_t taken = 0, made = 0;
    State state = State::more;
  };
  // Takes some of `in` and writes at most `size` bytes. Neither taken nor made: it waits for more input. Throws std::bad_alloc.
  virtual Step step(std::string_view in, char* out, std::size_t size) = 0;
  virtual void reset() = 0;
  // Why it is broken.
  [[nodiscard]] const std::string& fault() const { return fault_; }

 protected:
  std::string fault_;
};

// `dictionary`: of zstd; empty: none. It must outlive the inflater.
[[nodiscard]] std::unique_ptr<Inflater> make_inflater(Coding coding, std::string_view dictionary = {});

// Whole gzip members, faster than piece by piece. Not for several threads at once.
class WholeGzip {
 public:
  WholeGzip();
  ~WholeGzip();
  WholeGzip(const WholeGzip&) = delete;
  WholeGzip& operator=(const WholeGzip&) = delete;
  enum class Result { done, too_small, other };  // other: broken, or not whole
  // The member that `in` begins with, into `size` bytes of room.
  Result operator()(std::string_view in, char* out, std::size_t size, std::size_t& taken, std::size_t& made);

 private:
  void* decompressor_;
};

// All of `in`, at most `limit` bytes of it. `whole` is false if it breaks off, or more would come; what came before stands in `out`.
struct Unpacked {
  bool whole = false;
  bool beyond_limit = false;
};
Unpacked unpack_all(std::string_view in, Coding coding, std::size_t limit, std::string& out);

}  // namespace leitong::warc
