# Parquet in, Parquet out, and everything that reads a run by row numbers.
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir made --annotate --annotate-key made --output-format parquet --quiet
ls made
mkdir in
cp made/annotated.parquet in/all.parquet
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir lines --quiet
echo "-- the same records stay, in a file of the same columns"
leitong dedup in/all.parquet --output-dir rows | head -n 1
ls rows
ids() { leitong fingerprint "$@" --quiet | cut -d '"' -f 4; }
cmp <(ids rows/kept.parquet) <(ids lines/kept.jsonl) && echo "the same ids"
for name in removed clusters; do
  cmp <(sed 's,"source":"[^"]*",,' rows/$name.jsonl) <(sed 's,"source":"[^"]*",,' lines/$name.jsonl) && echo "$name: the same lines"
done
echo "-- rows as JSON"
leitong dedup in/all.parquet --output-dir json --output-format jsonl --quiet
ls json/kept*
head -n 1 json/kept.jsonl | cut -c 1-80
cmp <(ids json/kept.jsonl) <(ids lines/kept.jsonl) && echo "the same ids"
leitong restore rows | head -n 1 | cut -c 1-60
cmp <(leitong restore rows | ids -) <(leitong restore lines | ids -) && echo "restored"
leitong explain --run rows zh-001 zh-002 | head -n 1
echo "-- on standard input, against itself, resumed, annotated"
cat in/all.parquet | leitong dedup - --output-dir piped --quiet
cmp <(ids piped/kept.parquet) <(ids lines/kept.jsonl) && echo "the same ids"
leitong dedup "$EXAMPLES/sample.jsonl" --against rows --output-dir again --quiet && wc -l < again/kept.jsonl
leitong dedup in/all.parquet --output-dir rows --resume --annotate --quiet
ls rows
leitong dedup in/all.parquet --output-dir rows --resume --annotate --annotate-key made
echo "exit $?"
echo "-- a file for each input"
cp rows/annotated.parquet in/other.parquet
head -n 3 "$EXAMPLES/sample.jsonl" > in/few.jsonl
leitong dedup in --output-dir by --output-layout input --quiet
find by/kept -type f | sort
leitong dedup in/all.parquet in/other.parquet --output-dir both
echo "exit $?"
leitong dedup in --output-dir mixed --quiet && ls mixed/kept*
echo "-- what does not fit"
leitong dedup in/all.parquet --output-dir none --text-field body
echo "exit $?"
leitong dedup in/all.parquet --output-dir none --text-field made_keep
echo "exit $?"
head -c 400 in/all.parquet > cut.parquet
leitong dedup cut.parquet --output-dir cut --output-format jsonl 2>&1 | grep -c INCOMPLETE
gzip -c in/all.parquet > packed.parquet.gz
leitong fingerprint packed.parquet.gz
echo "exit $?"
echo "-- other commands"
leitong overlap in/all.parquet "$EXAMPLES/sample.jsonl" --output-dir common --quiet && ls common
leitong sketch in/all.parquet --output all.ltt --quiet && echo "sketched"
leitong dedup in/all.parquet --dry-run --output-dir planned 2>&1 | grep -c records
