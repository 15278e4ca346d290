# The stages, one by one, give what dedup gives; two shards give what one file gives.
head -n 30 "$EXAMPLES/sample.jsonl" > a.jsonl
tail -n +31 "$EXAMPLES/sample.jsonl" > b.jsonl
leitong sketch a.jsonl --output a.sketch
leitong sketch b.jsonl --output b.sketch --rejected b.rejected
leitong join a.sketch b.sketch --output pairs
leitong verify pairs --output edges
leitong cluster edges --output clusters
leitong apply clusters --output-dir staged | sed 's/^report.*/report/'
leitong dedup a.jsonl b.jsonl --output-dir whole --quiet
for file in kept.jsonl removed.jsonl clusters.jsonl; do cmp staged/$file whole/$file && echo "$file: the same"; done
# a stage refuses a file of another stage, and a broken one
leitong verify edges --output again
echo "exit $?"
head -c 100 pairs > half
leitong verify half --output again 2>&1 | cut -d: -f1-2
leitong sketch b.jsonl --output c.sketch --bits 128 --quiet
leitong join a.sketch c.sketch --output mixed 2> error.txt
echo "exit $?"
wc -l < error.txt
# the same shard twice, also under another name
cp a.sketch copy.sketch
leitong join a.sketch b.sketch copy.sketch --output twice
echo "exit $?"
# from another directory: what relative paths count from; restore knows where the run was
mkdir elsewhere && cd elsewhere
leitong apply ../clusters --output-dir staged
echo "exit $?"
leitong restore ../whole | wc -l
cat ../a.jsonl | (cd .. && leitong dedup - --output-dir piped --quiet)
mv ../piped moved
leitong restore moved | wc -l
