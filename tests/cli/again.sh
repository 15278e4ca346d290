# Runs that meet runs: results are no input, one run at a time writes to a directory, --resume does not read standard input again.
mkdir -p in/more
cp "$EXAMPLES/sample.jsonl" in/
echo "-- results inside the input directory are not read, those of an earlier run neither"
leitong dedup in --output-dir in/out
leitong dedup in --output-dir in/more/out
cmp in/out/kept.jsonl in/more/out/kept.jsonl && grep -o '"warnings":[^]]*]' in/more/out/summary.json
echo "-- nor where input and output are one directory"
cd in && leitong dedup . --output-dir . --quiet && leitong dedup . --output-dir . --resume && cd ..
echo "-- but a file of results that is named is read"
leitong dedup in/out/kept.jsonl --output-dir rest | head -n 1
echo "-- two runs at once: the second says so and changes nothing; a killed one leaves no lock behind"
mkfifo pipe
leitong dedup - --output-dir shared --quiet < pipe &
job=$!
disown $job
exec 3> pipe
until [[ -d shared/unfinished/stages ]]; do sleep 0.02; done
leitong dedup in --output-dir shared
echo "exit $?"
kill -9 $job
while kill -0 $job 2> /dev/null; do sleep 0.02; done
exec 3>&-
leitong dedup in/sample.jsonl --output-dir shared | head -n 1
echo "-- standard input was kept: it is not read again"
cat in/sample.jsonl | leitong dedup - --output-dir piped --quiet
rm piped/summary.json
echo 'other text' | leitong dedup - --output-dir piped --resume --quiet
cmp piped/kept.jsonl in/out/kept.jsonl && echo "the same"
echo "-- stopped while it waits for input: at once; and a part of a pipe is nothing to go on from"
mkfifo slow
leitong dedup - --output-dir half --quiet < slow &
job=$!
exec 3> slow
head -n 20 in/sample.jsonl >&3
until [[ -e half/unfinished/stages/spool ]]; do sleep 0.02; done
kill -TERM $job
wait $job
echo "exit $?"
exec 3>&-
leitong dedup - --output-dir half --resume --quiet < /dev/null
echo "exit $?"
leitong dedup - --output-dir half --quiet < in/sample.jsonl && cmp half/kept.jsonl in/out/kept.jsonl && echo "the same"
echo "-- a mistyped input leaves no directory behind"
leitong dedup no-such-file --output-dir none
echo "exit $?"
ls none
