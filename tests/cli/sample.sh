# The shipped sample: reprints are found, look-alikes stay, every output names its records.
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir out
ls out
cat out/clusters.jsonl
cat out/removed.jsonl
# kept.jsonl holds input lines, untouched and in order
grep -vxFf "$EXAMPLES/sample.jsonl" out/kept.jsonl
# what was kept and what is restored together are the input
leitong restore out > restored.jsonl
sort out/kept.jsonl restored.jsonl | cmp - <(sort "$EXAMPLES/sample.jsonl") && echo "kept + restored = input"
leitong restore out --cluster 13
leitong restore out --cluster 99
echo "exit $?"
# a second run does not touch the first one's results, unless told to
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir out --threshold 0.9 2> error.txt
echo "exit $?"
sed 's/: .*//' error.txt
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir out --threshold 0.9 --overwrite
