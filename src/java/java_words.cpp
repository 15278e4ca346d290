#include "java/java_words.h"

#include "segment/shared_data.h"
#include "text/utf16.h"

namespace leitong::java {
namespace {

std::string_view name_of(segment::IkType type) {
  using enum segment::IkType;
  switch (type) {
    case word:
      return "word";
    case surname:
      return "surname";
    case suffix:
      return "suffix";
    case unknown:
      return "unknown";
    case number:
      return "number";
    case quantifier:
      return "quantifier";
    case letters:
      break;
  }
  return "letters";
}

bool cleans(Program program) {
  return program == Program::java_001a || program == Program::java_001a_short || program == Program::java_001b;
}

}  // namespace

JavaWords::JavaWords(const Profile& profile) {
  if (profile.words == WordKind::ik) {
    ik_ = segment::shared_ik(profile.data);
    return;
  }
  hanlp_ = segment::shared_hanlp(profile.data);
  segmenter_.emplace(*hanlp_);
  if (cleans(profile.program)) cleaning_.emplace(*hanlp_);
}

void JavaWords::set_text(std::string_view utf8) {
  units_.clear();
  text::append_utf16(utf8, units_);
  if (ik_) {
    segment::segment_ik(*ik_, units_, ik_words_);
    return;
  }
  if (cleaning_) {
    (*cleaning_)(units_, cleaned_);
    cuts_cleaned_ = true;
  }
  natures_ = segmenter_->segment(text());
}

std::string_view JavaWords::part_of_speech(std::size_t i) const {
  return hanlp_ ? hanlp_->nature_name(natures_[i].nature) : name_of(ik_words_.tokens[i].type);
}

}  // namespace leitong::java
