#!/usr/bin/env python3
"""Exact Hamming joins and look-ups beside std::sort, std::unordered_set, the articles' three ways and the peers, every result checked.

    run.py --program build/bench/bench_hamming --peers PEERS_DIR --work DIR [--sizes 1e5,1e6,1e7] [--rounds 7] [--only join index …]
    run.py --program … --work DIR --sizes 1e8            one join, one index (6 GB)
    run.py --program … --work DIR --giga                 10^9 rows: two joins, one with a budget of 4 GiB (22 GB)
    run.py --report-only                                 the page and the pictures again, from the JSON file

Writes bench/results/hamming-<date>.{json,md} and docs/images/hamming-*.svg. Runs of one date add up: a section of a size that is measured again replaces
what was there. PEERS_DIR is made by setup_peers.sh; without --peers there are none. See README.md.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import machine  # noqa: E402
import report  # noqa: E402

SECTIONS = ("join", "kept", "threads", "skew", "index", "peers", "articles", "kranges", "wide", "bands")
LARGE = 30_000_000  # from here on: ours and the yardsticks, once
RANGES = (6, 8, 10)
ARTICLES_EXAMPLE = 50_000_000


class Run:
    def __init__(self, args):
        self.args = args
        self.rows = []
        self.gave_up = {}  # peer -> smallest (n, k) that took too long

    def rounds(self, n):
        return self.args.rounds if n <= 2_000_000 else 1 if n >= LARGE else max(3, self.args.rounds // 2)

    def ours(self, section, mode, n, seconds=300, **flags):
        """One call of bench_hamming in a process of its own; its records go into the results."""
        out = self.args.work / "records.jsonl"
        out.unlink(missing_ok=True)
        flags = {"rounds": self.rounds(n), **flags}
        command = [str(self.args.program), mode, "--n", str(n), "--json", str(out)]
        for name, value in flags.items():
            command += ["--" + name.replace("_", "-"), str(value)]
        print(f"{time.strftime('%H:%M:%S')} {section}: {' '.join(command[1:4])} {' '.join(f'{k}={v}' for k, v in flags.items())}", flush=True)
        failed = execute(command, seconds)[1]
        found = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
        if failed:
            print("   " + failed, flush=True)
            found.append({"measure": mode, "n": n, "who": "leitong", "data": flags.get("data", "uniform"), "k": flags.get("k", 3), "failed": failed})
        self.add(section, n, found)
        return found

    def add(self, section, n, found):
        for row in found:
            row.update(section=section, size=n)
            for name in ("ns", "ratio", "equal"):
                if name in row and row.get("who", "").startswith("leitong"):
                    print(f"   {row['measure']} {row.get('call', '')} {name} {row[name]:.4g}" if name != "equal" else f"   {row['equal']}: {row['check']}", flush=True)
            self.rows.append(row)

    def peer(self, section, who, command, n, k, expected, rounds=1, seconds=60):
        """One measure of a peer, rounds times; `expected`: our row for the same rows and queries."""
        gone = self.gave_up.get(who)
        if gone and n >= gone[0] and k >= gone[1]:
            outcome, failed = [], f"not run: took too long or too much at {gone[0]:,} rows, k = {gone[1]}"
        else:
            outcome, failed = [], None
            for _ in range(rounds):
                text, failed = execute(command, seconds, 0.8)
                if failed:
                    self.gave_up[who] = (n, k)
                    break
                outcome.append(json.loads(text.splitlines()[-1]))
        row = {"section": section, "size": n, "measure": "peer", "who": who, "n": n, "k": k, "bits": 64, "ours_ns": expected.get("ns")}
        if outcome and not failed:
            last = outcome[-1]
            took = statistics.median(o["seconds"] for o in outcome)
            units = last["queries"] or n
            row.update(last, rounds=len(outcome), seconds=took, ns=took / units * 1e9, bytes_a_row=last["bytes"] / n,
                       build_ns=statistics.median(o["build_seconds"] for o in outcome) / n * 1e9,
                       equal="equal" if (last["count"], last["checksum"]) == (expected.get("count"), expected.get("checksum")) else "DIFFERENT", check="leitong")
        else:
            row["failed"] = failed
        print(f"   {who}, k = {k}: " + (failed or f"{row['ns']:.1f} ns, {row['equal']}"), flush=True)
        self.rows.append(row)


def execute(command, seconds, memory_share=None):
    """(standard output, None or why there is no result). Exit code 1 of ours means a check that failed; its records say which."""
    def limit():
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")  # where memory ends, the measured program ends, nothing else
        if memory_share:
            most = int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * memory_share)
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=seconds, preexec_fn=limit, check=False)
    except subprocess.TimeoutExpired:
        return "", f"more than {seconds} s"
    if done.returncode == 0:
        return done.stdout, None
    words = done.stderr.strip()[-300:]
    if done.returncode in (-9, 137) or any(sign in words for sign in ("memory allocation", "MemoryError", "Out of Memory", "bad_alloc", "ut of memory")):
        return "", "out of memory"
    return done.stdout, f"ended with {done.returncode}: {words}"


def join(run, n):
    run.ours("join", "join", n)
    if n >= LARGE:
        return
    run.ours("join", "join", n, call="count", rounds=min(3, run.rounds(n)))
    run.ours("join", "join", n, call="clusters", rounds=min(3, run.rounds(n)))
    run.ours("join", "join", n, call="cross", rounds=min(3, run.rounds(n)))


def threads(run, n):
    if n < LARGE:
        run.ours("threads", "join", n, threads="1,2")


def kept(run, n):
    """Joins in memory that the call before has left to the process: without the system's clearing of pages."""
    run.ours("kept", "join", n, keep=1, threads="1,2" if n < LARGE else 1)


def skew(run, n):
    if n >= LARGE:
        return
    rounds = min(3, run.rounds(n))
    for kind in ("uniform", "skewed-distinct", "flooded", "clustered"):
        run.ours("skew", "join", n, data=kind, rounds=rounds)
    for call in ("count", "clusters", "classes"):
        run.ours("skew", "join", n, data="skewed", call=call, rounds=rounds)
    if n <= 2_000_000:
        for kind in ("skewed-distinct", "flooded", "clustered"):
            run.ours("skew", "index", n, data=kind, queries=20_000, queries_checked=500, grow=0, rounds=rounds)


def index(run, n):
    run.ours("index", "index", n, seconds=600, out=run.args.work / "index.leitong")
    if n < LARGE:
        run.ours("index", "index", n, threads=2, grow=0)


def articles(run, n):
    if n >= LARGE:
        return
    run.ours("articles", "articles", n, rounds=min(3, run.rounds(n)))
    run.ours("articles", "articles", n, data="skewed-distinct", rounds=min(3, run.rounds(n)), many_tables_only=1)


def articles_example(run):
    """Their example of 50 million fingerprints."""
    run.ours("articles", "articles", ARTICLES_EXAMPLE, rounds=1, many_tables_only=1)


def kranges(run, n):
    if n < 1_000_000 and len(run.args.sizes) > 1 or n >= LARGE:
        return
    rounds = min(3, run.rounds(n)) if n <= 2_000_000 else 1
    joined = {k: run.ours("kranges", "join", n, k=k, rounds=rounds, seconds=run.args.limit)[-1] for k in RANGES}
    for k, queries in ((6, 20_000), (8, 5_000)):
        run.ours("kranges", "index", n, k=k, queries=queries, rounds=rounds, grow=0)
    if run.args.peers:
        for k, queries in ((6, 500), (8, 100), (10, 0)):
            peers_of(run, "kranges", n, k, queries, joined[k])


def peers_of(run, section, n, k, queries, joined=None):
    """The peers for one data set, beside ours on the same rows and queries; `joined`: our self-join, where it was measured already."""
    rows, asked = run.args.work / "rows.u64", run.args.work / "queries.u64"
    execute([str(run.args.program), "generate", "--n", str(n), "--k", str(k), "--queries", "20000", "--out", str(rows), "--queries-out", str(asked)], 300)
    few = min(queries, 2_000)
    beside = run.ours(section, "beside", n, k=k, queries=20_000, counts=f"{queries},{few}", pairs=int(joined is None),
                      rounds=1 if k > 3 else min(3, run.rounds(n)), seconds=run.args.limit)
    of = {row["queries"]: row for row in beside if "queries" in row}
    of.setdefault(0, joined or {})
    rust, python = str(run.args.peers / "target/release/peer-hamming"), str(run.args.peers / "venv/bin/python")
    rounds = min(3, run.rounds(n)) if n <= 2_000_000 and k <= 3 else 1

    def add(who, command, count, **more):
        run.peer(section, who, command, n, k, of.get(count, {}), rounds=rounds, **more)

    add("all-pairs-hamming, 1 × 64", [rust, "all-pairs-hamming", str(rows), str(k)], 0)
    if queries:
        add("mih-rs", [rust, "mih-rs", str(rows), str(k), str(asked), str(queries)], queries, seconds=120)
    if k <= 3:
        add("all-pairs-hamming, 2 × 32", [rust, "all-pairs-hamming-halves", str(rows), str(k)], 0)
        add("DuckDB, four-block union", [python, str(HERE / "peers/duckdb_join.py"), str(rows), str(k)], 0)
        add("gaoya", [rust, "gaoya", str(rows), str(k), str(asked), str(queries)], queries)
        add("faiss MultiHash 4 × 16", [python, str(HERE / "peers/faiss_search.py"), str(rows), str(asked), str(k), str(few)], few, seconds=180)


def peers(run, n):
    if run.args.peers and n < LARGE:
        peers_of(run, "peers", n, 3, 20_000)


def wide(run, n):
    if not 100_000 <= n <= 2_000_000 and len(run.args.sizes) > 1 or n >= LARGE:
        return
    for words in (2, 4):
        for k in (3, 8):
            run.ours("wide", "join", n, words=words, k=k, rounds=min(3, run.rounds(n)))
        run.ours("wide", "index", n, words=words, queries=20_000, queries_checked=500, grow=0, rounds=min(3, run.rounds(n)))


def bands(run, n):
    if n < LARGE:
        run.ours("bands", "bands", n, rounds=min(3, run.rounds(n)), bands=64)
    elif run.args.only and "bands" in run.args.only:
        run.ours("bands", "bands", n, rounds=1, bands=8, seconds=600)


def giga(run):
    n = run.args.giga_rows
    run.ours("giga", "giga", n, memory=4 << 30, seconds=1800)
    run.ours("giga", "giga", n, memory=0, seconds=1800)
    run.ours("giga queries", "giga", n, memory=4 << 30, left_rows=1_000_000, seconds=1800)


def measure(args, keep):
    """Calls keep(rows) after every section, so that a run that is stopped leaves what it has."""
    run = Run(args)
    if args.giga:
        giga(run)
        return keep(run.rows)
    for n in args.sizes:
        for section in SECTIONS:
            if not args.only or section in args.only:
                globals()[section](run, n)
                keep(run.rows)
    if (not args.only or "articles" in args.only) and 10_000_000 in args.sizes:
        articles_example(run)
        keep(run.rows)


def merged(old, new):
    """Rows of sections and sizes that were not measured again, then the new ones."""
    again = {(row["section"], row["size"]) for row in new}
    return [row for row in old if (row["section"], row["size"]) not in again] + new


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, help="bench_hamming")
    parser.add_argument("--peers", type=Path, help="made by setup_peers.sh")
    parser.add_argument("--work", type=Path, help="for data files of up to 16 bytes a row")
    parser.add_argument("--sizes", type=lambda text: sorted(int(float(n)) for n in text.split(",")), default=[100_000, 1_000_000, 10_000_000])
    parser.add_argument("--rounds", type=int, default=7, help="up to 2 M rows; half of it above")
    parser.add_argument("--only", nargs="+", choices=SECTIONS)
    parser.add_argument("--giga", action="store_true")
    parser.add_argument("--giga-rows", type=lambda text: int(float(text)), default=1_000_000_000)
    parser.add_argument("--limit", type=int, default=240, help="seconds for one measure at large k")
    parser.add_argument("--report-only", action="store_true")
    parser.add_argument("--note", default="", help="a sentence for the report, for example that the machine was busy")
    parser.add_argument("--results", type=Path, default=HERE.parent / "results")
    parser.add_argument("--images", type=Path, default=HERE.parents[1] / "docs" / "images")
    parser.add_argument("--date", default=time.strftime("%Y-%m-%d"))
    args = parser.parse_args()
    if not args.report_only and (args.program is None or args.work is None):
        parser.error("--program and --work are needed")
    return args


def main():
    args = parse()
    file = args.results / f"hamming-{args.date}.json"
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"rows": []}
    before = known["rows"]

    def keep(rows):
        known.update(date=args.date, commit=machine.commit_of(HERE), cpu=machine.cpu_name(), cores=os.cpu_count(), load=round(os.getloadavg()[0], 1),
                     note=args.note or known.get("note", ""), rows=merged(before, rows))
        file.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    if not args.report_only:
        args.work.mkdir(parents=True, exist_ok=True)
        args.results.mkdir(parents=True, exist_ok=True)
        measure(args, keep)
    report.write(known, args)
    wrong = [row for row in known["rows"] if row.get("equal") == "DIFFERENT"]
    if wrong:
        sys.exit(f"{len(wrong)} results differ from their check; see {file}")


if __name__ == "__main__":
    main()
