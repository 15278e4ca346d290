// Words and dictionaries through C.
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "c/guard.h"
#include "c/profile.h"
#include "leitong/c.h"
#include "leitong/data.h"
#include "leitong/segment.h"

using leitong::c::guarded;
using leitong::c::require;

struct leitong_segmenter {
  leitong::Segmenter segmenter;
  std::vector<leitong_word> words;  // of the last text
};

extern "C" {

int leitong_segmenter_new(const char* profile, leitong_segmenter** out) {
  return guarded([&] {
    require(out != nullptr, "out is NULL");
    *out = nullptr;
    *out = new leitong_segmenter{leitong::Segmenter(leitong::c::profile_of(profile)), {}};
  });
}

void leitong_segmenter_free(leitong_segmenter* segmenter) { delete segmenter; }

int leitong_segment(leitong_segmenter* segmenter, const char* text, size_t length, const leitong_word** words, size_t* count,
                    const char** cut, size_t* cut_length) {
  return guarded([&] {
    require(segmenter != nullptr && (text != nullptr || length == 0), "segmenter or text is NULL");
    segmenter->words.clear();
    for (const leitong::Word& word : segmenter->segmenter({text, length}))
      segmenter->words.push_back(
          {word.text.data(), word.text.size(), word.part_of_speech.empty() ? "" : word.part_of_speech.data(), word.part_of_speech.size()});
    const std::string_view cut_text = segmenter->segmenter.cut_text();
    if (words != nullptr) *words = segmenter->words.data();
    if (count != nullptr) *count = segmenter->words.size();
    if (cut != nullptr) *cut = cut_text.empty() ? "" : cut_text.data();
    if (cut_length != nullptr) *cut_length = cut_text.size();
  });
}

int leitong_data_add(const char* kind, const char* source, const char* output) {
  return guarded([&] {
    require(kind != nullptr && source != nullptr, "kind or source is NULL");
    leitong::AddDataOptions options;
    if (output != nullptr) options.output = output;
    (void)leitong::add_data(leitong::parse_data_kind(kind), source, options);
  });
}

}  // extern "C"
