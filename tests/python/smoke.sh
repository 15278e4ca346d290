#!/usr/bin/env bash
# smoke.sh BUILD_DIRECTORY CMAKE: the Python package on the library that stands in a build: a wheel, installed into a fresh environment, must
# run the README's example, the examples of its own documentation and the program. Exit code 77: no Python that can build, or no PyPI.
set -euo pipefail
build=$1 cmake=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../../python" && pwd)
work=$build/python
python=${LEITONG_PYTHON:-python3}
source "$here/environment.sh"
can_build "$python" || exit 77

mkdir -p "$work"
rm -rf "$work/prefix" "$work/wheels" "$work/fresh"
"$cmake" --build "$build" --target leitong leitong_program leitong_man_page > "$work/build.log" 2>&1 || { tail -n 30 "$work/build.log"; exit 1; }
"$cmake" --install "$build" --prefix "$work/prefix" > "$work/install.log"
environment "$python" "$work/builder" scikit-build-core nanobind
"$work/builder/bin/pip" wheel -q --no-deps --no-build-isolation -w "$work/wheels" -C build-dir="$work/cmake-{wheel_tag}" -C cmake.build-type=Debug \
  -C cmake.define.LEITONG_INSTALLED="$work/prefix" "$source"
environment "$python" "$work/fresh" "$work"/wheels/leitong-*.whl pytest numpy pandas
cd "$here/../../python"
"$work/fresh/bin/python" "$here/readme.py" README.md
"$work/fresh/bin/python" -P -m pytest -q -p no:cacheprovider --import-mode=importlib --pyargs leitong --doctest-modules --ignore-glob='/*/leitong/adapters/*' --ignore-glob='/*/leitong/spark/*'
"$work/fresh/bin/leitong" --version
