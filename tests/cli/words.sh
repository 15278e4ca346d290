# Words: a dictionary of a few words is compiled, and everything that is made of words is made of them.
mkdir ik
printf '研究\n研究生\n生命\n起源\n美国\n雇员\n飞碟\n' > ik/main.dic
for list in surname suffix preposition; do echo 的 > ik/$list.dic; done
echo 架 > ik/quantifier.dic
echo the > ik/stopword.dic
export LEITONG_DATA=$PWD/data

printf '{"id":1,"text":"研究生命起源，美国雇员9架飞碟"}\n{"text":"ＡＢ\\ud83d研究\\u0000"}\n{"id":"e","text":""}\n{"id":"bad"}\n' > a.jsonl

echo "== nothing there yet"
leitong segment a.jsonl -p java-ik 2>&1 | sed "s#in none of.*; get#in none of (folders); get#"
leitong segment a.jsonl -p java-hanlp 2>&1 | grep -o 'com.hankcs:hanlp:portable-1.8.1' | head -n 1
leitong data add ik
leitong data add hanlp ik/main.dic
leitong data add ik nowhere
echo "== compiled"
leitong data add ik ik | sed "s#$PWD/##; s#([0-9.]* [kM]B)#(size)#"
leitong data add ik ik --name shop --add-words ik/quantifier.dic | sed "s#$PWD/##; s#([0-9.]* [kM]B)#(size)#"
leitong data | awk '$1 == "ik" { print $1, $2, length($3) }'
leitong profiles | awk '$1 == "java-ik" { print $1, $2, length($3) } $1 == "java-hanlp" { print }'
leitong profiles java-ik --bits 32

mkdir gbk && cp ik/*.dic gbk && printf '\261\261\276\251\n' >> gbk/main.dic
leitong data add ik gbk --name gbk 2>&1 >/dev/null
leitong data add ik ik --name shop 2>&1 >/dev/null | sed "s#$PWD/##"
leitong data add ik ik --name shop --add-words ik/quantifier.dic > /dev/null 2>&1

echo "== words"
leitong segment a.jsonl -p java-ik
leitong segment a.jsonl -p java-ik --pos -q
leitong segment a.jsonl --words ik -q
leitong segment a.jsonl -p jieba -q
leitong segment a.jsonl -p jieba --words jieba-search --pos -q
leitong segment a.jsonl -q | head -n 2
printf '研究生命起源\n' | gzip > lines.txt.gz
leitong segment lines.txt.gz --lines -p java-ik --data shop

echo "== normal forms"
leitong normalize a.jsonl -q
leitong normalize a.jsonl -q --half-width | tail -n 2
printf '{"id":1,"text":"ab 圖書館!"}\n' | leitong normalize - --full-width --simplified
leitong normalize a.jsonl --full-width --half-width
echo "exit $?"

echo "== fingerprints"
for bits in 32 64 128; do leitong fingerprint a.jsonl -p java-ik --bits $bits -q | head -n 1; done
leitong fingerprint a.jsonl -p java-ik --format bits --blocks 3 -q
leitong fingerprint a.jsonl -p java-ik --format decimal -q
leitong fingerprint a.jsonl --words ik --weights log -q
leitong fingerprint a.jsonl --format jsonl
leitong fingerprint a.jsonl --blocks 3
leitong fingerprint a.jsonl -p java-ik --bits 256
leitong fingerprint a.jsonl -p java-ik --weights tfidf --top-words 3
printf '{"id":1,"text":"美国雇员"}\n' | leitong fingerprint - -p java-ik --bits 32 --trace

echo "== weights and stop words"
printf '美国 4\n雇员 five\n' > bad.txt
leitong fingerprint a.jsonl --words ik --word-weights bad.txt
printf '美国 4\n雇员 5\n' > weights.txt
printf '{"id":1,"text":"美国雇员飞碟"}\n' | leitong fingerprint - --words ik --word-weights weights.txt --trace | sed -n 2,5p
echo 雇员 > stop.txt
printf '{"id":1,"text":"美国雇员飞碟"}\n' | leitong fingerprint - --words ik --stop-words stop.txt --trace | sed -n 2,4p

echo "== damaged"
head -c 5000 data/ik.data > data/short.data
leitong segment a.jsonl -p java-ik --data short 2>&1 | sed "s#$PWD/##"
cp data/ik.data data/flipped.data
printf 'X' | dd of=data/flipped.data bs=1 seek=150000 conv=notrunc status=none
leitong segment a.jsonl -p java-ik --data flipped 2>&1 | sed "s#$PWD/##"
printf '\377' | dd of=data/flipped.data bs=1 seek=8 conv=notrunc status=none
leitong segment a.jsonl -p java-ik --data flipped 2>&1 | sed "s#$PWD/##"

echo "== near-duplicates by the Java program's bits"
printf '{"id":1,"text":"研究生命起源，美国雇员9架飞碟"}\n{"id":2,"text":"研究生命起源。美国雇员9架飞碟"}\n{"id":3,"text":"the"}\n{"id":4,"text":"的"}\n' > d.jsonl
leitong dedup d.jsonl -p java-ik --bits 32 -k 2 -o out -q
cut -d, -f1-3 out/removed.jsonl
rm -r data
leitong apply out/stages/clusters.ltt --output-dir again -q
cmp out/removed.jsonl again/removed.jsonl && echo "what comes after the sketches needs no dictionary"
echo "== keywords: those of jieba.analyse.extract_tags, and their weights"
printf '%s\n' '{"id":1,"text":"雷同文本是指内容几乎相同而只有少数字词不同的文章,编辑部每天都会收到许多这样的稿件"}' '{"id":"e","text":""}' '{"id":"bad"}' > k.jsonl
leitong keywords k.jsonl --top 3
printf '编辑部\n字词\n' > stop.txt
printf '雷同文本 100000 n\n' > user.txt
leitong keywords k.jsonl --top 2 --stop-words stop.txt --user-words user.txt --quiet
leitong keywords k.jsonl --user-words none.txt
echo "exit $?"
