#include "similarity/fact_words.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstring>
#include <string>
#include <unordered_map>

namespace leitong::similarity {
namespace {

constexpr std::string_view number_words =
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen "
    "twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion half quarter dozen "
    "first third fourth fifth sixth seventh eighth ninth tenth twice thrice";
constexpr std::string_view numerals =
    "〇 零 一 二 三 四 五 六 七 八 九 十 百 千 万 萬 亿 億 两 兩 半 壹 贰 貳 叁 參 肆 伍 陆 陸 柒 捌 玖 拾 佰 仟";
constexpr std::string_view dates =
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday";
constexpr std::string_view units =
    "dlrs dlr dollars dollar cts ct cents cent pct percent per mln million bn billion trillion tonnes tons barrels shares bushels pounds "
    "yen stg euros euro usd eur gbp km kg years year months days hours people degrees times points basis "
    "元 万 萬 亿 億 股 人 吨 噸 岁 歲 年 月 日 天 个 個 家 名 只 米 里 斤 时 時 分 秒 次 倍 点 點";
constexpr std::string_view names_of_numbers =
    "sec section sect art article chapter chap rule no nos number numbers code codes box pobox call tel phone telephone mobile fax ref "
    "reference id pin order ending suite room page pp vol volume version v ext";
constexpr std::string_view parts = "条 條 章 节 節 款 项 項 编 編 篇 页 頁";
constexpr std::string_view links = "http https";
constexpr std::string_view negations = "not no never none nor neither without cannot nothing nobody 不 没 沒 未 无 無 非 否 勿 别 莫";

struct Written {
  std::string_view word, other;
};
constexpr std::array<Written, 31> in_digits = {{
    {"zero", "0"},      {"one", "1"},       {"two", "2"},       {"three", "3"},    {"four", "4"},     {"five", "5"},
    {"six", "6"},       {"seven", "7"},     {"eight", "8"},     {"nine", "9"},     {"ten", "10"},     {"eleven", "11"},
    {"twelve", "12"},   {"thirteen", "13"}, {"fourteen", "14"}, {"fifteen", "15"}, {"sixteen", "16"}, {"seventeen", "17"},
    {"eighteen", "18"}, {"nineteen", "19"}, {"twenty", "20"},   {"first", "1"},    {"second", "2"},   {"third", "3"},
    {"fourth", "4"},    {"fifth", "5"},     {"sixth", "6"},     {"seventh", "7"},  {"eighth", "8"},   {"ninth", "9"},
    {"tenth", "10"},
}};
constexpr std::array<Written, 18> contractions = {{
    {"can't", "can"},
    {"cannot", "can"},
    {"couldn't", "could"},
    {"won't", "will"},
    {"wouldn't", "would"},
    {"isn't", "is"},
    {"aren't", "are"},
    {"wasn't", "was"},
    {"weren't", "were"},
    {"don't", "do"},
    {"doesn't", "does"},
    {"didn't", "did"},
    {"hasn't", "has"},
    {"haven't", "have"},
    {"hadn't", "had"},
    {"shouldn't", "should"},
    {"mustn't", "must"},
    {"needn't", "need"},
}};

// A word of the left list and one of the right say the contrary. A word stands in one pair only.
struct Opposites {
  std::string_view one, other;
};
constexpr std::array<Opposites, 41> opposites = {{
    {"rise rises rose risen rising raise raises raised raising increase increases increased increasing gain gains gained up higher upward "
     "grow grows grew growth growing climb climbs climbed advance advanced 增 升 涨 漲 加",
     "fall falls fell fallen falling lower lowers lowered lowering decrease decreases decreased decreasing decline declines declined "
     "declining drop drops dropped dropping cut cuts cutting reduce reduces reduced reducing down downward slump slumped shrink shrank "
     "减 減 降 跌"},
    {"profit profits profitable surplus 盈", "loss losses deficit 亏 虧"},
    {"buy buys bought buying purchase purchases purchased 买 買 购 購", "sell sells sold selling sale 卖 賣 售"},
    {"import imports imported importing", "export exports exported exporting"},
    {"accept accepts accepted approve approves approved approval", "reject rejects rejected rejection refuse refuses refused"},
    {"win wins won winning 胜 勝 赢 贏", "lose loses lost losing 输 輸 败 敗"},
    {"open opens opened opening 开 開", "close closes closed closing shut 关 關"},
    {"begin begins began begun start starts started starting", "end ends ended ending stop stops stopped"},
    {"maximum max most", "minimum min least"},
    {"before 前", "after 后 後"},
    {"above", "below"},
    {"north northern 北", "south southern 南"},
    {"east eastern 东 東", "west western 西"},
    {"male man men boy boys 男", "female woman women girl girls 女"},
    {"true 真", "false 假"},
    {"enable enables enabled", "disable disables disabled"},
    {"allow allows allowed permit permits permitted", "forbid forbids forbidden prohibit prohibits prohibited"},
    {"public 公", "private 私"},
    {"positive", "negative"},
    {"include includes included including", "exclude excludes excluded excluding"},
    {"success successful succeeded", "failure failed fails unsuccessful"},
    {"strong stronger strengthen strengthened 强 強", "weak weaker weaken weakened 弱"},
    {"better best 好", "worse worst 坏 壞"},
    {"add adds added", "drain drains drained"},
    {"tighten tightens tightened", "ease eases eased loosen"},
    {"high 高", "low 低"},
    {"大", "小"},
    {"多", "少"},
    {"上", "下"},
    {"进 進", "出"},
    {"内 內", "外"},
    {"新", "旧 舊"},
    {"长 長", "短"},
    {"热 熱", "冷"},
    {"快", "慢"},
    {"早", "晚"},
    {"生", "死"},
    {"存", "取"},
    {"借", "还 還"},
    {"left 左", "right 右"},
    {"with", "without"},
}};

template <typename Visit>
void for_each_word(std::string_view list, const Visit& visit) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (end > 0) visit(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

using Table = std::unordered_map<std::string_view, WordTraits>;

// A bit for the first bytes of each word of the table. Nearly all words of a text are not in it, and this tells without a look-up.
class FirstBytes {
 public:
  explicit FirstBytes(const Table& table) {
    for (const auto& [word, traits] : table) bits_.set(number_of(word));
  }
  [[nodiscard]] bool may_hold(std::string_view word) const { return bits_[number_of(word)]; }

 private:
  static constexpr unsigned bits = 14;
  static std::size_t number_of(std::string_view word) {
    std::uint32_t first = 0;
    std::memcpy(&first, word.data(), std::min(word.size(), sizeof first));
    return (first ^ static_cast<std::uint32_t>(word.size()) << 24U) * 0x9E3779B1U >> (32U - bits);
  }
  std::bitset<std::size_t{1} << bits> bits_;
};

Table make_table() {
  Table table;
  for_each_word(number_words, [&](std::string_view word) { table[word].number = true; });
  for_each_word(numerals, [&](std::string_view word) { table[word].number = table[word].numeral = true; });
  for_each_word(dates, [&](std::string_view word) { table[word].date = true; });
  for_each_word(units, [&](std::string_view word) { table[word].unit = true; });
  for_each_word(parts, [&](std::string_view word) { table[word].part = true; });
  for_each_word(links, [&](std::string_view word) { table[word].link = true; });
  for_each_word(names_of_numbers, [&](std::string_view word) { table[word].names_number = true; });
  for_each_word(negations, [&](std::string_view word) { table[word].negation = true; });
  for (const auto& [word, digits] : in_digits) table[word].digits = digits;
  for (const auto& [word, affirmed] : contractions) table[word].negation = true, table[word].affirmed = affirmed;
  for (std::size_t i = 0; i < opposites.size(); ++i) {
    for_each_word(opposites[i].one, [&](std::string_view word) { table[word].opposites = static_cast<std::uint8_t>(i + 1); });
    for_each_word(opposites[i].other, [&](std::string_view word) {
      table[word].opposites = static_cast<std::uint8_t>(i + 1);
      table[word].second_of_pair = true;
    });
  }
  return table;
}

}  // namespace

const WordTraits& traits_of(std::string_view token) {
  static const Table table = make_table();
  static const FirstBytes first_bytes(table);
  static const WordTraits none;
  if (!first_bytes.may_hold(token)) return none;
  const auto found = table.find(token);
  return found == table.end() ? none : found->second;
}

}  // namespace leitong::similarity
