#!/usr/bin/env python3
"""Does `leitong dedup` stay linear, inside its memory budget and inside its disk plan as the collection grows?

    run.py --leitong build/release/leitong --corpora ../shared/corpora --work DIR [--counts 1000000 10000000 30000000] [--memory 4G] [--threads 2]
           [--input stdin|file] [--stages] [--repeat-one-thread 1000000] [-- extra dedup flags]

Generates each collection to standard input (2 kB a document; or to a file first), watches time, peak memory and disk use, checks planted recall and
false merges by the ids, and writes bench/results/scale-<date>.md and .json. A generated collection is a function of its seed; nothing is kept.
"""

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "accuracy"))
import edges  # noqa: E402
import evaluate  # noqa: E402

SOURCES = {"en": ("en_civproc", "en_peps"), "zh": ("zh_laws", "zh_lctt_closed")}
SOURCE_BYTES = 2_100_000  # of each set


def build(work):
    """The generator, compiled."""
    program = work / "generate"
    subprocess.run(["g++", "-std=c++20", "-O2", "-o", str(program), str(HERE / "generate.cpp")], check=True)
    return program


def sources(corpora, work):
    """The texts that the generator takes its words from."""
    flags = []
    for language, names in SOURCES.items():
        path = work / f"{language}.txt"
        with open(path, "w", encoding="utf-8") as out:
            for name in names:
                size = 0
                with gzip.open(corpora / f"{name}.docs.jsonl.gz", "rt", encoding="utf-8") as lines:
                    for line in lines:
                        text = json.loads(line)["text"]
                        out.write(text + "\n")
                        size += len(text.encode("utf-8", "replace"))
                        if size > SOURCE_BYTES:
                            break
        flags += [f"--{language}", str(path)]
    return flags


class DiskWatch(threading.Thread):
    """The largest total of allocated bytes seen in some folders (deleted but open files are not seen)."""

    def __init__(self, folders):
        super().__init__(daemon=True)
        self.folders, self.peak, self.last, self.ended = folders, 0, 0, threading.Event()

    def look(self):
        total = 0
        for folder in self.folders:
            for root, _, files in os.walk(folder):
                for name in files:
                    try:
                        total += os.lstat(os.path.join(root, name)).st_blocks * 512
                    except FileNotFoundError:
                        pass
        self.last = total
        self.peak = max(self.peak, total)

    def run(self):
        while not self.ended.wait(2):
            self.look()

    def stop(self):
        self.ended.set()
        self.join()
        self.look()


def measured(command, feeder_command, args, log):
    """Seconds, processor seconds and peak bytes of a command, fed by another one or by nothing."""
    result = args.work / "measured.json"
    wrapper = [sys.executable, "-S", str(HERE.parent / "dedup" / "whole_process.py"), str(result), str(log), "any", *command]
    feeder = subprocess.Popen(feeder_command, stdout=subprocess.PIPE) if feeder_command else None
    process = subprocess.Popen(wrapper, stdin=feeder.stdout if feeder else subprocess.DEVNULL)
    if feeder:
        feeder.stdout.close()
    process.wait()
    got = json.loads(result.read_text())
    if got["exit"] != 0 or (feeder and feeder.wait() != 0):
        sys.exit(f"{' '.join(command)}\nended with {got['exit']}; see {log}")
    return got


def commands(args, out, source, threads):
    """The program's calls, in order: the whole job, or its stages without the outputs."""
    program, job = str(args.leitong), ["--memory", args.memory, "--threads", str(threads)]
    reading = ["--format", "jsonl", *args.extra]
    if not args.stages:
        return [[program, "dedup", source, "--output-dir", str(out), "--verify", "sketch", *job, *reading]]
    part = {name: str(out / f"{name}.ltt") for name in ("sketch", "pairs", "edges", "clusters")}
    return [[program, "sketch", source, "--output", part["sketch"], *job, *reading],
            [program, "join", part["sketch"], "--output", part["pairs"], *job],
            [program, "verify", part["pairs"], "--output", part["edges"], "--verify", "sketch", *job],
            [program, "cluster", part["edges"], "--output", part["clusters"], *job]]


def dedup(args, count, threads, generator, flags):
    """One whole run; its numbers."""
    out, source = args.work / "out", args.work / "input.jsonl"
    shutil.rmtree(out, ignore_errors=True)
    if args.stages:
        out.mkdir()
    make, plan = [str(generator), str(count), *flags], None
    calls = commands(args, out, "-" if args.input == "stdin" else str(source), threads)
    if args.input == "file":
        with open(source, "wb") as file:
            subprocess.run(make, stdout=file, check=True)
        if not args.stages:
            plan = subprocess.run([*calls[0], "--dry-run"], capture_output=True, text=True, check=False).stdout
            shutil.rmtree(out, ignore_errors=True)
    watch = DiskWatch([out])
    watch.start()
    got = [measured(call, make if at == 0 and args.input == "stdin" else None, args, args.work / f"log-{count}-{threads}-{call[1]}.txt")
           for at, call in enumerate(calls)]
    watch.stop()
    seconds, cpu = sum(g["seconds"] for g in got), sum(g["cpu_seconds"] for g in got)
    row = {"documents": count, "threads": threads, "seconds": round(seconds, 1), "us_per_document": round(seconds / count * 1e6, 2),
           "cpu_us_per_document": round(cpu / count * 1e6, 2), "peak_mb": round(max(g["peak_bytes"] for g in got) / 2**20, 1),
           "disk_peak_mb": round(watch.peak / 2**20, 1), "disk_end_mb": round(watch.last / 2**20, 1), "commands": [" ".join(c) for c in calls],
           "calls": {call[1]: {k: round(v, 2) for k, v in g.items()} for call, g in zip(calls, got)}, "plan": plan}
    row.update(checked(out / "clusters.ltt" if args.stages else out / "stages" / "clusters.ltt", count, generator, flags))
    for name in ("summary", "run"):
        path = out / f"{name}.json"
        row[name] = json.loads(path.read_text()) if path.exists() else None
    if not args.keep:
        shutil.rmtree(out, ignore_errors=True)
        source.unlink(missing_ok=True)
    return row


def checked(clusters, count, generator, flags):
    """Planted recall by percent of edited units, and removed records whose kept one is of another family."""
    row, kept, number = edges.columns(clusters, ["row", "kept", "cluster"])
    cluster = np.full(count, -1, dtype=np.int64)
    cluster[row] = number
    removed = row != kept
    family = np.arange(count, dtype=np.int64)
    pairs = subprocess.Popen([str(generator), str(count), "--pairs", *flags], stdout=subprocess.PIPE)
    planted = np.fromstring(pairs.communicate()[0], dtype=np.int64, sep=" ").reshape(-1, 3)
    family[planted[:, 0]] = planted[:, 1]
    same = (cluster[planted[:, 0]] >= 0) & (cluster[planted[:, 0]] == cluster[planted[:, 1]])
    by = {int(p): [int(same[planted[:, 2] == p].sum()), int((planted[:, 2] == p).sum())] for p in np.unique(planted[:, 2])}
    wrong = int((family[row] != family[kept]).sum())
    return {"planted": len(planted), "recall": round(float(same.mean()), 5), "recall_by_percent": by, "removed": int(removed.sum()), "false_removed": wrong}


def report(rows, args, commit):
    first = next((r for r in rows if r["threads"] == args.threads), rows[0])
    lines = [f"# Scale, {args.date}", "", f"Commit {commit}; {evaluate.cpu_name()}, {os.cpu_count()} cores; generated documents of 2 kB ({args.input}), one in ten a near-duplicate; "
             f"--verify sketch --memory {args.memory}. Made by `bench/scale/run.py`. With standard input the generator runs on the same cores.", "",
             "| documents | threads | s | µs a document | against the first | CPU µs a document | peak MB | disk peak MB | disk end MB | planted recall "
             "| recall at 0 / 5 / 10 % | removed | of another family |", "| --- |" + " --- |" * 12]
    for r in rows:
        by = r["recall_by_percent"]
        some = " / ".join(f"{by[p][0] / by[p][1]:.4f}" if p in by else "-" for p in (0, 5, 10))
        lines.append(f"| {r['documents']:,} | {r['threads']} | {r['seconds']:.0f} | {r['us_per_document']} | {r['us_per_document'] / first['us_per_document']:.2f} "
                     f"| {r['cpu_us_per_document']} | {r['peak_mb']:,.0f} | {r['disk_peak_mb']:,.0f} | {r['disk_end_mb']:,.0f} | {r['recall']:.4f} | {some} "
                     f"| {r['removed']:,} | {r['false_removed']:,} |")
    lines += ["", "Commands:", ""] + [f"    {command}" for r in rows for command in r["commands"]]
    for r in rows:
        if r["plan"]:
            lines += ["", f"The plan (`--dry-run`) for {r['documents']:,} documents:", ""] + ["    " + line for line in r["plan"].splitlines()]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--leitong", type=Path, default=HERE.parents[1] / "build/release/leitong")
    parser.add_argument("--corpora", type=Path, default=HERE.parents[2] / "shared" / "corpora")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--results", type=Path, default=HERE.parent / "results")
    parser.add_argument("--counts", type=int, nargs="+", default=[1_000_000, 10_000_000, 30_000_000])
    parser.add_argument("--memory", default="4G")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--input", choices=("stdin", "file"), default="stdin")
    parser.add_argument("--repeat-one-thread", type=int, nargs="*", default=[], help="counts to run with one thread as well")
    parser.add_argument("--stages", action="store_true", help="sketch, join, verify, cluster one by one, without the outputs (which take as much disk as the input)")
    parser.add_argument("--keep", action="store_true", help="leave the last outputs in the work folder")
    parser.add_argument("--date", default=time.strftime("%Y-%m-%d"))
    parser.add_argument("extra", nargs="*", help="flags for leitong dedup, after --")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    generator, flags = build(args.work), sources(args.corpora, args.work)
    commit, rows = evaluate.commit_of(HERE), []
    args.results.mkdir(parents=True, exist_ok=True)
    for count, threads in [(c, args.threads) for c in args.counts] + [(c, 1) for c in args.repeat_one_thread]:
        rows.append(dedup(args, count, threads, generator, flags))
        print(json.dumps({k: v for k, v in rows[-1].items() if k not in ("summary", "run", "plan")}), file=sys.stderr)
        (args.results / f"scale-{args.date}.md").write_text(report(rows, args, commit), encoding="utf-8")
        (args.results / f"scale-{args.date}.json").write_text(
            json.dumps({"date": args.date, "commit": commit, "cpu": evaluate.cpu_name(), "runs": rows}, indent=1) + "\n")
    print(report(rows, args, commit))


if __name__ == "__main__":
    main()
