#!/bin/sh
# Downloads Debian documentation packages with apt-get and unpacks them (nothing is installed): fetch_packages.sh DIR
set -eu
[ $# -eq 1 ] || { echo "usage: fetch_packages.sh DIR" >&2; exit 2; }
packages="linux-doc-6.1 manpages manpages-zh python3.11-doc perl-doc postgresql-doc-15 libreoffice-help-en-us libreoffice-help-zh-cn
debian-handbook debian-reference-en debian-reference-zh-cn"
mkdir -p "$1/debs"
cd "$1/debs"
# shellcheck disable=SC2086
apt-get -qq download $packages
cd ..
for deb in debs/*.deb; do
  name=$(dpkg-deb -f "$deb" Package)
  rm -rf "root/$name"
  mkdir -p "root/$name"
  dpkg-deb -x "$deb" "root/$name"
done
for deb in debs/*.deb; do dpkg-deb -W --showformat='${Package} ${Version}\n' "$deb"; done > versions.txt
cat versions.txt
