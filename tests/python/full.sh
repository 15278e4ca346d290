#!/usr/bin/env bash
# full.sh DIRECTORY: the wheels as they are given away, for Python 3.11 and for 3.12 and later: built from the tree with `pip wheel`, tagged,
# looked into, installed into fresh environments, and tested with numpy, pandas, polars, pyarrow, datasets, datatrove, mypy and pyright.
# Exit code 77: none of these Pythons can build here.
set -euo pipefail
work=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
source "$here/environment.sh"

# The newest python of that version that can be run.
find_python() {
  local candidate
  for candidate in "${HOME:-/root}/.pyenv/versions/$1".*/bin/python "$(command -v "python$1" || true)" "$(command -v python3 || true)"; do
    if [[ -x $candidate ]] && "$candidate" -c "import sys; sys.exit('%d.%d' % sys.version_info[:2] != '$1')" 2> /dev/null; then
      echo "$candidate"
      return
    fi
  done
}

# The core is the same for all of them.
cached=()
if command -v ccache > /dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache
  cached=(-C cmake.define.LEITONG_PRECOMPILE=OFF)
fi

# A program that serves, for the client: it is no part of a wheel.
export LEITONG_SERVING=${LEITONG_SERVING:-$root/build/dev/leitong}

mkdir -p "$work"
tested=0
for version in 3.11 3.12; do
  python=$(find_python "$version")
  if [[ -z $python ]] || ! can_build "$python"; then
    echo "SKIPPED: no Python $version that can build"
    continue
  fi
  on=$work/$version
  rm -rf "$on/wheels" "$on/fresh"
  environment "$python" "$on/builder" auditwheel
  "$on/builder/bin/pip" wheel -q --no-deps -w "$on/wheels" -C build-dir="$on/cmake" ${cached[@]+"${cached[@]}"} "$root/python"
  # A tag as low as what is linked allows; there is nothing to be put in.
  tag=$("$on/builder/bin/auditwheel" show "$on"/wheels/*.whl | tr '\n' ' ' | grep -oE 'manylinux_2_[0-9]+_[a-z0-9_]+' | tail -n 1)
  "$on/builder/bin/pip" install -q wheel
  "$on/builder/bin/wheel" tags --remove --platform-tag "$tag" "$on"/wheels/*.whl > /dev/null
  ls -l "$on"/wheels/*.whl
  wheel=("$on"/wheels/leitong-*.whl)
  environment "$python" "$on/fresh" "${wheel[0]}[test]" datasets 'datatrove[io]' pyspark
  (cd "$root/python" && LEITONG_STATIC_WHEEL=${wheel[0]} "$on/fresh/bin/python" -P -m pytest -p no:cacheprovider -rs --ignore=tests/test_spark.py tests)
  # Spark and the newest pandas do not go together. Without Java it is skipped, aloud.
  environment "$python" "$on/spark" "${wheel[0]}[spark]" pytest
  (cd "$root/python" && "$on/spark/bin/python" -P -m pytest -p no:cacheprovider -rs tests/test_spark.py)
  (cd "$root/python" && "$on/fresh/bin/python" -P -m pytest -p no:cacheprovider --import-mode=importlib --pyargs leitong --doctest-modules --ignore-glob='/*/leitong/spark/__main__.py')
  "$on/fresh/bin/python" "$here/readme.py" "$root/python/README.md" "$root"/docs/{python,python-tutorial,migrating-from-python-tools}.md
  (cd "$on" && fresh/bin/python -m mypy --strict -p leitong && fresh/bin/python -m mypy --strict "$root/python/tests/typed.py")
  (cd "$on" && fresh/bin/pyright --pythonpath fresh/bin/python fresh/lib/python*/site-packages/leitong "$root/python/tests/typed.py")
  tested=$((tested + 1))
done
((tested > 0)) || exit 77
