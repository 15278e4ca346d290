# index: a collection made, filled, asked, copied; what it refuses.
try() {
  "$@" > out.txt
  echo "exit $? ($(wc -c < out.txt) bytes on standard output)"
}
line() { printf '{"id":%s,"text":"%s","source":%s}\n' "$1" "$2" "${3:-null}"; }
A="The night ferry to the island leaves the east pier at ten and arrives shortly after midnight on every day of the week"
B="Shares of the three largest bakeries fell on Tuesday after the price of flour had doubled within less than a month"
C="雷同文本是指内容几乎相同而只有少数字词不同的文章,编辑部每天都会收到许多这样的稿件,需要逐一核对"
echo "== create, add, query"
leitong index create news --texts --metadata
line '"a1"' "$A" '{"desk": [1, "x"]}' > monday.jsonl
line '"b\u00e9\n1"' "$B" '"wire"' >> monday.jsonl
line 17 "$C" >> monday.jsonl
leitong index add news monday.jsonl --metadata-field source
leitong index get news a1 17 $'bé\n1'
line '"a2"' "$A and holiday" > tuesday.jsonl
line '"d1"' "Nothing like this sentence about glaciers and their slow way to the sea has been there before it was written" >> tuesday.jsonl
line '"d2"' "Nothing like this sentence about glaciers and their slow way to the sea has been there before it was wrote" >> tuesday.jsonl
sed 's/"id":"a2",//' tuesday.jsonl > query.jsonl
leitong index query news query.jsonl -k 8
leitong index query news --text "$A" --text "no such words at all" --most 1
echo "exit $?"
leitong index query news --fingerprint "$(leitong fingerprint monday.jsonl | sed -n '1s/.*"fp":"\([0-9a-f]*\)".*/\1/p')"
leitong index query news --text "$A" --no-verify | sed 's/"similarity":[0-9.]*/S/'
echo "== the daily job"
cp -r news unique
leitong index add unique tuesday.jsonl --unique -k 8 | sed 's/"distance":.*/D/'
leitong index stats unique --json | grep -o '"documents":[0-9]*'
leitong index add unique --unique -k 8 --quiet < tuesday.jsonl | sed 's/"distance":.*/D/'
echo "== again is harmless"
leitong index add news monday.jsonl --metadata-field source --quiet
leitong index stats news | grep -e documents -e keeps -e ids -e ^k
echo "== bad records"
printf '{"text":"no id"}\n{"id":"","text":"empty"}\nbroken\n{"id":"ok","text":"%s"}\n' "$B" > bad.jsonl
leitong index add unique bad.jsonl
echo "exit $?"
leitong index add unique bad.jsonl --strict
echo "exit $?"
head -n 3 bad.jsonl | leitong index add unique -
echo "exit $?"
echo "$A" | leitong index add unique - --lines
echo "exit $?"
leitong index create numbers --ids number --fingerprints-only --bits 128
printf '{"id":"007","text":"%s"}\n{"id":7,"text":"%s"}\n{"id":18446744073709551615,"text":"%s"}\n' "$A" "$B" "$C" | leitong index add numbers
leitong index query numbers --text "$C" --profile leitong-1
leitong index query numbers --text "$C"
leitong index get numbers 7
echo "== delete"
leitong index delete news a1 nobody
printf '17\r\n\nnobody\n' | leitong index delete news -
leitong index get news a1 $'bé\n1' > /dev/null
echo "exit $?"
echo "== export, import"
leitong index export unique > unique.jsonl
leitong index export unique -o file.jsonl
cmp unique.jsonl file.jsonl && echo "the same"
try leitong index export unique -o file.jsonl
leitong index create copy --texts --metadata
leitong index import copy unique.jsonl
leitong index export copy | sed 's/"sequence":[0-9]*,//' > a.txt
sed 's/"sequence":[0-9]*,//' unique.jsonl | cmp - a.txt && echo "the same but for sequence numbers"
leitong index create bare
leitong index import bare unique.jsonl 2>&1
leitong index export numbers | leitong index import bare -
{ cat unique.jsonl; echo "no record"; } > bad.jsonl
leitong index create nothing
try leitong index import nothing bad.jsonl --strict
leitong index export nothing
leitong index import nothing bad.jsonl --rejected rejected.jsonl
cat rejected.jsonl
leitong index create stored
leitong fingerprint "$EXAMPLES/sample.jsonl" --quiet | leitong index import stored --fingerprints
leitong index create texts --texts
leitong index add texts "$EXAMPLES/sample.jsonl" --quiet
echo "== query by id"
leitong index create plain
leitong index add plain "$EXAMPLES/sample.jsonl" --quiet 2> /dev/null
for kept in texts plain stored; do leitong index query $kept --id en-001; done
leitong index query texts --id en-002 --id nobody --most 1
echo "exit $?"
leitong index query stored "$EXAMPLES/sample.jsonl" --quiet -k 0 | head -n 1
for form in bits decimal signed; do
  for reverse in "" --reverse-bits; do
    leitong index create $form$reverse
    leitong fingerprint "$EXAMPLES/sample.jsonl" --format $form $reverse --quiet |
      leitong index import $form$reverse --fingerprints --fingerprint-format $form $reverse --quiet
    leitong index export $form$reverse | cmp - <(leitong index export stored) && echo "$form $reverse: the same"
  done
done
printf 'sku,simhash\n1,-1\n2,9223372036854775808\n3,-9223372036854775808\n' > stored.csv
leitong index create shop --ids number
leitong index import shop --fingerprints stored.csv --id-field sku --fp-field simhash --fingerprint-format signed
leitong index export shop
echo "== unverified matches refuse nothing unless they may"
leitong index create mixed --texts
leitong fingerprint monday.jsonl | leitong index import mixed --fingerprints --quiet
cp -r mixed strict
leitong index add mixed monday.jsonl --unique --quiet
leitong index add strict monday.jsonl --unique --quiet --allow-unverified
echo "== backup, compact, check"
leitong index backup unique saved
leitong index export saved | cmp - unique.jsonl && echo "the same"
leitong index compact unique
leitong index export unique | cmp - unique.jsonl && echo "the same"
leitong index check unique
leitong index check saved
echo "== help"
leitong index --help
leitong help index query | head -n 4
echo "== refused"
try leitong index
try leitong index ad news
try leitong index add
try leitong index create news
try leitong index create x --texts --fingerprints-only
try leitong index create x -k 65
try leitong index add nowhere monday.jsonl
try leitong index add bare monday.jsonl --metadata-field source
try leitong index add news monday.jsonl -k 3
try leitong index add news monday.jsonl --profile leitong-1-128
try leitong index query news
try leitong index query news monday.jsonl --text x
try leitong index query news --text x -k 65
try leitong index create monday.jsonl
try leitong index query news --fingerprint 00
try leitong index query numbers --fingerprint 0000000000000000
try leitong index get numbers seven
try leitong index delete news
try leitong index backup news saved
try leitong index stats news --texts
echo "== a damaged file is noticed by who reads it"
leitong index create damaged
leitong index add damaged monday.jsonl --quiet
leitong index compact damaged
for place in table:64 index:320 keys:130; do
  file=$(echo damaged/run-*."${place%:*}")
  cp "$file" kept
  printf '\377\376' | dd of="$file" bs=1 seek="${place#*:}" conv=notrunc status=none
  leitong index query damaged monday.jsonl --quiet > out.txt
  echo "exit $? ($(wc -c < out.txt) bytes on standard output)"
  leitong index query damaged monday.jsonl -k 3 --quiet > out.txt
  echo "exit $? ($(wc -l < out.txt) lines)"
  cp kept "$file"
done
leitong index query damaged monday.jsonl -k 3 | wc -l
