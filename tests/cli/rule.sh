# Rules: listed, printed, changed; what they judge names them, and nothing that is stored depends on them.
leitong rules
leitong rules near-1 --threshold 0.9 | tee strict.toml
sed -i 's/near-1/strict/' strict.toml
words() { seq -f 'word%.0f' "$1" "$2" | tr '\n' ' '; }
{
  echo "{\"id\":\"a\",\"text\":\"$(words 1 80)\"}"
  echo "{\"id\":\"b\",\"text\":\"$(words 1 80)$(words 201 212)\"}"
  echo "{\"id\":\"c\",\"text\":\"$(words 301 380)\"}"
} > in.jsonl

echo "== dedup"
leitong dedup in.jsonl -o out | head -n 2
leitong dedup in.jsonl --rule strict.toml -o out --resume | head -n 2
python3 - <<'END'
import json
summary, run = json.load(open("out/summary.json")), json.load(open("out/run.json"))
print(summary["rule"], summary["rule_id"], summary["rule_toml"].splitlines()[2], run["rule"], run["rule_id"] == summary["rule_id"])
print([stage["stage"] for stage in run["stages"] if stage["resumed"]])
END
grep -o 'rule strict' out/report.html
leitong explain --run out a b | grep -A 1 accepted

echo "== stages"
leitong sketch in.jsonl -o s.ltt -q
leitong join s.ltt --rule strict.toml -o p.ltt -q
leitong verify p.ltt --rule strict.toml -o e.ltt
leitong verify p.ltt -o e.ltt

echo "== two texts"
leitong compare --text "one two three four five" "one two three four six" | head -n 1
leitong compare --text "one two three four five" "one two three four six" --rule strict.toml | head -n 1

echo "== a collection"
leitong collection create c --texts
leitong collection add c in.jsonl --unique --rule strict.toml | grep -c '"result":"new"'
for rule in near-1 strict.toml; do leitong collection query c --id a --rule $rule | grep -o '"id":"."'; echo "-- $rule"; done
leitong collection clusters c
leitong collection clusters c --rule strict.toml --changes feed.jsonl
grep -o '"rule":"strict"' feed.jsonl
leitong collection clusters c --last --rule near-1

echo "== errors"
leitong dedup in.jsonl --rule nobody -o no
printf 'name = "p"\nsure-similarity = 0.7\n' > old.toml
leitong dedup in.jsonl --profile old.toml -o no
printf 'bits = 64\n' > wrong.toml
leitong dedup in.jsonl --rule wrong.toml -o no
printf 'order-lcs = 2\n' > wrong.toml
leitong dedup in.jsonl --rule wrong.toml -o no
leitong explain --run out a b --rule near-1
