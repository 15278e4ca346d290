#include "segment/ik_dictionary.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "leitong/error.h"
#include "segment/ik_image.h"
#include "segment/mapped_file.h"

namespace leitong::segment {
namespace {

[[noreturn]] void broken(const std::string& name, const std::string& what) {
  throw Error(ErrorCode::format, name + ": " + what + "; compile the IK dictionaries again");
}

std::string hexadecimal(const std::array<std::uint64_t, 2>& hash) {
  std::string out;
  for (const std::uint64_t half : {hash[1], hash[0]}) {
    for (int shift = 60; shift >= 0; shift -= 4) out.push_back("0123456789abcdef"[half >> shift & 15]);
  }
  return out;
}

IkHeader read_header(std::span<const char> image, const std::string& name) {
  IkHeader header;
  if (image.size() < sizeof header) broken(name, "is too short for a compiled IK dictionary");
  std::memcpy(&header, image.data(), sizeof header);
  if (header.magic != ik_magic) broken(name, "is not a compiled IK dictionary");
  if (header.version != ik_version) {
    broken(name, "has version " + std::to_string(header.version) + ", this program reads version " + std::to_string(ik_version));
  }
  const std::uint64_t expected =
      sizeof header + ik_units * sizeof(std::uint32_t) + std::uint64_t{header.node_count} * sizeof(IkDictionary::Node);
  if (header.file_bytes != image.size() || expected != image.size()) {
    broken(name, "has " + std::to_string(image.size()) + " bytes, its header says " + std::to_string(header.file_bytes));
  }
  const std::uint64_t checksum = XXH3_64bits(image.data() + ik_checksum_begin, image.size() - ik_checksum_begin);
  if (header.checksum != checksum) broken(name, "is damaged (wrong checksum)");
  return header;
}

}  // namespace

// A right checksum does not make a right image: every index is tested once, so that child() needs no tests.
void IkDictionary::attach(std::span<const char> image, const std::string& name) {
  const IkHeader header = read_header(image, name);
  words_ = header.word_count;
  content_hash_ = hexadecimal(header.content);
  units_ = reinterpret_cast<const std::uint32_t*>(image.data() + sizeof header);
  nodes_ = reinterpret_cast<const Node*>(image.data() + sizeof header + ik_units * sizeof(std::uint32_t));
  std::uint32_t last_code = 0;
  for (std::size_t i = 0; i < ik_units; ++i) last_code = std::max(last_code, units_[i] & 0xFFFF);
  std::uint32_t last_base = 0;
  for (std::size_t i = 0; i < header.node_count; ++i) last_base = std::max(last_base, nodes_[i].base & base_mask);
  if (header.node_count < ik_list_count || last_base + last_code >= header.node_count) broken(name, "is damaged (a node out of range)");
}

IkDictionary IkDictionary::open(const std::filesystem::path& file) {
  auto mapped = std::make_shared<MappedFile>(file);
  IkDictionary dictionary;
  dictionary.attach(mapped->bytes(), file.string());
  dictionary.owner_ = std::move(mapped);
  return dictionary;
}

IkDictionary IkDictionary::from_image(std::vector<char> image) {
  auto held = std::make_shared<const std::vector<char>>(std::move(image));
  IkDictionary dictionary;
  dictionary.attach(*held, "the IK dictionary in memory");
  dictionary.owner_ = std::move(held);
  return dictionary;
}

}  // namespace leitong::segment
