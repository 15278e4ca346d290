#!/usr/bin/env python3
"""The durable store beside RocksDB, SQLite and Redis, beside the index in memory, and beside the goals; answers checked.

    run.py --program build/bench/bench_store --work DIR [--sizes 1e6,1e7,1e8] [--rounds 3] [--only peers add look …]
    run.py --program … --work DIR --quick        all of it at 100,000 rows, in a minute; the page goes to DIR
    run.py --report-only [--date DATE]           the page again, from the JSON file

Writes bench/results/store-<date>.{json,md}. Runs of one date add up: a section of a size that is measured again replaces what was there.
DIR is on the file system that is measured and needs some 15 GB for 100 M rows. See README.md.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import machine  # noqa: E402
import report  # noqa: E402

PEERS = ("leitong", "rocksdb", "sqlite", "redis")
OF_A_SIZE = ("add", "open", "look", "latency")  # in this order: the others read the store that `add` leaves
SECTIONS = ("peers", *OF_A_SIZE, "durable", "recover", "curve", "profile")
LIMITS = (2, 4, 8, 16, 32)
LARGE = 30_000_000  # from here on one round, and one and eight runs only


class Run:
    def __init__(self, args):
        self.args = args
        self.rows = []
        self.failed = False

    def rounds(self, n):
        return 1 if n >= LARGE else self.args.rounds

    def seconds(self):
        return .3 if self.args.quick else 10

    def measure(self, section, size, round_, what, directory, n, **flags):
        """One question to bench_store in a process of its own; its answers go into the results."""
        command = [str(self.args.program), what, str(directory), str(n)]
        for name, value in flags.items():
            command += ["--" + name.replace("_", "-"), str(value)]
        shown = " ".join(f"{name}={value}" for name, value in flags.items())
        print(f"{time.strftime('%H:%M:%S')} {section} {what} {n:,} {shown}", flush=True)
        begin = time.monotonic()
        text, failed = execute(command)
        found = [json.loads(line) for line in text.splitlines()]
        if failed:
            self.failed = True
            found.append({"measure": what, "rows": n, "failed": failed, **flags})
        for row in found:
            self.failed = self.failed or row.get("equal") == "DIFFERENT"
            row.update(section=section, size=size, round=round_, took_s=round(time.monotonic() - begin, 2))
            print("   " + report.line_of(row), flush=True)
            self.rows.append(row)

    def fresh(self, name):
        path = self.args.work / name
        shutil.rmtree(path, ignore_errors=True)
        return path

    def copy(self, size):
        """The store that `add` left, for a measure that adds to it: files of a closed store never change, so links do. None there: the measure makes one."""
        base, path = self.args.work / f"store-{size}", self.fresh("work")
        if base.exists():
            shutil.copytree(base, path, copy_function=os.link)
        return path


def execute(command, seconds=3600):
    """(standard output, None or why there is no result)"""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return "", f"more than {seconds} s"
    return done.stdout, f"ended with {done.returncode}: {done.stderr.strip()[-300:]}" if done.returncode else None


def peers(run, _):
    n = run.args.peer_rows
    for round_ in range(run.args.rounds):
        for who in PEERS:
            directory = run.fresh("peers")
            run.measure("peers", n, round_, "peer", directory, n, who=who, queries=2_000 if run.args.quick else 20_000, batches=20 if run.args.quick else 200)
            shutil.rmtree(directory, ignore_errors=True)


def add(run, n):
    for round_ in range(run.rounds(n)):
        run.measure("add", n, round_, "add", run.fresh(f"store-{n}"), n)


def open_(run, n):
    if (run.args.work / f"store-{n}").exists():
        run.measure("open", n, 0, "open", run.copy(n), n, rounds=5)


def look(run, n):
    for round_ in range(run.rounds(n)):
        for runs in (1, 8) if n >= LARGE else (1, 2, 4, 8):
            directory = run.copy(n) if runs == 1 else run.fresh("work")
            run.measure("look", n, round_, "look", directory, n, runs=runs, queries=20_000 if run.args.quick else 100_000, rounds=3, seconds=run.seconds())


def latency(run, n):
    for round_ in range(run.rounds(n)):
        for table_rows in (0, n // 10 if run.args.quick else 500_000):  # as shipped; and so that runs are merged all the time
            run.measure("latency", n, round_, "latency", run.copy(n), n, queries=20_000 if run.args.quick else 100_000, seconds=run.seconds(), table_rows=table_rows)


def durable(run, _):
    batches = 20 if run.args.quick else 300
    run.measure("durable", 0, 0, "durable", run.fresh("work"), 0, rounds=5, batches=batches)


def recover(run, _):
    megabytes = 2 if run.args.quick else 64
    for round_ in range(run.args.rounds):
        run.measure("recover", 0, round_, "recover", run.fresh("work"), 0, log_mb=megabytes, rounds=3)


def curve(run, _):
    n = run.args.curve_rows
    for round_ in range(run.args.rounds):
        for limit in LIMITS:
            run.measure("curve", n, round_, "curve", run.fresh("work"), n, runs=limit)


def profile(run, _):
    n = 5_000 if run.args.quick else 300_000
    for round_ in range(run.args.rounds):
        for texts in (0, 1):
            run.measure("profile", n, round_, "profile", run.fresh("work"), n, texts=texts, queries=500 if run.args.quick else 5_000)


def measure_all(args):
    run = Run(args)
    calls = {"peers": peers, "add": add, "open": open_, "look": look, "latency": latency, "durable": durable, "recover": recover, "curve": curve, "profile": profile}
    only = [name for name in SECTIONS if not args.only or name in args.only]
    if "peers" in only:
        peers(run, None)
    for n in args.sizes:
        for name in OF_A_SIZE:
            if name in only:
                calls[name](run, n)
        run.fresh(f"store-{n}")
    for name in only:
        if name != "peers" and name not in OF_A_SIZE:
            calls[name](run, None)
    run.fresh("work")
    return run


def file_system(path):
    done = subprocess.run(["df", "--output=fstype", str(path)], capture_output=True, text=True, check=False)
    return (done.stdout.split() or ["unknown"])[-1]


def known_results(path, args):
    known = json.loads(path.read_text()) if path.exists() else {"rows": []}
    known.update(date=args.date, commit=machine.commit_of(HERE), cpu=machine.cpu_name(), cores=os.cpu_count(), load=round(os.getloadavg()[0], 1), file_system=file_system(args.work))
    known["note"] = args.note or known.get("note", "")
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--sizes", type=lambda text: [int(float(n)) for n in text.split(",")], default=[10 ** 6, 10 ** 7, 10 ** 8])
    parser.add_argument("--peer-rows", type=lambda text: int(float(text)), default=10 ** 6)
    parser.add_argument("--curve-rows", type=lambda text: int(float(text)), default=10 ** 7)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=SECTIONS)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--report-only", action="store_true")
    parser.add_argument("--date", default=time.strftime("%Y-%m-%d"))
    parser.add_argument("--note", default="", help="what a reader must know of the machine")
    parser.add_argument("--results", type=Path)
    args = parser.parse_args()
    if not args.report_only and not (args.program and args.work):
        parser.error("--program and --work, or --report-only")
    if args.quick:
        args.sizes, args.peer_rows, args.curve_rows, args.rounds = [100_000], 100_000, 100_000, 1
    args.results = args.results or (args.work if args.quick else HERE.parent / "results")
    path = args.results / f"store-{args.date}.json"
    if args.report_only:
        report.write(json.loads(path.read_text()), args.results)
        return 0
    args.work.mkdir(parents=True, exist_ok=True)
    run = measure_all(args)
    known = known_results(path, args)
    again = {(row["section"], row["size"]) for row in run.rows}
    known["rows"] = [row for row in known["rows"] if (row["section"], row["size"]) not in again] + run.rows
    path.write_text(json.dumps(known, indent=1) + "\n")
    report.write(known, args.results)
    return int(run.failed)


if __name__ == "__main__":
    sys.exit(main())
