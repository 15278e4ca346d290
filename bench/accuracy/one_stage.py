#!/usr/bin/env python3
"""How far does a fingerprint alone go? Every distance of SimHash and 1-bit MinHash, 64 and 256 bits, and the rule of the two stages, with the
thresholds chosen on one half of the groups of all sets and reported on the other.

    one_stage.py --leitong build/release/leitong [--corpora ../shared/corpora] [--cache DIR] [--date YYYY-MM-DD]

writes bench/results/accuracy-thresholds-<date>.md and .json. The sets and their truth are those of evaluate.py (edit truth).
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

import evaluate
import halves
from oracle import LabelledSet

# name, flags of `leitong fingerprint`, greatest distance that is tried
KINDS = (
    ("SimHash, 64 bits, raw tf of tokens (the articles' scheme)", ["--profile", "words-tf"], 12),
    ("SimHash, 64 bits", [], 20),
    ("SimHash, 128 bits", ["--bits", "128"], 40),
    ("SimHash, 256 bits", ["--bits", "256"], 76),
    ("1-bit MinHash, 64 bits", ["--profile", "minhash1"], 20),
    ("1-bit MinHash, 128 bits", ["--profile", "minhash1", "--bits", "128"], 40),
    ("1-bit MinHash, 256 bits", ["--profile", "minhash1", "--bits", "256"], 76),
)


def fingerprints(binary, labelled, flags):
    """Records × words, and which records have one."""
    done = subprocess.run([str(binary), "fingerprint", str(labelled.docs), "--quiet", *flags], capture_output=True, check=True)
    values = [json.loads(line)["fp"] for line in done.stdout.splitlines()]
    digits = max(len(v) for v in values if v)
    rows = [bytes.fromhex(v or "0" * digits) for v in values]
    return np.frombuffer(b"".join(rows), dtype=">u8").reshape(len(rows), digits // 16).astype(np.uint64), np.array([v is not None for v in values])


def popcount(x):
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    with np.errstate(over="ignore"):
        return ((x * np.uint64(0x0101010101010101)) >> np.uint64(56)).astype(np.uint16)


def close_pairs(prints, has, most):
    """All pairs within `most` bits, as (i, j) -> distance; every pair of the set is compared."""
    found = {}
    rows = np.flatnonzero(has)
    chosen = prints[rows]
    for at in range(len(rows) - 1):
        distance = popcount(chosen[at + 1:, 0] ^ chosen[at, 0])
        near = np.flatnonzero(distance <= most)
        for word in range(1, chosen.shape[1]):
            if len(near) == 0:
                break
            distance[near] += popcount(chosen[at + 1 + near, word] ^ chosen[at, word])
            near = near[distance[near] <= most]
        for j in near:
            found[(int(rows[at]), int(rows[at + 1 + j]))] = int(distance[j])
    return found


def f1(counts):
    return evaluate.scores(*counts)["f1"]


def judge(sets, predicted_of, candidates):
    """The candidate of the best mean F1 on the halves to choose by, and its scores on the other halves."""
    def mean_on(candidate, which):
        return evaluate.mean(f1(halves.edit_scores(s, predicted_of(s, candidate), s.half, which)) for s in sets)
    best = max(candidates, key=lambda candidate: mean_on(candidate, 0))
    scores = {s.name: evaluate.scores(*halves.edit_scores(s, predicted_of(s, best), s.half, 1)) for s in sets}
    return {"chosen": best, "chosen_on": mean_on(best, 0), "reported": evaluate.mean(v["f1"] for v in scores.values()), "sets": scores}


def two_stage_rules():
    for least in (0.45, 0.50, 0.55, 0.60, 0.65):
        yield (least, 1.0, 0.0)  # similarity alone
        for sure in (0.75, 0.80, 0.85, 0.90):
            for order in (0.74, 0.75, 0.76, 0.77, 0.78, 0.79, 0.80):
                yield (least, sure, order)


def by_rule(labelled, rule):
    """The pairs that the rule accepts, nomination taken as perfect: similarity from `least` on, and below `sure`, of texts above 50 tokens, order too."""
    least, sure, order = rule
    size = [len(t) for t in labelled.tokens]
    def accepts(pair, similarity):
        if similarity < least:
            return False
        ordered = order > 0 and similarity < sure and min(size[pair[0]], size[pair[1]]) > 50
        return not ordered or labelled.edit(*pair) >= order
    return {p for p, s in labelled.pool.items() if accepts(p, s)}


def main():
    parser = evaluate.arguments(__doc__)
    args = parser.parse_args()
    sets = []
    for name, _, rule in evaluate.SETS:
        labelled = LabelledSet(name, *evaluate.locate(name, args.corpora, args.cache), rule, args.cache)
        labelled.half = halves.of(labelled)
        sets.append(labelled)
        print(name, file=sys.stderr)
    results = {}
    for kind, flags, most in KINDS:
        pairs = {s.name: close_pairs(*fingerprints(args.leitong, s, flags), most) for s in sets}
        results[kind + ": k"] = judge(sets, lambda s, k: {p for p, d in pairs[s.name].items() if d <= k}, range(1, most + 1))
        print(kind, results[kind + ": k"]["chosen"], results[kind + ": k"]["reported"], file=sys.stderr)
        if not flags or "words-tf" in flags:
            results[kind + ": fixed at k = 3, k"] = judge(sets, lambda s, k: {p for p, d in pairs[s.name].items() if d <= k}, [3])
    results["two stages, nomination perfect: (least, sure, order)"] = judge(sets, by_rule, list(two_stage_rules()))
    run_edges = {s.name: evaluate.run_leitong(args.leitong, s, args.cache / "runs", [])[:2] for s in sets}
    results["leitong dedup, the default profile, pairs"] = judge(sets, lambda s, _: run_edges[s.name][0], ["default"])
    results["leitong dedup, the default profile, clusters"] = judge(sets, lambda s, _: evaluate.pairs_of(run_edges[s.name][1]), ["default"])
    names = [s.name for s in sets]
    lines = [f"# Thresholds chosen on one half, reported on the other, {args.date}", "",
             f"Commit {evaluate.commit_of(evaluate.HERE)}. Made by `bench/accuracy/one_stage.py`. Edit truth, F1 (precision / recall) on the half that the threshold was not chosen on; one "
             "threshold for all sets, of the best mean F1 on the other half.", "",
             "| method | chosen | mean F1 where chosen | " + " | ".join(names) + " | mean F1 reported |", "| --- |" + " --- |" * (len(names) + 3)]
    for method, r in results.items():
        cells = [f"{r['sets'][n]['f1']:.4f} ({r['sets'][n]['precision']:.3f} / {r['sets'][n]['recall']:.3f})" for n in names]
        lines.append(f"| {method} | {r['chosen']} | {r['chosen_on']:.4f} | " + " | ".join(cells) + f" | **{r['reported']:.4f}** |")
    text = "\n".join(lines) + "\n"
    evaluate.write_results(args, "accuracy-thresholds", text, results)


if __name__ == "__main__":
    main()
