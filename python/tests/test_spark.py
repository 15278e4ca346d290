"""Apache Spark: what stays, and what is said of it, is that of the command line, however the records are cut and mixed."""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import subprocess
import sys

import pytest

import leitong
from conftest import SAMPLE

pytest.importorskip("pyspark", reason="no Spark: pip install pyspark")
if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    pytest.skip("no Java: apt-get install openjdk-17-jre-headless", allow_module_level=True)

import numpy as np  # noqa: E402

import leitong.spark  # noqa: E402
from leitong.spark import files, program, stages  # noqa: E402
from leitong.spark.components import components  # noqa: E402
from leitong.spark.settings import make_settings  # noqa: E402
from leitong.spark.store import Store  # noqa: E402


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONSAFEPATH"] = "1"  # workers take the package that is installed, too
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "2")
    # Small jobs spend their time on compiling: here nearly none is done.
    builder = builder.config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    builder = builder.config("spark.sql.codegen.wholeStage", "false").config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
    session = builder.config("spark.driver.memory", "1g").config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """What the program makes of the sample, and a flood of short notices, and a template with many pages."""
    directory = tmp_path_factory.mktemp("expected")
    words = random.Random(5)
    records = [{"id": f"sample{n}", **json.loads(line)} for n, line in enumerate(SAMPLE.read_text(encoding="utf-8").splitlines())]
    menu = " ".join(f"menu{words.randrange(10**6)}" for _ in range(80))
    for i in range(60):
        own = " ".join(f"own{words.randrange(10**6)}" for _ in range(25))
        records.append({"id": f"page{i}", "text": f"{menu} {own} {menu[:200]}", "rank": i % 7})
    for i in range(700):
        records.append(
            {"id": f"note{i}", "text": f"The ferry to the island leaves at nine from pier {i % 350} today, says captain {i % 9}."}
        )
    words.shuffle(records)
    lines = [json.dumps(record, ensure_ascii=False).encode() for record in records]
    lines[5:5] = [b"no record", b"", b'{"id":"x","text":7}', b'{"id":"cr","text":"A line with a carriage return."}\r']
    (directory / "a.jsonl").write_bytes(b"\n".join(lines[:300]) + b"\n")
    with gzip.open(directory / "b 乙.jsonl.gz", "wb") as file:
        file.write(b"\n".join(lines[300:]))
    from leitong.__main__ import PROGRAM

    inputs = [str(directory / name) for name in ("a.jsonl", "b 乙.jsonl.gz")]
    subprocess.run([PROGRAM, "dedup", *inputs, "-o", str(directory / "out"), "--quiet"], check=True)
    removed = [json.loads(line) for line in (directory / "out" / "removed.jsonl").read_text().splitlines()]
    summary = json.loads((directory / "out" / "summary.json").read_text())
    return {"inputs": inputs, "records": records, "removed": removed, "summary": summary, "out": directory / "out"}


def counts(summary):
    names = "records kept removed rejected clusters featureless text_bytes candidates edges other_facts bounded".split()
    return {name: summary[name] for name in names}


def told(removed):
    return sorted((r["id"], r["kept"], r["distance"], f"{r['similarity']:.4f}", r["reason"]) for r in removed)


def test_program_on_files(spark, expected, tmp_path):
    """Lines stay byte for byte and in order within a file; small blocks cut the files many times."""
    spark.conf.set("spark.sql.files.maxPartitionBytes", "50000")
    try:
        assert program.main([*expected["inputs"], "-o", str(tmp_path / "out")]) == 0
    finally:
        spark.conf.unset("spark.sql.files.maxPartitionBytes")
    made = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert counts(made) == counts(expected["summary"])
    assert made["bounded"] > 500  # the flood meets the bound
    assert sum(made["keep_reasons"].values()) == made["removed"]
    removed = [json.loads(line) for part in (tmp_path / "out" / "removed").glob("part-*") for line in part.read_text().splitlines()]
    assert told([{**r, "id": json.loads(r["id"]), "kept": json.loads(r["kept"])} for r in removed]) == told(expected["removed"])
    kept = sorted(line for part in (tmp_path / "out" / "kept").glob("part-*") for line in part.read_bytes().splitlines())
    assert kept == sorted((expected["out"] / "kept.jsonl").read_bytes().splitlines())
    assert program.main([*expected["inputs"], "-o", str(tmp_path / "out")]) == 2  # a finished run is not overwritten


@pytest.mark.parametrize("partitions", [1, 2, 7])
def test_frames_of_any_partitioning(spark, expected, partitions):
    rows = [(n, r["id"], r["text"], r.get("rank")) for n, r in enumerate(expected["records"])]
    random.Random(partitions).shuffle(rows)
    frame = spark.createDataFrame(rows, "n long, id string, text string, rank int").repartition(partitions)
    result = leitong.spark.run(frame, order="n", keep="rank:max,length:min,last", bands_at_once=1 + 20 * partitions)
    alone = leitong.Dedup(keep="rank:max,length:min,last")(expected["records"])
    assert {row["id"] for row in result.kept.collect()} == {record["id"] for record in alone.selected}
    mine = {(row["id"], row["kept"]) for row in result.removed.collect()}
    assert mine == {(gone.record["id"], gone.kept["id"]) for gone in alone.filtered}
    assert result.kept.columns == frame.columns


def test_ids_give_the_order(spark, expected, tmp_path):
    """Without a number records come in the order of their ids; and rows without a text do not stay."""
    records = sorted(expected["records"][:200], key=lambda record: record["id"].encode())
    rows = [(record["id"], record["text"]) for record in records] + [("zzz", None)]
    random.Random(1).shuffle(rows)
    frame = spark.createDataFrame(rows, "id string, text string")
    kept = leitong.spark.dedup(frame, keep="last", checkpoint=str(tmp_path))
    assert {row["id"] for row in kept.collect()} == {record["id"] for record in leitong.Dedup(keep="last")(records).selected}
    with pytest.raises(leitong.UsageError, match="begun with other settings .keep."):
        leitong.spark.dedup(frame, keep="first", checkpoint=str(tmp_path))


def test_goes_on_after_the_last_whole_stage(spark, expected, tmp_path):
    rows = [(n, r["text"]) for n, r in enumerate(expected["records"][:150])]
    frame = spark.createDataFrame(rows, "id long, text string")
    first = leitong.spark.run(frame, checkpoint=str(tmp_path))
    kept = sorted(row["id"] for row in first.kept.collect())
    for name in ("edges", "groups"):
        shutil.rmtree(tmp_path / name)
    (tmp_path / "pairs" / "_SUCCESS").unlink()
    again = leitong.spark.run(frame, checkpoint=str(tmp_path))
    assert set(again.summary["seconds"]) == {"pairs", "edges", "groups"}
    assert sorted(row["id"] for row in again.kept.collect()) == kept


def test_what_is_wrong_is_said(spark):
    frame = spark.createDataFrame([(1, "a"), (1, "b")], "id long, text string")
    with pytest.raises(leitong.UsageError, match="must be unique"):
        leitong.spark.dedup(frame)
    with pytest.raises(leitong.UsageError, match="'body' is no column of the frame, which has id, text"):
        leitong.spark.dedup(frame, text="body")
    with pytest.raises(leitong.UsageError, match="keep uses the field 'date'"):
        leitong.spark.dedup(frame, keep="date:newest")
    with pytest.raises(leitong.UsageError, match="no second sketch"):
        make_settings(profile=leitong.profile("leitong-1").toml.replace("minhash = true", "minhash = false"))
    with pytest.raises(leitong.UsageError, match="threshold"):
        make_settings(threshold=2)


def test_nothing_and_one(spark):
    for rows in ([], [(1, "One text that stands alone.")]):
        result = leitong.spark.run(spark.createDataFrame(rows, "id long, text string"))
        assert result.kept.count() == len(rows) == result.summary["kept"] and result.removed.count() == 0


def union_find(edges):
    parent = {}

    def find(node):
        parent.setdefault(node, node)
        while parent[node] != node:
            parent[node] = node = parent[parent[node]]
        return node

    for a, b in edges:
        a, b = find(a), find(b)
        parent[max(a, b)] = min(a, b)
    return {node: find(node) for node in parent}


def test_components(spark, tmp_path):
    """A long path, whose nodes are mixed; a star around the greatest node; pairs; a random graph."""
    draw = random.Random(3)
    path = draw.sample(range(1000), 130)
    edges = [*zip(path, path[1:]), *((2999, n) for n in range(2000, 2100)), *((n, n + 1) for n in range(3000, 3100, 2))]
    edges += [(draw.randrange(4000, 4200), draw.randrange(4200, 4400)) for _ in range(180)]
    edges = sorted({(min(edge), max(edge)) for edge in edges})
    frame = spark.createDataFrame(edges, "a long, b long")
    found = {row["node"]: row["component"] for row in components(frame, Store(spark, str(tmp_path))).collect()}
    assert found == union_find(edges)
    assert [entry.name for entry in tmp_path.iterdir() if entry.is_dir()] == ["components"]  # rounds are gone


def test_texts_that_nobody_wants_stay_where_they_are(spark, monkeypatch):
    """More rows than are sent everywhere: the bits of their numbers choose texts, too many but never too few."""
    monkeypatch.setattr(stages, "BROADCAST_ROWS", 10)
    records = spark.range(0, 5000, 7).selectExpr("id as row", "cast(id as string) as text")
    wanted = spark.range(0, 5000, 49).selectExpr("id as row", "-id as later")
    got = {(row["row"], row["text"], row["later"]) for row in stages.with_text(records, wanted).collect()}
    assert got == {(n, str(n), -n) for n in range(0, 5000, 49)}
    assert stages._only(records, wanted, 102).count() < 5000 // 7 // 2


def test_numbers_of_blocks():
    begins = [np.array(b) for b in ([0, 0, 0, 500], [500, 500, 3, 3], [], [3, 500], [90])]
    counter = files.Counter()
    assert [list(counter.rows(b)) for b in begins] == [[0, 1, 2, 500], [501, 502, 3, 4], [], [5, 500], [90]]


def test_lines_to_records():
    def read(line):
        return files.read_record(line, "text", "id", ["a.b", "n"])

    assert read(b'{"text":"x","id":7,"a":{"b":"c"},"n":1.5}\r') == (b"x", b"7", b"c", b"1.5")
    assert read(b'{"text":"\\ud800","a.b":"d"}') == (b"\xed\xa0\x80", None, b"d", None)
    assert read('\ufeff{"text":"é"}'.encode())[0] == "é".encode()
    for bad in (b"", b"7", b"[1]", b'{"text":', b'{"text":1}', b"[" * 100_000):
        assert read(bad)[0] is None
