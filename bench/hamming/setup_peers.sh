#!/bin/sh
# Builds and installs the peers that run.py measures into DIR, nowhere else: setup_peers.sh DIR. Needs cargo (Debian 12: cargo-web) and python3-venv.
set -eu
[ $# -eq 1 ] || { echo "usage: setup_peers.sh DIR" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
(cd "$here/peers/rust" && CARGO_TARGET_DIR="$dir/target" RUSTFLAGS="-C target-cpu=native" cargo build --quiet --release --locked)
[ -x "$dir/venv/bin/pip" ] || python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check faiss-cpu==1.15.1 duckdb==2.0.0 numpy==2.4.6
"$dir/venv/bin/pip" freeze > "$dir/venv.txt"
