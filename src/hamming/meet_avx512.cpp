// The kernels of the join of halves with the instructions of AVX-512, on vectors of AVX2's width: a line is no wider. Where only equal
// filters are wanted, those of AVX2 are faster. Twin: meet_portable.cpp.
#if defined(__AVX512VBMI2__)
#include "hamming/meet_body.h"

namespace leitong::hamming {
namespace {

void meet(MeetScan* s) noexcept {
  const MeetLayout& layout = *s->layout;
  !layout.near ? avx2_meet_kernels.meet(s) : layout.equal ? meet_by_sub_bits<true, true>(s) : meet_by_sub_bits<true, false>(s);
}

std::uint32_t report(MeetReport* r) noexcept {
  const MeetLayout& layout = *r->scan->layout;
  return !layout.near ? avx2_meet_kernels.report(r) : layout.equal ? report_by_sub_bits<true, true>(r) : report_by_sub_bits<true, false>(r);
}

}  // namespace

const MeetKernels avx512_meet_kernels = {"avx512", meet, report};

}  // namespace leitong::hamming

#endif
