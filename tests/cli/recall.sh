# What the candidate stage is to find, asked for, and what it says of itself.
echo "-- by the number of records"
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir default | grep recall
echo "-- asked for"
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir asked --recall 0.99 --similarity 0.8 | grep recall
grep -o '"candidates":"[^"]*"\|"predicted_candidate_recall":{[^}]*}' asked/summary.json
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir half --similarity 0.9 | grep recall
echo "-- other bands are other candidates: the stage is run again"
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir asked --recall 0.9 --similarity 0.8 --resume --quiet
echo "exit $?"
echo "-- more than the sketches can give"
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir never --recall 0.999 --similarity 0.2
echo "exit $?"
echo "-- a distance has none"
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir never -k 3 --recall 0.9 --overwrite
echo "exit $?"
echo "-- 1-bit MinHash"
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir minhash --sketch minhash1 --bits 128 -k 20 --quiet
echo "exit $?"
leitong fingerprint "$EXAMPLES/sample.jsonl" --profile minhash1 --bits 128 | head -n 2
leitong fingerprint "$EXAMPLES/sample.jsonl" --profile minhash1 --trace
leitong fingerprint "$EXAMPLES/sample.jsonl" --sketch minhash1 --weights tf --ngram-sizes 1
