# Profiles: listed, printed, changed, and read back with the same id.
leitong profiles | awk 'NR == 1 { print } NR > 1 { print $2, length($3) }' | sort -u
default=$(leitong profiles | awk 'NR == 2 { print $1 }')
leitong profiles "$default" > copy.toml
leitong fingerprint "$EXAMPLES/sample.jsonl" > by-default.jsonl
leitong fingerprint "$EXAMPLES/sample.jsonl" --profile ./copy.toml | cmp - by-default.jsonl && echo "the copy gives the same fingerprints"
leitong profiles "$default" --bits 256 --weights tf > wide.toml
leitong fingerprint "$EXAMPLES/sample.jsonl" --profile wide.toml | head -n 1 | grep -oE '"[0-9a-f]{64}"' | wc -c
leitong fingerprint "$EXAMPLES/sample.jsonl" --key 00112233445566778899aabbccddeeff | cmp -s - by-default.jsonl || echo "a key changes the fingerprints"
echo 00112233445566778899aabbccddeeff > key
leitong fingerprint "$EXAMPLES/sample.jsonl" --key-file key > a
leitong fingerprint "$EXAMPLES/sample.jsonl" --key 00112233445566778899aabbccddeeff | cmp - a && echo "a key file holds the key"
echo 'bits = 100' > bad.toml
leitong profiles bad.toml
echo "exit $?"
