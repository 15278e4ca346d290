// Collection B of an overlap as an index in memory: one, or as many as the budget asks for, one after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/overlap.h"
#include "passages/overlap_side.h"
#include "similarity/shared_runs.h"
#include "storage/external_sort.h"

namespace leitong::passages {

// Some texts of B that stand one after the other. Texts too short to be told are not in it.
struct OverlapTile {
  struct Text {
    std::uint64_t record = 0, line = 0, offset = 0, length = 0;
    std::uint32_t source = 0, tokens = 0;
    std::uint64_t id_begin = 0, id_end = 0;
  };
  explicit OverlapTile(similarity::RunIndex&& made) : index(std::move(made)) {}
  [[nodiscard]] std::string_view id(const Text& text) const {
    return std::string_view(ids).substr(text.id_begin, text.id_end - text.id_begin);
  }

  similarity::RunIndex index;
  std::vector<Text> texts;
  std::string ids;
  std::uint64_t bytes = 0;
};

class OverlapTiles {
 public:
  // Reads B, which takes one reading if it goes into `room` bytes, and two if not. `directory`: for what is sorted on disk.
  OverlapTiles(const OverlapOptions& options, OverlapSide& b, outputs::OutputFile& rejected, std::string directory, std::uint64_t room);

  // The next part of B; null: there is none. The one before it is gone.
  OverlapTile* next();

  [[nodiscard]] const std::vector<similarity::CommonGram>& common() const { return common_; }
  [[nodiscard]] const std::vector<std::uint64_t>& too_short_of() const { return too_short_of_; }  // by source
  // Adds what is to be said of B.
  void add_counts(OverlapCounts& counts) const;

 private:
  // A text with its tokens and grams, which stand in the item that it came in.
  struct Prepared {
    std::uint32_t record = 0;  // in Parsed::records
    std::uint32_t tokens = 0, grams = 0;
  };
  struct Item {
    records::Chunk chunk;
    records::Parsed parsed;
    std::vector<Prepared> texts;
    std::vector<std::uint64_t> tokens;
    std::vector<similarity::Gram> grams;
  };
  // One that waits for the next tile.
  struct Waiting {
    OverlapTile::Text text;
    std::string id;
    std::vector<std::uint64_t> tokens;
    std::vector<similarity::Gram> grams;
  };

  void prepare(Item& item, unsigned worker);
  template <typename Sink>
  void for_each_text(const Item& item, const Sink& sink);
  void read_first(outputs::OutputFile& rejected);
  void fill();
  [[nodiscard]] std::unique_ptr<OverlapTile> new_tile() const;
  [[nodiscard]] bool has_room(const OverlapTile& tile, std::size_t tokens, std::size_t grams, std::size_t id) const;
  static void add(OverlapTile& tile, OverlapTile::Text text, std::string_view id, std::span<const std::uint64_t> tokens,
                  std::span<const similarity::Gram> grams);

  const OverlapOptions& options_;
  OverlapSide& b_;
  std::string directory_;
  std::uint64_t room_;
  similarity::RunShape shape_;
  job::Job job_;
  std::vector<TokenHasher> hashers_;
  std::unique_ptr<OverlapSide::Reading> reading_;
  std::unique_ptr<OverlapTile> tile_;
  std::vector<Waiting> waiting_;
  std::vector<similarity::CommonGram> common_;
  std::vector<std::uint64_t> too_short_of_;
  std::uint64_t base_ = 0, bytes_ = 0, tokens_ = 0, too_short_ = 0, records_ = 0, rejected_ = 0;
  bool several_ = false, given_ = false, ended_ = false;
};

}  // namespace leitong::passages
