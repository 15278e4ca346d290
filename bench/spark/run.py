#!/usr/bin/env python3
"""What each stage of a job on Spark moves and computes, for the cost model of docs/spark.md.

    run.py WORK [--texts 50000,100000] [--partitions 8] [--program PATH]

Run it by a Python that has leitong and pyspark; WORK keeps the collections, event logs and checkpoints. The collection: texts of about 600
bytes of words drawn by Zipf's law from 200,000, one in ten an edited copy (up to 5 % of the words) of an earlier text, one in twenty an
equal one; the same law at all sizes. Bytes and records of shuffles are those of Spark's event log; processor seconds are those of the
driver's process and all that it has started: the library runs in Python workers. Prints, for each size, the figures of each stage by text.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path


def make(path, count):
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    draw, choose = np.random.default_rng(7), random.Random(7)
    ranks = 1 / np.arange(1, 200_001)
    cumulative = np.cumsum(ranks / ranks.sum())
    texts = []
    for i in range(count):
        kind = choose.random() if i else 1
        if kind < 0.05:
            texts.append(texts[choose.randrange(i)])
            continue
        if kind < 0.15:
            words = texts[choose.randrange(i)].split()
            for _ in range(choose.randrange(1, 6)):
                words[choose.randrange(len(words))] = f"w{choose.randrange(200_000)}"
        else:
            words = [f"w{n}" for n in np.searchsorted(cumulative, draw.random(105))]
        texts.append(" ".join(words))
    table = pa.table({"id": pa.array(range(count), pa.int64()), "text": texts})
    pq.write_table(table, path, row_group_size=10_000)


def seconds_of(root):
    """Processor seconds of a process, its descendants, and those of them that have ended."""
    parents, used = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except (OSError, IndexError):
                continue
            parents[int(entry.name)] = int(fields[1])
            used[int(entry.name)] = sum(map(int, fields[11:15]))
    total = 0
    for process in used:
        at = process
        while at in parents and at != root:
            at = parents[at]
        total += used[process] if at == root else 0
    return total / os.sysconf("SC_CLK_TCK")


def stages_of(log):
    """By the description of the job: shuffle bytes and records written, bytes spilled, processor seconds of the JVM."""
    names, found = {}, defaultdict(lambda: defaultdict(float))
    for line in open(log):
        event = json.loads(line)
        if event["Event"] == "SparkListenerJobStart":
            for stage in event["Stage IDs"]:
                names[stage] = (event.get("Properties") or {}).get("spark.job.description") or "other"
        if event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
            metrics, row = event["Task Metrics"], found[names.get(event["Stage ID"], "other")]
            row["shuffled"] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
            row["rows"] += metrics["Shuffle Write Metrics"]["Shuffle Records Written"]
            row["spilled"] += metrics["Disk Bytes Spilled"]
            row["written"] += metrics["Output Metrics"]["Bytes Written"]
            row["jvm_seconds"] += metrics["Executor CPU Time"] / 1e9
    return found


def measure(work, path, partitions):
    from pyspark.sql import SparkSession

    import leitong.spark

    os.environ["PYSPARK_PYTHON"], os.environ["PYTHONSAFEPATH"] = sys.executable, "1"
    logs = work / f"events-{path.stem}"
    logs.mkdir(exist_ok=True)
    builder = SparkSession.builder.master("local[2]").config("spark.driver.memory", "2g").config("spark.ui.enabled", "false")
    builder = (
        builder.config("spark.eventLog.enabled", "true")
        .config("spark.eventLog.dir", f"file://{logs}")
        .config("spark.eventLog.rolling.enabled", "false")
    )
    builder = (
        builder.config("spark.eventLog.compress", "false")
        .config("spark.sql.shuffle.partitions", partitions)
        .config("spark.ui.showConsoleProgress", "false")
    )
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", 2000)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    began, before = time.monotonic(), seconds_of(os.getpid())
    result = leitong.spark.run(spark.read.parquet(str(path)), order="id")
    took = {"seconds": time.monotonic() - began, "processor": seconds_of(os.getpid()) - before, "summary": result.summary}
    kept = sorted(row["id"] for row in result.kept.select("id").collect())
    spark.stop()
    (log,) = sorted(logs.glob("local-*"))[-1:]
    return took, stages_of(log), kept


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--texts", default="50000,100000")
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--program")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    if options.one:
        took, stages, kept = measure(options.work, Path(options.one), options.partitions)
        print(json.dumps({"took": took, "stages": stages, "kept": kept}))
        return
    for count in map(int, options.texts.split(",")):
        path = options.work / f"texts-{count}.parquet"
        if not path.exists():
            make(path, count)
        one = [sys.executable, "-P", __file__, str(options.work), "--one", str(path), "--partitions", str(options.partitions)]
        found = json.loads(subprocess.run(one, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()[-1])
        took, summary = found["took"], found["took"]["summary"]
        print(
            f"{count} texts, {summary['text_bytes']} bytes: {took['processor']:.0f} processor seconds, {took['seconds']:.0f} s; "
            f"{summary['candidates']} candidates, {summary['edges']} edges, {summary['kept']} kept"
        )
        for name, row in sorted(found["stages"].items()):
            print(
                f"  {name:28} {row['shuffled'] / count:9.1f} B/text shuffled {row['rows'] / count:9.2f} rows/text "
                f"{row['written'] / count:8.1f} B/text written {row['spilled'] / count:7.1f} spilled "
                f"{1e6 * row['jvm_seconds'] / count:8.1f} us/text"
            )
        if options.program:
            out = options.work / f"alone-{count}"
            subprocess.run(["rm", "-rf", str(out)], check=True)
            before = os.times()
            subprocess.run([options.program, "dedup", str(path), "-o", str(out), "--quiet", "--output-format", "jsonl"], check=True)
            after = os.times()
            alone = sorted(json.loads(line)["id"] for line in (out / "kept.jsonl").open())
            used = after.children_user + after.children_system - before.children_user - before.children_system
            same = "the same records stay" if alone == found["kept"] else "OTHER RECORDS STAY"
            print(f"  leitong dedup: {used:.1f} processor seconds; {same}")


if __name__ == "__main__":
    main()
