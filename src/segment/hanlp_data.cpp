#include "segment/hanlp_data.h"

#include "segment/hanlp_check.h"
#include "segment/hanlp_sections.h"
#include "segment/section_file.h"

namespace leitong::segment {

HanlpData::HanlpData(const std::string& path)
    : file_(std::make_unique<SectionFile>(path, kHanlpMagic, kHanlpVersion,
                                          std::string("make it again from the jar ") + kHanlpCoordinates + " of Maven Central")) {
  check_hanlp(*file_);
  const std::span<const HanlpConstants> constants_section = file_->section<HanlpConstants>(kConstants);
  if (constants_section.size() != 1) file_->damaged("has tables of a wrong size");
  constants = constants_section[0];
  codes = file_->section<std::uint16_t>(kCharCodes);
  char_types = file_->section<std::uint8_t>(kCharTypes);
  core = trie(kCoreTrie);
  custom = trie(kCustomTrie);
  added = trie(kAddedTrie);
  any_added = added.root() != Trie::kNowhere;
  names = trie(kNameTrie);
  translated = trie(kTranslatedTrie);
  simplifications = trie(kSimplifiedTrie);
  stop_words_ = trie(kStopTrie);
  steps = file_->section<HanlpStep>(kSteps);
  tags = file_->section<HanlpTag>(kTags);
  levels = file_->section<HanlpLevel>(kLevels);
  frequencies = file_->section<std::int32_t>(kFrequencies);
  pairs = HanlpPairs(file_->section<HanlpBucket>(kBuckets).data());
  pair_costs = file_->section<double>(kPairCosts);
  pair_frequencies = file_->section<std::int32_t>(kPairFrequencies);
  next_roles = file_->section<std::uint8_t>(kNextRoles);
  no_names = file_->section<std::uint8_t>(kNoNames);
  simplified_starts_ = file_->section<std::uint32_t>(kSimplifiedStarts);
  simplified_text_ = file_->section<char16_t>(kSimplifiedText);
  check_sizes();
  const std::span<const char> text = file_->section<char>(kNatureNames);
  for (std::string_view rest(text.data(), text.size()); !rest.empty();) {
    natures_.push_back(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(natures_.back().size() + 1);
  }
}

HanlpData::~HanlpData() = default;

ContentId HanlpData::content() const { return file_->content(); }

void HanlpData::check_sizes() const {
  if (codes.size() != 0x10000 || char_types.size() != 0x10000 || steps.size() != tags.size() || levels.size() != frequencies.size() ||
      file_->section<HanlpBucket>(kBuckets).size() < HanlpPairs::kEmptyBuckets || pair_costs.size() != pair_frequencies.size() ||
      next_roles.size() != no_names.size() * kNameRoles) {
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
    if (state == Trie::kNowhere) return false;
  }
  return Trie::ends(state);
}

std::u16string HanlpData::simplified(std::u16string_view text) const {
  std::u16string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t value = kNoValue;
    std::size_t length = 0;
    TrieCell state = simplifications.root();
    for (std::size_t i = at; i < text.size(); ++i) {
      state = simplifications.next(state, codes[text[i]]);
      if (state == Trie::kNowhere) break;
      if (Trie::ends(state)) {
        value = Trie::value(state);
        length = i + 1 - at;
      }
    }
    if (value == kNoValue) {
      out.push_back(text[at++]);
      continue;
    }
    out.append(simplification(value));
    at += length;
  }
  return out;
}

}  // namespace leitong::segment
