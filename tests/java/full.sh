#!/usr/bin/env bash
# full.sh DIRECTORY PROGRAM: leitong-java as it is given away: built from the tree with everything static, jars of classes, sources and
# javadoc, the
# same bytes when built again, its tests on the jar (ten million calls too), the functions of Spark on a local session, and, where
# tests/aarch64/run.sh has fetched that processor's packages, its native library. PROGRAM: the command line that dedup is compared with.
# Exit code 77: no JDK, no Maven, or Maven cannot fetch.
set -euo pipefail
mkdir -p "$1"
work=$(cd "$1" && pwd)
program=$(readlink -f "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
source "$here/environment.sh"
can_compile || exit 77

processors=()
if [[ -e $root/build/aarch64/sysroot/.filled ]] && command -v aarch64-linux-gnu-g++ > /dev/null; then
  processors=(--aarch64)
else
  echo "not built: the library for AArch64 (tests/aarch64/run.sh fetches what it needs)"
fi
"$root/java/build.sh" ${processors[@]+"${processors[@]}"} --version > /dev/null

# What is in the library is in it: it asks for the C library alone, and shows Java's functions only.
library=$root/build/java/native/linux-$(uname -m)/libleitong_jni.so
if ldd "$library" | grep -vE 'libc\.so|libm\.so|linux-vdso|ld-linux'; then echo "$library needs these"; exit 1; fi
if nm -D --defined-only "$library" | grep -vE ' (Java_org_leitong_Native_|JNI_On)'; then echo "$library shows these"; exit 1; fi

# build TARGET ARGUMENT...: Maven into a directory of its own.
build() {
  local target=$work/$1 code=0
  shift
  rm -rf "$target"
  LEITONG_PROGRAM=$program maven "$target.log" -Dleitong.target="$target" "$@" || code=$?
  if ((code == 1)); then tail -n 60 "$target.log"; fi
  return "$code"
}
code=0
build first -f "$root/java/leitong-java/pom.xml" -Pjar -Dleitong.excluded= verify || code=$?
if ((code == 77)); then echo "SKIPPED: Maven cannot fetch what leitong-java is built with; see $work/first.log"; fi
((code == 0)) || exit "$code"
python3 -B "$here/junit.py" "$work/first/leitong-java/failsafe-reports"
grep -hE 'resident memory|KB more' "$work"/first/leitong-java/failsafe-reports/TEST-*.xml || true

if ((${#processors[@]} > 0)); then
  code=0
  "$here/aarch64.sh" "$work"/first/leitong-java/leitong-java-*[0-9].jar "$work/first/leitong-java/test-classes" > "$work/aarch64.log" 2>&1 || code=$?
  tail -n 30 "$work/aarch64.log"
  ((code == 0 || code == 77)) || exit "$code"
fi

build second -f "$root/java/leitong-java/pom.xml" -DskipTests package
for jar in "$work"/first/leitong-java/*.jar; do
  cmp "$jar" "$work/second/leitong-java/$(basename "$jar")"
  echo "the same bytes again: $(basename "$jar"), $(stat -c %s "$jar") bytes"
done
(($(ls "$work"/first/leitong-java/*.jar | wc -l) == 3))

code=0
build spark -f "$root/java/pom.xml" -Pspark -Dtest=LeitongFunctionsTest -Dsurefire.failIfNoSpecifiedTests=false package || code=$?
if ((code == 77)); then
  echo "not run: the functions of Spark, which Maven cannot fetch; see $work/spark.log"
elif ((code == 0)); then
  python3 -B "$here/junit.py" "$work/spark/leitong-spark-udf_2.13/surefire-reports"
else
  exit 1
fi
