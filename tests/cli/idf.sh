# leitong idf: a table of inverse document frequencies, and its use.
cat > in.jsonl << 'END'
{"id":1,"text":"red Red apple. 雷同"}
{"id":2,"text":"red pear, 同"}
{"id":3,"text":"..."}
{"id":4}
{"id":5,"text":"red plum"}
{"id":6,"text":"red 2026"}
END
leitong idf in.jsonl -o idf.txt
echo "exit $?"
cat idf.txt
for formula in plain plus-one add-one probabilistic bm25; do
  leitong idf in.jsonl -o "$formula.txt" --smoothing "$formula" --quiet
  echo "$formula: $(grep -E '^(red|apple) ' "$formula.txt" | tr '\n' ' ')"
done
leitong idf in.jsonl -o often.txt --min-df 2 && cat often.txt
# the same bytes, whatever the threads and the memory
awk 'BEGIN { for (i = 0; i < 4000; ++i) { printf "{\"text\":\"all"; for (j = 0; j < 40; ++j) printf " v%d", (i * 7919 + j * j * 104729) % 65521; print "\"}" } }' > many.jsonl
leitong idf many.jsonl -o one.txt -j 1
leitong idf many.jsonl -o more.txt -j 5 --memory 64M --quiet
cmp one.txt more.txt && echo "the same"
leitong idf - -o piped.txt --quiet < many.jsonl && cmp one.txt piped.txt && echo "the same"
# the table is for these
leitong fingerprint in.jsonl --profile words-tf --idf idf.txt | head -n 1
leitong fingerprint in.jsonl --profile words-tf --idf idf.txt --trace | sed -n '/^1 /,/^2 /p' | head -n 6
# errors leave no table behind
leitong idf in.jsonl
echo "exit $?"
leitong idf in.jsonl -o none.txt --min-df 9
echo "exit $?"
leitong idf no-such-file -o none.txt
echo "exit $?"
leitong idf in.jsonl -o none.txt --strict
echo "exit $?"
leitong idf in.jsonl -o none.txt --smoothing half
echo "exit $?"
ln -s /dev/null link
leitong idf in.jsonl -o link
echo "exit $?"
ls
