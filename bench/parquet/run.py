#!/usr/bin/env python3
"""Text read from Parquet, beside pyarrow on one thread in the same run: run.py BENCH_PARQUET WORK COLLECTION.jsonl...

Needs pyarrow. Writes WORK/texts-CODEC.parquet (ids and texts of the collections, repeated to about 400 MB), then reads it in turns. Figures
are MB of text a second of processor time, the medians of seven rounds.
"""

import json
import pathlib
import re
import statistics
import subprocess
import sys
import time

import pyarrow as pa
import pyarrow.parquet as pq

ROUNDS = 7
TEXT_BYTES = 400_000_000


def make(work, inputs):
    ids, texts = [], []
    for name in inputs:
        for line in open(name, encoding="utf-8"):
            record = json.loads(line)
            ids.append(str(record.get("id")))
            texts.append(record["text"])
    size = sum(len(text.encode()) for text in texts)
    times = max(1, round(TEXT_BYTES / size))
    table = pa.concat_tables([pa.table({"id": ids, "text": texts})] * times)
    files = {}
    for codec in ("zstd", "snappy", "none"):
        files[codec] = work / f"texts-{codec}.parquet"
        pq.write_table(table, files[codec], compression=codec, row_group_size=100_000)
    return files, size * times


def ours(program, path):
    output = subprocess.run([program, "read", path, "text", "1"], check=True, capture_output=True, text=True).stdout
    return float(re.search(r"([\d.]+) MB/s", output).group(1))


def theirs(path, size):
    begin = time.process_time()
    file = pq.ParquetFile(path)
    read = 0
    for batch in file.iter_batches(batch_size=8192, columns=["text"], use_threads=False):
        read += batch.num_rows
    return size / 1e6 / (time.process_time() - begin)


def main():
    program, work, inputs = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    work.mkdir(parents=True, exist_ok=True)
    files, size = make(work, inputs)
    pa.set_cpu_count(1)
    print(f"{size / 1e6:.0f} MB of text, pyarrow {pa.__version__}\n\n| codec | Leitong, MB/s | pyarrow, MB/s |\n| --- | --- | --- |")
    for codec, path in files.items():
        path.read_bytes()  # warm
        rounds = [(ours(program, path), theirs(path, size)) for _ in range(ROUNDS)]
        print(f"| {codec} | {statistics.median(r[0] for r in rounds):.0f} | {statistics.median(r[1] for r in rounds):.0f} |")


main()
