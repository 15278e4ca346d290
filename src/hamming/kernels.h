// The inner loops of the Hamming join, one set for each instruction set. Plain data and function pointers only: this header is
// included by leaf files that are compiled with wider instruction sets, so it must not bring in any inline code.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hamming/meet_kernels.h"
#include "hamming/probe_kernels.h"

namespace leitong::hamming {

// All pairs (i, j), i a row of `a` and j a row of `b`, whose xor has at most `limit` bits. With `triangle`, a and b are the same rows and
// only j > i counts. A scan resumes: it stops before row `next` if `out` might not hold all of that row's hits.
struct PairScan {
  const void* a;
  const void* b;  // filters (16 or 32 bits): 128 readable bytes must follow the last row
  std::uint32_t na, nb;
  std::uint32_t next;  // first row of `a` still to do; moved by the scan
  unsigned limit;
  bool triangle;
  std::uint32_t* out;      // i0, j0, i1, j1, …
  std::uint32_t capacity;  // in pairs; at least nb
};

// The pairs (i, j), i < j, inside each of many small buckets: rows starts[v] - origin … starts[v + 1] - origin of `rows` for v from
// `bucket` to `last`. Buckets of more than `most` rows are left out. Resumes like PairScan: stops before bucket `bucket`.
struct BucketScan {
  const void* rows;  // filters; 128 readable bytes must follow the last row
  const std::uint32_t* starts;
  std::uint32_t origin;
  std::uint32_t bucket, last;
  std::uint32_t most;
  unsigned limit;
  std::uint32_t* out;
  std::uint32_t capacity;  // in pairs; at least most × most / 2
};

using BucketScanFunction = std::uint32_t (*)(BucketScan*) noexcept;
using ScanFunction = std::uint32_t (*)(PairScan*) noexcept;  // returns the number of pairs written
using CompareFunction = std::uint32_t (*)(const std::uint64_t* query, const std::uint64_t* rows, std::uint32_t n, unsigned k,
                                          std::uint32_t* out) noexcept;

// out[h]: bits in which rows hits[2h] of `a` and hits[2h + 1] of `b` differ. Here because a plain build counts bits by a function call.
using DistancesFunction = void (*)(const std::uint32_t* hits, std::uint32_t count, const std::uint64_t* a, const std::uint64_t* b,
                                   std::uint32_t* out) noexcept;

struct Kernels {
  const char* name;
  ScanFunction scan16;  // rows are 16-bit filters
  ScanFunction scan32;  // rows are 32-bit filters
  BucketScanFunction buckets16;
  BucketScanFunction buckets32;
  ScanFunction scan_rows[3];  // rows are fingerprints of 1, 2, 4 words
  CompareFunction compare[3];
  DistancesFunction distances[3];
  const MeetKernels* meet;
  const ProbeKernels* probe;
};

extern const Kernels portable_kernels;
#if defined(__x86_64__)
extern const Kernels avx2_kernels;
extern const Kernels avx512_kernels;
#endif

}  // namespace leitong::hamming
