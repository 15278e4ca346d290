// CSV, TSV from memory: chunked in two ways, parsed, and both must agree. The first byte chooses format and header.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "records/chunker.h"
#include "records/parser.h"

namespace {

using namespace leitong;
using namespace leitong::records;

std::string read(std::string_view bytes, std::size_t target, Format format, const InputOptions& options, const Parser& parser) {
  Chunker chunker(std::make_unique<MemoryStream>(bytes), format, options, 0, 0);
  Chunk chunk;
  Parsed parsed;
  std::string seen;
  for (bool end = false; !end; chunk.pieces.clear()) {
    end = chunker.fill(chunk, target);
    parser.parse(chunk, [](std::uint32_t) { return std::string("memory"); }, parsed);
    for (const Record& record : parsed.records) {
      if (bytes.substr(record.offset, record.length) != record.raw) std::abort();
      seen += std::to_string(record.offset) + ':' + std::string(record.id) + ':' + std::string(record.text) + ';';
    }
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  InputOptions options;
  options.max_document_bytes = 200;
  options.header = (data[0] & 2) != 0;
  options.text_field = options.header ? "text" : "0";
  options.fields = {"date", "1"};
  const Parser parser(options);
  const Format format = (data[0] & 1) != 0 ? Format::tsv : Format::csv;
  if (read(bytes, 64, format, options, parser) != read(bytes, std::size_t{1} << 20, format, options, parser)) std::abort();
  return 0;
}
