#!/usr/bin/env python3
"""Deduplicates a JSON Lines file with rensa: `dedup.py rho|full IN.jsonl OUT_DIR`.

rho: its fastest pipeline, the one its benchmark and README advertise (sampled token positions, 128 slots, 8 bands, threshold .8): flags only.
full: RMinHashDeduplicator over word 5-grams with LSH, threshold .7: pairs. Tokens are text.split() in lower case, as in its README.
Writes kept.jsonl (lines untouched), removed.txt (ids) and, in full, pairs.tsv (record numbers).
"""

import json
import sys
from pathlib import Path

from rensa import RMinHash, RMinHashDeduplicator, RMinHashLSH

SLOTS, SEED = 128, 42


def rho(texts):
    matrix = RMinHash.digest_matrix_from_token_sets_rho([t.lower().split() for t in texts], num_perm=SLOTS, seed=SEED)
    index = RMinHashLSH(threshold=0.8, num_perm=SLOTS, num_bands=8)
    return index.query_duplicate_flags_matrix_one_shot(matrix), None


def shingles(text):
    words = text.lower().split()
    return [" ".join(words[i:i + 5]) for i in range(max(1, len(words) - 4))]


def full(texts):
    dedup = RMinHashDeduplicator(threshold=0.7, num_perm=SLOTS, use_lsh=True, num_bands=32, seed=SEED)
    flags, pairs = [], []
    for at, text in enumerate(texts):
        sketch = RMinHash(num_perm=SLOTS, seed=SEED)
        sketch.update(shingles(text))
        found = [int(key) for key in dedup.get_duplicates(sketch)]
        pairs += [(other, at) for other in found]
        flags.append(bool(found))
        dedup.add(str(at), sketch)
    return flags, pairs


def main():
    method, source, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    ids, texts = [], []
    with open(source, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            ids.append(record["id"])
            texts.append(record["text"])
    flags, pairs = {"rho": rho, "full": full}[method](texts)
    with open(source, "rb") as lines, open(out / "kept.jsonl", "wb") as kept, open(out / "removed.txt", "w", encoding="utf-8") as removed:
        for flag, name, line in zip(flags, ids, lines):
            if flag:
                removed.write(name + "\n")
            else:
                kept.write(line)
    if pairs is not None:
        with open(out / "pairs.tsv", "w", encoding="utf-8") as rows:
            rows.writelines(f"{min(p)}\t{max(p)}\n" for p in sorted(set(pairs)))


if __name__ == "__main__":
    main()
