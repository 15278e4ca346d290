#!/usr/bin/env python3
"""Leitong's segmenters and Java profiles beside their peers, on the same text in the same run: MB/s of UTF-8, medians, ratios, goals.

    run.py TEXT_DIR --peers PEERS_DIR --ours build/bench/bench_segment [--rounds 5] [--only jieba hanlp …] [--text zh han] [--cpu N]

TEXT_DIR was made by make_text.py, PEERS_DIR by setup_peers.sh. Every program reads its file, then times passes over it in its own process with
one thread, by that thread's processor time; the programs take turns, round after round. Writes bench/results/segment-<date>.md and .json. See README.md.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "tests" / "java"), str(HERE.parent)]
import programs  # noqa: E402
from machine import commit_of, cpu_name  # noqa: E402

# kind of ours, kind of the peer, ratio to reach, is it a Java program
PAIRS = (("jieba", "jieba-rs hmm", 3, False), ("jieba-plain", "jieba-rs plain", 3, False), ("hanlp", "hanlp", 8, True), ("ik", "ik", 8, True),
         ("java-ik", "java-ik", 25, True), ("java-hanlp", "java-hanlp", 25, True), ("java-hanlp-length", "java-hanlp-length", 25, True),
         ("java-hanlp-tfidf", "java-hanlp-tfidf", 25, True))
PEER_NAMES = {"jieba-rs hmm": "jieba-rs 0.11, HMM", "jieba-rs plain": "jieba-rs 0.11, no HMM", "hanlp": "Java HanLP portable-1.8.1",
              "ik": "Java IKAnalyzer 3.2.8", "java-ik": "Java program of 000", "java-hanlp": "Java program of 004",
              "java-hanlp-length": "Java program A of 001", "java-hanlp-tfidf": "Java program B of 001"}


class Bench:
    def __init__(self, args):
        self.args = args
        self.java = build_java(args.peers) if any(java for _, _, _, java in chosen(args)) else None
        self.pin = ["taskset", "-c", str(args.cpu)] if args.cpu is not None else []
        self.files = ["--idf", str(args.text_dir / "idf.txt"), "--stop-words", str(args.text_dir / "stop-words.txt")]

    def run(self, command, folder=None):
        done = subprocess.run([*self.pin, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
        if done.returncode:
            sys.exit(f"{' '.join(command)}\nended with {done.returncode}: {done.stderr.strip()[-2000:]}")
        return json.loads(done.stdout.strip().splitlines()[-1])

    def ours(self, kind, file):
        return self.run([str(self.args.ours), kind, str(file), *(self.files if kind == "java-hanlp-tfidf" else [])])

    def peer(self, kind, file, java):
        if not java:
            return self.run([str(self.args.peers / "target/release/peer-jieba-rs"), kind.split()[1], str(file)])
        warm_ups, rounds = (3, 3) if kind in ("hanlp", "ik") else (1, 2)
        tfidf = [self.files[1], self.files[3]] if kind == "java-hanlp-tfidf" else []
        return self.run(self.java.command("bench.ArticleBench", kind, file, warm_ups, rounds, *tfidf, heap="4g"), self.args.peers)


def chosen(args):
    return [pair for pair in PAIRS if not args.only or pair[0] in args.only]


def build_java(peers):
    """HanLP's jar, the articles' programs of tests/java and the timing around them; IK's part only with its jar."""
    ik = programs.ik_jar()
    sources = sorted((HERE / "peers/java").rglob("*.java")) + (sorted((HERE / "peers/java-ik").rglob("*.java")) if ik else [])
    return programs.Programs(peers / ("classes-ik" if ik else "classes"), sources)


def measure(args):
    bench = Bench(args)
    pairs = [pair for pair in chosen(args) if bench.java is None or bench.java.ik or pair[1] not in ("ik", "java-ik")]
    rows = {(text, kind): {"ours": [], "peer": [], "goal": goal, "peer_name": PEER_NAMES[peer]} for text in args.text for kind, peer, goal, _ in pairs}
    for turn in range(args.rounds):
        for text in args.text:
            for kind, peer, _, java in pairs:
                if java and turn >= args.java_rounds:
                    continue
                file = (args.text_dir / f"{'java-' if java else ''}{text}.txt").resolve()
                for side in ("peer", "ours") if args.ours else ("peer",):
                    got = bench.peer(peer, file, java) if side == "peer" else bench.ours(kind, file)
                    rows[text, kind][side].append(got)
                    speed = got["bytes"] / statistics.median(got["seconds"]) / 1e6
                    print(f"round {turn + 1} {text} {side} {kind if side == 'ours' else peer}: {speed:.1f} MB/s, {got['tokens']:,} tokens", file=sys.stderr)
    return rows


def speed_of(runs):
    """(median, best) MB/s over all passes of all rounds."""
    seconds = [s for run in runs for s in run["seconds"]]
    return (runs[0]["bytes"] / statistics.median(seconds) / 1e6, runs[0]["bytes"] / min(seconds) / 1e6) if runs else (None, None)


def summary(rows):
    out = []
    for (text, kind), row in rows.items():
        (ours, our_best), (peer, peer_best) = speed_of(row["ours"]), speed_of(row["peer"])
        tokens = {side: row[side][0]["tokens"] if row[side] else None for side in ("ours", "peer")}
        out.append({"text": text, "kind": kind, "peer": row["peer_name"], "bytes": row["peer"][0]["bytes"], "ours_mb_s": ours, "ours_best": our_best,
                    "peer_mb_s": peer, "peer_best": peer_best, "ratio": ours / peer if ours else None, "goal": row["goal"], "tokens": tokens})
    return out


def figure(value):
    return "–" if value is None else f"{value:.1f}"


def report(found, args):
    manifest = json.loads((args.text_dir / "manifest.json").read_text())
    sizes = "; ".join(f"{name}.txt {row['bytes'] / 1e6:.1f} MB (sha256 {row['sha256'][:12]})" for name, row in manifest.items() if isinstance(row, dict))
    lines = [f"# Segmentation and Java profiles beside their peers, {args.date}", "",
             f"Commit {commit_of(HERE)}; {cpu_name()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end; {platform.system()} "
             f"{platform.machine()}. {args.note}".rstrip(),
             f"One thread, its processor time, text in memory, warmed up; medians (in brackets the best) of all passes of {args.rounds} rounds "
             f"in turn ({args.java_rounds} with Java). Text: {sizes}.", "",
             "| text | what | ours MB/s | peer | peer MB/s | ratio | goal | tokens ours / peer |", "| --- |" + " --- |" * 7]
    for row in found:
        ratio = "–" if row["ratio"] is None else f"**{row['ratio']:.1f} ×**"
        counts = " / ".join("–" if n is None else f"{n:,}" for n in row["tokens"].values())
        lines.append(f"| {row['text']} | {row['kind']} | {figure(row['ours_mb_s'])} ({figure(row['ours_best'])}) | {row['peer']} "
                     f"| {figure(row['peer_mb_s'])} ({figure(row['peer_best'])}) | {ratio} | ≥ {row['goal']} × | {counts} |")
    lines += ["", "For whole programs the last column counts the one bits of all fingerprints. The Java programs get their texts decoded, and their collector's and "
              "compiler's threads are not counted; ours decode within the time. jieba-rs joins Latin words, digits and signs otherwise than "
              "Python's jieba does when its model is on: on mixed text some 5 % fewer tokens; ours are Python's."]
    return "\n".join(lines) + "\n"


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text_dir", type=Path, nargs="?")
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--ours", type=Path, help="the program built from segment_bench.cpp; without it only the peers run")
    parser.add_argument("--build-java", action="store_true", help="only compile the Java peers")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--java-rounds", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=[kind for kind, _, _, _ in PAIRS])
    parser.add_argument("--text", nargs="*", default=["zh", "han"])
    parser.add_argument("--cpu", type=int, help="pin every program to this core (Java's collector and compiler too)")
    parser.add_argument("--note", default="", help="a sentence for the report, for example that the machine was busy")
    parser.add_argument("--results", type=Path, default=HERE.parent / "results")
    parser.add_argument("--date", default=time.strftime("%Y-%m-%d"))
    args = parser.parse_args()
    args.peers = args.peers.resolve()
    args.java_rounds = min(args.java_rounds, args.rounds)
    if args.text_dir is None and not args.build_java:
        parser.error("TEXT_DIR is missing: make it with make_text.py")
    return args


def main():
    args = parse()
    try:
        if args.build_java:
            build_java(args.peers)
            return
        found = summary(measure(args))
    except programs.Missing as reason:
        sys.exit(f"run.py: {reason}; or leave the Java programs out with --only jieba jieba-plain")
    text = report(found, args)
    args.results.mkdir(parents=True, exist_ok=True)
    (args.results / f"segment-{args.date}.md").write_text(text, encoding="utf-8")
    (args.results / f"segment-{args.date}.json").write_text(json.dumps({"date": args.date, "cpu": cpu_name(), "commit": commit_of(HERE), "rows": found}, indent=1) + "\n")
    print(text)


if __name__ == "__main__":
    main()
