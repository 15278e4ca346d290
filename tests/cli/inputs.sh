# Formats, standard input, bad records.
leitong fingerprint "$EXAMPLES/sample.jsonl" > plain.jsonl
gzip -c "$EXAMPLES/sample.jsonl" > s.jsonl.gz
leitong fingerprint s.jsonl.gz | cmp - plain.jsonl && echo "gzip: the same"
leitong fingerprint - < s.jsonl.gz | cmp - plain.jsonl && echo "standard input: the same"
printf 'name,body\na,"one, two"\nb,three four five\n' > t.csv
leitong fingerprint t.csv --text-field body --id_field name | grep -o '"id":"[ab]"'
leitong fingerprint t.csv --text_column 1 --id-field 0 --no-header | grep -c fp
printf 'one line\nanother line\n' | leitong fingerprint - --lines | grep -c fp
mkdir -p d/x
echo 'first text here' > d/x/1.txt
echo '<p>first <b>text</b> here</p>' > d/2.html
echo 'skip me' > d/x/skip.txt
leitong fingerprint d --exclude '*skip*' | sort -u | grep -c fp
printf '{"id":1,"text":"good one"}\n{"id":2,"text":\n{"id":3}\n{"id":4,"text":"also good"}\n' > bad.jsonl
leitong fingerprint bad.jsonl
leitong fingerprint bad.jsonl --strict > /dev/null
echo "exit $?"
leitong dedup bad.jsonl --output-dir out
sed 's/"reason":.*/.../' out/rejected.jsonl
: > empty.jsonl
leitong dedup empty.jsonl --output-dir nothing
cat bad.jsonl | leitong dedup - --output-dir piped --quiet && cat piped/kept.jsonl
leitong restore piped
echo "exit $?"
