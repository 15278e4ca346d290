// Two texts, their fingerprints, and how alike they are.
//
//     example_fingerprint [A B]
#include "leitong/fingerprint.h"

#include <cstdio>
#include <string_view>

#include "leitong/error.h"
#include "leitong/similarity.h"

int main(int argc, char** argv) {
  const std::string_view a = argc == 3 ? argv[1] : "市图书馆本周六起延长开放时间,每晚九点闭馆,自习室座位可在网上预约。";
  const std::string_view b = argc == 3 ? argv[2] : "市圖書館本週六起延長開放時間，每晚九點閉館，自習室座位可於網上預約。";
  try {
    leitong::Profile profile = leitong::load_profile(leitong::profile_names().front());
    profile.fold_traditional = true;  // traditional and simplified characters count as the same

    leitong::Fingerprinter fingerprint(profile);  // one a thread; it reuses its buffers
    for (const std::string_view text : {a, b}) {
      const auto result = fingerprint(text);
      std::printf("%s  %u features\n", result.fingerprint ? to_hex(*result.fingerprint).c_str() : "no fingerprint", result.features);
    }
    const leitong::Comparison comparison = leitong::compare(a, b, profile);
    if (comparison.distance) std::printf("%u of %u bits differ\n", *comparison.distance, profile.bits);
    std::printf("similarity %.3f, threshold %.2f\n", comparison.jaccard, comparison.threshold);
  } catch (const leitong::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
  return 0;
}
