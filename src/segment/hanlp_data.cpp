#include "segment/hanlp_data.h"

#include "segment/hanlp_sections.h"
#include "segment/section_file.h"

namespace leitong::segment {

HanlpData::HanlpData(const std::string& path)
    : file_(std::make_unique<SectionFile>(path, kHanlpMagic, kHanlpVersion,
                                          std::string("make it again from the jar ") + kHanlpCoordinates + " of Maven Central")) {
  const std::span<const HanlpConstants> constants_section = file_->section<HanlpConstants>(kConstants);
  codes = file_->section<std::uint16_t>(kCharCodes);
  char_types = file_->section<std::uint8_t>(kCharTypes);
  if (constants_section.size() != 1 || codes.size() != 0x10000 || char_types.size() != 0x10000)
    file_->damaged("has tables of a wrong size");
  constants = constants_section[0];
  core = trie(kCoreTrie);
  custom = trie(kCustomTrie);
  added = trie(kAddedTrie);
  any_added = file_->section<TrieCell>(kAddedTrie)[0].base != 0;
  names = trie(kNameTrie);
  translated = trie(kTranslatedTrie);
  simplified_ = trie(kSimplifiedTrie);
  stop_words_ = trie(kStopTrie);
  entries = file_->section<HanlpEntry>(kEntries);
  pairs = file_->section<HanlpPair>(kPairs);
  role_starts = file_->section<std::uint32_t>(kRoleStarts);
  roles = file_->section<HanlpRole>(kRoles);
  transitions = file_->section<double>(kTransitions);
  simplified_starts_ = file_->section<std::uint32_t>(kSimplifiedStarts);
  simplified_text_ = file_->section<char16_t>(kSimplifiedText);
  if (pairs.size() != std::size_t{1} << constants.pair_bits || transitions.size() != kNameRoles * kNameRoles) {
    file_->damaged("has tables of a wrong size");
  }
  const std::span<const char> text = file_->section<char>(kNatureNames);
  for (std::string_view rest(text.data(), text.size()); !rest.empty();) {
    natures_.push_back(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(natures_.back().size() + 1);
  }
}

HanlpData::~HanlpData() = default;

ContentId HanlpData::content() const { return file_->content(); }

Trie HanlpData::trie(std::uint32_t id) const {
  const std::span<const TrieCell> cells = file_->section<TrieCell>(id);
  const std::span<const std::uint32_t> values = file_->section<std::uint32_t>(id + 1);
  if (cells.size() < constants.codes || cells.size() != values.size()) file_->damaged("has a trie of a wrong size");
  return {cells.data(), values.data()};
}

bool HanlpData::is_stop_word(std::u16string_view word) const {
  std::uint32_t state = Trie::kRoot;
  for (const char16_t c : word) {
    state = stop_words_.next(state, codes[c]);
    if (state == Trie::kNowhere) return false;
  }
  return stop_words_.ends(state);
}

std::u16string HanlpData::simplified(std::u16string_view text) const {
  std::u16string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t state = Trie::kRoot, value = kNoValue;
    std::size_t length = 0;
    for (std::size_t i = at; i < text.size(); ++i) {
      state = simplified_.next(state, codes[text[i]]);
      if (state == Trie::kNowhere) break;
      if (simplified_.ends(state)) {
        value = simplified_.value(state);
        length = i + 1 - at;
      }
    }
    if (value == kNoValue) {
      out.push_back(text[at++]);
      continue;
    }
    out.append(simplified_text_.data() + simplified_starts_[value], simplified_starts_[value + 1] - simplified_starts_[value]);
    at += length;
  }
  return out;
}

}  // namespace leitong::segment
