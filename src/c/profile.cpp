#include "c/profile.h"

#include <string>
#include <vector>

#include "leitong/c.h"

namespace leitong::c {

Profile profile_of(const char* given) {
  if (given == nullptr) return {};
  const std::string_view text = given;
  return text.find('\n') == std::string_view::npos ? load_profile(text) : parse_profile(text, "the given profile");
}

}  // namespace leitong::c

extern "C" const char* leitong_profile_name(size_t i) {
  static const std::vector<std::string> names = leitong::profile_names();
  return i < names.size() ? names[i].c_str() : nullptr;
}
