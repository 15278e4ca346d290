#include "storage/external_sort.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "leitong/error.h"

namespace leitong::storage {
namespace {

constexpr std::uint64_t least_memory = std::uint64_t{1} << 20U;
constexpr std::size_t most_fan_in = 128;
constexpr std::size_t least_slice = 4096;  // records in the read buffer of a run that is merged: 64 KiB

unsigned byte_of(const SortRecord& record, unsigned level) {
  const std::uint64_t word = level < 8 ? record.high : record.low;
  return static_cast<unsigned>(word >> (56 - 8 * (level % 8))) & 0xFFU;
}

// In-place radix sort from the most significant byte ("American flag", McIlroy, Bostic, McIlroy 1993): needs no second buffer.
void radix_sort(std::span<SortRecord> records, unsigned level) {
  for (; level < 16; ++level) {
    if (records.size() <= 256) {
      std::sort(records.begin(), records.end());
      return;
    }
    std::array<std::size_t, 257> begin{};
    for (const SortRecord& record : records) ++begin[byte_of(record, level) + 1];
    if (begin[byte_of(records[0], level) + 1] == records.size()) continue;  // all have this byte in common
    for (std::size_t v = 0; v < 256; ++v) begin[v + 1] += begin[v];
    std::array<std::size_t, 256> next{};
    std::copy_n(begin.begin(), 256, next.begin());
    for (std::size_t v = 0; v < 256; ++v)
      while (next[v] < begin[v + 1]) {
        const unsigned home = byte_of(records[next[v]], level);
        if (home == v)
          ++next[v];
        else
          std::swap(records[next[v]], records[next[home]++]);
      }
    for (std::size_t v = 0; v < 256; ++v) radix_sort(records.subspan(begin[v], begin[v + 1] - begin[v]), level + 1);
    return;
  }
}

class Checksum {
 public:
  Checksum() : state_(XXH3_createState(), XXH3_freeState) { XXH3_64bits_reset(state_.get()); }
  void update(std::span<const SortRecord> records) { XXH3_64bits_update(state_.get(), records.data(), records.size_bytes()); }
  [[nodiscard]] std::uint64_t value() const { return XXH3_64bits_digest(state_.get()); }

 private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

struct Run {
  std::string path;
  std::uint64_t records = 0, checksum = 0;
};

// A run on its way through a merge, read slice by slice.
class RunReader {
 public:
  RunReader(Vfs& vfs, const Run& run, std::span<SortRecord> buffer) : run_(run), file_(vfs.open(run.path)), buffer_(buffer) { refill(); }
  [[nodiscard]] bool done() const { return at_ == filled_; }
  [[nodiscard]] const SortRecord& head() const { return buffer_[at_]; }
  void advance() {
    if (++at_ == filled_) refill();
  }

 private:
  void refill() {
    at_ = 0;
    filled_ = static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size(), run_.records - read_));
    const auto part = buffer_.first(filled_);
    file_->read(read_ * sizeof(SortRecord), std::as_writable_bytes(part));
    checksum_.update(part);
    read_ += filled_;
    if (read_ == run_.records && checksum_.value() != run_.checksum)
      throw Error(ErrorCode::io, fmt::format("{}: spilled records came back changed; check the disk, then run again", run_.path));
  }

  Run run_;
  std::unique_ptr<ReadableFile> file_;
  std::span<SortRecord> buffer_;
  Checksum checksum_;
  std::size_t at_ = 0, filled_ = 0;
  std::uint64_t read_ = 0;
};

}  // namespace

struct ExternalSort::Impl {
  Impl(Vfs& v, std::string d, std::uint64_t memory, bool u) : vfs(v), directory(std::move(d)), unique(u) {
    capacity = static_cast<std::size_t>(std::max(memory, least_memory) / sizeof(SortRecord));
  }

  void add(std::span<const SortRecord> records) {
    if (drained) throw Error(ErrorCode::usage, "records were added to a sort that was drained");
    while (!records.empty()) {
      if (buffer.size() == capacity) make_room();
      const auto part = records.first(std::min(records.size(), capacity - buffer.size()));
      if (buffer.capacity() < buffer.size() + part.size()) grow(buffer.size() + part.size());
      buffer.insert(buffer.end(), part.begin(), part.end());
      records = records.subspan(part.size());
    }
  }

  // Doubling keeps small sorts small; from a quarter of the budget on the whole is taken at once, so that old and new never exceed 5/4 of
  // it.
  void grow(std::size_t needed) {
    buffer.reserve(needed > capacity / 4 ? capacity : std::min(capacity, std::max(needed, 2 * buffer.capacity())));
  }

  void sort_buffer() {
    radix_sort(buffer, 0);
    if (unique) buffer.erase(std::unique(buffer.begin(), buffer.end()), buffer.end());
  }

  void make_room() {
    sort_buffer();
    if (buffer.size() > capacity / 2) spill();  // else repeats left enough room to go on without the disk
  }

  void spill() {
    Writer writer(*this);
    writer.put(buffer);
    runs.push_back(writer.finish());
    buffer.clear();
  }

  // Writes one run. What is spilled need not survive a crash, so nothing is synced.
  class Writer {
   public:
    explicit Writer(Impl& impl) : impl_(impl) {
      if (!impl_.made_directory) {
        impl_.made_directory = true;  // before the attempt: whatever part of it succeeded is removed
        impl_.vfs.make_directories(impl_.directory);
      }
      run_.path = fmt::format("{}/run-{:06}.sort", impl_.directory, impl_.next_run++);
      impl_.files.push_back(run_.path);
      file_ = impl_.vfs.create(run_.path);
    }
    void put(std::span<const SortRecord> records) {
      file_->append(std::as_bytes(records));
      checksum_.update(records);
      run_.records += records.size();
      impl_.spilled += records.size_bytes();
    }
    Run finish() {
      file_->close();
      run_.checksum = checksum_.value();
      return run_;
    }

   private:
    Impl& impl_;
    Run run_;
    std::unique_ptr<WritableFile> file_;
    Checksum checksum_;
  };

  // Merges the first `count` runs, a batch at a time; the sort buffer's memory becomes a slice for each run and one for the output.
  class Merge {
   public:
    Merge(Impl& impl, std::size_t count) : unique_(impl.unique) {
      impl.buffer.resize(impl.capacity);
      const std::size_t slice = impl.capacity / (count + 1);
      readers_.reserve(count);
      for (std::size_t r = 0; r < count; ++r)
        readers_.emplace_back(impl.vfs, impl.runs[r], std::span(impl.buffer).subspan(r * slice, slice));
      for (RunReader& reader : readers_)
        if (!reader.done()) heap_.push_back(&reader);
      std::make_heap(heap_.begin(), heap_.end(), [](const RunReader* x, const RunReader* y) { return y->head() < x->head(); });
      out_ = std::span(impl.buffer).subspan(count * slice, slice);
    }
    // Empty at the end.
    std::span<const SortRecord> next() {
      std::size_t filled = 0;
      while (!heap_.empty() && filled < out_.size()) {
        RunReader& reader = *heap_.front();
        const SortRecord record = reader.head();
        reader.advance();
        if (reader.done()) {
          std::swap(heap_.front(), heap_.back());
          heap_.pop_back();
        }
        sift_down();
        if (unique_ && any_ && record == last_) continue;
        any_ = true;
        out_[filled++] = last_ = record;
      }
      return out_.first(filled);
    }

   private:
    // Restores the heap after its front changed.
    void sift_down() {
      for (std::size_t at = 0;;) {
        std::size_t child = 2 * at + 1;
        if (child >= heap_.size()) return;
        if (child + 1 < heap_.size() && heap_[child + 1]->head() < heap_[child]->head()) ++child;
        if (!(heap_[child]->head() < heap_[at]->head())) return;
        std::swap(heap_[at], heap_[child]);
        at = child;
      }
    }

    bool unique_, any_ = false;
    SortRecord last_;
    std::vector<RunReader> readers_;
    std::vector<RunReader*> heap_;
    std::span<SortRecord> out_;
  };

  // Sorts what is in memory, and merges runs until one merge can take the rest.
  void start_giving() {
    sort_buffer();
    if (runs.empty()) return;
    if (!buffer.empty()) spill();
    const std::size_t fan_in = std::min(most_fan_in, capacity / least_slice - 1);
    while (runs.size() > fan_in) {
      // As few as leave a full last merge, so that no byte is read and written without need.
      const std::size_t count = std::min(fan_in, runs.size() - fan_in + 1);
      Writer writer(*this);
      Merge part(*this, count);
      for (auto batch = part.next(); !batch.empty(); batch = part.next()) writer.put(batch);
      runs.push_back(writer.finish());
      for (std::size_t r = 0; r < count; ++r) {
        vfs.remove(runs.front().path);
        std::erase(files, runs.front().path);
        runs.pop_front();
      }
    }
    merge.emplace(*this, runs.size());
  }

  std::span<const SortRecord> next() {
    if (merge) return merge->next();
    if (drained) return {};
    drained = true;
    start_giving();
    return merge ? merge->next() : std::span<const SortRecord>(buffer);
  }

  void clean_up() noexcept {
    if (!made_directory) return;
    for (const std::string& file : files) remove_quietly(file);
    remove_quietly(directory);
  }
  void remove_quietly(const std::string& path) noexcept {
    try {
      vfs.remove(path);
    } catch (...) {
      // What cannot be removed stays; a destructor must not throw.
    }
  }

  Vfs& vfs;
  std::string directory;
  bool unique;
  std::size_t capacity = 0;
  std::vector<SortRecord> buffer;
  std::deque<Run> runs;
  std::vector<std::string> files;
  std::size_t next_run = 0;
  std::uint64_t spilled = 0;
  std::optional<Merge> merge;  // of what was spilled; it works in `buffer`
  bool made_directory = false, drained = false;
};

ExternalSort::ExternalSort(Vfs& vfs, std::string directory, std::uint64_t memory, bool unique)
    : impl_(std::make_unique<Impl>(vfs, std::move(directory), memory, unique)) {}

ExternalSort::~ExternalSort() { impl_->clean_up(); }

void ExternalSort::add(std::span<const SortRecord> records) { impl_->add(records); }

std::span<const SortRecord> ExternalSort::next() { return impl_->next(); }

void ExternalSort::drain(const std::function<void(std::span<const SortRecord>)>& sink) {
  if (impl_->drained) throw Error(ErrorCode::usage, "a sort was drained twice");
  for (auto batch = impl_->next(); !batch.empty(); batch = impl_->next()) sink(batch);
}

std::uint64_t ExternalSort::spilled_bytes() const { return impl_->spilled; }

}  // namespace leitong::storage
