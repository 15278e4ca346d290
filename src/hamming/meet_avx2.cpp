// AVX2 kernels of the join of halves. Twin: meet_portable.cpp.
#include "hamming/meet_body.h"

namespace leitong::hamming {
namespace {

void meet(MeetScan* s) noexcept {
  const MeetLayout& layout = *s->layout;
  !layout.near ? meet_by_sub_bits<false, true>(s) : layout.equal ? meet_by_sub_bits<true, true>(s) : meet_by_sub_bits<true, false>(s);
}

std::uint32_t report(MeetReport* r) noexcept {
  const MeetLayout& layout = *r->scan->layout;
  return !layout.near   ? report_by_sub_bits<false, true>(r)
         : layout.equal ? report_by_sub_bits<true, true>(r)
                        : report_by_sub_bits<true, false>(r);
}

}  // namespace

const MeetKernels avx2_meet_kernels = {"avx2", meet, report};

}  // namespace leitong::hamming
