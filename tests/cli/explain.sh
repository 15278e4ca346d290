# explain: what made two fingerprints differ, in two texts and in two records of a run.
export LEITONG_DATA=$PWD/none
echo "== two texts"
leitong explain --text 'The quick brown fox jumps over the lazy dog' 'The quick red fox jumps over the lazy dog!'
echo "exit $?"
leitong explain '谢谢童学们的支持' '谢谢同学们的支持' --top 1 | sed -n '/^features/,$p'
leitong explain --text 'fox fox fox dog' 'fox fox dog bird' --profile words-tf --top 2 | sed -n '/^features/,$p'
leitong explain --text 'one two' 'one  TWO' | sed -n '/^features/,$p'
leitong explain --text 'a word' '!!!' --top 0 | sed -n '/^fingerprints/p; /^features/,$p'
printf 'the red fox\n' > a.txt
leitong explain a.txt - --top 1 --color always < a.txt | head -n 1
leitong explain --text 'red' 'grey' --color always --top 1 | tail -n 1 | od -c | head -n 2
leitong explain --text 'fox fox dog' 'fox dog bird' --profile words-tf --top 1 --json | sed 's/.*"profile_id":"[0-9a-f]*",//'
leitong explain --text 'red fox' 'grey fox' --top 1 --json | python3 -c 'import json, sys; d = json.load(sys.stdin); print(d["distance"] == len(d["differing_bits"]), len(d["most_moved"]))'
leitong explain --text 'red fox' 'grey fox' --profile minhash1 | sed -n '/^the features/,$p'
leitong explain a.txt
echo "exit $?"
leitong explain a.txt b.txt --profile java-ik > /dev/null 2> error.txt
echo "exit $?"

echo "== a run"
leitong dedup "$EXAMPLES/sample.jsonl" --output-dir out --quiet
leitong explain --run out en-001 en-004 --top 1
echo "exit $?"
leitong explain --run out en-001 zh-001 --top 1 | head -n 8
leitong explain --run out :0 :1 --top 1 --json | python3 -c 'import json, sys; r = json.load(sys.stdin)["run"]; print(r["nominated"], r["accepted"], [(e["from"]["id"], e["to"]["id"], e["route"]) for e in r["chain"]])'

echo "== names"
printf '{"id":"x","text":"one and two and three"}\n{"id":"x","text":"four and five and six"}\n{"id":"y"}\n{"text":"ONE and two and three"}\n' > c.jsonl
leitong dedup c.jsonl --output-dir c --quiet
leitong explain --run c x :3
echo "exit $?"
leitong explain --run c c.jsonl:0 3 | head -n 9
leitong explain --run c :2 :3
leitong explain --run c :3 c.jsonl:3
leitong explain --run c z :3
leitong explain --run c :0 :1 --profile jieba
leitong explain --run nowhere :0 :1
echo "exit $?"

echo "== an input that is gone, and one that has changed"
printf '{"id":"x","text":"one and two and three"}\n' > c.jsonl
leitong explain --run c :0 :3 | sed "s#$PWD/##"
echo "exit ${PIPESTATUS[0]}"
rm c.jsonl
leitong explain --run c :0 :3 | tail -n 1
cd .. && mv here/c here/moved && cd here
leitong explain --run moved :0 :3 | head -n 1
