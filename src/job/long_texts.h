// Bounds the memory for long texts: limits the length of a document, and lets only one long text be processed at a time.
#pragma once

#include <cstdint>
#include <mutex>

#include "job/job.h"
#include "leitong/input.h"
#include "leitong/job.h"

namespace leitong::job {

// The most memory that sketching or comparing a document needs, in bytes for each byte of text: positions of its tokens, hashes, features
// and their numbers. About `usual_bytes_a_byte` if tokens have four bytes, more if they are shorter.
inline constexpr std::uint64_t document_bytes_a_byte = 64, usual_bytes_a_byte = 40;

// The length of the longest document for which the budget suffices.
[[nodiscard]] inline std::uint64_t longest_document(const Job& job) { return job.room() / document_bytes_a_byte; }
// The same options with max_document_bytes limited to that length. The limit depends on the budget, not on the number of threads.
[[nodiscard]] InputOptions within_memory(InputOptions input, const JobOptions& job);

// One object for all threads of a stage. A text for which a thread's share of the memory suffices may be processed at any time; a longer
// one is processed alone, with temporary scratch memory.
class LongTexts {
 public:
  explicit LongTexts(const Job& job) : share_(longest_document(job) / job.threads()) {}
  [[nodiscard]] bool is_long(std::uint64_t text_bytes) const { return text_bytes > share_; }
  // Calls use() with a scratch object that make() creates. Thread-safe.
  template <typename Make, typename Use>
  void alone(const Make& make, const Use& use) {
    const std::lock_guard lock(mutex_);
    auto scratch = make();
    use(scratch);
  }

 private:
  std::uint64_t share_;
  std::mutex mutex_;
};

}  // namespace leitong::job
