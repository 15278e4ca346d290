// How fast records come out of .warc.gz, beside inflate alone in the same run. One thread.
//
//   bench_warc --make FILE.warc.gz PAGES...   one response for each page, one gzip member a record
//   bench_warc FILE...                        payload MB/s (content of all records) of: libdeflate and zlib alone over the members, the
//                                            archive reader, the input of the commands up to its chunks
#include <fmt/format.h>
#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "records/input.h"
#include "records/pack.h"
#include "warc/archive_reader.h"

namespace {

using namespace leitong;

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void make(const std::string& path, int pages, char** names) {
  std::string out;
  for (int i = 0; i < pages; ++i) {
    const std::string body = read_file(names[i]);
    const std::string block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body;
    records::pack(
        fmt::format("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{}>\r\nWARC-Target-URI: http://example.com/{}\r\n"
                    "WARC-Date: 2024-05-06T07:08:09Z\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n",
                    i, i, block.size(), block),
        Compression::gzip, out);
  }
  std::ofstream(path, std::ios::binary) << out;
}

warc::ReadBytes reader_of(std::string_view bytes) {
  return [bytes](char* out, std::size_t size) mutable {
    const std::size_t part = std::min(size, bytes.size());
    std::memcpy(out, bytes.data(), part);
    bytes.remove_prefix(part);
    return part;
  };
}

std::uint64_t inflate_alone(std::string_view bytes, bool fast) {
  static std::vector<char> out(64U << 20);
  std::uint64_t all = 0;
  libdeflate_decompressor* whole = libdeflate_alloc_decompressor();
  z_stream z{};
  inflateInit2(&z, 15 + 16);
  while (!bytes.empty()) {
    std::size_t taken = 0, made = 0;
    if (fast) {
      if (libdeflate_gzip_decompress_ex(whole, bytes.data(), bytes.size(), out.data(), out.size(), &taken, &made) != LIBDEFLATE_SUCCESS)
        break;
    } else {
      inflateReset(&z);
      z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      z.avail_in = static_cast<uInt>(bytes.size());
      z.next_out = reinterpret_cast<Bytef*>(out.data());
      z.avail_out = static_cast<uInt>(out.size());
      if (inflate(&z, Z_FINISH) != Z_STREAM_END) break;
      taken = bytes.size() - z.avail_in, made = out.size() - z.avail_out;
    }
    all += made;
    bytes.remove_prefix(taken);
  }
  inflateEnd(&z);
  libdeflate_free_decompressor(whole);
  return all;
}

std::uint64_t records_alone(std::string_view bytes) {
  warc::ArchiveReader reader(reader_of(bytes), 0, {});
  std::uint64_t count = 0;
  while (true) {
    const auto found = reader.next();
    if (found.found == warc::ArchiveReader::Found::end) return count;
    count += found.found == warc::ArchiveReader::Found::record ? 1 : 0;
  }
}

std::uint64_t payload_of(std::string_view bytes) {
  warc::ArchiveReader reader(reader_of(bytes), 0, {});
  std::uint64_t payload = 0;
  for (auto found = reader.next(); found.found != warc::ArchiveReader::Found::end; found = reader.next())
    payload += found.record.block.size();
  return payload;
}

std::uint64_t chunks_of(const std::string& path) {
  InputOptions options;
  options.paths = {path};
  records::Input input(options, "");
  records::Chunk chunk;
  std::uint64_t count = 0;
  while (input.next(chunk))
    for (const auto& piece : chunk.pieces) count += piece.entries.size();
  return count;
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Runner {
  const char* what;
  std::function<std::uint64_t()> run;
  double best = 1e9;
  std::uint64_t result = 0;
};

// In turn, so that a busy machine is as busy for each; seconds of the processor, the best of all rounds.
void measure(std::vector<Runner>& runners, std::uint64_t payload) {
  constexpr int rounds = 15;
  for (int round = 0; round < rounds; ++round)
    for (Runner& runner : runners) {
      const double begin = processor_seconds();
      runner.result = runner.run();
      runner.best = std::min(runner.best, processor_seconds() - begin);
    }
  for (const Runner& runner : runners)
    fmt::print("  {:28} {:7.0f} MB/s  {:.2f} of libdeflate alone   ({})\n", runner.what, static_cast<double>(payload) / 1e6 / runner.best,
               runners.front().best / runner.best, runner.result);
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 3 && std::string_view(arguments[1]) == "--make") {
    make(arguments[2], count - 3, arguments + 3);
    return 0;
  }
  for (int i = 1; i < count; ++i) {
    const std::string bytes = read_file(arguments[i]);
    const std::uint64_t payload = payload_of(bytes);
    fmt::print("{}: {:.1f} MB packed, {:.1f} MB payload\n", std::filesystem::path(arguments[i]).filename().string(),
               static_cast<double>(bytes.size()) / 1e6, static_cast<double>(payload) / 1e6);
    std::vector<Runner> runners{{"libdeflate alone", [&] { return inflate_alone(bytes, true); }},
                                {"zlib alone", [&] { return inflate_alone(bytes, false); }},
                                {"records", [&] { return records_alone(bytes); }},
                                {"records in chunks, from file", [&] { return chunks_of(arguments[i]); }}};
    measure(runners, payload);
  }
}
