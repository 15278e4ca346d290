// The probe kernels that go with a set of kernels.h.
#include "hamming/hamming.h"
#include "hamming/probe_kernels.h"

namespace leitong::hamming {

const ProbeKernels& probe_kernels(const Kernels& set) noexcept {
#if defined(__x86_64__)
  if (&set != &portable_kernels) return avx2_probe_kernels;
#else
  (void)set;
#endif
  return portable_probe_kernels;
}

const ProbeKernels& probe_kernels() { return probe_kernels(kernels()); }

}  // namespace leitong::hamming
