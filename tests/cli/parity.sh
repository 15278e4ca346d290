# leitong parity: which Java program made these fingerprints? With a small dictionary of its own in IKAnalyzer's form.
export LEITONG_DATA=$PWD/data
mkdir dic
printf '你妈\n妈妈\n叫你\n回家\n吃饭\n美国\n' > dic/main.dic
printf '罗\n' > dic/surname.dic
printf '区\n' | tee dic/quantifier.dic > dic/suffix.dic
printf '你\n' > dic/preposition.dic
printf 'and\n' > dic/stopword.dic
without_folders() { sed -E 's/ are in none of [^;]*;/ are missing;/g'; }

# three values of the program of article 000, whose words are all in the small dictionary, and one that the rest decides
cat > java.jsonl << 'END'
{"id":"a","body":"你妈妈喊你回家吃饭哦，回家罗回家罗","store":{"simhash":"2000034e0df9dda6"}}
{"id":"b","body":"你妈妈叫你回家吃饭啦，回家罗回家罗","store":{"simhash":"26008B5A6F3D9DA6"}}
{"id":"c","body":"美国51区","store":{"simhash":"0xa3ed877647d"}}
END
leitong parity java.jsonl --text-field body --fp-field store.simhash 2>&1 | without_folders
leitong data add ik dic > added.txt
leitong parity java.jsonl --text-field body --fp-field store.simhash | without_folders
echo "exit ${PIPESTATUS[0]}"

# numbers keep all their digits; Java's long is signed
cat > longs.csv << 'END'
id,text,fp
1,你妈妈喊你回家吃饭哦,1
2,美国51区,11265035953277
END
leitong parity longs.csv | without_folders
echo "exit ${PIPESTATUS[0]}"
printf '{"text":"","fp":-1}\n{"text":"美国51区","fp":11265035953277}\n' > signed.jsonl
leitong parity signed.jsonl | grep fits

# other words: the dictionary is what to look at; once it is added, it is found
printf '你妈\n回家\n吃饭\n美国\n回家吃饭\n' > dic/main.dic
leitong data add ik dic --name ik-shop --output ./shop.data > added.txt
cut -d, -f2 java.jsonl | cut -d: -f2 | tr -d '"' > texts.txt
leitong fingerprint texts.txt --lines --profile java-ik --data ./shop.data --format bits | cut -d'"' -f6 > shop.txt
paste -d'|' texts.txt shop.txt | sed -E 's/(.*)\|(.*)/{"text":"\1","fp":"\2"}/' > shop.jsonl
leitong parity shop.jsonl | sed -n '2p;/^No profile/,$p'
echo "exit ${PIPESTATUS[0]}"
cp shop.data data/ik-shop.data
leitong parity shop.jsonl --json > fits.json
echo "exit $?"
python3 -c 'import json; r = json.load(open("fits.json")); print(r["compared"], sorted((f["profile"], f["data"], f["bits"], f["form"]) for f in r["fits"]))'

# a profile of ours; records without a value; what is no fingerprint
leitong fingerprint "$EXAMPLES/sample.jsonl" --profile words-log > ours.jsonl
python3 - "$EXAMPLES/sample.jsonl" << 'END'
import json, sys
with open("own.jsonl", "w") as out:
    for record, made in zip(map(json.loads, open(sys.argv[1])), map(json.loads, open("ours.jsonl"))):
        out.write(json.dumps(record | {"fp": made["fp"]}) + "\n")
END
leitong parity own.jsonl --profile words-log -j 3 > three.txt
echo "exit $?"
leitong parity own.jsonl --profile words-log -j 1 | cmp - three.txt && sed -n '2p' three.txt && grep fits three.txt
printf '{"id":1,"text":"回家","fp":null}\n{"id":2,"text":"美国51区","fp":"00000a3ed877647d"}\n{"id":3,"text":"美国","fp":"n/a"}\n' > gaps.jsonl
leitong parity gaps.jsonl > gaps.txt
echo "exit $?"
grep -E "without a stored|in no form" gaps.txt

# errors
leitong parity java.jsonl --text-field body
echo "exit $?"
leitong parity own.jsonl --stop-words x
echo "exit $?"
leitong parity own.jsonl --idf no-such-file --profile java-hanlp-tfidf 2>&1 | without_folders
echo "exit ${PIPESTATUS[0]}"
