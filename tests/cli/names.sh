# Names of files are bytes: those of GBK are read, shown by a reversible escape, and found again by either form.
gbk=$'\xd0\xc2\xce\xc5'  # 新闻
mkdir -p "in/$gbk" "old$gbk"
text='The committee met on Tuesday to discuss the new library and voted to build it by the river next spring'
echo "$text" > "in/$gbk/$gbk.txt"
echo "$text" > "in/$gbk/copy.txt"
echo 'Something else altogether: rain is expected in the hills tonight' > "in/back\\xD0.txt"
{ head -c 300 "$EXAMPLES/sample.jsonl"; echo; } > "in/$gbk/$gbk.jsonl"
cp in/"$gbk"/copy.txt "old$gbk/$gbk.txt"
leitong dedup in --output-dir "out$gbk" | sed 's/out.*report/report/'
cd "out$gbk" && python3 - <<'END'
import json, os
for name in sorted(os.listdir(".")):
    if name.endswith((".json", ".jsonl")):
        for line in open(name, encoding="utf-8", errors="strict"):
            json.loads(line)
open("report.html", encoding="utf-8", errors="strict").read()
END
cat removed.jsonl
grep -o '"source":"[^"]*"' rejected.jsonl
grep -c 'in/\\xD0\\xC2\\xCE\\xC5' report.html
grep -o '"id":"in.back[^,]*' kept.jsonl
cd ..
echo "-- restore and explain, by the bytes and by what is shown"
leitong restore "out$gbk" > a && leitong restore 'out\xd0\xC2\xCE\xC5' | cmp - a && cut -c -60 a
leitong explain "in/$gbk/$gbk.txt" "in/$gbk/copy.txt" --run "out$gbk" > a
leitong explain 'in/\xD0\xC2\xCE\xC5/\xD0\xC2\xCE\xC5.txt' 'in/\xD0\xC2\xCE\xC5/copy.txt' --run 'out\xD0\xC2\xCE\xC5' | cmp - a && head -n 1 a
leitong explain "in/$gbk/$gbk.txt:3" ":1" --run "out$gbk" | head -n 1
echo "-- another directory, resumed, annotated, against"
(cd old"$gbk" && leitong restore "../out$gbk" | cut -c -60)
leitong dedup in --output-dir "out$gbk" --resume --annotate -q && grep -c source "out$gbk/annotated.jsonl"
leitong dedup in --against "old$gbk" -o against -q && grep -o '"against":.*' against/removed.jsonl
leitong dedup in --against 'old\xD0\xC2\xCE\xC5' -o again -q && cmp against/removed.jsonl again/removed.jsonl && echo "the same"
echo "-- overlap, calibrate, stages, errors"
leitong overlap in "old$gbk" -o over -q && grep -o '"source":"[^"]*"' over/matches.jsonl | sort -u
leitong calibrate in -o "cal$gbk" -q 2>&1
leitong sketch in -o "$gbk.sketch" -q && leitong join "$gbk.sketch" -o "$gbk.pairs" -q && leitong verify "$gbk.pairs" -o "$gbk.edges" -q &&
  leitong cluster "$gbk.edges" -o "$gbk.clusters" -q && leitong apply "$gbk.clusters" -o "staged$gbk" -q
cmp "staged$gbk/clusters.jsonl" "out$gbk/clusters.jsonl" && echo "the same"
leitong fingerprint "none$gbk"
