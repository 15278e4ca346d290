#include "job/long_texts.h"

#include <algorithm>

namespace leitong::job {

InputOptions within_memory(InputOptions input, const JobOptions& job) {
  input.max_document_bytes = std::min(input.max_document_bytes, longest_document(Job(job, "sketch")));
  return input;
}

}  // namespace leitong::job
