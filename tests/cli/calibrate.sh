# calibrate: pairs to label, labels from a file and from keys, what they mean, and a rule that dedup takes.
leitong calibrate "$EXAMPLES/sample.jsonl" --output-dir cal --least-similarity 0.3 2>&1
LC_ALL=C ls -A cal
pairs=$(wc -l < cal/pairs.jsonl)
echo "-- drawn once; another run would lose the labels"
leitong calibrate "$EXAMPLES/sample.jsonl" --output-dir cal
echo "exit $?"
echo "-- keys: the second is labelled twice, x means nothing, q ends"
printf 'y n b\nu x n q' | leitong calibrate --label cal --context 60
cat cal/labels.json | sed 's/"sample":"[0-9a-f]*"/"sample":"…"/'
echo "-- and it goes on where it was"
leitong calibrate --label cal < /dev/null | tail -n 1
echo "-- nothing to go by"
: > empty.jsonl
leitong calibrate --labels empty.jsonl cal
echo "exit $?"
ls cal/rule.toml
echo "-- a labels file for all"
seq 1 "$pairs" | sed 's/.*/{"pair":&,"label":"yes"}/' > labels.jsonl
leitong calibrate --labels labels.jsonl cal --precision 0.8
echo "exit $?"
grep thresholds cal/rule.toml
leitong dedup "$EXAMPLES/sample.jsonl" --rule cal/rule.toml --output-dir out --quiet && grep -o '"edges":[0-9]*' out/summary.json
echo "-- what it wants else"
echo '{"pair":1,"label":"perhaps"}' > labels.jsonl
leitong calibrate --labels labels.jsonl cal
leitong calibrate --labels labels.jsonl out
leitong calibrate --labels cal/labels.json --label cal
leitong calibrate --label cal cal
leitong calibrate "$EXAMPLES/sample.jsonl"
leitong calibrate "$EXAMPLES/sample.jsonl" --output-dir out
leitong calibrate "$EXAMPLES/sample.jsonl" --output-dir none --least-similarity 1
ls -d none
echo "-- nothing to draw"
printf '{"text":"one text"}\n{"text":"another of no word in common"}\n' > two.jsonl
leitong calibrate two.jsonl --output-dir two
echo "exit $?"
echo "-- a directory of a calibration is not read as input, but for what is no result"
cp two.jsonl two/more.jsonl
leitong dedup two --output-dir read --quiet && wc -l < read/kept.jsonl
