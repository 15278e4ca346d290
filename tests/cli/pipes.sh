# A reader that goes away is no error; signals end the run with 130 and leave nothing half done.
yes '{"text":"the same words again and again"}' | head -n 200000 > many.jsonl
leitong fingerprint many.jsonl | head -n 1 > /dev/null
echo "exit ${PIPESTATUS[0]}"
leitong help dedup | head -n 1
echo "exit ${PIPESTATUS[0]}"
for signal in INT TERM; do
  mkfifo in.$signal
  leitong dedup - --output-dir stopped.$signal < in.$signal > out.txt 2> err.txt &
  job=$!
  exec 3> in.$signal
  head -n 1000 many.jsonl >&3
  until [[ -d stopped.$signal ]]; do sleep 0.05; done
  sleep 0.2
  kill -s $signal $job
  # The end of the input must not come before the signal is seen.
  while kill -0 $job 2> /dev/null; do head -n 1000 many.jsonl >&3 2> /dev/null || true; done
  status=0
  wait $job || status=$?
  exec 3>&-
  echo "exit $status"
  cat out.txt err.txt
  ls stopped.$signal | grep -c jsonl || true
done
