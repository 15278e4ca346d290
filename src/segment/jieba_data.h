// The compiled jieba data, mapped read-only. Opening checks everything that memory safety needs (sizes, bounds, every index in the
// tables), so that a damaged file gives wrong words at worst; verify() also compares the checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "segment/double_array.h"
#include "segment/jieba_format.h"

namespace leitong::segment {

class JiebaData {
 public:
  // Maps `path`. About a millisecond when the file is in the page cache. Throws Error (io, format, unsupported).
  static JiebaData open(const std::string& path);
  // The bytes of compile_jieba(), kept in memory. `name` is for messages.
  static JiebaData from_bytes(std::string bytes, const std::string& name);

  JiebaData(JiebaData&& other) noexcept { swap(other); }
  JiebaData& operator=(JiebaData&& other) noexcept {
    swap(other);
    return *this;
  }
  ~JiebaData();

  void verify() const;  // throws Error (format) unless the checksum is right; reads the whole file
  [[nodiscard]] std::uint64_t checksum() const { return header().checksum; }  // names the content

  [[nodiscard]] Label label(char32_t c) const { return c < 65536 ? labels_[c] : far_label(c); }
  [[nodiscard]] const Label* labels() const { return labels_; }
  [[nodiscard]] const Node* words() const { return words_; }
  [[nodiscard]] std::span<const std::uint64_t> frequencies() const { return frequencies_; }
  [[nodiscard]] std::span<const double> logs() const { return logs_; }  // as long as frequencies()
  [[nodiscard]] std::uint64_t total() const { return header().total; }
  [[nodiscard]] const double* hmm() const { return hmm_; }
  [[nodiscard]] const double* emissions(Label label) const { return emissions_ + std::size_t{label} * state_count; }
  [[nodiscard]] const std::uint64_t* ascii_marks() const { return ascii_marks_; }
  [[nodiscard]] std::string_view stop_words() const { return stop_words_; }
  // The idf of a word, or the median for one without.
  [[nodiscard]] double idf(std::u32string_view word) const;

 private:
  JiebaData() = default;
  void swap(JiebaData& other) noexcept;
  [[nodiscard]] const JiebaHeader& header() const { return *reinterpret_cast<const JiebaHeader*>(bytes_.data()); }
  [[nodiscard]] Label far_label(char32_t c) const;
  [[noreturn]] void fail(const std::string& what) const;
  void check_header() const;
  template <typename Item>
  std::span<const Item> section(JiebaSection id, std::size_t items_each = 1) const;
  void find_sections();
  void check_nodes(std::span<const Node> nodes, std::size_t values) const;

  std::string name_, owned_;
  std::string_view bytes_;
  bool mapped_ = false;
  const Label* labels_ = nullptr;
  std::span<const std::uint32_t> far_labels_;
  const Node *words_ = nullptr, *idf_words_ = nullptr;
  std::span<const std::uint64_t> frequencies_;
  std::span<const double> logs_, idf_values_;
  const double *hmm_ = nullptr, *emissions_ = nullptr;
  const std::uint64_t* ascii_marks_ = nullptr;
  std::string_view stop_words_;
};

}  // namespace leitong::segment
