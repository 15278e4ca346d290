#include "passages/overlap_tiles.h"

#include <algorithm>
#include <utility>

#include "job/ordered_pipeline.h"

namespace leitong::passages {
namespace {

constexpr std::uint64_t most_tokens = 0xffff0000ULL, most_texts = 0x3fff0000ULL;  // of an index

}  // namespace

OverlapTiles::OverlapTiles(const OverlapOptions& options, OverlapSide& b, outputs::OutputFile& rejected, std::string directory,
                           std::uint64_t room)
    : options_(options),
      b_(b),
      directory_(std::move(directory)),
      room_(room),
      shape_(similarity::run_shape(options.span)),
      job_(options.job, "index") {
  for (unsigned worker = 0; worker < job_.threads(); ++worker) hashers_.emplace_back(options.fold_traditional);
  read_first(rejected);
}

void OverlapTiles::prepare(Item& item, unsigned worker) {
  item.texts.clear(), item.tokens.clear(), item.grams.clear();
  for (std::uint32_t i = 0; i < item.parsed.records.size(); ++i) {
    const std::size_t begin = item.tokens.size(), first_gram = item.grams.size();
    const std::size_t tokens = hashers_[worker](item.parsed.records[i].text, item.tokens);
    similarity::choose_grams(std::span(item.tokens).subspan(begin), shape_, item.grams);
    item.texts.push_back({i, static_cast<std::uint32_t>(tokens), static_cast<std::uint32_t>(item.grams.size() - first_gram)});
  }
}

// sink(prepared, text, id, tokens, grams) for each text of a chunk, in order.
template <typename Sink>
void OverlapTiles::for_each_text(const Item& item, const Sink& sink) {
  std::size_t token = 0, gram = 0;
  for (const Prepared& prepared : item.texts) {
    const records::Record& record = item.parsed.records[prepared.record];
    OverlapTile::Text text;
    text.record = reading_->record(record), text.line = reading_->line(record), text.offset = record.offset, text.length = record.length;
    text.source = record.source, text.tokens = prepared.tokens;
    sink(prepared, text, record.id, std::span(item.tokens).subspan(token, prepared.tokens),
         std::span(item.grams).subspan(gram, prepared.grams));
    token += prepared.tokens, gram += prepared.grams;
  }
}

std::unique_ptr<OverlapTile> OverlapTiles::new_tile() const {
  auto tile = std::make_unique<OverlapTile>(similarity::RunIndex(shape_, base_));
  std::uint64_t most = 8 * reading_->total_bytes();  // of what may be packed; a token takes a byte at least
  if (most == 0) most = room_;
  tile->index.reserve(std::min({most, room_ / similarity::RunIndex::bytes_of(1, 0), most_tokens}));
  return tile;
}

bool OverlapTiles::has_room(const OverlapTile& tile, std::size_t tokens, std::size_t grams, std::size_t id) const {
  if (tile.texts.empty()) return true;
  const std::uint64_t bytes = similarity::RunIndex::bytes_of(tokens, grams) + sizeof(OverlapTile::Text) + id;
  return tile.bytes + bytes <= room_ && tile.index.tokens() + tokens <= most_tokens && tile.texts.size() < most_texts;
}

void OverlapTiles::add(OverlapTile& tile, OverlapTile::Text text, std::string_view id, std::span<const std::uint64_t> tokens,
                       std::span<const similarity::Gram> grams) {
  text.id_begin = tile.ids.size();
  tile.ids += id;
  text.id_end = tile.ids.size();
  tile.texts.push_back(text);
  tile.index.add(tokens, grams);
  tile.bytes += similarity::RunIndex::bytes_of(tokens.size(), grams.size()) + sizeof text + id.size();
}

// All of B: into one tile if it goes into it; if not, its grams are sorted, to know which are common.
void OverlapTiles::read_first(outputs::OutputFile& rejected) {
  reading_ = std::make_unique<OverlapSide::Reading>(b_, &rejected);
  tile_ = new_tile();
  storage::ExternalSort sort(storage::posix_vfs(), directory_ + "/grams", std::max<std::uint64_t>(room_ / 2, 1 << 20), false);
  const auto spill = [&](std::uint64_t hash, std::uint64_t place) {
    const storage::SortRecord record{hash, place};
    sort.add({&record, 1});
  };
  const auto take = [&](const Prepared& prepared, const OverlapTile::Text& text, std::string_view id, std::span<const std::uint64_t> tokens,
                        std::span<const similarity::Gram> grams) {
    tokens_ += prepared.tokens;
    if (grams.empty()) {
      ++too_short_;
      if (text.source >= too_short_of_.size()) too_short_of_.resize(text.source + 1, 0);
      ++too_short_of_[text.source];
      return;
    }
    if (!several_ && !has_room(*tile_, tokens.size(), grams.size(), id.size())) {
      several_ = true;
      tile_->index.for_each_place(spill);
      base_ = tile_->index.tokens();
      tile_.reset();
    }
    if (several_) {
      for (const similarity::Gram& gram : grams) spill(gram.hash, base_ + gram.position);
      base_ += tokens.size();
    } else {
      add(*tile_, text, id, tokens, grams);
    }
  };
  job::ordered_pipeline<Item>(
      job_.threads(), [&](Item& item) { return reading_->next(item.chunk); },
      [&](Item& item, unsigned worker) {
        reading_->parse(item.chunk, item.parsed);
        prepare(item, worker);
      },
      [&](Item& item) {
        reading_->begin(item.chunk, item.parsed);
        for (const records::Record& record : item.parsed.records) bytes_ += record.text.size();
        for_each_text(item, take);
        reading_->end(item.chunk, item.parsed, job_);
      });
  reading_->finish(job_);
  records_ = reading_->records(), rejected_ = reading_->rejected();
  too_short_of_.resize(b_.sources().size(), 0);
  if (!several_) return;
  base_ = 0;
  similarity::CommonGrams common;
  sort.drain([&](std::span<const storage::SortRecord> records) {
    job_.check_stop();
    for (const storage::SortRecord& record : records) common.add(record.high, record.low);
  });
  common_ = common.take();
  reading_ = std::make_unique<OverlapSide::Reading>(b_, nullptr);
}

OverlapTile* OverlapTiles::next() {
  if (!several_) {
    if (std::exchange(given_, true) || tile_->texts.empty()) return nullptr;
    tile_->index.finish(nullptr);
    common_ = tile_->index.common();
    return tile_.get();
  }
  tile_.reset();
  if (ended_ && waiting_.empty()) return nullptr;
  fill();
  if (tile_->texts.empty()) return nullptr;
  base_ += tile_->index.tokens();
  tile_->index.finish(&common_);
  return tile_.get();
}

// What comes after a full tile, in chunks that are on their way already, waits.
void OverlapTiles::fill() {
  tile_ = new_tile();
  bool full = false;
  const auto fits = [&](std::size_t tokens, std::size_t grams, std::size_t id) {
    full = full || !has_room(*tile_, tokens, grams, id);
    return !full;
  };
  std::vector<Waiting> before = std::exchange(waiting_, {});
  for (Waiting& one : before) {
    if (fits(one.tokens.size(), one.grams.size(), one.id.size()))
      add(*tile_, one.text, one.id, one.tokens, one.grams);
    else
      waiting_.push_back(std::move(one));
  }
  before = {};
  std::atomic<bool> stop_reading = full;
  job::ordered_pipeline<Item>(
      job_.threads(),
      [&](Item& item) {
        if (stop_reading || ended_) return false;
        ended_ = !reading_->next(item.chunk);
        return !ended_;
      },
      [&](Item& item, unsigned worker) {
        reading_->parse(item.chunk, item.parsed);
        prepare(item, worker);
      },
      [&](Item& item) {
        reading_->begin(item.chunk, item.parsed);
        for_each_text(item, [&](const Prepared&, const OverlapTile::Text& text, std::string_view id, std::span<const std::uint64_t> tokens,
                                std::span<const similarity::Gram> grams) {
          if (grams.empty()) return;
          if (fits(tokens.size(), grams.size(), id.size()))
            add(*tile_, text, id, tokens, grams);
          else
            waiting_.push_back({text, std::string(id), {tokens.begin(), tokens.end()}, {grams.begin(), grams.end()}});
        });
        stop_reading = full;
        reading_->end(item.chunk, item.parsed, job_);
      });
}

void OverlapTiles::add_counts(OverlapCounts& counts) const {
  counts.b_records = records_, counts.b_rejected = rejected_, counts.b_bytes = bytes_, counts.b_tokens = tokens_;
  counts.too_short = too_short_;
}

}  // namespace leitong::passages
