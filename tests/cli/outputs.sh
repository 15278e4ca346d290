# What a run must never touch: its inputs, files of others, and old results until the new ones are whole.
try() {
  "$@" > /dev/null
  echo "exit $?"
}
cp "$EXAMPLES/sample.jsonl" x.jsonl
cp x.jsonl y.jsonl
same() { cmp "$1" "$EXAMPLES/sample.jsonl" && echo "$1 is as it was"; }
echo "-- an input is not written, whatever it is called"
mkdir d
cp x.jsonl d/matches.jsonl
try leitong overlap d/matches.jsonl y.jsonl -o d
same d/matches.jsonl
mv d/matches.jsonl d/kept.jsonl
try leitong dedup d/kept.jsonl -o d
try leitong dedup d -o d
same d/kept.jsonl
ls -A d
leitong dedup x.jsonl -o s1 -q
try leitong dedup s1/kept.jsonl -o s1 --overwrite
try leitong dedup x.jsonl --against s1 -o s1 --overwrite
try leitong sketch x.jsonl -o x.jsonl
ln x.jsonl hard
ln -s x.jsonl soft
ln -s x.jsonl s.sketch.tmp
try leitong sketch x.jsonl -o hard
try leitong sketch soft -o s.sketch
try leitong sketch - -o hard < x.jsonl
try leitong sketch x.jsonl -o t.sketch --rejected soft
try leitong idf x.jsonl -o hard
leitong sketch x.jsonl -o x.sketch -q
leitong join x.sketch -o x.pairs -q
try leitong verify x.pairs -o hard
try leitong verify x.pairs -o x.sketch
same x.jsonl
echo "-- what Leitong did not make is not replaced"
for name in kept.jsonl rejected.jsonl; do
  mkdir "of-$name" && echo mine > "of-$name/$name"
  try leitong dedup x.jsonl -o "of-$name"
  try leitong dedup x.jsonl -o "of-$name" --overwrite
done
mkdir of-matches of-pairs of-label
echo mine | tee of-matches/matches.jsonl of-pairs/pairs.jsonl > of-label/label.html
try leitong overlap x.jsonl y.jsonl -o of-matches --overwrite
try leitong calibrate x.jsonl -o of-pairs --overwrite
try leitong calibrate x.jsonl -o of-label
cat of-*/*
try leitong sketch x.jsonl -o of-label/label.html
try leitong idf x.jsonl -o of-label/label.html
echo "-- its own is: a stage file, and with --overwrite results that are as it wrote them"
leitong sketch x.jsonl -o x.sketch -q
leitong dedup x.jsonl -o s1 -q --overwrite
echo more >> s1/kept.jsonl
try leitong dedup x.jsonl -o s1 --overwrite
tail -n 1 s1/kept.jsonl
echo "-- killed while it replaces results: the old ones stay and can be asked"
leitong dedup x.jsonl -o out -q
cp -r out before
mkfifo pipe
leitong dedup - -o out --overwrite -q < pipe &
job=$!
disown $job
exec 3> pipe
until [[ -d out/unfinished/stages ]]; do sleep 0.02; done
kill -9 $job
while kill -0 $job 2> /dev/null; do sleep 0.02; done
exec 3>&-
diff -r out before
leitong restore out | cmp - <(leitong restore before) && echo "the same"
leitong dedup y.jsonl -o out -q --overwrite
ls -A out
cmp out/kept.jsonl before/kept.jsonl && echo "the same"
echo "-- the results of one command in a directory: not with --resume, not with --overwrite"
leitong overlap x.jsonl y.jsonl -o passages -q
leitong calibrate x.jsonl -o drawn -q
sum() { cat passages/* drawn/sample.json | md5sum; }
sum > before-sum
for directory in passages drawn; do
  for flag in --quiet --resume --overwrite; do try leitong dedup x.jsonl -o $directory $flag; done
done
try leitong overlap x.jsonl y.jsonl -o out --overwrite
sum | cmp - before-sum && echo "the same"
