#include "passages/overlap_common.h"

#include <algorithm>
#include <tuple>

#include "leitong/error.h"
#include "report/html.h"

namespace leitong::passages {
namespace {

constexpr std::size_t most_passages = 50;
constexpr std::size_t most_characters = 240;

}  // namespace

void OverlapCommon::add(const OverlapTile& tile, const std::vector<std::uint64_t>& met) {
  const std::vector<similarity::CommonGram>& common = tile.index.common();
  for (std::size_t i = 0; i < common.size(); ++i) {
    if (met[i] == 0 || common[i].first < tile.index.base() || common[i].first - tile.index.base() >= tile.index.tokens()) continue;
    const auto token = static_cast<std::uint32_t>(common[i].first - tile.index.base());
    const auto [text, begin] = tile.index.text_at(token);
    places_.push_back({i, tile.texts[text], token - begin});
  }
}

std::vector<report::OverlapPassage> OverlapCommon::passages(const std::vector<similarity::CommonGram>& common,
                                                            const std::vector<std::uint64_t>& met, const OverlapSide& b,
                                                            TokenHasher& hasher, OverlapCounts& counts) const {
  std::vector<Place> places = places_;
  std::sort(places.begin(), places.end(),
            [](const Place& x, const Place& y) { return std::tie(x.text.record, x.token) < std::tie(y.text.record, y.token); });
  std::vector<Passage> passages;
  for (const Place& place : places) {
    const std::uint32_t end = std::min(place.token + shape_.gram, place.text.tokens);
    if (passages.empty() || passages.back().text.record != place.text.record || passages.back().end < place.token)
      passages.push_back({place.text, place.token, end, 0, 0});
    Passage& passage = passages.back();
    passage.end = end;
    passage.places = std::max(passage.places, common[place.gram].places);
    passage.met = std::max(passage.met, met[place.gram]);
    counts.places_left_out += common[place.gram].places - similarity::most_places;
  }
  counts.common_passages = passages.size();
  std::stable_sort(passages.begin(), passages.end(), [](const Passage& x, const Passage& y) { return x.places > y.places; });
  passages.resize(std::min(passages.size(), most_passages));
  std::vector<report::OverlapPassage> out(passages.size());
  records::Reread reread = b.reread();
  for (std::size_t i = 0; i < passages.size(); ++i) {
    const Passage& passage = passages[i];
    const std::string_view text = reread.text(passage.text.source, passage.text.offset, passage.text.length);
    const std::vector<text::Range>& tokens = hasher.places(text);
    if (passage.end > tokens.size())
      throw Error(ErrorCode::format, b.sources().at(passage.text.source).path + ": it has changed since it was read first: run again");
    const std::uint32_t begin = tokens[passage.begin].begin, end = tokens[passage.end - 1].end;
    out[i] = {report::shortened(text.substr(begin, end - begin), most_characters), passage.places, passage.met};
  }
  return out;
}

}  // namespace leitong::passages
