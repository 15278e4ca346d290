#include "words/word_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <queue>
#include <span>
#include <tuple>
#include <utility>

namespace leitong::words {
namespace {

constexpr std::size_t entries_a_block = 1024;
constexpr std::size_t characters_a_block = 16 << 10;
constexpr std::size_t least_slots = 1 << 10;
constexpr std::size_t runs_a_level = 16;  // when there are so many they become one of the next level
constexpr std::size_t buffer_bytes = 16 << 10;

// What stands before a word's bytes in a run.
struct RunHeader {
  std::uint64_t documents, first, last, size;
};

}  // namespace

// The table of the memory, after sort_table().
class WordCounts::TableSource : public WordSource {
 public:
  explicit TableSource(const WordCounts& counts) : counts_(counts) {}
  bool next() override {
    if (at_ == counts_.size_) return false;
    const std::uint32_t number = counts_.slots_[at_++];
    const Entry& entry = counts_.entries_[number / entries_a_block][number % entries_a_block];
    current_ = {entry.word, entry.documents, entry.first, entry.last};
    return true;
  }

 private:
  const WordCounts& counts_;
  std::size_t at_ = 0;
};

class WordCounts::RunSource : public WordSource {
 public:
  RunSource(storage::ScratchFile& file, Run run) : file_(file), run_(run) {}
  bool next() override {
    if (at_ == buffer_.size() && run_.begin == run_.end) return false;
    RunHeader header{};
    take(std::as_writable_bytes(std::span(&header, 1)));
    word_.resize(header.size);
    take(std::as_writable_bytes(std::span(word_)));
    current_ = {word_, header.documents, header.first, header.last};
    return true;
  }

 private:
  void take(std::span<std::byte> out) {
    while (!out.empty()) {
      if (at_ == buffer_.size()) fill();
      const std::size_t some = std::min(out.size(), buffer_.size() - at_);
      std::memcpy(out.data(), buffer_.data() + at_, some);
      at_ += some;
      out = out.subspan(some);
    }
  }
  void fill() {
    // At least one byte, so that a file that is shorter than it was is the scratch file's error.
    buffer_.resize(static_cast<std::size_t>(std::clamp<std::uint64_t>(run_.end - run_.begin, 1, buffer_bytes)));
    file_.read(run_.begin, buffer_);
    run_.begin += buffer_.size();
    at_ = 0;
  }

  storage::ScratchFile& file_;
  Run run_;
  std::vector<std::byte> buffer_;
  std::size_t at_ = 0;
  std::string word_;
};

WordCounts::WordCounts(storage::Vfs& vfs, std::string scratch, std::uint64_t memory, unsigned number)
    : vfs_(vfs), scratch_(std::move(scratch)), memory_(memory), document_(static_cast<std::uint64_t>(number) << 48) {}

WordCounts::~WordCounts() = default;

std::uint64_t WordCounts::used() const {
  // Slots grow by doubling, and old and new ones are there together for a moment.
  return entries_.size() * entries_a_block * sizeof(Entry) + slots_.size() * sizeof(slots_[0]) * 3 / 2 + character_bytes_;
}

void WordCounts::grow_slots() {
  slots_.assign(std::max(least_slots, 2 * slots_.size()), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < size_; ++i) {
    std::size_t at = entries_[i / entries_a_block][i % entries_a_block].hash & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = static_cast<std::uint32_t>(i + 1);
  }
}

std::string_view WordCounts::keep(std::string_view word) {
  if (characters_.empty() || block_size_ - block_used_ < word.size()) {
    block_size_ = std::max(characters_a_block, word.size());
    block_used_ = 0;
    characters_.push_back(std::make_unique_for_overwrite<char[]>(block_size_));
    character_bytes_ += block_size_;
  }
  char* const to = characters_.back().get() + block_used_;
  if (!word.empty()) std::memcpy(to, word.data(), word.size());
  block_used_ += word.size();
  return {to, word.size()};
}

void WordCounts::add(std::string_view word) {
  if (2 * (size_ + 1) > slots_.size()) grow_slots();
  const std::uint64_t hash = std::hash<std::string_view>{}(word);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at] != 0; at = (at + 1) & mask) {
    const std::size_t number = slots_[at] - 1;
    Entry& entry = entries_[number / entries_a_block][number % entries_a_block];
    if (entry.hash != hash || entry.word != word) continue;
    if (entry.last == document_) return;
    ++entry.documents;
    entry.last = document_;
    return;
  }
  if (size_ == entries_.size() * entries_a_block) entries_.push_back(std::make_unique<Entry[]>(entries_a_block));
  entries_[size_ / entries_a_block][size_ % entries_a_block] = {keep(word), hash, 1, document_, document_};
  slots_[at] = static_cast<std::uint32_t>(++size_);
  if (used() > memory_ || size_ >= (std::size_t{1} << 31)) spill();
}

void WordCounts::sort_table() {
  if (slots_.size() < size_) slots_.resize(size_);
  for (std::size_t i = 0; i < size_; ++i) slots_[i] = static_cast<std::uint32_t>(i);
  const auto word = [&](std::uint32_t number) { return entries_[number / entries_a_block][number % entries_a_block].word; };
  std::sort(slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(size_),
            [&](std::uint32_t a, std::uint32_t b) { return word(a) < word(b); });
}

// All memory is given back: a budget that one block breaks would else be broken for ever.
void WordCounts::clear_table() {
  size_ = 0;
  entries_.clear();
  slots_.clear();
  slots_.shrink_to_fit();
  characters_.clear();
  block_used_ = block_size_ = 0;
  character_bytes_ = 0;
}

WordCounts::Level& WordCounts::level(std::size_t number) {
  if (levels_.size() <= number) levels_.resize(number + 1);
  Level& found = levels_[number];
  if (!found.file) found.file = std::make_unique<storage::ScratchFile>(vfs_, fmt::format("{}{}", scratch_, files_++));
  return found;
}

WordCounts::Run WordCounts::write_run(Level& to, std::vector<std::unique_ptr<WordSource>> sources) {
  Run run{to.file->size(), 0};
  std::vector<std::byte> buffer;
  merge_words(std::move(sources), [&](const CountedWord& word) {
    const RunHeader header{word.documents, word.first, word.last, word.word.size()};
    const auto head = std::as_bytes(std::span(&header, 1));
    const auto body = std::as_bytes(std::span(word.word));
    buffer.insert(buffer.end(), head.begin(), head.end());
    buffer.insert(buffer.end(), body.begin(), body.end());
    if (buffer.size() < buffer_bytes) return;
    to.file->append(buffer);
    buffer.clear();
  });
  to.file->append(buffer);
  run.end = to.file->size();
  to.runs.push_back(run);
  return run;
}

void WordCounts::spill() {
  sort_table();
  std::vector<std::unique_ptr<WordSource>> table;
  table.push_back(std::make_unique<TableSource>(*this));
  write_run(level(0), std::move(table));
  ++runs_written_;
  clear_table();
  for (std::size_t i = 0; i < levels_.size() && levels_[i].runs.size() >= runs_a_level; ++i) compact(i);
}

std::vector<std::unique_ptr<WordSource>> WordCounts::run_sources(std::size_t first_level, std::size_t end_level) {
  std::vector<std::unique_ptr<WordSource>> sources;
  for (std::size_t i = first_level; i < end_level; ++i)
    for (const Run& run : levels_[i].runs) sources.push_back(std::make_unique<RunSource>(*levels_[i].file, run));
  return sources;
}

void WordCounts::compact(std::size_t number) {
  Level& next = level(number + 1);
  write_run(next, run_sources(number, number + 1));
  levels_[number] = Level();
}

std::vector<std::unique_ptr<WordSource>> WordCounts::sources(std::size_t most) {
  std::size_t runs = size_ == 0 ? 0 : 1;
  for (const Level& one : levels_) runs += one.runs.size();
  if (runs > most && !levels_.empty()) {
    if (size_ != 0) spill();
    const std::size_t end = levels_.size();
    Level one;
    one.file = std::make_unique<storage::ScratchFile>(vfs_, fmt::format("{}{}", scratch_, files_++));
    write_run(one, run_sources(0, end));
    levels_.clear();
    levels_.push_back(std::move(one));
  }
  sort_table();
  std::vector<std::unique_ptr<WordSource>> all = run_sources(0, levels_.size());
  if (size_ != 0) all.push_back(std::make_unique<TableSource>(*this));
  return all;
}

void merge_words(std::vector<std::unique_ptr<WordSource>> sources, const std::function<void(const CountedWord&)>& sink) {
  const auto later = [](const WordSource* a, const WordSource* b) {
    const CountedWord &x = a->current(), &y = b->current();
    return std::tie(x.word, x.first, x.last) > std::tie(y.word, y.first, y.last);
  };
  std::priority_queue<WordSource*, std::vector<WordSource*>, decltype(later)> heap(later);
  for (const auto& source : sources)
    if (source->next()) heap.push(source.get());
  std::string word;
  while (!heap.empty()) {
    CountedWord sum = heap.top()->current();
    word = sum.word;  // the source's own goes when it moves on
    sum.word = word;
    for (bool first = true; !heap.empty() && heap.top()->current().word == word; first = false) {
      WordSource* const source = heap.top();
      heap.pop();
      const CountedWord& part = source->current();
      if (!first) {
        sum.documents += part.documents - (part.first == sum.last ? 1 : 0);
        sum.last = part.last;
      }
      if (source->next()) heap.push(source);
    }
    sink(sum);
  }
}

}  // namespace leitong::words
