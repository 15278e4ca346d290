#include "segment/hanlp_data.h"

#include "segment/hanlp_check.h"
#include "segment/hanlp_sections.h"
#include "segment/section_file.h"

namespace leitong::segment {

HanlpData::HanlpData(const std::string& path)
    : file_(std::make_unique<SectionFile>(path, hanlp_magic, hanlp_version,
                                          std::string("make it again from the jar ") + hanlp_coordinates + " of Maven Central")) {
  check_hanlp(*file_);
  const std::span<const HanlpConstants> constants_section = file_->section<HanlpConstants>(section_constants);
  if (constants_section.size() != 1) file_->damaged("has tables of a wrong size");
  constants = constants_section[0];
  codes = file_->section<std::uint16_t>(section_char_codes);
  char_types = file_->section<std::uint8_t>(section_char_types);
  core = trie(section_core_trie);
  custom = trie(section_custom_trie);
  added = trie(section_added_trie);
  any_added = added.root() != Trie::nowhere;
  names = trie(section_name_trie);
  translated = trie(section_translated_trie);
  simplifications = trie(section_simplified_trie);
  stop_words_ = trie(section_stop_trie);
  steps = file_->section<HanlpStep>(section_steps);
  tags = file_->section<HanlpTag>(section_tags);
  levels = file_->section<HanlpLevel>(section_levels);
  frequencies = file_->section<std::int32_t>(section_frequencies);
  pairs = HanlpPairs(file_->section<HanlpBucket>(section_buckets).data());
  pair_costs = file_->section<double>(section_pair_costs);
  pair_frequencies = file_->section<std::int32_t>(section_pair_frequencies);
  next_roles = file_->section<std::uint8_t>(section_next_roles);
  no_names = file_->section<std::uint8_t>(section_no_names);
  simplified_starts_ = file_->section<std::uint32_t>(section_simplified_starts);
  simplified_text_ = file_->section<char16_t>(section_simplified_text);
  check_sizes();
  const std::span<const char> text = file_->section<char>(section_nature_names);
  for (std::string_view rest(text.data(), text.size()); !rest.empty();) {
    natures_.push_back(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(natures_.back().size() + 1);
  }
}

HanlpData::~HanlpData() = default;

ContentId HanlpData::content() const { return file_->content(); }

void HanlpData::check_sizes() const {
  if (codes.size() != 0x10000 || char_types.size() != 0x10000 || steps.size() != tags.size() || levels.size() != frequencies.size() ||
      file_->section<HanlpBucket>(section_buckets).size() < HanlpPairs::empty_buckets || pair_costs.size() != pair_frequencies.size() ||
      next_roles.size() != no_names.size() * name_roles) {
    file_->damaged("has tables of a wrong size");
  }
}

Trie HanlpData::trie(std::uint32_t id) const {
  const std::span<const TrieCell> cells = file_->section<TrieCell>(id);
  if (cells.size() < constants.codes || cells.empty()) file_->damaged("has a trie of a wrong size");
  return Trie(cells.data());
}

bool HanlpData::is_stop_word(std::u16string_view word) const {
  TrieCell state = stop_words_.root();
  for (const char16_t c : word) {
    state = stop_words_.next(state, codes[c]);
    if (state == Trie::nowhere) return false;
  }
  return Trie::ends(state);
}

std::u16string HanlpData::simplified(std::u16string_view text) const {
  std::u16string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t value = no_value;
    std::size_t length = 0;
    TrieCell state = simplifications.root();
    for (std::size_t i = at; i < text.size(); ++i) {
      state = simplifications.next(state, codes[text[i]]);
      if (state == Trie::nowhere) break;
      if (Trie::ends(state)) {
        value = Trie::value(state);
        length = i + 1 - at;
      }
    }
    if (value == no_value) {
      out.push_back(text[at++]);
      continue;
    }
    out.append(simplification(value));
    at += length;
  }
  return out;
}

}  // namespace leitong::segment
