// A footer, a page's header, an index of pages and a schema element's copy, each of the bytes themselves.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "leitong/error.h"
#include "parquet/footer.h"
#include "parquet/schema_element.h"

namespace {

using namespace leitong;
using namespace leitong::parquet;

template <typename Read>
void attempt(const Read& read) {
  try {
    read();
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  attempt([&] {
    const Footer footer = read_footer(bytes, 1U << 30U);
    for (std::size_t leaf = 0; leaf < footer.schema->leaf_count(); ++leaf) {
      static_cast<void>(footer.schema->find(footer.schema->dotted_path_of(leaf)));
      static_cast<void>(footer.schema->type_name(footer.schema->leaf(leaf)));
    }
    if (footer.schema->nodes().front().thrift.empty()) std::abort();
    const FlatField added[] = {{"leitong_keep", FlatType::boolean, true}};
    if (extended(*footer.schema, added).leaf_count() != footer.schema->leaf_count() + 1) std::abort();
  });
  attempt([&] { static_cast<void>(read_page_header(bytes)); });
  attempt([&] { static_cast<void>(read_offset_index(bytes, 1000, 1U << 30U)); });
  return 0;
}
