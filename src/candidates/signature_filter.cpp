#include "candidates/signature_filter.h"

#include "processor/instruction_set.h"

namespace leitong::candidates {

SignatureFilter choose_signature_filter() {
#if defined(__x86_64__)
  const auto set = processor::instruction_set();
  if (set == processor::InstructionSet::avx512) return filter_signatures_avx512;
  if (set == processor::InstructionSet::avx2) return filter_signatures_avx2;
#endif
  return filter_signatures_portable;
}

}  // namespace leitong::candidates
