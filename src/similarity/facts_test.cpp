#include "similarity/facts.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace leitong::similarity {
namespace {

class Facts : public ::testing::Test {
 protected:
  std::vector<FactToken> read(std::string_view text) {
    extractor_.set_text(text);
    std::vector<FactToken> out;
    read_facts(extractor_, out);
    return out;
  }
  Disagreement disagreement(std::string_view a, std::string_view b) { return compare_(read(a), read(b)); }
  double weight(std::string_view a, std::string_view b) { return weight_of(disagreement(a, b), 0.15); }

  Profile profile_;
  fingerprint::FeatureExtractor extractor_{profile_};
  FactComparison compare_;
};

constexpr std::string_view dividend = "Qtly div 10 cts vs 10 cts prior Pay April 30 Record April 15";

TEST_F(Facts, ATextAgreesWithItself) {
  const Disagreement found = disagreement(dividend, dividend);
  EXPECT_EQ(found.other, 0);
  EXPECT_EQ(found.same, 4);  // 10, April, 30, 15
  EXPECT_EQ(found.shared, 8);
  EXPECT_EQ(weight(dividend, dividend), 0);
}

TEST_F(Facts, AmountsAndDatesThatDifferAreOtherFacts) {
  const Disagreement found = disagreement(dividend, "Qtly div five cts vs five cts prior Pay May 12 Record April 15");
  EXPECT_EQ(found.other, 3);  // 10, April, 30 and five, May, 12; 15 is the same
  EXPECT_GT(weight(dividend, "Qtly div five cts vs five cts prior Pay May 12 Record April 15"), 0.2);
}

TEST_F(Facts, ANumberInWordsIsItsDigits) {
  EXPECT_EQ(weight("Pay April 7 Record March 20 as before", "Pay April Seven Record March 20 as before"), 0);
}

TEST_F(Facts, AnOrdinalIsItsNumber) {
  EXPECT_EQ(
      weight("taken in two modes: First, by affidavit. Second, by deposition", "taken in two modes: 1. by affidavit. 2. by deposition"), 0);
  EXPECT_EQ(weight("net of the 4th quarter rose", "net of the fourth quarter rose"), 0);
  EXPECT_GT(weight("net of the 4th quarter rose", "net of the 3rd quarter rose"), 0);
}

TEST_F(Facts, ARunOfNumbersIsOneFact) { EXPECT_EQ(disagreement("paid 12-1/2 cts a share", "paid 8-1/2 cts a share").other, 1); }

TEST_F(Facts, WordsAroundANumberMayChange) {
  EXPECT_EQ(disagreement("the board declared 16 cents for the year", "directors announced 16 pence per share").other, 0);
}

TEST_F(Facts, AFactThatOnlyOneTextHasIsAnAddition) {
  EXPECT_EQ(weight("Net 801,000 vs 703,000 revs 3 mln", "Net 801,000 vs 703,000 revs 3 mln avg shrs 2,452,300"), 0);
}

TEST_F(Facts, NamesMadeOfDigitsMayDiffer) {
  EXPECT_EQ(weight("please call 08712300220 quoting claim code 3100 today", "please call 09061743810 quoting claim code 1131 today"), 0);
  EXPECT_EQ(weight("call our service on 0800 169 6031 you have won a prize", "call our service on 0808 145 4742 you have won a prize"), 0);
  EXPECT_EQ(weight("sec 280 the court may appoint a referee", "sec 1659 the court may appoint a referee"), 0);
  EXPECT_EQ(weight("§ 57. The court may appoint a referee", "§ 142. The court may appoint a referee"), 0);
  EXPECT_EQ(weight("see [31]: http://example.com/a", "see [17]: http://example.com/a"), 0);
  EXPECT_EQ(weight("违反本法第三十条规定的，依法处理", "违反本法第四十二条规定的，依法处理"), 0);
  EXPECT_EQ(weight("您的验证码是384756，请在5分钟内完成验证", "您的验证码是991204，请在5分钟内完成验证"), 0);
}

TEST_F(Facts, AQuantityIsOneHoweverLong) { EXPECT_GT(weight("营收12345万元，创下新高", "营收98765万元，创下新高"), 0.07); }

TEST_F(Facts, ChineseNumbersAndOpposites) {
  EXPECT_GT(weight("年龄大于30岁的自然人", "年龄大于50岁的自然人"), 0.07);
  EXPECT_EQ(disagreement("第三季度净利润同比增长", "第三季度净利润同比下降").opposites, 1U);
  EXPECT_EQ(disagreement("本公司承担连带责任的情形", "本公司不承担连带责任的情形").negations, 1U);
}

TEST_F(Facts, OppositesCountWhereNeitherTextHasTheOther) {
  EXPECT_EQ(disagreement("Magma is raising its copper price", "Magma is cutting its copper price").opposites, 1U);
  EXPECT_EQ(disagreement("up today and down tomorrow", "down tomorrow and up today").opposites, 0U);
}

TEST_F(Facts, ANegationCountsWhereTheRestStands) {
  EXPECT_EQ(disagreement("the tax will be raised in spring", "the tax will not be raised in spring").negations, 1U);
  EXPECT_EQ(disagreement("the tax isn’t due in spring", "the tax is due in spring").negations, 1U);
  EXPECT_EQ(disagreement("he cannot be appointed", "he can not be appointed").negations, 0U);
  EXPECT_EQ(disagreement("it was seen by the river", "nothing moved on the hill").negations, 0U);
}

TEST_F(Facts, OrderOfTheTwoDoesNotMatter) {
  const std::string_view other = "Qtly div 8-1/2 cts vs no div Pay May One Record April 20";
  const Disagreement one = disagreement(dividend, other), back = disagreement(other, dividend);
  EXPECT_EQ(one.other, back.other);
  EXPECT_EQ(one.same, back.same);
  EXPECT_EQ(one.opposites, back.opposites);
  EXPECT_EQ(one.negations, back.negations);
  EXPECT_EQ(one.shared, back.shared);
}

TEST_F(Facts, TextsWithoutTokensHaveNone) {
  EXPECT_EQ(weight("", ""), 0);
  EXPECT_EQ(weight("", dividend), 0);
}

TEST(Weight, FewOtherFactsAmongManyAreAnError) {
  Disagreement found;
  found.other = 1, found.same = 12, found.shared = 5;
  EXPECT_EQ(weight_of(found, 0.15), 0);
  found.same = 3;
  EXPECT_DOUBLE_EQ(weight_of(found, 0.15), 0.2);
}

}  // namespace
}  // namespace leitong::similarity
