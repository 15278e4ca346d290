# index clusters: near-duplicates in a collection, in whatever order they came, and a feed of what has changed.
keyless() { sed -E 's/"key":"[0-9a-f]{16}"/"key":"(16 digits)"/'; }
line() { printf '{"id":"%s","text":"%s"}\n' "$1" "$2"; }
A="The night ferry to the island leaves the east pier at ten and arrives shortly after midnight on every day of the week"
B="Shares of the three largest bakeries fell on Tuesday after the price of flour had doubled within less than a month"
C="雷同文本是指内容几乎相同而只有少数字词不同的文章,编辑部每天都会收到许多这样的稿件,需要逐一核对"
echo "== clusters"
leitong index create news --texts
leitong index clusters news
{ line a1 "$A"; line b1 "$B"; line a2 "$A but Sunday"; line c1 "$C"; line x "Nothing like this"; } > monday.jsonl
leitong index add news monday.jsonl --quiet
leitong index clusters news
{ line c2 "${C}。"; line b2 "$B, it was said"; line a3 "$A but Sunday"; } > tuesday.jsonl
leitong index add news tuesday.jsonl --quiet
leitong index clusters news --last
leitong index clusters news
leitong index clusters news --last | cmp - <(leitong index clusters news) && echo "the same again"
echo "== what did not leave is told again"
leitong index create full --texts
leitong index add full monday.jsonl --quiet
leitong index clusters full --changes - 2> /dev/null > /dev/full || echo "exit $?"
leitong index clusters full --changes - | keyless
echo "== texts without a word"
leitong index create marks --texts
{ line e1 "！！！"; line e2 "！！！"; line e3 "？？？"; line e4 " "; line e5 " "; } > marks.jsonl
leitong index add marks marks.jsonl --unique --quiet
leitong index add marks marks.jsonl --unique --quiet
leitong index add marks marks.jsonl --quiet
leitong index clusters marks
echo "== the order does not matter, dedup says the same"
cat monday.jsonl tuesday.jsonl | tac > turned.jsonl
leitong index create turned --texts
leitong index add turned turned.jsonl --quiet
leitong index clusters turned | sed 's/"cluster":[0-9]*,//' | sort
sort turned.jsonl > sorted.jsonl
leitong dedup sorted.jsonl -o out --quiet
sed 's/"cluster":[0-9]*,//; s/"keep_record.*"members"/"members"/; s/,"records".*/}/' out/clusters.jsonl
echo "== a feed of changes"
leitong index clusters news --changes feed > clusters.jsonl
leitong index clusters news | cmp - clusters.jsonl && keyless < feed
leitong index add news <(line a1 "$B, it was heard") --quiet
leitong index delete news c1
leitong index clusters news --changes feed > clusters.jsonl
tail -n +6 feed | keyless
leitong index clusters news --changes feed | cmp - clusters.jsonl && wc -l < feed
leitong index delete news a2 b1
leitong index clusters news --changes - | keyless
leitong index clusters news --changes -
echo "-- who was not told that is told all; half a line is cut off"
printf '{"state":4,"sequ' >> feed
leitong index clusters news --changes feed
tail -n +10 feed | keyless
echo "== fingerprints without texts take part if they may"
leitong fingerprint monday.jsonl --quiet | sed 's/"id":"/"id":"f-/' | leitong index import news --fingerprints --quiet
leitong index clusters news
leitong index clusters news --allow-unverified
leitong index create bare --fingerprints-only --ids number -k 12
sed 's/"id":"[a-z]*\([0-9]*\)"/"id":1\1/' tuesday.jsonl > 1.jsonl
sed 's/"id":"[a-z]*\([0-9]*\)"/"id":2\1/' tuesday.jsonl > 2.jsonl
head -n 1 1.jsonl | leitong index add bare --quiet
head -n 1 2.jsonl | leitong index add bare --quiet
leitong index clusters bare --allow-unverified
echo "== saved, checked, copied"
leitong index backup news saved
leitong index clusters saved --last | cmp - <(leitong index clusters news --last) && echo "the same"
leitong index check news
ls news | grep -v -e run- -e log-
printf 'x' | dd of=news/CLUSTERS bs=1 seek=100 conv=notrunc 2> /dev/null
leitong index check news
echo "exit $?"
rm news/CLUSTERS
leitong index clusters news --last
leitong index clusters news --changes feed | wc -l
tail -n 1 feed | keyless
echo "-- damaged, it stands in nobody's way"
printf 'XX' > news/CLUSTERS
leitong index clusters news --last
echo "exit $?"
leitong index backup news without && ls without | grep CLUSTERS
leitong index clusters news --changes feed | wc -l
tail -n 3 feed | keyless
echo "== what is replaced by its like is no change"
leitong index create likes --texts
{ line a "$A"; line b "$A"; line c "$A"; } | leitong index add likes --quiet
leitong index clusters likes --changes likes.feed
line b "$A" | leitong index add likes --quiet
leitong index clusters likes --changes likes.feed
leitong index clusters likes --changes likes.feed
keyless < likes.feed
echo "== a state of a restored collection is not the one of the same number that was lost"
leitong index backup likes likes.saved
{ line d "$B"; line e "$B"; } | leitong index add likes --quiet
leitong index clusters likes --changes likes.feed
rm -r likes
mv likes.saved likes
{ line m "$C"; line n "$C"; } | leitong index add likes --quiet
leitong index clusters likes
leitong index clusters likes --changes likes.feed
tail -n +4 likes.feed | keyless
echo "== refused"
try() {
  "$@" > out.txt
  echo "exit $? ($(wc -c < out.txt) bytes on standard output)"
}
try leitong index clusters
try leitong index clusters news --last --changes feed
try leitong index clusters news --changes monday.jsonl
try leitong index clusters news --changes /dev/null
try leitong index clusters news --threads 0
try leitong index clusters news --changes news/feed
leitong index create fresh
try leitong index clusters fresh --last
