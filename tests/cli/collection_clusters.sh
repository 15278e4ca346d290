# collection clusters: near-duplicates in a collection, in whatever order they came, and a feed of what has changed.
keyless() { sed -E 's/"key":"[0-9a-f]{16}"/"key":"(16 digits)"/'; }
line() { printf '{"id":"%s","text":"%s"}\n' "$1" "$2"; }
A="The night ferry to the island leaves the east pier at ten and arrives shortly after midnight on every day of the week"
B="Shares of the three largest bakeries fell on Tuesday after the price of flour had doubled within less than a month"
C="雷同文本是指内容几乎相同而只有少数字词不同的文章,编辑部每天都会收到许多这样的稿件,需要逐一核对"
echo "== clusters"
leitong collection create news --texts
leitong collection clusters news
{ line a1 "$A"; line b1 "$B"; line a2 "$A but Sunday"; line c1 "$C"; line x "Nothing like this"; } > monday.jsonl
leitong collection add news monday.jsonl --quiet
leitong collection clusters news
{ line c2 "${C}。"; line b2 "$B, it was said"; line a3 "$A but Sunday"; } > tuesday.jsonl
leitong collection add news tuesday.jsonl --quiet
leitong collection clusters news --last
leitong collection clusters news
leitong collection clusters news --last | cmp - <(leitong collection clusters news) && echo "the same again"
echo "== what did not leave is told again"
leitong collection create full --texts
leitong collection add full monday.jsonl --quiet
leitong collection clusters full --changes - 2> /dev/null > /dev/full || echo "exit $?"
leitong collection clusters full --changes - | keyless
echo "== texts without a word"
leitong collection create marks --texts
{ line e1 "！！！"; line e2 "！！！"; line e3 "？？？"; line e4 " "; line e5 " "; } > marks.jsonl
leitong collection add marks marks.jsonl --unique --quiet
leitong collection add marks marks.jsonl --unique --quiet
leitong collection add marks marks.jsonl --quiet
leitong collection clusters marks
echo "== the order does not matter, dedup says the same"
cat monday.jsonl tuesday.jsonl | tac > turned.jsonl
leitong collection create turned --texts
leitong collection add turned turned.jsonl --quiet
leitong collection clusters turned | sed 's/"cluster":[0-9]*,//' | sort
sort turned.jsonl > sorted.jsonl
leitong dedup sorted.jsonl -o out --quiet
sed 's/"cluster":[0-9]*,//; s/"keep_record.*"members"/"members"/; s/,"records".*/}/' out/clusters.jsonl
echo "== a feed of changes"
leitong collection clusters news --changes feed > clusters.jsonl
leitong collection clusters news | cmp - clusters.jsonl && keyless < feed
leitong collection add news <(line a1 "$B, it was heard") --quiet
leitong collection delete news c1
leitong collection clusters news --changes feed > clusters.jsonl
tail -n +6 feed | keyless
leitong collection clusters news --changes feed | cmp - clusters.jsonl && wc -l < feed
leitong collection delete news a2 b1
leitong collection clusters news --changes - | keyless
leitong collection clusters news --changes -
echo "-- a feed that missed a change gets a reset and all clusters; half a line is cut off"
printf '{"state":4,"sequ' >> feed
leitong collection clusters news --changes feed
tail -n +10 feed | keyless
echo "== fingerprints without texts take part if they may"
leitong fingerprint monday.jsonl --quiet | sed 's/"id":"/"id":"f-/' | leitong collection import news --fingerprints --quiet
leitong collection clusters news
leitong collection clusters news --allow-unverified
leitong collection create bare --fingerprints-only --ids number -k 12
sed 's/"id":"[a-z]*\([0-9]*\)"/"id":1\1/' tuesday.jsonl > 1.jsonl
sed 's/"id":"[a-z]*\([0-9]*\)"/"id":2\1/' tuesday.jsonl > 2.jsonl
head -n 1 1.jsonl | leitong collection add bare --quiet
head -n 1 2.jsonl | leitong collection add bare --quiet
leitong collection clusters bare --allow-unverified
echo "== saved, checked, copied"
leitong collection backup news saved
leitong collection clusters saved --last | cmp - <(leitong collection clusters news --last) && echo "the same"
leitong collection check news
ls news | grep -v -e run- -e log-
printf 'x' | dd of=news/CLUSTERS bs=1 seek=100 conv=notrunc 2> /dev/null
leitong collection check news
echo "exit $?"
rm news/CLUSTERS
leitong collection clusters news --last
leitong collection clusters news --changes feed | wc -l
tail -n 1 feed | keyless
echo "-- damaged, it stands in nobody's way"
printf 'XX' > news/CLUSTERS
leitong collection clusters news --last
echo "exit $?"
leitong collection backup news without && ls without | grep CLUSTERS
leitong collection clusters news --changes feed | wc -l
tail -n 3 feed | keyless
echo "== what is replaced by its like is no change"
leitong collection create likes --texts
{ line a "$A"; line b "$A"; line c "$A"; } | leitong collection add likes --quiet
leitong collection clusters likes --changes likes.feed
line b "$A" | leitong collection add likes --quiet
leitong collection clusters likes --changes likes.feed
leitong collection clusters likes --changes likes.feed
keyless < likes.feed
echo "== a state of a restored collection is not the one of the same number that was lost"
leitong collection backup likes likes.saved
{ line d "$B"; line e "$B"; } | leitong collection add likes --quiet
leitong collection clusters likes --changes likes.feed
rm -r likes
mv likes.saved likes
{ line m "$C"; line n "$C"; } | leitong collection add likes --quiet
leitong collection clusters likes
leitong collection clusters likes --changes likes.feed
tail -n +4 likes.feed | keyless
echo "== refused"
try() {
  "$@" > out.txt
  echo "exit $? ($(wc -c < out.txt) bytes on standard output)"
}
try leitong collection clusters
try leitong collection clusters news --last --changes feed
try leitong collection clusters news --changes monday.jsonl
try leitong collection clusters news --changes /dev/null
try leitong collection clusters news --threads 0
try leitong collection clusters news --changes news/feed
leitong collection create fresh
try leitong collection clusters fresh --last
