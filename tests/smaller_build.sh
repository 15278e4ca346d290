#!/usr/bin/env bash
# smaller_build.sh BUILD-DIRECTORY PROGRAM [CMAKE-ARGUMENT...]: builds without servers and jars in that directory, with none of their packages
# to be found. What comes out must give what PROGRAM, of a whole build, gives, be linked to none of their libraries, and say what it lacks.
set -euo pipefail
build=$1
program=$2
shift 2
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  echo "smaller_build: $*" >&2
  exit 1
}

# refused WORDS ARGUMENT...: the command fails, and says these words.
refused() {
  local words=$1 said
  shift
  if said=$("$build/leitong" "$@" 2>&1); then fail "leitong $* does not fail"; fi
  [[ $said == *"$words"* ]] || fail "leitong $* says: $said"
}

cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLEITONG_REMOTE=OFF -DLEITONG_JARS=OFF \
  -DCMAKE_DISABLE_FIND_PACKAGE_CURL=ON -DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON "$@"
cmake --build "$build" --target leitong_program
if ldd "$build/leitong" | grep -E 'lib(curl|ssl|crypto|zip|pugixml)\b'; then fail "it is linked to these"; fi

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$build/leitong" dedup examples/sample.jsonl -o "$out/smaller"
"$program" dedup examples/sample.jsonl -o "$out/whole"
for name in kept removed; do cmp "$out/smaller/$name.jsonl" "$out/whole/$name.jsonl"; done
refused "built without servers" collection stats redis://127.0.0.1:1
refused "built without servers" dedup examples/sample.jsonl -o "$out/against" --against es+http://127.0.0.1:1/texts
echo PK > "$out/hanlp.jar"
refused "built without reading jars" data add hanlp "$out/hanlp.jar" --output "$out/hanlp.data"
echo '<properties/>' > "$out/IKAnalyzer.cfg.xml"
for list in main surname quantifier suffix preposition stopword; do echo 中国 > "$out/$list.dic"; done
refused "built without reading XML" data add ik "$out/IKAnalyzer.cfg.xml" --output "$out/ik.data"
rm "$out/IKAnalyzer.cfg.xml"
"$build/leitong" data add ik "$out" --output "$out/ik.data"
