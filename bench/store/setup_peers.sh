#!/bin/bash
# Installs the Debian packages of the peers that bench_store is built with: RocksDB, SQLite, hiredis and the Redis server.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../../cmake/install-packages.sh"
leitong_install bench
