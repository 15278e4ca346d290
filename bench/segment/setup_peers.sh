#!/bin/sh
# Builds the peers that run.py measures into DIR, nowhere else: setup_peers.sh DIR. Needs cargo, a JDK 17 and Maven; LEITONG_IK_JAR for IKAnalyzer.
set -eu
[ $# -eq 1 ] || { echo "usage: setup_peers.sh DIR" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
(cd "$here/peers/jieba-rs" && CARGO_TARGET_DIR="$dir/target" RUSTFLAGS="-C target-cpu=native" cargo build --quiet --release --locked)
python3 "$here/run.py" --peers "$dir" --build-java
