# A configuration file: every key is a flag, and flags win.
cat > c.toml <<'TOML'
output_dir = "from-file"
keep = ["date:oldest", "first"]
threshold = 0.95
quiet = true
TOML
leitong dedup "$EXAMPLES/sample.jsonl" --config c.toml
wc -l < from-file/removed.jsonl
leitong dedup "$EXAMPLES/sample.jsonl" --config c.toml --output-dir from-flag --threshold 0.6 --quiet=false | tail -n 3 | grep -v recall
