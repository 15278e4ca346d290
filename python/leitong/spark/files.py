"""Files of records as data frames whose rows are numbered by file and row: the same numbers however Spark cuts the files.

Files come in the order of their operands, those of a directory in the order of their paths; within a file rows count from its beginning.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from .._errors import UsageError
from .columns import Batches, batch, numbers


def parquet(spark: SparkSession, paths: list[str]) -> DataFrame:
    """All columns of Parquet files, and leitong_row and leitong_path."""
    rows = spark.read.parquet(*paths)
    taken = [name for name in rows.columns if name.startswith("leitong_")]
    if taken:
        raise UsageError(f"the files have a column {taken[0]!r} already: names that begin with leitong_ are for what is added")
    path, at = F.col("_metadata.file_path").alias("leitong_path"), F.col("_metadata.row_index").alias("leitong_at")
    rows = rows.select("*", path, at)
    begins = _begins(rows.groupBy("leitong_path", F.lit(0).alias("start")).count(), _files(spark, paths, "parquet"), spark)
    rows = rows.join(F.broadcast(begins.drop("start")), "leitong_path")
    return rows.withColumn("leitong_row", F.col("begin") + F.col("leitong_at")).drop("begin", "leitong_at")


def json_lines(spark: SparkSession, paths: list[str], text: str, id: str, fields: list[str]) -> DataFrame:
    """Of each line: leitong_row, leitong_path, leitong_line (its bytes), leitong_text (null: it is no record), leitong_id (as JSON has it),
    and the fields that the keep policy needs."""
    path, start = F.col("_metadata.file_path").alias("leitong_path"), F.col("_metadata.file_block_start").alias("start")
    lines = spark.read.option("lineSep", "\n").text(paths).select(F.col("value").cast("binary").alias("line"), path, start)
    begins = _begins(lines.groupBy("leitong_path", "start").count(), _files(spark, paths, "text"), spark)
    lines = lines.join(F.broadcast(begins), ["leitong_path", "start"])

    names = ["leitong_text", "leitong_id", *fields]

    def read(batches: Batches) -> Iterator[pa.RecordBatch]:
        count = Counter()
        for one in batches:
            all_lines = one.column("line").to_pylist()
            told = np.array([bool(line.strip()) for line in all_lines], bool)  # blank lines are counted, and are no records
            records = [read_record(line, text, id, fields) for line in all_lines if line.strip()]
            columns = [pa.array([record[i] for record in records], pa.binary()) for i in range(len(names))]
            rows, chosen = count.rows(numbers(one.column("begin")))[told], one.filter(pa.array(told))
            yield batch(
                leitong_row=rows,
                leitong_path=chosen.column("leitong_path"),
                leitong_line=chosen.column("line"),
                **dict(zip(names, columns, strict=True)),
            )

    schema = ["leitong_row long", "leitong_path string", "leitong_line binary", "leitong_text binary", "leitong_id binary"]
    return lines.mapInArrow(read, ", ".join([*schema, *(f"`{field}` binary" for field in fields)]))


class Counter:
    """Rows of blocks to their numbers: each is given the number of its block's first row, and blocks come one after the other."""

    def __init__(self) -> None:
        self._begin, self._seen = -1, 0

    def rows(self, begins: Any) -> Any:
        if len(begins) == 0:
            return begins
        starts = np.flatnonzero(np.r_[True, begins[1:] != begins[:-1]])
        lengths = np.diff(np.r_[starts, len(begins)])
        places = np.arange(len(begins)) - np.repeat(starts, lengths)
        if begins[0] == self._begin:
            places[: lengths[0]] += self._seen
        self._begin, self._seen = int(begins[-1]), int(places[-1]) + 1
        return begins + places


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _value(record: Any, path: str) -> Any:
    """A field by its name or, where there is none, by dotted names."""
    if path in record:
        return record[path]
    for name in path.split("."):
        if not isinstance(record, dict) or name not in record:
            return None
        record = record[name]
    return record


def _plain(value: Any) -> bytes | None:
    if value is None:
        return None
    return _bytes(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def read_record(line: bytes, text: str, id: str, fields: list[str]) -> tuple[bytes | None, ...]:
    """(text, id as JSON, fields...) of a line; without a text: it is no record that can be used."""
    try:
        record = json.loads(line.decode("utf-8", "replace").lstrip("\ufeff"))
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        return (None,) * (2 + len(fields))
    value, name = _value(record, text), _value(record, id)
    named = None if name is None else _bytes(json.dumps(name, ensure_ascii=False))
    return (_bytes(value) if isinstance(value, str) else None, named, *(_plain(_value(record, field)) for field in fields))


def _files(spark: SparkSession, paths: list[str], format: str) -> list[str]:
    """In order, each once."""
    found: dict[str, None] = {}
    for path in paths:
        inside = sorted(_plain_path(name) for name in spark.read.format(format).load(path).inputFiles())
        if not inside:
            raise UsageError(f"{path}: there is no file to read")
        found.update(dict.fromkeys(inside))
    return list(found)


def _begins(counts: DataFrame, files: list[str], spark: SparkSession) -> DataFrame:
    """(leitong_path, start, begin): the number of the first row of each block of a file. As many rows as blocks come to the driver."""
    place = {name: i for i, name in enumerate(files)}
    blocks = []
    for path, start, count in counts.collect():
        if (name := _plain_path(path)) not in place:
            raise UsageError(f"{path}: Spark reads this file but does not list it among its inputs; has it been added just now?")
        blocks.append((place[name], start, path, count))
    rows, total = [], 0
    for _, start, path, count in sorted(blocks):
        rows.append((path, start, total))
        total += count
    return spark.createDataFrame(rows, "leitong_path string, start long, begin long")


def _plain_path(name: str) -> str:
    """One spelling of a path, of which Spark has several."""
    return re.sub("^file:/+", "/", unquote(name))


def shown_path(path: Column) -> Column:
    """As a person wrote it: file:///a/b is /a/b."""
    return F.regexp_replace(path, "^file:/+", "/")
