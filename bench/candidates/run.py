#!/usr/bin/env python3
"""Recall, spurious candidates and cost of the candidate stage on generated collections of several sizes. See README.md."""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "accuracy"))
sys.path.insert(0, str(HERE.parent / "scale"))
import evaluate  # noqa: E402
import run as scale  # noqa: E402

PLANS = ("80x4", "64x5", "53x6")
PREDICT = (50_000_000, 1_000_000_000)


def measure(args, generator, texts, count):
    flags = [*texts, "--most-edited", "45"]
    pairs = args.work / "candidate-pairs.txt"
    with open(pairs, "wb") as out:
        subprocess.run([str(generator), str(count), "--pairs", *flags], stdout=out, check=True)
    feeder = subprocess.Popen([str(generator), str(count), *flags], stdout=subprocess.PIPE)
    done = subprocess.run([str(args.program), str(pairs), *args.plans], stdin=feeder.stdout, capture_output=True, check=True)
    feeder.stdout.close()
    if feeder.wait() != 0:
        sys.exit("the generator failed")
    return [json.loads(line) for line in done.stdout.splitlines()]


def table(rows):
    lines = ["| documents | bands × slots | nominated a document | surviving a document | bounded | sketch µs (MB/s) | join µs | recall measured / predicted at similarity |",
             "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for r in rows:
        recall = ", ".join(f"{b['similarity']:.2f}: {b['recall']:.4f} / {b['predicted']:.4f}" for b in r["recall"] if b["similarity"] < 0.95)
        lines.append(f"| {r['documents']:,} | {r['bands']} × {r['slots']} | {r['nominated_other']:.3g} | {r['surviving_other']:.2g} | {r['bounded']} | "
                     f"{r['sketch_microseconds']:.1f} ({r['sketch_megabytes_per_second']:.0f}) | {r['join_microseconds']:.2f} | {recall} |")
    return lines


def predictions(rows):
    """Spurious candidates a document grow with N: from the largest measured N of each plan, and how well that held between the measured ones."""
    lines = ["| bands × slots | N | nominated a document, predicted | measured |", "| --- | --- | --- | --- |"]
    for plan in dict.fromkeys((r["bands"], r["slots"]) for r in rows):
        of = sorted((r for r in rows if (r["bands"], r["slots"]) == plan), key=lambda r: r["documents"])
        known = of[0]
        for n, found in [(r["documents"], f"{r['nominated_other']:.3g}") for r in of[1:]] + [(n, "–") for n in PREDICT]:
            lines.append(f"| {plan[0]} × {plan[1]} | {n:,} | {known['nominated_other'] * n / known['documents']:.3g} | {found} |")
            known = next((r for r in of if r["documents"] == n), known)
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--corpora", type=Path, default=HERE.parents[2] / "shared" / "corpora")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--counts", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--plans", nargs="+", default=PLANS)
    parser.add_argument("--results", type=Path, default=HERE.parent / "results")
    parser.add_argument("--date", default=time.strftime("%Y-%m-%d"))
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    generator, texts = scale.build(args.work), scale.sources(args.corpora, args.work)
    rows = [row for count in args.counts for row in measure(args, generator, texts, count)]
    write(args, rows)


def write(args, rows):
    text = "\n".join([f"# The candidate stage, {args.date}", "", f"Commit {evaluate.commit_of(HERE)}; {evaluate.cpu_name()}; one thread. Made by `bench/candidates/run.py`: generated documents of 2 kB, "
                      "one in ten a copy with 1–45 % of its units edited.", "", *table(rows), "", "Nominations grow in proportion to N:", "", *predictions(rows), "",
                      "Bytes a document: 320 of slots and 8 of SimHash in the sketch file; while joining 81 in memory, whatever the bands (docs/budget.md)."]) + "\n"
    evaluate.write_results(args, "candidates", text, rows)


if __name__ == "__main__":
    main()
