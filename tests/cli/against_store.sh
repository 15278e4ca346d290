# dedup --against a collection that keeps no texts: its fingerprints decide, and nothing is verified.
head -n 30 "$EXAMPLES/sample.jsonl" > old.jsonl
tail -n +20 "$EXAMPLES/sample.jsonl" > new.jsonl
leitong collection create store --fingerprints-only
leitong collection add store old.jsonl --quiet
leitong dedup new.jsonl --against store --output-dir out
echo "-- a document of a store has an id and no number; how similar its text is, nobody knows"
grep '"against"' out/removed.jsonl | head -n 2
grep '"against"' out/clusters.jsonl | head -n 1
grep -o '"against":{[^}]*}' out/summary.json
grep -o '"candidates":"[^"]*"\|"against":"[^"]*"' out/summary.json
grep -o 'Of stores, which keep no texts[^<]*' out/report.html
grep -c 'no text is kept there' out/report.html
cat out/kept.jsonl out/removed.jsonl | wc -l
leitong restore out | wc -l
echo "-- what --annotate says"
leitong dedup new.jsonl --against store --output-dir marked --annotate --quiet
grep -o '"leitong":.*"against":.*' marked/annotated.jsonl | head -n 1
echo "-- explained"
leitong explain --run out new.jsonl:1 store:0
echo "exit $?"
leitong explain --run out new.jsonl:1 store:0 --json | grep -o '"accepted".*"verification":"[a-z]*"'
leitong explain --run out en-021 new.jsonl:0
echo "-- by a k of the run; beside files, whose texts decide first"
leitong dedup new.jsonl --against store -k 0 --output-dir equal | sed -n 2p
head -n 25 old.jsonl > older.jsonl
leitong dedup new.jsonl --against store --against older.jsonl --output-dir both | sed -n 2p
grep -c '"unverified"' both/removed.jsonl
echo "-- resumed, after the store has gone on; another run without it"
leitong collection add store new.jsonl --quiet
leitong dedup new.jsonl --against store --output-dir out --resume | sed -n 2p
leitong dedup new.jsonl --output-dir out --resume
echo "exit $?"
leitong dedup new.jsonl --output-dir out --overwrite --quiet && ls out/stages
echo "-- planned; nothing is asked"
leitong dedup new.jsonl --against store --dry-run | grep stores
echo "-- nothing near, nothing said"
leitong collection create empty --fingerprints-only
leitong dedup new.jsonl --against empty --output-dir none-near | sed -n 2p
echo "-- mistakes are found before anything is written"
leitong dedup new.jsonl --against store --bits 128 --output-dir none
echo "exit $?"
leitong dedup new.jsonl --against redis://me:secret@127.0.0.1:1/0 --output-dir none 2>&1 | grep -c secret
leitong dedup new.jsonl --against redis://me:secret@127.0.0.1:1/0 --output-dir none > said 2>&1
echo "exit $?"
ls none
