// The compiled jieba data, mapped read-only. Opening compares the checksum and checks everything that memory safety needs (sizes, bounds,
// every index in the tables), so that even a forged file gives wrong words at worst.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "segment/double_array.h"
#include "segment/jieba_format.h"
#include "segment/section_file.h"

namespace leitong::segment {

class JiebaData {
 public:
  // Maps `path`. A few milliseconds when the file is in the page cache. Errors as of SectionFile.
  static JiebaData open(const std::string& path);
  // The bytes of compile_jieba(), kept in memory. `name` is for messages.
  static JiebaData from_bytes(std::vector<std::byte> bytes, const std::string& name);

  // Of the parsed sources: the same for the same words, frequencies, tags, probabilities, idf values and stop words.
  [[nodiscard]] ContentId content() const { return file_->content(); }

  [[nodiscard]] Label label(char32_t c) const { return c < 65536 ? labels_[c] : far_label(c); }
  [[nodiscard]] const Label* labels() const { return labels_; }
  [[nodiscard]] const Node* words() const { return words_; }
  [[nodiscard]] std::span<const std::uint64_t> frequencies() const { return frequencies_; }
  [[nodiscard]] std::span<const double> logs() const { return logs_; }  // as long as frequencies()
  [[nodiscard]] std::uint64_t total() const { return constants_->total; }
  [[nodiscard]] const double* hmm() const { return hmm_; }
  [[nodiscard]] const double* emissions(Label label) const { return emissions_ + std::size_t{label} * state_count; }
  [[nodiscard]] const std::uint64_t* ascii_marks() const { return ascii_marks_; }
  [[nodiscard]] std::string_view stop_words() const { return stop_words_; }
  // The idf of a word, or the median for one without.
  [[nodiscard]] double idf(std::u32string_view word) const;
  // The part-of-speech tag of a word of dict.txt; "" for a word that is not there or has none. Valid as long as this.
  [[nodiscard]] std::string_view tag(std::string_view utf8_word) const;
  // Words that were given when the data were compiled, for Jieba to add and then to delete.
  [[nodiscard]] std::string_view user_words() const { return user_words_; }
  [[nodiscard]] std::string_view deleted_words() const { return deleted_words_; }

 private:
  explicit JiebaData(std::unique_ptr<const SectionFile> file);
  [[nodiscard]] Label far_label(char32_t c) const;
  void find_tables();
  void find_words();
  void check_nodes(std::span<const Node> nodes, std::size_t values) const;

  std::unique_ptr<const SectionFile> file_;
  const JiebaConstants* constants_ = nullptr;
  const Label* labels_ = nullptr;
  std::span<const std::uint32_t> far_labels_;
  const Node *words_ = nullptr, *idf_words_ = nullptr;
  std::span<const std::uint64_t> frequencies_;
  std::span<const double> logs_, idf_values_;
  const double *hmm_ = nullptr, *emissions_ = nullptr;
  const std::uint64_t* ascii_marks_ = nullptr;
  std::span<const std::uint8_t> tags_;  // by node of words_
  std::vector<std::string_view> tag_names_;
  std::string_view stop_words_, user_words_, deleted_words_;
};

}  // namespace leitong::segment
