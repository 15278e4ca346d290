#!/usr/bin/env bash
# Installs BUILD_DIRECTORY into a temporary prefix, builds the consumer against it and runs it.
# usage: run.sh BUILD_DIRECTORY CMAKE
set -euo pipefail
build=$1 cmake=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Tests may have been built alone: the pages and the archive are part of what is installed.
"$cmake" --build "$build" --target leitong leitong_cli leitong_man_page > "$work/build.log" 2>&1 || { tail -n 30 "$work/build.log"; exit 1; }
"$cmake" --install "$build" --prefix "$work/prefix" > "$work/install.log"
for file in bin/leitong include/leitong/dedup.h share/man/man1/leitong.1 share/bash-completion/completions/leitong; do
  [[ -s $work/prefix/$file ]] || { echo "not installed: $file"; exit 1; }
done
"$cmake" -S "$here" -B "$work/consumer" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" > "$work/configure.log" || { cat "$work/configure.log"; exit 1; }
"$cmake" --build "$work/consumer"
mkdir "$work/data"
"$work/consumer/consumer" "$work/data"
"$work/prefix/bin/leitong" --version
