#!/usr/bin/env bash
# Branch coverage of src/storage and src/store by their own unit tests (clang's source-based coverage, llvm-cov):
#   tests/coverage.sh BUILD-DIRECTORY [REPORT.md]
# Fails if fewer branches of src/storage than LEITONG_BRANCHES (95) per cent are taken. Of the crash states, 20,000.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${1:?usage: tests/coverage.sh BUILD-DIRECTORY [REPORT.md]}
report=${2-}
launcher=()
! command -v ccache > /dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake -S "$root" -B "$build" -G Ninja "${launcher[@]}" -DCMAKE_BUILD_TYPE=Coverage -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_C_COMPILER=clang-19 \
  "-DCMAKE_CXX_FLAGS=-O1 -g1 -fprofile-instr-generate -fcoverage-mapping -mllvm -runtime-counter-relocation" > /dev/null
cmake --build "$build" -j "${LEITONG_JOBS:-$(nproc)}" --target storage_test store_test store_plain_sanitized_test > "$build/build.log" 2>&1 || { tail -n 40 "$build/build.log" >&2; exit 1; }

rm -f "$build"/*.profraw
export LEITONG_CRASH_STATES=20000
# %c: counts are kept as they are made, those of processes that a test kills (death tests) too.
for program in storage_test store_test store_plain_sanitized_test; do
  LLVM_PROFILE_FILE="$build/$program-%c%p.profraw" "$build/$program" --gtest_brief=1 > "$build/$program.log" 2>&1 || { tail -n 40 "$build/$program.log" >&2; exit 1; }
done
llvm-profdata-19 merge -o "$build/all.profdata" "$build"/*.profraw
llvm-cov-19 export -summary-only -instr-profile="$build/all.profdata" "$build/storage_test" -object "$build/store_test" -object "$build/store_plain_sanitized_test" \
  -ignore-filename-regex='_test\.(h|cpp)$|/usr/' > "$build/summary.json"
llvm-cov-19 show -instr-profile="$build/all.profdata" "$build/storage_test" -object "$build/store_test" -object "$build/store_plain_sanitized_test" -show-branches=count \
  "$root"/src/storage "$root"/src/store -ignore-filename-regex='_test\.(h|cpp)$' > "$build/lines.txt"
python3 -B "$root/tests/coverage_report.py" "$build/summary.json" "$root" "${LEITONG_BRANCHES:-95}" | tee ${report:+"$report"}
exit "${PIPESTATUS[0]}"
