// Reads arbitrary bytes as a manifest: as they are, and with a checksum that fits, so that the parser meets them too. What is understood
// says the same when it is written and read again.
#include <fmt/format.h>
#include <xxhash.h>

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "leitong/error.h"
#include "storage/fault_vfs_test.h"
#include "store/manifest.h"

namespace {

using namespace leitong::store;
using leitong::Error;
using leitong::ErrorCode;
using leitong::storage::FaultVfs;

void require(bool condition) {
  if (!condition) std::abort();
}

bool same(const Manifest& a, const Manifest& b) {
  const auto same_log = [](const ManifestLog& x, const ManifestLog& y) { return x.number == y.number && x.length == y.length; };
  return a.store[0] == b.store[0] && a.store[1] == b.store[1] && a.epoch == b.epoch && a.shape == b.shape && a.about == b.about &&
         a.next_sequence == b.next_sequence && a.next_file == b.next_file && a.clean_file == b.clean_file && a.runs == b.runs &&
         std::equal(a.logs.begin(), a.logs.end(), b.logs.begin(), b.logs.end(), same_log);
}

void read(std::string_view text) {
  FaultVfs vfs;
  {
    const auto file = vfs.create(manifest_path("s"));
    file->append(std::as_bytes(std::span(text)));
    file->close();
  }
  Manifest manifest;
  try {
    manifest = read_manifest(vfs, "s");
  } catch (const Error& error) {
    require(error.code() == ErrorCode::format || error.code() == ErrorCode::unsupported);
    return;
  }
  require(manifest.shape.words <= 4 && manifest.shape.k <= 256);
  write_manifest(vfs, "s", manifest);
  require(same(read_manifest(vfs, "s"), manifest));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  read(text);
  read(text + fmt::format("\n{:016x}\n", XXH3_64bits(text.data(), text.size())));
  return 0;
}
