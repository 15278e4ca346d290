# collection add and query --stream: every line is answered before the next one comes.
A="The night ferry to the island leaves the east pier at ten and arrives shortly after midnight on every day of the week"
B="Shares of the three largest bakeries fell on Tuesday after the price of flour had doubled within less than a month"
leitong collection create news --texts
# a line goes in when the one before it has been answered: without --stream this would wait for ever
converse() {
  coproc program { "$@" 2> notes.txt; }
  local -i to="${program[1]}" from="${program[0]}" process="$program_PID"
  while IFS= read -r sent; do
    printf '%s\n' "$sent" >&"$to"
    while IFS= read -r -t 20 answer <&"$from" || { echo "no answer"; break; }; do
      printf '%s\n' "$answer"
      [[ $answer == *'"result":'* || $answer == *'"error":'* || $answer == *'"matches":'* ]] && break
    done
  done
  exec {to}>&-
  wait "$process"
  echo "exit $?"
  cat notes.txt
}
echo "== add"
converse leitong collection add news - --stream << END
{"id":"a","text":"$A"}
{"id":"b","text":
{"text":"no id"}
{"id":"b","text":"$B"}
END
echo "== what was answered is there"
leitong collection stats news --json | grep -o '"documents":[0-9]*'
echo "== unique"
converse leitong collection add news - --stream --unique -k 8 << END
{"id":"c","text":"$A and holiday"}
{"id":"d","text":"Nothing like this sentence about glaciers and their slow way to the sea has been there before"}
END
echo "== query"
converse leitong collection query news - --stream << END | sed 's/"distance":.*"sim/"distance":D,"sim/'
{"id":"q1","text":"$A"}
{"text":"no such words at all"}
nonsense
{"id":"q4","text":"$B"}
END
echo "== a text a line, the last without its end"
printf '%s\n%s' "$B" "$A" | leitong collection query news - --stream --format lines | cut -d , -f 1,2
echo "== refused"
echo {} > a.jsonl
leitong collection query news a.jsonl --stream
leitong collection query news - --stream --format csv
leitong collection query news --text words --stream
printf '\37\213\10\0' | leitong collection query news - --stream
printf '{"id":"long","text":"%050d"}\n{"id":"e","text":"%s"}\n' 0 "$A" | leitong collection query news - --stream --max-document 200 | tail -n 1
printf '{"id":"long","text":"%0300d"}\n{"id":"e","text":"x"}\n' 0 | leitong collection query news - --stream --max-document 200
