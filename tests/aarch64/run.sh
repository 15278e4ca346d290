#!/usr/bin/env bash
# The program for AArch64, built by Debian's cross compiler and run under qemu-user: are its outputs those of this machine's program, byte for
# byte? Of the sample, and of the shared collections where they are there.
#
# usage: run.sh PROGRAM      PROGRAM: this machine's. Exit code 77: no cross compiler, no emulator or no packages of AArch64.
set -euo pipefail
native=$(readlink -f "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$root/build/aarch64
sysroot=$work/sysroot
mkdir -p "$work"
skip() { echo "SKIPPED: AArch64 was not tried: $1"; exit 77; }
for tool in aarch64-linux-gnu-g++ qemu-aarch64 apt-get dpkg-deb; do command -v "$tool" > /dev/null || skip "there is no $tool"; done

# What the smaller build needs; the archives among them serve java/build.sh.
source "$root/tests/aarch64/packages.sh"
packages=(libfmt-dev libfmt9 libsimdjson-dev libsimdjson14 libtomlplusplus-dev libtomlplusplus3 libxxhash-dev libxxhash0 libzstd-dev libzstd1
  zlib1g-dev zlib1g liblz4-dev liblz4-1 libsnappy-dev libsnappy1v5 libdeflate-dev libdeflate0 libbrotli-dev libbrotli1)
fetch_packages "$work" "$sysroot" "${packages[@]}" || skip "its packages could not be fetched; see $work/packages.log"

launcher=()
! command -v ccache > /dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
# jieba's dictionary is compiled on this machine: its file is the same everywhere.
cmake -S "$root" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$root/cmake/aarch64-linux.cmake" \
  -DLEITONG_SYSROOT="$sysroot" -DLEITONG_REMOTE=OFF -DLEITONG_JARS=OFF -DLEITONG_TESTS=OFF "${launcher[@]}" > "$work/configure.log" 2>&1 ||
  { tail -n 30 "$work/configure.log"; exit 1; }
cmake --build "$work/build" --target leitong_cli > "$work/build.log" 2>&1 || { tail -n 30 "$work/build.log"; exit 1; }

emulated=(qemu-aarch64 -L /usr/aarch64-linux-gnu -E "LD_LIBRARY_PATH=$sysroot/usr/lib/aarch64-linux-gnu" "$work/build/leitong")
"${emulated[@]}" version
# same NAME COMMAND...: what both programs print.
same() {
  local name=$1
  shift
  "$native" "$@" > "$work/$name.native"
  "${emulated[@]}" "$@" > "$work/$name.emulated"
  cmp "$work/$name.native" "$work/$name.emulated"
  echo "same: $name ($(wc -l < "$work/$name.native") lines)"
}
cd "$root"
profiles=(leitong-1 leitong-1-256 minhash1 words-log characters-4 shingles-5)
for profile in "${profiles[@]}"; do same "fingerprint-$profile" fingerprint examples/sample.jsonl --profile "$profile"; done
for collection in "${LEITONG_SHARED-}"/corpora/*.docs.jsonl.gz; do
  [[ -e $collection ]] || { echo "no shared collections: only the sample was compared"; break; }
  name=$(basename "$collection" .docs.jsonl.gz)
  zcat "$collection" | awk 'NR % 20 == 0' > "$work/$name.jsonl"
  same "fingerprint-$name" fingerprint "$work/$name.jsonl"
done
for program in native emulated; do
  rm -rf "$work/dedup-$program"
  command=("$native")
  [[ $program == native ]] || command=("${emulated[@]}")
  "${command[@]}" dedup examples/sample.jsonl --output-dir "$work/dedup-$program" --quiet
  rm -rf "$work/dedup-$program"/{stages,run.json,report.html,.leitong-results}  # stages and the report name the machine's times or paths
done
diff -r "$work/dedup-native" "$work/dedup-emulated"
echo "same: dedup of the sample"
