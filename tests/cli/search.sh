# search: an index built, asked, checked; what it refuses.
python3 - <<'PY'
import random
rng = random.Random(7)
rows = []
for i in range(3000):
    if rows and rng.random() < .2:
        row = rng.choice(rows) ^ (1 << rng.randrange(64)) ^ (1 << rng.randrange(64))
    else:
        row = rng.getrandbits(64)
    rows.append(row)
queries = [rng.choice(rows) ^ (1 << rng.randrange(64)) for _ in range(60)] + [rng.getrandbits(64) for _ in range(20)]
open("rows.u64", "wb").write(b"".join(row.to_bytes(8, "little") for row in rows))
open("queries.hex", "w").write("".join(f"{query:016x}\n" for query in queries))
for name, k, most in (("3", 3, 9999), ("8", 8, 9999), ("nearest", 64, 4)):
    with open(f"expected.{name}", "w") as out:
        for q, query in enumerate(queries):
            found = sorted((d, i) for i, row in enumerate(rows) if (d := (row ^ query).bit_count()) <= k)
            for d, i in found[:most]:
                print(f'{{"query":{q},"id":{i},"distance":{d}}}', file=out)
PY
leitong search --build rows.u64 -o rows.index -k 3
echo "== the same as brute force"
for threads in 1 3; do
  leitong search rows.index queries.hex --threads $threads | cmp - expected.3 && echo "k = 3: the same"
  leitong search rows.index queries.hex -k 8 --threads $threads | cmp - expected.8 && echo "k = 8: the same"
  leitong search rows.index queries.hex --nearest 4 --threads $threads | cmp - expected.nearest && echo "nearest: the same"
done
leitong search rows.index - -k 3 < queries.hex | cmp - expected.3 && echo "from a pipe: the same"
leitong search rows.index rows.u64 -k 0 --nearest 1 | wc -l
echo "== ids"
printf '{"id":%s,"fp":"%s"}\n' 70 00000000000000ff 18446744073709551615 00000000000000fe 70 ffffffffffffffff > numbers.jsonl
leitong search --build numbers.jsonl -o numbers.index
leitong search numbers.index --query 00000000000000FF --query 0xffffffffffffffff -k 1
sed 's/"id":70/"id":"seventy"/' numbers.jsonl > names.jsonl
leitong search --build names.jsonl -o names.index
leitong search names.index --query 00000000000000ff --nearest 3
printf '0000000000000001\noops\n0000000000000002\n' | leitong search --build - -o lines.index --format hex
leitong search lines.index --query 0000000000000000 -k 64
leitong fingerprint "$EXAMPLES/sample.jsonl" --bits 128 | leitong search --build - -o sample.index -k 5
leitong fingerprint "$EXAMPLES/sample.jsonl" --bits 128 | head -n 3 | leitong search sample.index -
: > empty.hex
leitong search --build empty.hex -o empty.index
leitong search empty.index --query 0000000000000000 --nearest 2
leitong search rows.index empty.hex
echo "exit $?"
printf 'x\n0000000000000001\n' | leitong search lines.index - -k 0 --format hex
printf 'x\n0000000000000001\n' | leitong search lines.index - -k 0
printf 'x\n' | leitong search lines.index - --format hex
echo "exit $?"
printf 'x\n' > hopeless.hex
cp lines.index before.index
leitong search --build hopeless.hex -o lines.index --overwrite
echo "exit $?"
cmp lines.index before.index && echo "as it was"
leitong search --build hopeless.hex -o none.index 2> /dev/null
echo "exit $?"
gzip -nc queries.hex | head -c 500 > cut.hex.gz
leitong search --build cut.hex.gz -o none.index 2>&1 | grep -o -e "was not read to its end" -e "no index is made.*"
echo "exit ${PIPESTATUS[0]}"
leitong search rows.index cut.hex.gz 2> err.txt > out.txt
echo "exit $?, $(($(wc -l < out.txt) > 3)), $(grep -o "was not read to its end" err.txt)"
echo "== names that others have"
echo mine > shared.index.tmp
for i in {1..4}; do leitong search --build rows.u64 -o shared.index --overwrite --quiet & done
wait
cmp shared.index rows.index && cat shared.index.tmp && ls shared.index*
rm shared.index shared.index.tmp before.index
( trap '' XFSZ; ulimit -f 20; leitong search --build rows.u64 -o full.index )
echo "exit $?"
echo "== whole or not"
leitong search rows.index --check
head -c 5000 rows.index > cut.index
leitong search cut.index --check 2>&1 | cut -d: -f1,2
python3 - <<'PY'
data = bytearray(open("rows.index", "rb").read())
data[len(data) // 2] ^= 4
open("flipped.index", "wb").write(data)
PY
leitong search flipped.index --check > out.txt 2> err.txt
echo "exit $?, $(wc -l < err.txt) line naming $(cut -d: -f2 err.txt)"
echo "== refused"
try() {
  "$@" > out.txt
  echo "exit $? ($(wc -c < out.txt) bytes on standard output)"
}
try leitong search --build rows.u64 -o rows.index
leitong search --build rows.u64 -o rows.index --overwrite --quiet
try leitong search --build rows.u64 -o rows.u64 --overwrite
try leitong search --build rows.u64
try leitong search --build rows.u64 rows.index -o x.index
try leitong search --build rows.u64 -o x.index --check
try leitong search --build rows.u64 -o /dev/null
try leitong search --build rows.u64 -o -
try leitong search --build rows.index -o x.index
try leitong search --build rows.u64 -o missing/x.index
try leitong search
try leitong search rows.index
try leitong search rows.index queries.hex extra
try leitong search rows.index queries.hex --query 00
try leitong search rows.index --query 00
try leitong search rows.index --query 000000000000000000000000000000ff
try leitong search rows.index queries.hex -k 65
try leitong search rows.index queries.hex -o x
try leitong search rows.index queries.hex --check
try leitong search rows.u64 queries.hex
try leitong search rows.u64 --check
cp rows.u64 rows.bin
try leitong search sample.index rows.bin
try leitong search missing.index queries.hex
try leitong search - queries.hex
ls -- *.index
ls | grep -c tmp
