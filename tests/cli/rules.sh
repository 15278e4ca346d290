# Rules of --keep that cannot decide anything: refused if they are no rules, named if no record has what they ask for.
run() {
  leitong dedup "$EXAMPLES/sample.jsonl" --output-dir out --overwrite --quiet --keep "$1"
  echo "exit $?"
}
run 'source:gov>news,date:oldest,length:max,first'
run 'lenght:max,meta.date:newest,date:oldst,source:nowhere>never,first'
grep -o '"warnings":[^]]*]' out/summary.json
run frist
run length
run length:longest
mkdir gov && cp "$EXAMPLES/sample.jsonl" gov/a.jsonl
echo "-- a word of the path will do for source"
printf '{"text":"one and the same notice"}\n' | tee b.jsonl > gov/a.jsonl
leitong dedup b.jsonl gov --output-dir by-path --quiet --keep 'source:gov'
cut -d, -f3 by-path/removed.jsonl
