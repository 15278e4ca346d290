# dedup --against OLD: what resembles an old record goes, the old collection is only read.
head -n 30 "$EXAMPLES/sample.jsonl" > old.jsonl
tail -n +20 "$EXAMPLES/sample.jsonl" > new.jsonl
leitong dedup new.jsonl --against old.jsonl --output-dir out
echo "-- an old record is named with its file, and its number counts there"
head -n 3 out/removed.jsonl
grep -c '"against":"old.jsonl"' out/removed.jsonl
grep '"against"' out/clusters.jsonl | head -n 2
grep -o '"against":{[^}]*}' out/summary.json
grep -c 'The old collection' out/report.html
echo "-- kept and removed are all the new ones"
cat out/kept.jsonl out/removed.jsonl | wc -l
wc -l < new.jsonl
leitong restore out | wc -l
echo "-- what --annotate says"
leitong dedup new.jsonl --against old.jsonl --output-dir marked --annotate --quiet
grep -o '"leitong":.*"against":.*' marked/annotated.jsonl | head -n 1
echo "-- against the results of a run: what it kept"
leitong dedup old.jsonl --output-dir yesterday --quiet
leitong dedup new.jsonl --against yesterday --output-dir today | sed -n 2p
leitong dedup new.jsonl --against marked --output-dir none
echo "exit $?"
echo "-- resumed; by another old collection it is another run"
leitong dedup new.jsonl --against old.jsonl --output-dir out --resume | sed -n 2p
cmp out/kept.jsonl today/kept.jsonl
leitong dedup new.jsonl --against old.jsonl --against yesterday --output-dir out --resume
echo "exit $?"
leitong dedup new.jsonl --output-dir out --overwrite --quiet && ls out out/stages
echo "-- stage by stage"
leitong sketch old.jsonl --output old.ltt --quiet
leitong sketch new.jsonl --output new.ltt --quiet
leitong join new.ltt --against old.ltt --output pairs.ltt --quiet
leitong verify pairs.ltt --output edges.ltt --quiet
leitong cluster edges.ltt --output clusters.ltt --quiet
leitong apply clusters.ltt --output-dir staged --quiet
cmp staged/kept.jsonl today/kept.jsonl && echo "the same"
echo "-- an old collection that cannot be read, or holds nothing, is named"
sed 's/"text"/"body"/' old.jsonl > other-field.jsonl
leitong dedup new.jsonl --against other-field.jsonl --output-dir unread | sed -n 2p
: > empty.jsonl
leitong dedup new.jsonl --against empty.jsonl --output-dir unread --overwrite --quiet
{ cat old.jsonl; echo '{broken'; } > partly.jsonl
leitong dedup new.jsonl --against partly.jsonl --output-dir unread --overwrite | sed -n 2p
echo "-- mistakes"
leitong dedup new.jsonl --against . --output-dir none
echo "exit $?"
leitong dedup new.jsonl --against - --output-dir none
echo "exit $?"
leitong dedup new.jsonl --against missing.jsonl --output-dir none
echo "exit $?"
leitong join new.ltt --against new.ltt --output pairs.ltt
echo "exit $?"
ls none
