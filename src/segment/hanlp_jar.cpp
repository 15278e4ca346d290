#include "segment/hanlp_jar.h"

#include <algorithm>
#include <sstream>

#include "leitong/error.h"
#include "segment/hanlp_sources.h"

namespace leitong::segment {
namespace {

constexpr const char* nature_member =
    "bg mg nl nx qg ud uj uz ug ul uv yg zg n nr nrj nrf nr1 nr2 ns nsf nt ntc ntcf ntcb ntch nto ntu nts nth nh nhm nhd nn nnt nnd ng nf "
    "ni nit nic nis nm nmc nb nba nbc nbp nz g gm gp gc gb gbc gg gi j i l t tg s f v vd vn vshi vyou vf vx vi vl vg a ad an ag al b bl z "
    "r rr rz rzt rzs rzv ry ryt rys ryv rg Rg m mq Mg q qv qt d dg dl p pba pbei c cc u uzhe ule uguo ude1 ude2 ude3 usuo udeng uyy udh "
    "uls uzhi ulian e y o h k x xx xu w wkz wky wyz wyy wj ww wt wd wf wn wm ws wp wb wh end begin";

std::vector<HanlpWord>::iterator place_of(std::vector<HanlpWord>& words, const std::u16string& word) {
  return std::lower_bound(words.begin(), words.end(), word, [](const HanlpWord& a, const std::u16string& b) { return a.word < b; });
}

}  // namespace

std::vector<std::string> hanlp_natures() {
  std::vector<std::string> natures;
  std::istringstream names{nature_member};
  for (std::string name; names >> name;) natures.push_back(name);
  return natures;
}

std::uint16_t HanlpSource::nature(const std::string& name) {
  const auto place = static_cast<std::size_t>(std::find(natures.begin(), natures.end(), name) - natures.begin());
  if (place > 0xFFFF) throw Error(ErrorCode::limit, "the dictionaries have more than 65,536 natures");
  if (place == natures.size()) natures.push_back(name);
  return static_cast<std::uint16_t>(place);
}

void HanlpSource::insert_custom(const std::u16string& word, const std::vector<std::pair<std::string, std::int32_t>>& tags) {
  if (word.empty() || tags.empty()) throw Error(ErrorCode::usage, "a custom word needs at least one unit and one nature");
  HanlpWord entry;
  entry.word = word;
  for (const auto& [name, frequency] : tags) {
    entry.natures.emplace_back(nature(name), frequency);
    entry.frequency += frequency;
  }
  const auto known = place_of(custom, word);
  if (known != custom.end() && known->word == word) {
    *known = std::move(entry);
    return;
  }
  const auto place = place_of(added, word);
  if (place != added.end() && place->word == word) {
    *place = std::move(entry);
  } else {
    added.insert(place, std::move(entry));
  }
}

bool HanlpSource::remove_custom(const std::u16string& word) {
  const auto place = place_of(added, word);
  if (place == added.end() || place->word != word || word.size() == 1) return false;
  added.erase(place);
  return true;
}

HanlpSource read_hanlp_jar(const std::string& path) { return read_hanlp(path).source; }

}  // namespace leitong::segment
