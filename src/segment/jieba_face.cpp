// The public face of the segmenter: tokens with all their places, files by path.
#include "leitong/jieba.h"
#include "segment/file_bytes.h"
#include "segment/jieba.h"
#include "segment/keywords.h"
#include "segment/shared_data.h"

namespace leitong {

struct Jieba::Impl {
  explicit Impl(const std::string& data) : jieba(segment::shared_jieba(data)), keywords(jieba) {}
  segment::Jieba jieba;
  segment::Keywords keywords;
  segment::Tokens cut;
  std::vector<text::Range> code_points;
  std::vector<Token> tokens;
};

Jieba::Jieba(const std::string& data) : impl_(std::make_unique<Impl>(data)) {}
Jieba::~Jieba() = default;
Jieba::Jieba(Jieba&&) noexcept = default;
Jieba& Jieba::operator=(Jieba&&) noexcept = default;

std::span<const Jieba::Token> Jieba::operator()(std::string_view utf8, Mode mode) {
  Impl& my = *impl_;
  if (mode == Mode::all) {
    my.jieba.cut_all(utf8, my.cut);
  } else if (mode == Mode::search || mode == Mode::search_plain) {
    my.jieba.cut_for_search(utf8, mode == Mode::search, my.cut);
  } else {
    my.jieba.cut(utf8, mode == Mode::cut, my.cut);
  }
  segment::code_point_ranges(utf8, my.cut, my.code_points);
  my.tokens.clear();
  for (std::size_t i = 0; i < my.cut.size(); ++i) {
    const std::string_view word = my.cut.view(utf8, i);
    const text::Range bytes = my.cut.ranges()[i], points = my.code_points[i];
    my.tokens.push_back({word, bytes.begin, bytes.end, points.begin, points.end, my.jieba.tag(word)});
  }
  return my.tokens;
}

void Jieba::add_word(std::string_view word, std::optional<std::uint64_t> frequency, std::string_view tag) {
  impl_->jieba.add_word(word, frequency, std::string(tag));
}
void Jieba::del_word(std::string_view word) { impl_->jieba.del_word(word); }
std::uint64_t Jieba::suggest_freq(std::string_view word, bool tune) { return impl_->jieba.suggest_frequency(word, tune); }
std::uint64_t Jieba::suggest_freq(std::span<const std::string_view> parts, bool tune) {
  return impl_->jieba.suggest_frequency(parts, tune);
}
void Jieba::load_userdict(const std::string& path) {
  impl_->jieba.load_user_words(segment::file_bytes(path, "a user dictionary is a file with a word a line"), path);
}

std::vector<Jieba::Keyword> Jieba::extract_tags(std::string_view utf8, std::size_t top) const {
  std::vector<Keyword> out;
  for (segment::Keyword& keyword : impl_->keywords.extract(utf8, top)) out.push_back({std::move(keyword.word), keyword.weight});
  return out;
}
void Jieba::add_stop_words(const std::string& path) {
  impl_->keywords.add_stop_words(segment::file_bytes(path, "stop words are a file with a word a line"));
}

}  // namespace leitong
