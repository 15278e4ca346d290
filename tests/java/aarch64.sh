#!/usr/bin/env bash
# aarch64.sh JAR TEST-CLASSES: leitong-java's tests on a JVM for AArch64 under qemu-user: golden vectors, fingerprints, joins,
# collections, jobs.
# The JVM is Debian's, unpacked into build/aarch64/jre. Exit code 77: no emulator, or it could not be fetched.
set -euo pipefail
jar=$(readlink -f "$1") classes=$(readlink -f "$2")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$root/build/aarch64
mkdir -p "$work"
skip() { echo "SKIPPED: AArch64 was not tried: $1"; exit 77; }
for tool in qemu-aarch64 apt-get dpkg-deb mvn; do command -v "$tool" > /dev/null || skip "there is no $tool"; done

source "$root/tests/aarch64/packages.sh"
packages=(openjdk-17-jre-headless libc6 libstdc++6 libgcc-s1 zlib1g libjpeg62-turbo liblcms2-2 libfreetype6 libharfbuzz0b libpcsclite1)
fetch_packages "$work" "$work/jre" "${packages[@]}" || skip "a JVM could not be fetched; see $work/packages.log"
for artifact in org.junit.platform:junit-platform-console-standalone:1.10.2 com.google.code.gson:gson:2.11.0; do
  mvn -q -B dependency:copy "-Dartifact=$artifact" "-DoutputDirectory=$work/jars" > "$work/jars.log" 2>&1 || skip "Maven cannot fetch $artifact"
done

java=("$work"/jre/usr/lib/jvm/java-17-openjdk-arm64/bin/java)
path=$classes:$jar:$(echo "$work"/jars/gson-*.jar)
rm -rf "$work/reports"
LEITONG_PROGRAM='' qemu-aarch64 -L "$work/jre" "${java[0]}" -Xmx512m "-Dleitong.sample=$root/examples/sample.jsonl" -jar \
  "$work"/jars/junit-platform-console-standalone-*.jar execute -cp "$path" --disable-banner --details=summary --reports-dir "$work/reports" \
  -c org.leitong.GoldenTest -c org.leitong.FingerprinterTest -c org.leitong.SimHashJoinTest -c org.leitong.TextCollectionTest -c org.leitong.DedupTest
python3 -B "$root/tests/java/junit.py" "$work/reports"
