#!/bin/sh
# Installs the peers that run.py measures into DIR, nowhere else: setup_peers.sh DIR. Needs cargo (Debian 12: cargo-web, rustc-web) and python3-venv.
set -eu
[ $# -eq 1 ] || { echo "usage: setup_peers.sh DIR" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
for peer in gaoya find-simdoc; do
  (cd "$here/peers/$peer" && CARGO_TARGET_DIR="$dir/target" RUSTFLAGS="-C target-cpu=native" cargo build --quiet --release --locked)
done
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet rensa==0.5.0 numpy
python3 -m venv "$dir/venv-text-dedup"
"$dir/venv-text-dedup/bin/pip" install --quiet text-dedup==0.4.0
for venv in venv venv-text-dedup; do "$dir/$venv/bin/pip" freeze > "$dir/$venv.txt"; done
