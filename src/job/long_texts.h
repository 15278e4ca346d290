// What long texts may take of a job's memory: how long a document may be, and that long ones are worked on one at a time.
#pragma once

#include <cstdint>
#include <mutex>

#include "job/job.h"
#include "leitong/input.h"
#include "leitong/job.h"

namespace leitong::job {

// The most that a document takes while it is sketched or compared, in bytes a byte of it: its tokens' places, hashes, features and their
// numbering; about `usual_bytes_a_byte` where a token has four bytes, more where tokens are shorter.
inline constexpr std::uint64_t document_bytes_a_byte = 64, usual_bytes_a_byte = 40;

// The longest document that the budget has room for.
[[nodiscard]] inline std::uint64_t longest_document(const Job& job) { return job.room() / document_bytes_a_byte; }
// The same options; max_document_bytes no larger than that. By the budget alone, never by the number of threads.
[[nodiscard]] InputOptions within_memory(InputOptions input, const JobOptions& job);

// One for all threads of a stage. Threads may each work on a text that takes no more than its thread's share of the room; who works on a
// longer one does so alone and with scratch of its own, which is given back.
class LongTexts {
 public:
  explicit LongTexts(const Job& job) : share_(longest_document(job) / job.threads()) {}
  [[nodiscard]] bool is_long(std::uint64_t text_bytes) const { return text_bytes > share_; }
  // make() gives the scratch that use(scratch) gets. Threads: any.
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
