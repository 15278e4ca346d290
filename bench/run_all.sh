#!/usr/bin/env bash
# Makes every figure of the README's tables anew, and writes them into the pages: bench/run_all.sh WORK [SHARED]
#
# WORK: a directory for packages, peers and made collections, some 5 GB; what is there already is used again. SHARED: the shared test material,
# ../shared if not given; without it the collection and the accuracy sets would be others, so the run ends. Nothing else may run meanwhile; an
# hour or more.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ $# -ge 1 ]] || { echo "usage: bench/run_all.sh WORK [SHARED]" >&2; exit 2; }
mkdir -p "$1"
work=$(cd "$1" && pwd)
shared=$(cd "${2:-../shared}" && pwd)
corpora=$shared/corpora
[[ -d $corpora ]] || { echo "run_all: there are no collections in $corpora" >&2; exit 2; }
date=$(date +%F)

./run version >&2
program=build/release/leitong
[[ -d $work/packages ]] || bench/dedup/fetch_packages.sh "$work/packages"
[[ -x $work/peers/venv/bin/python ]] || bench/dedup/setup_peers.sh "$work/peers"
python=$work/peers/venv/bin/python
[[ -e $work/corpus/manifest.json ]] || "$python" bench/dedup/make_corpus.py "$work/packages" "$corpora" "$work/corpus"
[[ -e $work/small/manifest.json ]] || "$python" bench/dedup/make_corpus.py "$work/packages" "$corpora" "$work/small" --limit-mb 10

"$python" bench/dedup/run.py "$work/corpus" --small "$work/small" --peers "$work/peers" --leitong "$program" --rounds 5 --date "$date"
"$python" bench/accuracy/evaluate.py --leitong "$program" --corpora "$corpora" --cache "$work/accuracy" --results bench/results --date "$date"

# The pages name the newest results.
newest=$(ls bench/results/dedup-*.json | tail -n 1)
sed -i "s#<!-- figures: dedup bench/results/dedup-[^ ]*json -->#<!-- figures: dedup $newest -->#" README.md README.zh-CN.md docs/speed.md
python3 bench/figures.py
git diff --stat -- README.md README.zh-CN.md docs
