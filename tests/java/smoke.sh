#!/usr/bin/env bash
# smoke.sh BUILD_DIRECTORY CMAKE: leitong-java on the library that stands in a build: the native library, the classes and their tests,
# golden
# vectors through the adapters among them. Exit code 77: no JDK, no Maven, or Maven cannot fetch.
set -euo pipefail
build=$(cd "$1" && pwd) cmake=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$build/java
source "$here/environment.sh"
can_compile || exit 77

mkdir -p "$work"
rm -rf "$work/prefix" "$work/native" "$work/target"
"$cmake" --build "$build" --target leitong leitong_program leitong_pages > "$work/build.log" 2>&1 || { tail -n 30 "$work/build.log"; exit 1; }
"$cmake" --install "$build" --prefix "$work/prefix" > "$work/install.log"
launcher=()
! command -v ccache > /dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
{ "$cmake" -S "$root/java" -B "$work/cmake" -G Ninja -DLEITONG_INSTALLED="$work/prefix" ${launcher[@]+"${launcher[@]}"} &&
  "$cmake" --build "$work/cmake" --target leitong_jni; } > "$work/native.log" 2>&1 || { tail -n 30 "$work/native.log"; exit 1; }
mkdir -p "$work/native/linux-$(uname -m)"
cp "$work/cmake/native/libleitong_jni.so" "$work/native/linux-$(uname -m)/"

code=0
LEITONG_PROGRAM=$build/leitong maven "$work/maven.log" -f "$root/java/leitong-java/pom.xml" test -Dleitong.native="$work/native" \
  -Dleitong.target="$work/target" || code=$?
if ((code == 77)); then echo "SKIPPED: Maven cannot fetch what leitong-java is built with; see $work/maven.log"; exit 77; fi
if ((code != 0)) || ! check_jni "$work/target/leitong-java/surefire-reports"; then
  tail -n 60 "$work/maven.log"
  exit 1
fi
python3 -B "$here/junit.py" "$work"/target/*/surefire-reports
