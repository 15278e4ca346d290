#include "segment/ik_dictionary.h"

#include <algorithm>
#include <utility>

#include "segment/ik_image.h"

namespace leitong::segment {
namespace {

constexpr const char* advice = "compile it again: leitong data add ik FILE.jar|FOLDER, IKAnalyzer 3.2.8's jar or its .dic files";

}  // namespace

IkDictionary IkDictionary::open(const std::string& path) {
  return IkDictionary(std::make_unique<SectionFile>(path, ik_magic, ik_version, advice));
}

IkDictionary IkDictionary::from_bytes(std::vector<std::byte> bytes, const std::string& name) {
  return IkDictionary(std::make_unique<SectionFile>(std::move(bytes), name, ik_magic, ik_version, advice));
}

// A right checksum does not make a right file: every index is tested once, so that child() needs no tests.
IkDictionary::IkDictionary(std::unique_ptr<const SectionFile> file) : file_(std::move(file)) {
  word_counts_ = file_->section<std::uint32_t>(ik_word_counts);
  const auto units = file_->section<std::uint32_t>(ik_unit_table);
  const auto nodes = file_->section<Node>(ik_nodes);
  if (word_counts_.size() != ik_list_count || units.size() != ik_units) file_->damaged("has tables of a wrong size");
  std::uint32_t last_code = 0, last_base = 0;
  for (const std::uint32_t unit : units) last_code = std::max(last_code, unit & 0xFFFF);
  for (const Node& node : nodes) last_base = std::max(last_base, node.base & base_mask);
  if (nodes.size() < ik_list_count || std::size_t{last_base} + last_code >= nodes.size()) file_->damaged("has a node out of range");
  units_ = units.data();
  nodes_ = nodes.data();
}

}  // namespace leitong::segment
