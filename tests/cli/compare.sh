# compare: verdict in the exit code, a difference that people can read.
leitong compare --text 'The quick brown fox jumps over the lazy dog' 'The quick red fox jumps over the lazy dog!' | sed '/^ *[0-9a-f]\{16\}$/d'
echo "exit ${PIPESTATUS[0]}"
leitong compare '谢谢童学们的支持' '谢谢同学们的支持' | tail -n 1
leitong compare --text 'one two' 'three four' > /dev/null
echo "exit $?"
leitong compare --text 'one two three four' 'one two three five' --threshold 0.9 > /dev/null
echo "exit $?"
printf 'a file of words\n' > a.txt
leitong compare a.txt 'a file of words' | tail -n 1
leitong compare a.txt - < a.txt | head -n 1
# a mistyped name is no text
for name in no-such.txt dir/a nosuch -nosuch; do leitong compare a.txt -- "$name"; echo "exit $?"; done
leitong compare no-such.txt 'a file of words' ; echo "exit $?"
leitong explain a.txt no-such.txt; echo "exit $?"
leitong compare --text a.txt a.txt | head -n 1
leitong compare '谢谢' 'thanks' | head -n 1
leitong compare . a.txt
echo "exit $?"
leitong compare --text '' '' --json | sed 's/,"profile".*//'
leitong compare --text a b --color always | tail -n 1 | od -c | head -n 2
leitong compare --text '' '' | head -n 1
echo "exit ${PIPESTATUS[0]}"
leitong compare --text '!!!' '!!!'
echo "exit $?"
leitong compare --text 'a word' '???' | sed -n 3p
leitong compare --text '今天天气很好，我们去公园。明天呢？' '今天天气很好，他们去公园玩。后天呢？' --json | sed 's/.*"token_jaccard"/"token_jaccard"/; s/,"a":"[0-9a-f]*","b":"[0-9a-f]*"}.*//'
head -c 300000 /dev/zero | tr '\0' 'a' > long-a.txt
head -c 300000 /dev/zero | tr '\0' 'b' > long-b.txt
leitong compare long-a.txt long-b.txt --context 10 | sed -n '/^edits/p; /^common run/p'
# what is no UTF-8 is no text, as of records
printf 'a\377b c' > invalid.txt
leitong compare invalid.txt a.txt; echo "exit $?"
leitong compare a.txt - < invalid.txt; echo "exit $?"
leitong compare --text 'a b' "$(printf 'a b\314')"; echo "exit $?"
leitong explain a.txt invalid.txt; echo "exit $?"
leitong fingerprint invalid.txt; echo "exit $?"
# half a character from a JSON escape is printed as U+FFFD
printf '{"id":"%s","text":"one two three \\ud800 four five six seven eight %s"}\n' a nine b ten > half.jsonl
leitong dedup half.jsonl --output-dir half --quiet > /dev/null
leitong explain --run half a b | tail -n 1
# and so is the name of a document
leitong collection create store > /dev/null
leitong collection get store "$(printf 'x\377')"
leitong collection query store --text "$(printf 'x\377')"; echo "exit $?"
