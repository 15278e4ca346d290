// One text on its way into tokens: the runs that jieba's expression accepts ("blocks"), and what is made of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "segment/jieba.h"

namespace leitong::segment {

class Cutter {
 public:
  enum class Mode : std::uint8_t { plain, hmm, all };

  Cutter(const Jieba& jieba, std::string_view text, Tokens& out);
  void run(Mode mode);
  // Replaces the words of a finished cut by their parts of two and three characters that are words, and themselves.
  void refine_for_search();

 private:
  using Block = Tokens::Block;
  using ByteClass = Jieba::ByteClass;
  // Reading
  [[nodiscard]] bool begins_block(std::size_t at) const;
  [[nodiscard]] bool begins_han(std::size_t at) const;
  template <typename Room, typename Sink>
  std::size_t pass_apart(std::size_t at, bool hmm, const Room& room, const Sink& sink) const;
  std::size_t cut_apart(std::size_t at, bool hmm);
  std::size_t scan(std::size_t at, bool hmm);
  std::size_t scan_some(std::size_t at, std::size_t stop, bool hmm);
  std::size_t scan_block(std::size_t at);
  void close_block(std::size_t at);
  void make_room(std::size_t characters);
  void read_points();
  std::size_t cut_other_all(std::size_t at);

  // Routes
  void look_up(std::size_t n);
  void find_route(std::size_t n);
  double find_any_words(std::size_t i);
  void find_routes_with_user_words(std::size_t n);
  void find_route_with_user_words(std::size_t begin, std::size_t end);
  template <typename Visit>
  void visit_prefixes(std::size_t i, std::size_t n, const Visit& visit) const;
  [[nodiscard]] bool is_word(std::size_t begin, std::size_t end) const;  // of the block
  [[nodiscard]] bool is_split(std::size_t begin, std::size_t end) const;

  // Writing
  void reserve(std::size_t more);
  void put(std::size_t begin, std::size_t end) {
    out_.ranges_[out_.count_++] = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  void put_word(std::size_t begin, std::size_t end) { put(out_.block_.offsets[begin], out_.block_.offsets[end]); }
  void put_singles(std::size_t begin, std::size_t end);
  void emit_plain(std::size_t n);
  void emit_hmm(std::size_t n);
  void emit_run(std::size_t begin, std::size_t end);
  void emit_han_pair(std::size_t begin);
  void emit_han_run(std::size_t begin, std::size_t end);
  void put_model_word(std::size_t begin, std::size_t end);
  void emit_all(std::size_t n);

  const Jieba& jieba_;
  const JiebaData& data_;
  std::string_view text_;
  Tokens& out_;
  const ByteClass* classes_;
  std::size_t characters_ = 0;  // read
  bool user_;                   // there are user words
};

}  // namespace leitong::segment
