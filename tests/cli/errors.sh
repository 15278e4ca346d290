# Every error is one line on standard error, says what to do, and exits 2.
try() {
  "$@" > out.txt
  echo "exit $? ($(wc -c < out.txt) bytes on standard output)"
}
try leitong
try leitong dedpu x
try leitong dedup
try leitong dedup x
try leitong dedup x --output-dir d --treads 2
try leitong dedup x --output-dir d --memory lots
try leitong dedup x --output-dir d -k 300
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir whole --quiet
try leitong dedup "$EXAMPLES/sample.jsonl" --output-dir whole --overwrite -k 13
try leitong dedup "$EXAMPLES/sample.jsonl" --output-dir whole --overwrite --memory 1M
try leitong dedup "$EXAMPLES/sample.jsonl" --output-dir whole --overwrite --threshold 0
ls whole/summary.json
try leitong restore whole --cluster 999
try leitong dedup x --output-dir d --num_bucket 4
try leitong join x --output f --keep first
try leitong dedup no-such-file --output-dir d
try leitong fingerprint no-such-file
try leitong fingerprint "$EXAMPLES/sample.jsonl" --profile no-such-profile
try leitong fingerprint "$EXAMPLES/sample.jsonl" --key a --key-file b
try leitong fingerprint "$EXAMPLES/sample.jsonl" --features character-ngrams
try leitong compare - -
gzip -nc "$EXAMPLES/sample.jsonl" > packed.gz
try leitong compare packed.gz "$EXAMPLES/sample.jsonl"
printf 'nul\0' | try leitong compare - "$EXAMPLES/sample.jsonl"
mkdir docs && echo 'some words' > docs/a.txt
try leitong dedup docs --include '*.md' --output-dir none
try leitong dedup "$EXAMPLES/sample.jsonl" --text-field body --output-dir bad
try leitong completions csh
try leitong help dedpu
printf 'text-field = "text"\nthreads = "two"\n' > c.toml
try leitong fingerprint "$EXAMPLES/sample.jsonl" --config c.toml
try leitong dedup '' --output-dir d
try leitong dedup "$EXAMPLES/sample.jsonl" --output-dir c.toml
try leitong dedup "$EXAMPLES/sample.jsonl" --output-dir ''
try leitong version now
# a file takes its name only from a file: never from a device
ln -s /dev/null link
try leitong sketch "$EXAMPLES/sample.jsonl" --output link
try leitong sketch "$EXAMPLES/sample.jsonl" --output s --rejected link
readlink link
# closed streams stay closed: nothing that is opened later takes their place
leitong dedup - --output-dir no-input <&-
cat no-input/rejected.jsonl
leitong sketch "$EXAMPLES/sample.jsonl" --output closed >&-
echo "exit $?"
leitong sketch "$EXAMPLES/sample.jsonl" --output open
cmp closed open && echo "the same"
LEITONG_ISA=foo try leitong compare a b
leitong help > /dev/full
echo "exit $?"
leitong fingerprint "$EXAMPLES/sample.jsonl" > /dev/full
echo "exit $?"
