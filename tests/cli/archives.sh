# Archives that are cut off, damaged, or none at all: which, where, and what was read before.
gzip -nc "$EXAMPLES/sample.jsonl" > whole.gz
head -c 3000 whole.gz > cut.jsonl.gz
split -l 30 "$EXAMPLES/sample.jsonl" part.
cat <(zstd -qc part.aa) <(zstd -qc part.ab | head -c 100) > cut.jsonl.zst
cp "$EXAMPLES/sample.jsonl" plain.jsonl.gz
: > empty.jsonl.gz
leitong dedup cut.jsonl.gz cut.jsonl.zst plain.jsonl.gz empty.jsonl.gz --output-dir out 2> notes.txt
sed -E 's/byte [0-9]+, after [0-9]+/byte N, after N/' notes.txt
sed -E 's/byte [0-9]+, after [0-9]+/byte N, after N/; s/"offset":[0-9]+/"offset":N/' out/rejected.jsonl
grep -c 'cut off' out/report.html
leitong fingerprint plain.jsonl.gz --strict
echo "exit $?"
cat cut.jsonl.gz | leitong fingerprint - 2>&1 > /dev/null | sed -E 's/byte [0-9]+, after [0-9]+/byte N, after N/'
