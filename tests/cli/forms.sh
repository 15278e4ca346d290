# Outputs packed, and one for each input file: every reader of a run finds them.
mkdir -p in/a/deep
head -n 20 "$EXAMPLES/sample.jsonl" > in/a/deep/first.jsonl
tail -n +21 "$EXAMPLES/sample.jsonl" | gzip -n > in/rest.jsonl.gz
: > in/empty.jsonl
printf 'no JSON\n{"text": 1}\n' > in/bad.jsonl
printf 'id,text\n1,"a table, quite unlike the others"\n' > in/table.csv
leitong dedup in --output-dir plain --quiet
unpacked() { case $1 in *.zst) zstd -dcq "$1" ;; *.gz) gzip -dc "$1" ;; *) cat "$1" ;; esac; }
for how in zst gz; do
  echo "-- $how"
  leitong dedup in --output-dir $how --output-compression $how | head -n 1
  ls $how
  for name in kept removed clusters rejected; do unpacked $how/$name.jsonl.$how | cmp - plain/$name.jsonl && echo "$name: the same lines"; done
  leitong dedup in --output-dir again --output-compression $how --threads 1 --quiet
  for name in kept removed clusters rejected; do cmp {again,$how}/$name.jsonl.$how; done
  rm -r again
  leitong restore $how | cmp - <(leitong restore plain) && echo "restored"
  leitong explain --run $how zh-001 zh-002 | head -n 1
  leitong dedup "$EXAMPLES/sample.jsonl" --against $how --output-dir more --quiet && wc -l < more/kept.jsonl
  rm -r more
done
echo "-- the form may change when a run goes on; one form stands in the end"
leitong dedup in --output-dir zst --resume --output-compression gz --quiet
ls zst && unpacked zst/rejected.jsonl.gz | cmp - plain/rejected.jsonl
leitong dedup in --output-dir zst --resume --annotate --quiet && ls zst
echo "-- one file for each input file"
leitong dedup in --output-dir by --output-layout input --quiet
ls -A by
(cd by/kept && find . -type f | sort)
cat by/kept/bad.jsonl by/kept/a/deep/first.jsonl <(unpacked by/kept/rest.jsonl.gz) by/kept/table.csv.jsonl by/kept/empty.jsonl | sort | cmp - <(sort plain/kept.jsonl) && echo "the same records"
cmp by/removed.jsonl plain/removed.jsonl
leitong restore by | cmp - <(leitong restore plain) && echo "restored"
leitong dedup "$EXAMPLES/sample.jsonl" --against by --output-dir more --quiet && wc -l < more/kept.jsonl
leitong dedup by --output-dir other --quiet
echo "exit $?"
echo "-- packed, annotated, of several operands and standard input"
leitong dedup in/a in/rest.jsonl.gz - --output-dir by --overwrite --output-layout input --output-compression zst --annotate --quiet < in/table.csv
(cd by && find annotated kept* -type f | sort)
unpacked by/annotated/rest.jsonl.zst | grep -c '"leitong":'
echo "-- two of one name are refused, and so is what is not of a run; before anything is written"
leitong dedup in/a/deep in/a in/a/deep/first.jsonl --output-dir twice --quiet --output-layout input
mkdir -p b && cp in/rest.jsonl.gz b/rest.jsonl && cp in/empty.jsonl b/rest.jsonl.gz
leitong dedup b --output-dir none --output-layout input --output-compression gz
mkdir -p c/first.jsonl && cp in/empty.jsonl c/first.jsonl/x.jsonl
leitong dedup c in/a/deep/first.jsonl --output-dir none --output-layout input --dry-run
ls none
mkdir -p mine/kept && echo mine > mine/kept/first.jsonl
leitong dedup in/a/deep --output-dir mine --output-layout input --overwrite
cat mine/kept/first.jsonl && ls -A mine
leitong dedup in/a/deep --output-dir linked --quiet && rm linked/summary.json && ln -s ../mine/kept linked/kept
leitong dedup in/a/deep --output-dir linked --output-layout input
echo "exit $?"
mkdir two && cp in/a/deep/first.jsonl two/
leitong sketch in/a/deep -o one.sketch --quiet && leitong sketch two in/bad.jsonl -o two.sketch --rejected bad.jsonl.zst --quiet
unpacked bad.jsonl.zst | wc -l
leitong join one.sketch two.sketch -o pairs --quiet && leitong verify pairs -o edges --quiet && leitong cluster edges -o clusters --quiet
leitong apply clusters --output-dir staged --output-layout input
leitong join two.sketch -o pairs --quiet && leitong verify pairs -o edges --quiet && leitong cluster edges -o clusters --quiet
leitong apply clusters --output-dir staged --output-layout input --quiet && ls staged staged/kept
echo "-- overlap packs its lines too"
leitong overlap "$EXAMPLES/sample.jsonl" in --output-dir shared --output-compression zst | tail -n 2
leitong overlap "$EXAMPLES/sample.jsonl" in --output-dir shared-plain --quiet
unpacked shared/matches.jsonl.zst | cmp - shared-plain/matches.jsonl && ls shared
leitong overlap "$EXAMPLES/sample.jsonl" in --output-dir shared --overwrite --quiet && ls shared
