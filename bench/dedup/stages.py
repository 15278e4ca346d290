#!/usr/bin/env python3
"""The main job stage by stage: seconds on one thread and on several, what threads gain, and the share that only one of them can work on.

    bench/dedup/stages.py INPUT... [--leitong build/release/leitong] [--before OTHER_PROGRAM] [--threads 2] [--rounds 5] [--name corpus]

INPUT: what `leitong dedup` reads. Programs and numbers of threads take turns; medians. The yardstick is std::sort of ten million random 64-bit
numbers, compiled here by c++ -O2 and run in the same rounds. The serial share is counted from samples of `perf record` (if perf is there): of
windows of 4 ms in which nine samples of ten are of one thread. Writes bench/results/stages-<date>-<name>.md.
"""
import argparse
import collections
import json
import os
import pathlib
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import machine  # noqa: E402
STAGES = ("sketch", "join", "verify", "cluster", "apply")
YARDSTICK = """
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <random>
#include <vector>
int main() {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> values(10'000'000);
  for (auto& value : values) value = random();
  const std::clock_t begin = std::clock();
  std::sort(values.begin(), values.end());
  std::printf("%f\\n", double(std::clock() - begin) / CLOCKS_PER_SEC);
}
"""


def run(program, inputs, threads, out):
    shutil.rmtree(out, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    subprocess.run([program, "dedup", *inputs, "-o", out, "--threads", str(threads), "--quiet"], check=True)
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    stages = {s["stage"]: s["seconds"] for s in json.loads((out / "run.json").read_text())["stages"]}
    return {"wall": wall, "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, **stages}


def serial_share(program, inputs, threads, out, window=0.004):
    """Of all samples, those in windows that one thread had to itself; or None."""
    if not shutil.which("perf"):
        return None
    shutil.rmtree(out, ignore_errors=True)
    data = f"{out}.perf"
    subprocess.run(["perf", "record", "-q", "-F", "4999", "-o", data, program, "dedup", *inputs, "-o", out, "--threads", str(threads), "--quiet"],
                   check=True, stderr=subprocess.DEVNULL)
    lines = subprocess.run(["perf", "script", "-i", data, "-F", "tid,time"], capture_output=True, text=True, check=True).stdout.splitlines()
    windows = collections.defaultdict(collections.Counter)
    for line in lines:
        thread, moment = line.split()[:2]
        windows[int(float(moment.rstrip(":")) / window)][thread] += 1
    alone = sum(sum(w.values()) for w in windows.values() if max(w.values()) >= 0.9 * sum(w.values()))
    return alone / sum(sum(w.values()) for w in windows.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--leitong", default=str(HERE.parents[1] / "build/release/leitong"))
    parser.add_argument("--before")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--name", default="corpus")
    parser.add_argument("--date", default=time.strftime("%Y-%m-%d"))
    parser.add_argument("--results", type=pathlib.Path, default=HERE.parent / "results")
    args = parser.parse_args()
    programs = {"before": args.before, "now": args.leitong} if args.before else {"now": args.leitong}
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        work = pathlib.Path(folder)
        (work / "sort.cpp").write_text(YARDSTICK)
        subprocess.run(["c++", "-O2", "-std=c++17", work / "sort.cpp", "-o", work / "sort"], check=True)
        rows, sort = collections.defaultdict(list), []
        for _ in range(args.rounds):
            sort.append(float(subprocess.run([work / "sort"], capture_output=True, text=True, check=True).stdout))
            for name, program in programs.items():
                for threads in (1, args.threads):
                    rows[name, threads].append(run(program, args.inputs, threads, work / "out"))
        share = {name: serial_share(program, args.inputs, args.threads, work / "out") for name, program in programs.items()}
    bytes_read = sum(os.path.getsize(path) for path in args.inputs if os.path.isfile(path))
    columns = ("wall", "cpu", *STAGES)
    lines = [f"# The main job stage by stage: {args.name}, {args.date}", "",
             f"Commit {machine.commit_of(HERE)}; {machine.cpu_name()}, {platform.machine()}; {bytes_read / 1e6:.1f} MB read; medians of {args.rounds} rounds in turn. "
             f"Seconds; std::sort of 10 M random 64-bit numbers took {statistics.median(sort):.3f} s in the same rounds.", "",
             "| program | threads | " + " | ".join(columns) + " | MB/s | processor time ÷ sort |", "| --- |" + " --- |" * (len(columns) + 3)]
    median = {}
    for (name, threads), runs in rows.items():
        m = {column: statistics.median(r.get(column, 0) for r in runs) for column in columns}
        median[name, threads] = m
        lines.append(f"| {name} | {threads} | " + " | ".join(f"{m[c]:.3f}" for c in columns)
                     + f" | {bytes_read / 1e6 / m['wall']:.1f} | {m['cpu'] / statistics.median(sort):.2f} |")
    lines.append("")
    for name in programs:
        one, several = median[name, 1], median[name, args.threads]
        gains = ", ".join(f"{stage} {one[stage] / several[stage]:.2f}" for stage in STAGES if several[stage] > 0)
        lines.append(f"{name}: {args.threads} threads are {one['wall'] / several['wall']:.2f} times one ({gains}).")
        if share[name] is not None:
            lines.append(f"Of its samples on {args.threads} threads {share[name]:.1%} are in windows of 4 ms that one thread had to itself.")
    text = "\n".join(lines) + "\n"
    (args.results / f"stages-{args.date}-{args.name}.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
