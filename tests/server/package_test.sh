#!/usr/bin/env bash
# package_test.sh BUILD_DIRECTORY CPACK: the Debian package, made, taken apart into a bare root that holds nothing but it and the libraries
# of the packages that it depends on, and run there; its unit is looked at by systemd. Exit code 77: no way to change the root here.
set -euo pipefail
build=$1 cpack=$2
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$build/package
fail() { echo "FAILED: $*"; exit 1; }
inside=(chroot "$work/root")
if ((EUID != 0)); then inside=(unshare -r chroot "$work/root"); fi
if ! command -v dpkg-deb > /dev/null || ! command -v dpkg-shlibdeps > /dev/null; then
  echo "skipped: no dpkg-deb, or no dpkg-shlibdeps (Debian: dpkg-dev)"
  exit 77
fi

rm -rf "$work"
mkdir -p "$work/root"
cmake --build "$build" --target leitong leitong_program leitong_pages > "$work/build.log" 2>&1 || { tail -n 30 "$work/build.log"; exit 1; }
"$cpack" --config "$build/CPackConfig.cmake" -G DEB -B "$work" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip > "$work/cpack.log" 2>&1 ||
  { tail -n 30 "$work/cpack.log"; exit 1; }
package=$(ls "$work"/*.deb)
dpkg-deb -x "$package" "$work/root"
root=$work/root

for file in usr/bin/leitong usr/include/leitong/collection.h usr/share/man/man1/leitong.1 \
  usr/share/bash-completion/completions/leitong usr/share/zsh/site-functions/_leitong usr/share/fish/vendor_completions.d/leitong.fish \
  usr/lib/systemd/system/leitong.service usr/share/leitong/leitong-dashboard.json; do
  [[ -s $root/$file || -s $root/$file.gz ]] || fail "the package has no $file"
done
find "$root/usr/lib" -name libleitong.a | grep -q . || fail "the package has no library"

# Each library comes from a package that is named, or from one that such a package needs.
depends=$(dpkg-deb -f "$package" Depends)
echo "Depends: $depends"
named=$(sed 's/([^)]*)//g; s/[,|]/ /g' <<< "$depends")
needed=$(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances $named 2> /dev/null |
  grep -E '^[a-z0-9]' || echo "$named")
while read -r library; do
  real=$(readlink -f "$library")
  owner=$(dpkg -S "$real" 2> /dev/null | head -n 1 | cut -d: -f1 || true)
  [[ -n $owner ]] || owner=$(dpkg -S "${real#/usr}" 2> /dev/null | head -n 1 | cut -d: -f1 || true)
  [[ -n $owner ]] || fail "no package owns $library"
  grep -qwF -- "$owner" <<< "$needed" || fail "the program needs $library of $owner, which the package does not depend on"
  install -D "$real" "$root$library"
done < <(ldd "$root/usr/bin/leitong" | grep -oE '/[^ ]+')

# Nothing else is there: no shell, no data of the build.
"${inside[@]}" /usr/bin/leitong --version > "$work/version" 2>&1 || {
  grep -qi "not permitted" "$work/version" && { echo "skipped: no right to change the root"; exit 77; }
  fail "it does not run: $(cat "$work/version")"
}
grep -q '^leitong [0-9]' "$work/version" || fail "--version says $(cat "$work/version")"
mkdir -p "$root/tmp" "$root/proc" "$root/dev"
: > "$root/dev/null"
cp "$source/examples/sample.jsonl" "$root/tmp/"
"${inside[@]}" /usr/bin/leitong dedup /tmp/sample.jsonl -o /tmp/out > "$work/dedup" 2>&1 || fail "dedup: $(cat "$work/dedup")"
[[ $(wc -l < "$root/tmp/out/kept.jsonl") -lt $(wc -l < "$source/examples/sample.jsonl") ]] || fail "dedup removed nothing"

# The server too, on a port that is free.
"${inside[@]}" /usr/bin/leitong serve /tmp/data --sample --listen 127.0.0.1:0 > "$work/log" 2> "$work/errors" &
server=$!
trap 'kill "$server" 2> /dev/null || true' EXIT
port=
for _ in $(seq 300); do
  port=$(sed -nE 's/.*listening on .*:([0-9]+)$/\1/p' "$work/errors")
  [[ -z $port ]] || break
  kill -0 "$server" 2> /dev/null || fail "the server ended: $(cat "$work/errors")"
  sleep 0.1
done
[[ -n $port ]] || fail "the server does not listen"
python3 - "$port" << 'PYTHON' || fail "the server does not answer"
import json, sys, time, urllib.error, urllib.request
base = f"http://127.0.0.1:{sys.argv[1]}"
for attempt in range(100):
    try:
        urllib.request.urlopen(base + "/readyz")
        break
    except urllib.error.HTTPError:
        time.sleep(0.1)
assert json.load(urllib.request.urlopen(base + "/v1/collections/sample"))["documents"] > 50
assert b"<title>Leitong</title>" in urllib.request.urlopen(base + "/").read()
PYTHON
kill -INT "$server"
wait "$server" || fail "the server did not end well"
trap - EXIT

if ! command -v systemd-analyze > /dev/null; then
  echo "skipped: the unit is not looked at: no systemd-analyze (Debian: systemd)"
else
  # It names the program where the package puts it.
  sed "s|/usr/bin/leitong|$root/usr/bin/leitong|" "$root/usr/lib/systemd/system/leitong.service" > "$work/leitong.service"
  said=$(systemd-analyze verify --man=no --generators=no --recursive-errors=no "$work/leitong.service" 2>&1) || fail "the unit: $said"
  [[ -z $said ]] || fail "the unit: $said"
  exposure=$(systemd-analyze security --offline=yes "$work/leitong.service" 2> /dev/null | sed -nE 's/.*exposure level for [^:]*: ([0-9.]+).*/\1/p')
  echo "exposure by systemd-analyze security: $exposure (10 is none, 0 is best)"
  [[ -n $exposure && ${exposure%.*} -lt 3 ]] || fail "the unit is more exposed than 2.9: $exposure"
fi
echo "passed: $(basename "$package"), $(stat -c %s "$package") bytes"
