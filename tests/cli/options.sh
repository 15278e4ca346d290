# What the flags of dedup change.
echo "-- keep the oldest"
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir oldest --keep 'date:oldest,length:max' --quiet
cut -d, -f1-3 oldest/clusters.jsonl
echo "-- traditional characters count as simplified ones"
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir folded --fold-traditional
grep zh-005 folded/removed.jsonl | cut -d, -f1-5
echo "-- annotate"
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir annotated --annotate --annotate-key dup --quiet
ls annotated | grep -v '^kept'
sed -n '1p;30p' annotated/annotated.jsonl | grep -o '"dup".*'
echo "-- a record that has the added object already is refused, whatever its name looks like"
leitong dedup annotated/annotated.jsonl --output-dir again --annotate --annotate-key dup --quiet
echo "exit $?"
leitong dedup annotated/annotated.jsonl --output-dir again --annotate --resume --quiet
head -n 1 again/annotated.jsonl | grep -o '"dup":{\|"leitong":{'
printf '{"text":"some words","le\\u0069tong":1}\n' > escaped.jsonl
leitong dedup escaped.jsonl --output-dir escaped --annotate --quiet
printf '{"text":"some words with \\u0022leitong\\u0022","a":{"leitong":1}}\n' > inside.jsonl
leitong dedup inside.jsonl --output-dir inside --annotate --quiet && wc -l < inside/annotated.jsonl
echo "-- threads, twice: the same bytes"
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir one --threads 1 --quiet
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir four --threads 4 --quiet
for file in kept.jsonl removed.jsonl clusters.jsonl rejected.jsonl summary.json report.html; do cmp one/$file four/$file; done
echo "-- Hamming candidates"
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir hamming --bit_diff 3
echo "-- dry run"
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir never --dry-run | cut -c1-10
ls never
