# join of fingerprints: counts, pairs, clusters; every form of file; what is bad, and what is refused.
python3 - <<'PY'
import random, struct
rng = random.Random(6)
def make(n, words, near):
    rows = []
    for i in range(n):
        if rows and rng.random() < near:
            row = rng.choice(rows)
            for _ in range(rng.randrange(6)):
                row ^= 1 << rng.randrange(64 * words)
        else:
            row = rng.getrandbits(64 * words)
        rows.append(row)
    return rows
def write(name, rows, words):
    with open(f"{name}.u{64 * words}", "wb") as out:
        for row in rows:
            out.write(row.to_bytes(8 * words, "little"))
    with open(f"{name}{64 * words}.hex", "w") as out:
        out.writelines(f"{row:0{16 * words}x}\n" for row in rows)
def brute(a, b, k):
    return sorted((i, j, (x ^ y).bit_count()) for i, x in enumerate(a) for j, y in enumerate(b if b else a) if (b or i < j) and (x ^ y).bit_count() <= k)
for words in (1, 2, 4):
    a = make(2000, words, .3)
    b = [row ^ 1 << rng.randrange(64 * words) for row in rng.sample(a, 300)] + make(200, words, .1)
    write("a", a, words)
    write("b", b, words)
    with open(f"expected.{64 * words}", "w") as out:
        for other in (None, b):
            pairs = brute(a, other, 3)
            print(len(pairs), file=out)
            print(*(",".join(map(str, pair)) for pair in pairs), sep="\n", file=out)
PY
echo "== the same as brute force: 64, 128, 256 bits; one file and two; raw and hexadecimal"
for bits in 64 128 256; do
  for form in u$bits hex; do
    a=a.u$bits b=b.u$bits
    [[ $form == hex ]] && a=a$bits.hex b=b$bits.hex
    { leitong join $a -k 3 --count; leitong join $a -k 3 --pairs - | sort -t, -k1n,1 -k2n,2
      leitong join $a $b -k 3 --count; leitong join $a $b -k 3 --pairs - | sort -t, -k1n,1 -k2n,2; } > got.$bits
    cmp got.$bits expected.$bits && echo "$form: the same"
  done
done
echo "== the same bytes on any number of threads, and to a file"
leitong join a.u64 --pairs one.csv --threads 1
leitong join a.u64 --pairs two.csv --threads 2 --memory 64M --quiet
leitong join a.u64 --pairs - --threads 3 | cmp - one.csv && cmp one.csv two.csv && echo same
echo "== names that others have: two writers at once, a file called .tmp, a full disk"
echo mine > out.csv.tmp
for i in {1..6}; do leitong join a.u64 --pairs out.csv --quiet 2> /dev/null & done  # one that comes late may find it there
wait
cmp out.csv one.csv && cat out.csv.tmp && ls out.csv*
rm out.csv out.csv.tmp
echo "== by hand"
cat > few.hex <<'END_OF_FILE'
0000000000000000
0x0000000000000007
FFFFFFFFFFFFFFFF
000000000000003f
fffffffffffffffe
0000000000000007
END_OF_FILE
leitong join few.hex -k 3 --pairs - | sort -t, -k1n,1 -k2n,2
leitong join few.hex -k 3 --clusters -
leitong join few.hex -k 3 --clusters clusters.jsonl && cat clusters.jsonl
printf '0000000000000000\n0000000000000001\n' > pair.hex
leitong join pair.hex --pairs pair.csv
leitong join pair.hex --clusters pair.jsonl
leitong join few.hex -k 0 --count
leitong join few.hex few.hex -k 0 --count
gzip -nc few.hex > few.hex.gz
leitong join few.hex.gz --count
cp few.hex.gz packed && leitong join packed --count
cp a.u64 plain && leitong join plain --count && leitong join plain --count --quiet
leitong join - --count < few.hex
cat a.u64 | leitong join - --format u64 --count
leitong join - --format u64 --count < a.u64
: > empty.u64 && leitong join empty.u64 --count && leitong join empty.u64 a.u64 --pairs - && leitong join empty.u64 --clusters -
echo "== as fingerprint prints them"
leitong fingerprint "$EXAMPLES/sample.jsonl" | leitong join - -k 3 --pairs - | sort -t, -k1n,1 -k2n,2
leitong fingerprint "$EXAMPLES/sample.jsonl" | leitong join - -k 3 --clusters - --quiet | head -n 2
printf '{"n":1,"deep":{"hash":"0000000000000000"}}\n{"n":"b","deep":{"hash":"0000000000000001"}}\n' > other.jsonl
leitong join other.jsonl --fp-field deep.hash --id-field n --clusters -
echo "== bad lines are named, and their rows stay theirs"
cat > bad.hex <<'END_OF_FILE'
0000000000000000
not hexadecimal
0123

00000000000000000000000000000000
0000000000000001
END_OF_FILE
leitong join bad.hex --pairs -
echo "exit $?"
leitong join bad.hex --strict --pairs -
echo "exit $?"
printf '{"fp":"0000000000000000"}\n{"fp":17}\n{"text":1}\n{"fp":\n{"fp":null}\n{"fingerprint":"0000000000000000"}\n' | leitong join - --pairs -
printf 'x\ny\n' > hopeless.hex
leitong join hopeless.hex --count
echo "exit $?"
echo "as it was" > old.csv
leitong join few.hex hopeless.hex --pairs old.csv
echo "exit $?"
leitong join hopeless.hex --pairs new.csv --quiet 2> /dev/null
echo "exit $?"
cat old.csv
ls new.csv* 2>&1
for i in {1..150}; do echo "$i"; done > many.hex
leitong join many.hex --count 2>&1 | tail -n 3
{ cat many.hex few.hex; } | leitong join - --format hex --count 2>&1 | tail -n 2
gzip -nc a64.hex | head -c 2000 > cut.hex.gz
leitong join cut.hex.gz --pairs - 2> err.txt | tail -n 1 | cut -d, -f3
leitong join cut.hex.gz --count > /dev/null 2>&1
echo "exit $?"
grep -o 'was not read to its end: gzip data ends too early' err.txt
echo "== a reader that goes away, and one who has seen enough"
yes 0123456789abcdef | head -n 20000 > flood.hex
leitong join flood.hex --count
leitong join flood.hex --pairs - | head -n 1
echo "exit ${PIPESTATUS[0]}"
( trap '' XFSZ; ulimit -f 100; leitong join flood.hex --pairs full.csv )
echo "exit $?"
ls full.csv* 2>&1
mkfifo slow
leitong join flood.hex --pairs - > slow &
job=$!
exec 3< slow
read -r line <&3
kill -s INT $job
cat <&3 > rest.csv
wait $job
echo "exit $? after $(($(wc -l < rest.csv) < 199990000)) incomplete"
rm rest.csv slow
echo "== refused"
try() {
  "$@" > out.txt
  echo "exit $? ($(wc -c < out.txt) bytes on standard output)"
}
head -c 1003 a.u64 > odd.u64
try leitong join odd.u64 --count
try leitong join a.u64 --format u256 --count < /dev/null
try leitong join a.u64 a.u128 --count
try leitong join a.u64 -k 13 --count
try leitong join a.u64
try leitong join a.u64 --format u64
try leitong join a.u64 --count --pairs -
try leitong join a.u64 --pairs p --output f
try leitong join a.u64 --count --threshold 0.8
try leitong join a.u64 b.u64 --clusters -
try leitong join a.u64 b.u64 few.hex --count
try leitong join - - --count
try leitong join a.u64 --output f --strict
try leitong join missing.u64 --count
try leitong join . --count
try leitong join a.u64 --format u32 --count
try leitong join a.u64 --pairs a.u64
try leitong join a.u64 --pairs /dev/null
ln -s few.hex link
try leitong join a.u64 --clusters link
try leitong join a.u64 --output x
try leitong join --count
try leitong join
try leitong join --output x
gzip -nc a.u64 > a.u64.gz
try leitong join a.u64.gz --count
leitong sketch "$EXAMPLES/sample.jsonl" --output s.sketch --quiet
try leitong join s.sketch --count
head -n 3 "$EXAMPLES/sample.jsonl" > notes.txt && sed -i 's/^{//' notes.txt
try leitong join notes.txt --count
echo "a note." > small
try leitong join small --count
printf '\x93NUMPY\x01\x00v\x00{}' > array.npy
try leitong join array.npy --count
printf 'PAR1\x15\x04\x15\x04' > table.parquet
try leitong join table.parquet --count
printf '\xfd7zXZ\x00\x00\x04' > few.hex.xz
try leitong join few.hex.xz --count
printf 'BZh91AY&SY\x00\x00\x00\x00\x00\x00' > few.bz2
try leitong join few.bz2 --count
try leitong join few.bz2 --format u64 --count
cp few.hex unpacked.hex.gz
try leitong join unpacked.hex.gz --count
ls
echo "== and still a stage of dedup"
leitong join s.sketch --output s.pairs -k 3
