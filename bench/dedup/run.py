#!/usr/bin/env python3
"""Leitong and its peers on one file in one run: whole-process time, peak memory, planted recall and precision beside each other.

    run.py CORPUS_DIR --leitong build/release/leitong --peers PEERS_DIR [--small SMALL_DIR] [--rounds 3] [--cpu 1] [--only leitong gaoya-minhash]

CORPUS_DIR (and SMALL_DIR, for text-dedup) were made by make_corpus.py, PEERS_DIR by setup_peers.sh. Every tool is pinned to one core, with one
thread; the tools take turns, medians are reported. Writes bench/results/dedup-<date>.md and .json. See README.md for the measures.
"""

import argparse
import json
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "accuracy"))
import evaluate  # noqa: E402
import features  # noqa: E402

SAMPLE = 2000  # predicted pairs judged a tool
BANDS = ((0.7, 0.8), (0.8, 0.9), (0.9, 1.01))


class Tool:
    """One program: how it is started, and what it found. `own` is the measure that its features stand for."""

    def __init__(self, name, command, own, slow=False, small=False):
        self.name, self.command, self.own, self.slow, self.small = name, command, own, slow, small


def tools(args):
    peers = args.peers
    python, td = str(peers / "venv/bin/python"), str(peers / "venv-text-dedup/bin/python")
    gaoya, simdoc = str(peers / "target/release/peer-gaoya"), str(peers / "target/release/peer-find-simdoc")
    rensa, text_dedup = str(HERE / "peers/rensa/dedup.py"), str(HERE / "peers/text-dedup/dedup.py")
    all_tools = [
        Tool("leitong", [str(args.leitong), "dedup", "{in}", "--output-dir", "{out}", "--threads", "1", *args.extra], "w12"),
        Tool("gaoya-minhash", [gaoya, "minhash", "{in}", "{out}"], "j5"),
        Tool("gaoya-simhash", [gaoya, "simhash", "{in}", "{out}"], "j5"),
        Tool("rensa-rho", [python, rensa, "rho", "{in}", "{out}"], "j5"),
        Tool("rensa-full", [python, rensa, "full", "{in}", "{out}"], "j5"),
        Tool("find-simdoc-jaccard", [simdoc, "jaccard", "{in}", "{out}"], "j5", slow=True),
        Tool("text-dedup-minhash", [td, text_dedup, "minhash", "{in}", "{out}"], "j5", slow=True, small=True),
        Tool("text-dedup-simhash", [td, text_dedup, "simhash", "{in}", "{out}"], "j5", slow=True, small=True),
    ]
    return [t for t in all_tools if not args.only or t.name in args.only]


def timed(tool, source, out, cpu):
    """Wall seconds, peak bytes and processor seconds of one whole process on one core."""
    shutil.rmtree(out, ignore_errors=True)
    command = [part.replace("{in}", str(source)).replace("{out}", str(out)) for part in tool.command]
    env = dict(os.environ, RAYON_NUM_THREADS="1", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    result = Path(f"{out}.json")
    subprocess.run([sys.executable, "-S", str(HERE / "whole_process.py"), str(result), f"{out}.log", str(cpu), *command], env=env, check=True)
    got = json.loads(result.read_text())
    if got["exit"] != 0:
        sys.exit(f"{' '.join(command)}\nended with {got['exit']}; see {out}.log")
    return got["seconds"], got["peak_bytes"], got["cpu_seconds"]


class Found:
    """What a tool says of one corpus: pairs of record numbers (None: flags only), groups, removed records."""

    def __init__(self, tool, out, ids):
        self.pairs, self.groups, self.removed = None, None, set()
        at = {name: i for i, name in enumerate(ids)}
        if tool.name == "leitong":
            self.groups = evaluate.load_clusters(out)
            self.pairs = evaluate.load_edges(out)
            self.removed = {json.loads(line)["record"] for line in open(out / "removed.jsonl", encoding="utf-8")}
        elif (out / "clusters.tsv").exists():
            roots = {}
            for line in open(out / "clusters.tsv", encoding="utf-8"):
                record, root = map(int, line.split("\t"))
                roots.setdefault(root, []).append(record)
            self.groups = [sorted(g) for g in roots.values() if len(g) > 1]
            self.pairs = evaluate.pairs_of(self.groups)
            self.removed = {r for g in self.groups for r in g[1:]}
        else:
            self.removed = {at[line.rstrip("\n")] for line in open(out / "removed.txt", encoding="utf-8")}
            if (out / "pairs.tsv").exists():
                self.pairs = {tuple(map(int, line.split("\t"))) for line in open(out / "pairs.tsv", encoding="utf-8")}
        self.group_of = {r: g for g, group in enumerate(self.groups or []) for r in group}

    def has(self, a, b):
        """Is the pair (a < b) found: as a pair or in one group; for flags only: is one of the two removed."""
        if self.pairs is None:
            return a in self.removed or b in self.removed
        return (a, b) in self.pairs or (a in self.group_of and self.group_of.get(a) == self.group_of.get(b))


class Corpus:
    """A made corpus: its file, its truth, and exact measures of any pair."""

    def __init__(self, folder):
        self.file = folder / "corpus.jsonl"
        self.bytes = self.file.stat().st_size
        self.manifest = json.loads((folder / "manifest.json").read_text())
        self.truth = [json.loads(line) for line in open(folder / "truth.jsonl", encoding="utf-8")]
        self.ids, self.offsets, at = [], [], 0
        with open(self.file, "rb") as lines:
            for line in lines:
                self.offsets.append(at)
                at += len(line)
                self.ids.append(json.loads(line)["id"])
        self.hasher, self.cache = features.Hasher(), {}

    def tokens(self, record):
        if record not in self.cache:
            with open(self.file, "rb") as source:
                source.seek(self.offsets[record])
                self.cache[record] = self.hasher.ids(features.tokens(json.loads(source.readline())["text"]))
        return self.cache[record]

    def measures(self, a, b):
        ta, tb = self.tokens(a), self.tokens(b)
        if len(ta) == 0 or len(tb) == 0:
            return {"j5": 0.0, "w12": 0.0, "edit": 0.0}
        j5 = features.jaccard(*(np.unique(features.ngrams(t, min(5, len(t)))) for t in (ta, tb)))
        return {"j5": j5, "w12": features.jaccard(features.o12(ta), features.o12(tb)), "edit": features.edit_similarity(ta.tolist(), tb.tolist())}


def recall(corpus, found):
    """measure -> band -> [found, planted]; also by language from .8 on."""
    out = {}
    for measure in ("j5", "w12"):
        for low, high in BANDS:
            rows = [t for t in corpus.truth if low <= t[measure] < high]
            out[f"{measure} {low:.1f}-{min(high, 1):.1f}"] = [sum(found.has(t["record_a"], t["record_b"]) for t in rows), len(rows)]
        for language in ("en", "zh"):
            rows = [t for t in corpus.truth if t[measure] >= 0.8 and t["language"] == language]
            out[f"{measure} >=0.8 {language}"] = [sum(found.has(t["record_a"], t["record_b"]) for t in rows), len(rows)]
        rows = [t for t in corpus.truth if t[measure] >= 0.8]
        out[f"{measure} >=0.8"] = [sum(found.has(t["record_a"], t["record_b"]) for t in rows), len(rows)]
        out[f"{measure} >=0.8 one removed"] = [sum(t["record_a"] in found.removed or t["record_b"] in found.removed for t in rows), len(rows)]
    return out


def precision(corpus, pairs):
    """Shares of a sample of the pairs that the exact measures call right."""
    if not pairs:
        return None
    sample = random.Random(1).sample(sorted(pairs), min(SAMPLE, len(pairs)))
    got = [corpus.measures(a, b) for a, b in sample]
    share = lambda right: round(sum(map(right, got)) / len(got), 4)  # noqa: E731
    decided = [m for m in got if not 0.65 <= m["edit"] < 0.8]
    return {"sampled": len(got), "oracle": round(sum(m["edit"] >= 0.8 for m in decided) / max(1, len(decided)), 4), "j5>=.7": share(lambda m: m["j5"] >= 0.7), "w12>=.7": share(lambda m: m["w12"] >= 0.7),
            "w12>=.6": share(lambda m: m["w12"] >= 0.6), "edit>=.8": share(lambda m: m["edit"] >= 0.8),
            "edit>=.65": share(lambda m: m["edit"] >= 0.65), "any": share(lambda m: max(m["j5"], m["w12"]) >= 0.7 or m["edit"] >= 0.8)}


def measure(args, corpora):
    chosen = tools(args)
    rows = {tool.name: {"seconds": [], "peak": [], "cpu": []} for tool in chosen}
    for turn in range(args.rounds):
        for tool in chosen:
            if tool.slow and turn:
                continue
            corpus = corpora["small" if tool.small else "full"]
            seconds, peak, cpu = timed(tool, corpus.file, args.work / tool.name, args.cpu)
            rows[tool.name]["seconds"].append(round(seconds, 3))
            rows[tool.name]["peak"].append(peak)
            rows[tool.name]["cpu"].append(round(cpu, 3))
            print(f"round {turn + 1} {tool.name}: {seconds:.2f} s, {corpus.bytes / seconds / 1e6:.1f} MB/s, {peak / 1e6:.0f} MB", file=sys.stderr)
    for tool in chosen:
        corpus = corpora["small" if tool.small else "full"]
        found = Found(tool, args.work / tool.name, corpus.ids)
        row = rows[tool.name]
        row.update(own=tool.own, file_mb=round(corpus.bytes / 1e6, 1), median_seconds=statistics.median(row["seconds"]),
                   peak_mb=round(statistics.median(row["peak"]) / 1e6, 1), removed=len(found.removed),
                   pairs=None if found.pairs is None else len(found.pairs), recall=recall(corpus, found), precision=precision(corpus, found.pairs))
        row["mb_per_s"] = round(corpus.bytes / 1e6 / row["median_seconds"], 2)
        if found.groups is not None:
            row["precision_clusters"] = precision(corpus, evaluate.pairs_of(found.groups))
            row["largest_cluster"] = max((len(g) for g in found.groups), default=0)
    return rows


def rate(pair):
    return f"{pair[0] / pair[1]:.3f}" if pair[1] else "-"


def report(rows, args, corpora, commit):
    full = corpora["full"].manifest
    lines = [f"# Deduplication beside its peers, {args.date}", "",
             f"Commit {commit}; {platform.processor() or platform.machine()}, {evaluate.cpu_name()}; one core ({args.rounds} rounds, the slow ones one; medians). "
             f"File: {full['bytes'] / 1e6:.1f} MB of JSON Lines, {full['records']:,} records, {full['planted']:,} planted copies, seed {full['seed']}, "
             f"sha256 {full['sha256'][:16]}. text-dedup runs on a part of {rows_small(rows)}.", "",
             "| tool | MB/s | s | peak MB | recall at j5 .7-.8 / .8-.9 / .9-1 | recall at w12 .7-.8 / .8-.9 / .9-1 | recall at ≥ .8 en / zh (own measure) "
             "| precision: own ≥ .7 / any / edit oracle | removed |", "| --- |" + " --- |" * 8]
    for name, r in rows.items():
        bands = {m: " / ".join(rate(r["recall"][f"{m} {low:.1f}-{min(high, 1):.1f}"]) for low, high in BANDS) for m in ("j5", "w12")}
        tongues = " / ".join(rate(r["recall"][f"{r['own']} >=0.8 {tongue}"]) for tongue in ("en", "zh"))
        p = r["precision"]
        right = f"{p[r['own'] + '>=.7']:.3f} / {p['any']:.3f} / {p['oracle']:.3f}" if p else "-"
        lines.append(f"| {name} | {r['mb_per_s']:.1f} | {r['median_seconds']:.2f} | {r['peak_mb']:.0f} | {bands['j5']} | {bands['w12']} | {tongues} "
                     f"| {right} | {r['removed']:,} |")
    lines.append("")
    ours = rows.get("leitong")
    for peer in ("gaoya-minhash", "rensa-rho"):
        if ours and peer in rows:
            lines.append(f"leitong / {peer}: {ours['mb_per_s'] / rows[peer]['mb_per_s']:.2f} x the speed, "
                         f"{ours['peak_mb'] / rows[peer]['peak_mb']:.2f} x the memory.")
    if ours:
        lines += ["", f"leitong: of its sampled edges {ours['precision']}; of pairs inside clusters {ours.get('precision_clusters')}."]
    lines += ["", "j5: Jaccard of the sets of token 5-grams; w12: multiset Jaccard over token 1- and 2-grams; a pair counts as found as a pair or in one group; "
              "rensa's rho only flags records: there a planted pair counts when one of the two is removed, and it has no pairs to judge. "
              "Precision of sampled predicted pairs: the tool's own measure ≥ .7; j5 ≥ .7 or w12 ≥ .7 or E ≥ .8; E ≥ .8 against E < .65 (.65-.8 ignored, as in "
              "bench/accuracy). Versions: bench/dedup/README.md."]
    return "\n".join(lines) + "\n"


def rows_small(rows):
    sizes = {r["file_mb"] for n, r in rows.items() if n.startswith("text-dedup")}
    return f"{sizes.pop()} MB" if sizes else "its own (not run)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--small", type=Path)
    parser.add_argument("--leitong", type=Path, default=HERE.parents[1] / "build/release/leitong")
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("/tmp/leitong-bench-dedup"))
    parser.add_argument("--results", type=Path, default=HERE.parent / "results")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--date", default=time.strftime("%Y-%m-%d"))
    parser.add_argument("extra", nargs="*", help="flags for leitong dedup, after --")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    corpora = {"full": Corpus(args.corpus)}
    if args.small:
        corpora["small"] = Corpus(args.small)
    elif any(t.small for t in tools(args)):
        args.only = [t.name for t in tools(args) if not t.small]
    rows = measure(args, corpora)
    commit = evaluate.commit_of(HERE)
    text = report(rows, args, corpora, commit)
    args.results.mkdir(parents=True, exist_ok=True)
    (args.results / f"dedup-{args.date}.md").write_text(text, encoding="utf-8")
    (args.results / f"dedup-{args.date}.json").write_text(
        json.dumps({"date": args.date, "commit": commit, "cpu": evaluate.cpu_name(), "corpus": corpora["full"].manifest, "tools": rows}, indent=1) + "\n")
    print(text)


if __name__ == "__main__":
    main()
