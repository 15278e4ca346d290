#include "segment/jieba_data.h"

#include <algorithm>
#include <utility>

#include "leitong/error.h"
#include "segment/python_text.h"
#include "text/utf8.h"

namespace leitong::segment {
namespace {

constexpr const char* advice =
    "compile it again: leitong data add jieba FOLDER, the folder of the Python package jieba (Debian: python3-jieba)";

}  // namespace

JiebaData JiebaData::open(const std::string& path) {
  return JiebaData(std::make_unique<SectionFile>(path, jieba_magic, jieba_version, advice));
}

JiebaData JiebaData::from_bytes(std::vector<std::byte> bytes, const std::string& name) {
  return JiebaData(std::make_unique<SectionFile>(std::move(bytes), name, jieba_magic, jieba_version, advice));
}

JiebaData::JiebaData(std::unique_ptr<const SectionFile> file) : file_(std::move(file)) {
  constants_ = &file_->record<JiebaConstants>(jieba_constants);
  if (constants_->label_count == 0 || constants_->label_count > 65536) file_->damaged("has a wrong number of labels");
  if (constants_->total == 0 || constants_->total > std::uint64_t{1} << 62) file_->damaged("has a wrong sum of frequencies");
  find_tables();
  find_words();
}

void JiebaData::find_tables() {
  const std::size_t label_count = constants_->label_count;
  const auto labels = file_->section<Label>(jieba_labels);
  if (labels.size() != 65536 || *std::max_element(labels.begin(), labels.end()) >= label_count) file_->damaged("has damaged labels");
  labels_ = labels.data();
  far_labels_ = file_->section<std::uint32_t>(jieba_far_labels);
  if (far_labels_.size() % 2 != 0) file_->damaged("has damaged labels");
  for (std::size_t i = 0; i < far_labels_.size(); i += 2) {
    if (far_labels_[i + 1] >= label_count) file_->damaged("has damaged labels");
  }
  const auto hmm = file_->section<double>(jieba_hmm);
  const auto emissions = file_->section<double>(jieba_emissions);
  const auto marks = file_->section<std::uint64_t>(jieba_ascii_marks);
  if (hmm.size() != state_count * (state_count + 1) || emissions.size() != label_count * state_count || marks.size() != 2)
    file_->damaged("has tables of a wrong size");
  hmm_ = hmm.data();
  emissions_ = emissions.data();
  ascii_marks_ = marks.data();
  stop_words_ = file_->text(jieba_stop_words);
  user_words_ = file_->text(jieba_user_words);
  deleted_words_ = file_->text(jieba_deleted_words);
}

void JiebaData::find_words() {
  frequencies_ = file_->section<std::uint64_t>(jieba_frequencies);
  logs_ = file_->section<double>(jieba_logs);
  idf_values_ = file_->section<double>(jieba_idf_values);
  if (frequencies_.empty() || frequencies_.size() != logs_.size() || idf_values_.empty()) file_->damaged("has damaged frequencies");
  const auto words = file_->section<Node>(jieba_words), idf_words = file_->section<Node>(jieba_idf_words);
  check_nodes(words, frequencies_.size());
  check_nodes(idf_words, idf_values_.size());
  words_ = words.data();
  idf_words_ = idf_words.data();
  tags_ = file_->section<std::uint8_t>(jieba_tags);
  tag_names_.emplace_back();
  for (std::string_view rest = file_->text(jieba_tag_names); !rest.empty();) tag_names_.push_back(take_line(rest));
  if (tags_.size() != words.size() || *std::max_element(tags_.begin(), tags_.end()) >= tag_names_.size())
    file_->damaged("has damaged tags");
}

void JiebaData::check_nodes(std::span<const Node> nodes, std::size_t values) const {
  std::uint32_t base = 0, value = 0;
  for (const Node node : nodes) {
    base = std::max(base, base_of(node));
    value = std::max(value, value_of(node));
  }
  if (nodes.size() < std::size_t{base} + constants_->label_count || nodes.size() > root_parent || value >= values)
    file_->damaged("has a damaged dictionary");
}

Label JiebaData::far_label(char32_t c) const {
  std::size_t low = 0, high = far_labels_.size() / 2;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (far_labels_[2 * middle] < c) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return 2 * low < far_labels_.size() && far_labels_[2 * low] == c ? static_cast<Label>(far_labels_[2 * low + 1]) : Label{0};
}

double JiebaData::idf(std::u32string_view word) const {
  std::u16string labels;
  for (const char32_t c : word) labels.push_back(label(c));
  const std::uint32_t rank = find_value(idf_words_, labels);
  return rank == 0 ? constants_->median_idf : idf_values_[rank];
}

std::string_view JiebaData::tag(std::string_view utf8_word) const {
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < utf8_word.size();) {
    const text::Decoded c = text::decode_utf8(utf8_word, i);
    const Label next_label = c.valid ? label(c.value) : Label{0};
    const std::uint32_t next = i == 0 ? next_label : base_of(words_[at]) + next_label;
    if (next_label == 0 || check_of(words_[next]) != (i == 0 ? root_parent : at)) return {};
    at = next;
    i += c.size;
  }
  return utf8_word.empty() ? std::string_view() : tag_names_[tags_[at]];
}

}  // namespace leitong::segment
