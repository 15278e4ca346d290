# collection: a collection made, filled, asked, copied; what it refuses.
try() {
  "$@" > out.txt
  echo "exit $? ($(wc -c < out.txt) bytes on standard output)"
}
line() { printf '{"id":%s,"text":"%s","source":%s}\n' "$1" "$2" "${3:-null}"; }
A="The night ferry to the island leaves the east pier at ten and arrives shortly after midnight on every day of the week"
B="Shares of the three largest bakeries fell on Tuesday after the price of flour had doubled within less than a month"
C="雷同文本是指内容几乎相同而只有少数字词不同的文章,编辑部每天都会收到许多这样的稿件,需要逐一核对"
echo "== create, add, query"
leitong collection create news --texts --metadata
line '"a1"' "$A" '{"desk": [1, "x"]}' > monday.jsonl
line '"b\u00e9\n1"' "$B" '"wire"' >> monday.jsonl
line 17 "$C" >> monday.jsonl
leitong collection add news monday.jsonl --metadata-field source
leitong collection get news a1 17 $'bé\n1'
line '"a2"' "$A and holiday" > tuesday.jsonl
line '"d1"' "Nothing like this sentence about glaciers and their slow way to the sea has been there before it was written" >> tuesday.jsonl
line '"d2"' "Nothing like this sentence about glaciers and their slow way to the sea has been there before it was wrote" >> tuesday.jsonl
sed 's/"id":"a2",//' tuesday.jsonl > query.jsonl
leitong collection query news query.jsonl -k 8
leitong collection query news --text "$A" --text "no such words at all" --most 1
echo "exit $?"
leitong collection query news --fingerprint "$(leitong fingerprint monday.jsonl | sed -n '1s/.*"fp":"\([0-9a-f]*\)".*/\1/p')"
leitong collection query news --text "$A" --no-verify | sed 's/"similarity":[0-9.]*/S/'
echo "== the daily job"
cp -r news unique
leitong collection add unique tuesday.jsonl --unique -k 8 | sed 's/"distance":.*/D/'
leitong collection stats unique --json | grep -o '"documents":[0-9]*'
leitong collection add unique --unique -k 8 --quiet < tuesday.jsonl | sed 's/"distance":.*/D/'
echo "== again is harmless"
leitong collection add news monday.jsonl --metadata-field source --quiet
leitong collection stats news | grep -e documents -e keeps -e ids -e ^k
echo "== bad records"
printf '{"text":"no id"}\n{"id":"","text":"empty"}\nbroken\n{"id":"ok","text":"%s"}\n' "$B" > bad.jsonl
leitong collection add unique bad.jsonl
echo "exit $?"
leitong collection add unique bad.jsonl --strict
echo "exit $?"
head -n 3 bad.jsonl | leitong collection add unique -
echo "exit $?"
echo "$A" | leitong collection add unique - --lines
echo "exit $?"
leitong collection create numbers --ids number --fingerprints-only --bits 128
printf '{"id":"007","text":"%s"}\n{"id":7,"text":"%s"}\n{"id":18446744073709551615,"text":"%s"}\n' "$A" "$B" "$C" | leitong collection add numbers
leitong collection query numbers --text "$C" --profile leitong-1
leitong collection query numbers --text "$C"
leitong collection get numbers 7
echo "== delete"
leitong collection delete news a1 nobody
printf '17\r\n\nnobody\n' | leitong collection delete news -
leitong collection get news a1 $'bé\n1' > /dev/null
echo "exit $?"
echo "== export, import"
leitong collection export unique > unique.jsonl
leitong collection export unique -o file.jsonl
cmp unique.jsonl file.jsonl && echo "the same"
try leitong collection export unique -o file.jsonl
leitong collection create copy --texts --metadata
leitong collection import copy unique.jsonl
leitong collection export copy | sed 's/"sequence":[0-9]*,//' > a.txt
sed 's/"sequence":[0-9]*,//' unique.jsonl | cmp - a.txt && echo "the same but for sequence numbers"
leitong collection create bare
leitong collection import bare unique.jsonl 2>&1
leitong collection export numbers | leitong collection import bare -
{ cat unique.jsonl; echo "no record"; } > bad.jsonl
leitong collection create nothing
try leitong collection import nothing bad.jsonl --strict
leitong collection export nothing
leitong collection import nothing bad.jsonl --rejected rejected.jsonl
cat rejected.jsonl
leitong collection create stored
leitong fingerprint "$EXAMPLES/sample.jsonl" --quiet | leitong collection import stored --fingerprints
leitong collection create texts --texts
leitong collection add texts "$EXAMPLES/sample.jsonl" --quiet
echo "== query by id"
leitong collection create plain
leitong collection add plain "$EXAMPLES/sample.jsonl" --quiet 2> /dev/null
for kept in texts plain stored; do leitong collection query $kept --id en-001; done
leitong collection query texts --id en-002 --id nobody --most 1
echo "exit $?"
leitong collection query stored "$EXAMPLES/sample.jsonl" --quiet -k 0 | head -n 1
for form in bits decimal signed; do
  for reverse in "" --reverse-bits; do
    leitong collection create $form$reverse
    leitong fingerprint "$EXAMPLES/sample.jsonl" --format $form $reverse --quiet |
      leitong collection import $form$reverse --fingerprints --fingerprint-format $form $reverse --quiet
    leitong collection export $form$reverse | cmp - <(leitong collection export stored) && echo "$form $reverse: the same"
  done
done
printf 'sku,simhash\n1,-1\n2,9223372036854775808\n3,-9223372036854775808\n' > stored.csv
leitong collection create shop --ids number
leitong collection import shop --fingerprints stored.csv --id-field sku --fp-field simhash --fingerprint-format signed
leitong collection export shop
echo "== unverified matches refuse nothing unless they may"
leitong collection create mixed --texts
leitong fingerprint monday.jsonl | leitong collection import mixed --fingerprints --quiet
cp -r mixed strict
leitong collection add mixed monday.jsonl --unique --quiet
leitong collection add strict monday.jsonl --unique --quiet --allow-unverified
echo "== backup, compact, check"
leitong collection backup unique saved
leitong collection export saved | cmp - unique.jsonl && echo "the same"
leitong collection compact unique
leitong collection export unique | cmp - unique.jsonl && echo "the same"
leitong collection check unique
leitong collection check saved
echo "== help"
leitong collection --help
leitong help collection query | head -n 4
echo "== refused"
try leitong collection
try leitong collection ad news
try leitong collection add
try leitong collection create news
try leitong collection create x --texts --fingerprints-only
try leitong collection create x -k 65
try leitong collection add nowhere monday.jsonl
try leitong collection add bare monday.jsonl --metadata-field source
try leitong collection add news monday.jsonl -k 3
try leitong collection add news monday.jsonl --profile leitong-1-128
try leitong collection query news
try leitong collection query news monday.jsonl --text x
try leitong collection query news --text x -k 65
try leitong collection create monday.jsonl
try leitong collection query news --fingerprint 00
try leitong collection query numbers --fingerprint 0000000000000000
try leitong collection get numbers seven
try leitong collection delete news
try leitong collection backup news saved
try leitong collection stats news --texts
echo "== a damaged file is noticed by who reads it"
leitong collection create damaged
leitong collection add damaged monday.jsonl --quiet
leitong collection compact damaged
for place in table:64 index:320 keys:130; do
  file=$(echo damaged/run-*."${place%:*}")
  cp "$file" kept
  printf '\377\376' | dd of="$file" bs=1 seek="${place#*:}" conv=notrunc status=none
  leitong collection query damaged monday.jsonl --quiet > out.txt
  echo "exit $? ($(wc -c < out.txt) bytes on standard output)"
  leitong collection query damaged monday.jsonl -k 3 --quiet > out.txt
  echo "exit $? ($(wc -l < out.txt) lines)"
  cp kept "$file"
done
leitong collection query damaged monday.jsonl -k 3 | wc -l
echo "== index, another name of collection"
leitong index stats news | head -1
leitong help index add | head -2
