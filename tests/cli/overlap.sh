# overlap: passages of B inside texts of A, with their places; what is refused; what is counted.
mkdir a b
cat > a/crawl.jsonl <<'END'
{"id":"page-1","text":"Quiz night! Question 7. Which river flows through the capital of Austria, the capital of Hungary and the capital of Serbia before it reaches the Black Sea? Send us your answers."}
{"id":"page-2","text":"Nothing to see here: a page about gardening, and about how to keep slugs away from lettuce in a wet summer."}
{"id":"page-3","text":"附录。第一条 为了规范公共场所的卫生管理，预防疾病，保障人体健康，根据有关法律、行政法规的规定，结合本市实际，制定本条例。完"}
{"id":"page-4","text":"又及：预防疾病，保障人体健康，根据有关法律、行政法规的规定，另行处理"}
{"id":"page-5"}
END
cat > b/questions.jsonl <<'END'
{"id":"q-1","text":"Which river flows through the capital of Austria, the capital of Hungary and the capital of Serbia before it reaches the Black Sea?"}
{"id":"q-2","text":"Which mountain is the highest one that stands entirely inside the borders of a single country in the Southern Hemisphere of the Earth?"}
{"id":"q-3","text":"Who wrote it?"}
{"id":"q-4","text":"How to keep slugs away from lettuce in a WET summer?"}
END
cat > b/法规.csv <<'END'
id,text
z1,第一条　为了规范公共场所的卫生管理，预防疾病，保障人体健康，根据有关法律、行政法规的规定，结合本市实际，制定本条例。
END
echo "== two directories"
leitong overlap a b --output-dir out
echo "exit $?"
LC_ALL=C ls -A out
cat out/matches.jsonl
cat out/rejected.jsonl
python3 - <<'END'
import json
texts = {}
for name in ("a/crawl.jsonl", "b/questions.jsonl"):
    for line in open(name, encoding="utf-8"):
        record = json.loads(line)
        texts[record["id"]] = record.get("text")
for line in open("out/matches.jsonl", encoding="utf-8"):
    match = json.loads(line)
    for span in match["spans"]:
        if match["b"]["id"] in texts:
            print(repr(texts[match["a"]["id"]][slice(*span["a"])][-20:]), repr(texts[match["b"]["id"]][slice(*span["b"])][-20:]))
summary = json.load(open("out/summary.json", encoding="utf-8"))
print(summary["contained"], summary["partial"], summary["holding"], summary["too_short"], [(r["b"], r["cells"]) for r in summary["matrix"]])
END
echo "== a longer span, a higher share, standard input"
leitong overlap - b/questions.jsonl --span 30 --contained 0.9 -o piped < a/crawl.jsonl 2>&1 | head -n 4
leitong overlap a/crawl.jsonl - --lines -o piped-b < b/法规.csv
LC_ALL=C ls -A piped
sed 's/"text":/"question":/' b/questions.jsonl > asked.jsonl
leitong overlap a asked.jsonl --b-text-field question --b-id-field question -o asked | head -n 3
echo "== what it wants else"
leitong overlap a b -o out
echo "exit $?"
leitong overlap a b -o out --overwrite --quiet
leitong overlap a -o none
leitong overlap a b c -o none
leitong overlap a b
leitong overlap a nowhere -o none
leitong overlap - - -o none
leitong overlap a b -o none --span 0
leitong overlap a b -o none --contained 0
leitong overlap a b -o none --threshold 0.5
ls -d none
leitong dedup a -o deduped --quiet
leitong overlap a b -o deduped --overwrite
echo "exit $?"
echo "== nothing to read"
leitong overlap a b --text-field body -o bad
echo "exit $?"
mkdir empty
leitong overlap empty b -o empty-out --quiet
echo "exit $?"
leitong overlap a b --strict -o strict
echo "exit $?"
echo "== results are not read as input"
cp b/questions.jsonl out/more.jsonl
leitong overlap a out -o again | head -n 1
