#!/usr/bin/env python3
"""Stores on servers: Leitong's layouts beside the articles' layout in the hands of a Java program, on Redis and OpenSearch; answers checked.

    run.py --program build/bench/bench_remote --jars BUILD [--redis 1e6,1e7] [--search 2e5,1e6] [--rounds 3]
    run.py --report-only [--date DATE]                  the page again, from the JSON file

BUILD holds article/jars and opensearch/jars (./test makes them in build/). Servers are started on loopback, without persistence, and ended.
Writes bench/results/remote-<date>.{json,md}; runs of one date add up.
"""

import argparse
import datetime
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import machine  # noqa: E402
from tables import size, table  # noqa: E402

RESULTS = HERE.parent / "results"
LAYOUTS = {"redis": ("compact", "article-positioned", "article-plain"), "search": ("compact", "article-plain")}
BATCH = 1_000


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Redis:
    kind = "redis"

    def __init__(self, jars):
        self.port = free_port()
        self.process = subprocess.Popen(["redis-server", "--port", str(self.port), "--save", "", "--maxmemory", "0"], stdout=subprocess.DEVNULL)
        while self.cli("ping") != "PONG":
            time.sleep(0.05)
        self.empty = self.bytes()

    def cli(self, *words):
        return subprocess.run(["redis-cli", "-p", str(self.port), *words], capture_output=True, text=True).stdout.strip()

    def url(self):
        return f"redis://127.0.0.1:{self.port}/0?prefix=b:&timeout=600"

    place = "b:"

    def bytes(self):
        info = dict(line.split(":", 1) for line in self.cli("info", "memory").splitlines() if ":" in line)
        return int(info["used_memory"])

    def end(self):
        self.process.kill()
        self.process.wait()


class Search:
    kind = "search"
    place = "b"
    empty = 0

    def __init__(self, jars):
        self.folder = tempfile.mkdtemp(prefix="bench-remote-")
        self.log = open(Path(self.folder) / "log", "w")
        self.process = subprocess.Popen(
            ["java", "-Xms2g", "-Xmx2g", "-cp", f"{jars}/opensearch/jars/*", "OpenSearchNodes", "1", self.folder + "/data", str(free_port())],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.port = int(self.process.stdout.readline().split()[-1].rsplit(":", 1)[-1])

    def url(self):
        return f"es+http://127.0.0.1:{self.port}/b?timeout=600"

    def bytes(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/b/_stats/store") as answer:
            return json.load(answer)["_all"]["primaries"]["store"]["size_in_bytes"]

    def end(self):
        self.process.stdin.close()
        self.process.wait(60)
        shutil.rmtree(self.folder, ignore_errors=True)


class Run:
    def __init__(self, args):
        self.args, self.rows = args, []

    def keep(self, **row):
        print("   " + json.dumps(row), flush=True)
        self.rows.append(row)

    def bench(self, *words):
        done = subprocess.run([str(self.args.program), *map(str, words)], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"bench_remote {words}: {done.stderr}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def java(self, server, layout, rows, puts, queries):
        """Puts a second at a place of its own, finds a second in what Leitong has stored, one command after the other."""
        words = ["java", "-cp", f"{self.args.jars}/article/jars/*", "ArticleStore", server.kind, "127.0.0.1", str(server.port)]
        which = "positioned" if layout.endswith("positioned") else "plain"

        def run(place, *commands):
            text = subprocess.run([str(self.args.program), "article", *map(str, commands)], capture_output=True, text=True, check=True).stdout
            return subprocess.run([*words, place, which], input=text, capture_output=True, text=True, check=True).stdout.splitlines()

        found = run(server.place, 0, queries, "number", rows)
        answers = subprocess.run([str(self.args.program), "answers", str(rows), str(queries), "number"], capture_output=True, text=True).stdout.splitlines()
        equal = "yes" if found[1:-1] == answers else "DIFFERENT"
        put = run("j" + server.place, puts, 0, "number", rows)
        return {"queries_per_s": 1000 * queries / int(found[-1]), "rows_per_s": 1000 * puts / max(1, int(put[-2])), "equal": equal}

    def measure(self, make, rows):
        for layout in LAYOUTS[make.kind]:
            server = make(self.args.jars)
            try:
                print(time.strftime("%H:%M:%S"), make.kind, f"{rows:,}", layout, flush=True)
                key = {"server": make.kind, "rows": rows, "layout": layout}
                loaded = self.bench("load", server.url(), rows, layout, "number")[0]
                self.keep(**key, measure="load", rows_per_s=loaded["rows_per_s"])
                self.keep(**key, measure="bytes", bytes_per_row=(server.bytes() - server.empty) / rows)
                queries = self.args.queries if layout == "compact" else self.args.queries // 10
                for state in ("as loaded", "compacted"):
                    if state == "compacted":
                        took = self.bench("compact", server.url())[0]
                        self.keep(**key, measure="compact", seconds=took["seconds"], bytes_per_row=(server.bytes() - server.empty) / rows)
                    for batch in (BATCH, 1):
                        n = queries if batch > 1 else max(200, queries // 50)
                        looked = self.bench("look", server.url(), rows, n, batch, self.args.rounds)[0]
                        self.keep(**key, measure="look", state=state, batch=batch, queries_per_s=looked["queries_per_s"], equal=looked["equal"])
                if layout != "compact":
                    java = [self.java(server, layout, rows, 5_000, 200) for _ in range(self.args.rounds)]
                    self.keep(**key, measure="java", queries_per_s=statistics.median(j["queries_per_s"] for j in java),
                              rows_per_s=statistics.median(j["rows_per_s"] for j in java), equal=min(j["equal"] for j in java))
            finally:
                server.end()


def same_place(row):
    return row["server"], row["rows"], row["layout"], row["measure"], row.get("state"), row.get("batch")


def page(known, date):
    rows = known["rows"]

    def value(server, n, layout, measure, what, **more):
        for row in rows:
            if (row["server"], row["rows"], row["layout"], row["measure"]) == (server, n, layout, measure) and all(row.get(k) == v for k, v in more.items()):
                return row[what]
        return None

    def ratio(a, b):
        return None if a is None or not b else a / b

    out = [f"# Stores on servers, {date}", "", known["machine"], "", *known.get("notes", []), "",
           "Fingerprints of 64 bits, k = 3, numbers as ids; one row in five is near another, one query in two near a row. Every answer was compared with the index in memory.", ""]
    wrong = [row for row in rows if row.get("equal") == "DIFFERENT"]
    out += [f"**{len(wrong)} measures gave other answers.**" if wrong else "All answers are equal to those of the index in memory.", ""]
    for server, title in (("redis", "Redis"), ("search", "OpenSearch")):
        sizes = sorted({row["rows"] for row in rows if row["server"] == server})
        cells = []
        for n in sizes:
            for layout in LAYOUTS[server]:
                look = {"server": server, "n": n, "layout": layout, "measure": "look", "what": "queries_per_s", "state": "compacted"}
                cells.append([size(n), layout, value(server, n, layout, "load", "rows_per_s"), value(server, n, layout, "bytes", "bytes_per_row"),
                              value(server, n, layout, "compact", "bytes_per_row"), value(**{**look, "state": "as loaded"}, batch=BATCH), value(**look, batch=BATCH),
                              value(**look, batch=1), value(server, n, layout, "java", "rows_per_s"), value(server, n, layout, "java", "queries_per_s")])
        if cells:
            out += [f"## {title}", ""]
            out += table(["rows", "layout", "put/s", "bytes a row", "compacted", "queries/s as loaded", "compacted, 1,000 at once", "one at a time", "Java put/s", "Java queries/s"], cells)
        goals = []
        for n in sizes:
            for layout in LAYOUTS[server][1:]:
                best = value(server, n, "compact", "look", "queries_per_s", state="compacted", batch=BATCH)
                own = value(server, n, layout, "look", "queries_per_s", state="compacted", batch=BATCH)
                goals.append([size(n), layout, ratio(own, value(server, n, layout, "java", "queries_per_s")),
                              ratio(value(server, n, layout, "load", "rows_per_s"), value(server, n, layout, "java", "rows_per_s")),
                              ratio(value(server, n, layout, "compact", "bytes_per_row"), value(server, n, "compact", "bytes", "bytes_per_row")),
                              ratio(value(server, n, layout, "compact", "bytes_per_row"), value(server, n, "compact", "compact", "bytes_per_row")), ratio(best, own),
                              ratio(own, value(server, n, layout, "look", "queries_per_s", state="compacted", batch=1))])
        if goals:
            out += ["Ratios, each above 1 in favour of what is named first:", ""]
            out += table(["rows", "layout", "queries, Leitong : Java (goal 5)", "puts, Leitong : Java", "bytes, layout : compact as loaded", "bytes, layout : compact (goal 2)",
                          "queries, compact : layout (goal 2)", "1,000 at once : one at a time (goal 3)"], goals)
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbers = lambda text: [int(float(word)) for word in text.split(",") if word]  # noqa: E731
    parser.add_argument("--program", type=Path)
    parser.add_argument("--jars", type=Path)
    parser.add_argument("--redis", type=numbers, default=[1_000_000, 10_000_000])
    parser.add_argument("--search", type=numbers, default=[200_000, 1_000_000])
    parser.add_argument("--queries", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--note", default="")
    parser.add_argument("--date", default=datetime.date.today().isoformat())
    parser.add_argument("--report-only", action="store_true")
    args = parser.parse_args()
    path = RESULTS / f"remote-{args.date}.json"
    known = json.loads(path.read_text()) if path.exists() else {"rows": []}
    if not args.report_only:
        if args.program is None or args.jars is None:
            parser.error("--program and --jars are needed")
        args.program, args.jars = args.program.resolve(), args.jars.resolve()
        known["machine"] = f"{machine.cpu_name()}, {os.cpu_count()} processors, commit {machine.commit_of(HERE)}; servers on the same machine"
        if args.note:
            known["notes"] = [args.note]
        for make, sizes in ((Redis, args.redis), (Search, args.search)):
            for rows in sizes:
                run = Run(args)
                run.measure(make, rows)
                new = {same_place(row) for row in run.rows}
                known["rows"] = [row for row in known["rows"] if same_place(row) not in new] + run.rows
                path.write_text(json.dumps(known, indent=1) + "\n")
    path.with_suffix(".md").write_text(page(known, args.date))


if __name__ == "__main__":
    main()
