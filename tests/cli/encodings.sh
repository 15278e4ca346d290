# Encodings, found and asked for; text fields in arrays, joined, misspelt; inputs cut off, foreign, named twice.
mkdir d
text='雷同检测把相近的文章找出来，只留下一篇。港务局宣布，六月的第一个星期五起，夜间渡轮开始运行。'
printf '{"id":"甲","text":"%s"}\n' "$text" | iconv -t GB18030 > d/a.jsonl
printf 'id,text\r乙,"%s"\r' "$text" | iconv -t GBK > d/b.csv
printf '%s\n' "$text" | iconv -t UTF-16 > d/c.txt
printf '<html><meta charset=gb2312><p>%s</p>' "$text" | iconv -t GBK > d/d.html
printf '港務局宣布，六月的第一個星期五起' | iconv -t BIG5 > d/e.txt
leitong dedup d --output-dir out
cat out/kept.jsonl
leitong restore out
leitong fingerprint d --encoding GBK --include '**/[a-c].*' --exclude c.txt
leitong fingerprint d --encoding UTF-8 --include 'a.jsonl'
echo "exit $?"
leitong fingerprint d/a.jsonl --encoding nonsense
leitong fingerprint - --lines < d/e.txt
# fields
printf '{"title":"T","messages":[{"role":"user","content":"one two"},{"role":"model","content":"three"}]}\n' > chat.jsonl
leitong normalize chat.jsonl --text-field title --text-field 'messages.*.content'
leitong normalize chat.jsonl --text-field messages.1.content
leitong fingerprint chat.jsonl --text-field titel
echo "exit $?"
leitong normalize chat.jsonl --text-field title --text-field body
for i in $(seq 2000); do echo "{\"id\":$i,\"content\":\"words $i\"}"; done > many.jsonl
leitong dedup many.jsonl --output-dir wrong
echo "exit $?"
# cut off
printf '{"id":1,"text":"a good record"}\n{"id":2,"text":"anoth' > cut.jsonl
leitong dedup cut.jsonl --output-dir cut
echo "exit $?"
leitong apply cut/stages/clusters.ltt --output-dir cut --quiet
echo "exit $?"
# foreign
printf 'PAR1....' > table.parquet
leitong fingerprint table.parquet chat.jsonl --text-field title
echo "exit $?"
# named twice
leitong fingerprint chat.jsonl . --include chat.jsonl --text-field title
# what a dry run asks for
leitong dedup many.jsonl --text-field content --dry-run | tail -1
leitong dedup many.jsonl --text-field content --dry-run --output-dir cut
echo "exit $?"
leitong dedup many.jsonl --keep date:latest --dry-run
