// JSON Lines from memory: chunked in two ways, parsed, and both must agree.
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

std::string read(std::string_view bytes, std::size_t target, const InputOptions& options, const Parser& parser) {
  Chunker chunker(std::make_unique<MemoryStream>(bytes), Format::jsonl, options, 0, 0);
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
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  InputOptions options;
  options.max_document_bytes = 4096;
  options.text_field = "meta.text";
  options.more_text_fields = {"a.*.b", "a.0.0"};
  options.fields = {"meta.date", "a", "a.*.*"};
  const Parser parser(options);
  if (read(bytes, 64, options, parser) != read(bytes, std::size_t{1} << 20, options, parser)) std::abort();
  return 0;
}
