# WARC in, WARC out, and everything that reads a run of it.
make_warc() { python3 "$EXAMPLES/../tests/cli/make_warc.py" "$@"; }
ids() { python3 -c '
import gzip, re, sys
data = open(sys.argv[1], "rb").read()
data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
print(*[i.decode() for i in re.findall(rb"WARC-Record-ID: <urn:uuid:(.*?)>", data)])' "$1"; }
make_warc a.warc.gz a.warc
echo "-- kept records, byte for byte"
leitong dedup a.warc.gz --output-dir out
ls out
ids out/kept.warc.gz
python3 - a.warc.gz out/kept.warc.gz << 'PY'
import sys
whole, kept = (open(name, "rb").read() for name in sys.argv[1:])
members = [b"\x1f\x8b" + m for m in kept.split(b"\x1f\x8b\x08\x00\x00\x00\x00\x00")[1:]]
print(len(members), "members, each in the input:", all(m[2:] in whole for m in members))
PY
cat out/removed.jsonl out/clusters.jsonl
python3 -c 'import json; print(json.dumps(json.load(open("out/summary.json"))["domains"]))'
leitong restore out
leitong explain --run out '"urn:uuid:first"' '"urn:uuid:copy"' | head -n 3
echo "-- by address"
leitong dedup a.warc.gz --output-dir url --keep url --quiet && ids url/kept.warc.gz
leitong dedup a.warc.gz --output-dir site --keep site:example.org,url --quiet && ids site/kept.warc.gz
echo "-- unpacked, on standard input, as JSON Lines, as what it was packed as, resumed"
leitong dedup a.warc --output-dir plain --quiet && ids plain/kept.warc
cat a.warc.gz | leitong dedup - --output-dir piped --quiet && cmp piped/kept.warc.gz out/kept.warc.gz && echo same
leitong restore piped | cmp - <(leitong restore out | sed 's,"source":"a.warc.gz","source":"-",') && echo restored
leitong dedup a.warc.gz --output-dir json --output-format jsonl --quiet && tail -n 2 json/kept.jsonl
leitong dedup a.warc --output-dir zst --output-compression zst --quiet && zstd -dc zst/kept.warc.zst | cmp - plain/kept.warc && echo same
leitong dedup out/kept.warc.gz zst/kept.warc.zst --output-dir both --quiet && cmp both/kept.warc.gz out/kept.warc.gz && echo same
leitong dedup a.warc.gz --output-dir out --resume --annotate --quiet && ls out | grep annot
leitong dedup a.warc.gz a.warc --output-dir by --output-layout input --quiet && find by/kept -type f | sort
echo "-- other commands"
leitong fingerprint a.warc.gz --quiet | cut -c 1-40
leitong fingerprint --input-format jsonl a.warc
echo "exit $?"
leitong dedup a.warc "$EXAMPLES/sample.jsonl" --output-dir mixed --quiet && ls mixed/kept*
leitong dedup a.warc "$EXAMPLES/sample.jsonl" --output-dir wrong --output-format warc
echo "exit $?"
echo "-- damage"
python3 - << 'PY'
data = bytearray(open("a.warc.gz", "rb").read())
data[1500] ^= 0xFF
open("broken.warc.gz", "wb").write(data)
open("cut.warc.gz", "wb").write(data[:1300])
PY
leitong dedup broken.warc.gz --output-dir broken
echo "exit $?"
cat broken/rejected.jsonl
leitong dedup cut.warc.gz --output-dir cut
echo "exit $?"
