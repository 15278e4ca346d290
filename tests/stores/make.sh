#!/usr/bin/env bash
# Makes the stores of this directory anew, with the format version that PROGRAM, a built tests/store_format_test.cpp, writes:
#   tests/stores/make.sh build/dev/crossing_store_format_test
# Only while that version is unreleased: afterwards its stores stay as they are, and a new version's are added beside them.
set -euo pipefail
program=${1:?usage: make.sh PROGRAM}
LEITONG_STORES_TO=$(dirname "${BASH_SOURCE[0]}") "$program" --gtest_filter='Shapes/*'
