// The public Segmenter: a text as a profile cuts it.
#include "fingerprint/profile_names.h"
#include "fingerprint/word_cutter.h"
#include "leitong/segment.h"

namespace leitong {

struct Segmenter::Impl {
  explicit Impl(const Profile& profile) : cutter(profile) {}
  fingerprint::WordCutter cutter;
};

Segmenter::Segmenter(const Profile& profile) : impl_(std::make_unique<Impl>(profile)) { fingerprint::check_profile(profile); }
Segmenter::~Segmenter() = default;
Segmenter::Segmenter(Segmenter&&) noexcept = default;
Segmenter& Segmenter::operator=(Segmenter&&) noexcept = default;

std::span<const Word> Segmenter::operator()(std::string_view utf8) { return impl_->cutter(utf8); }
std::string_view Segmenter::cut_text() const { return impl_->cutter.text(); }

}  // namespace leitong
