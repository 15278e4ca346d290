#!/usr/bin/env bash
# build.sh [--aarch64] [MAVEN-ARGUMENT...]: leitong-java from this tree: the native library, once for each processor, and then
# `mvn MAVEN-ARGUMENT...` (without any: `package`). The jar and those of its sources and javadoc come to build/java/target.
#
# It needs a JDK of 11 or later, Maven, the packages of `./run` and, from PyPI, the sources of simdjson. --aarch64 adds the library for that
# processor by Debian's cross compiler; tests/aarch64/run.sh must have fetched its packages before.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$PWD/build/java
targets=("$(uname -m)")
if [[ ${1-} == --aarch64 ]]; then
  targets+=(aarch64)
  shift
fi

python=$work/tools/bin/python
[[ -x $python ]] || python3 -m venv "$work/tools"
"$python" -c 'import simdjson' 2> /dev/null || "$work/tools/bin/pip" install -q --disable-pip-version-check pysimdjson

options=(-G Ninja -DCMAKE_BUILD_TYPE=Release -DPython_EXECUTABLE="$python" -DLEITONG_TESTS=OFF)
! command -v ccache > /dev/null || options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DLEITONG_PRECOMPILE=OFF)
for target in "${targets[@]}"; do
  cross=()
  strip=strip
  if [[ $target != "$(uname -m)" ]]; then
    cross=(-DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/aarch64-linux.cmake" -DLEITONG_SYSROOT="$PWD/build/aarch64/sysroot")
    strip=aarch64-linux-gnu-strip
  fi
  cmake -S java -B "$work/$target" "${options[@]}" ${cross[@]+"${cross[@]}"} > "$work/$target-configure.log"
  cmake --build "$work/$target" --target leitong_jni > "$work/$target-build.log" || { tail -n 30 "$work/$target-build.log" >&2; exit 1; }
  mkdir -p "$work/native/linux-$target"
  "$strip" --strip-unneeded -o "$work/native/linux-$target/libleitong_jni.so" "$work/$target/native/libleitong_jni.so"
done
cmake -DOUTPUT="$work/native/THIRD-PARTY-LICENSES.txt" -DPYTHON="$python" -DJAR=ON -P python/cmake/licences.cmake
if (($# == 0)); then set -- package; fi
exec mvn -B -q -f java/pom.xml "$@"
