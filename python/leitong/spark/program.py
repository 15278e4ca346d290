"""The program: files in, a directory with kept and removed records and summary.json out. For spark-submit, or python -m leitong.spark."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from .._errors import Error
from .._optional import need
from .settings import DEFAULT_KEEP, make_settings

DESCRIPTION = "Deduplicate files on Apache Spark, with the same kept records as `leitong dedup` on one machine (docs/spark.md)."


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("leitong-spark", description=DESCRIPTION)
    add = parser.add_argument
    add("inputs", nargs="+", metavar="INPUT", help="files or directories, on any file system of Spark")
    add("-o", "--output", required=True, metavar="DIR", help="kept/, removed/ and summary.json go there")
    add("--checkpoint", metavar="DIR", help="where stages are left; a run with the same inputs goes on there (default: OUTPUT/stages)")
    add("--format", choices=["jsonl", "parquet"], help="default: by the end of the first input's name")
    add("--text-field", default="text", metavar="NAME")
    add("--id-field", default="id", metavar="NAME")
    add("--keep", default=DEFAULT_KEEP, metavar="POLICY")
    add("--profile", default="leitong-1", metavar="NAME|FILE")
    add("--rule", default="near-2", metavar="NAME|FILE")
    add("--threshold", type=float, metavar="S")
    add("--bands-at-once", type=int, metavar="N", help="bands in one shuffle (default: what makes 32 GB)")
    add("--master", metavar="URL", help="where there is no spark-submit: local[*] if not given")
    return parser


def _format(given: str | None, inputs: list[str]) -> str:
    return given or ("parquet" if inputs[0].rstrip("/").endswith((".parquet", ".pq")) else "jsonl")


def _session(master: str | None) -> Any:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("leitong")
    if master:
        builder = builder.master(master)
    spark = builder.getOrCreate()
    if spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch") == "10000":  # as Spark has it; a batch of texts should be some MB
        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "2000")
    return spark


def _deduplicate(options: argparse.Namespace, spark: Any) -> tuple[Any, str]:
    """What was found, and the format of its kept records."""
    from .. import _core
    from . import files
    from .job import _check_columns, run_numbered
    from .store import Store

    settings = make_settings(options.profile, options.rule, options.keep, options.threshold, bands_at_once=options.bands_at_once)
    store = Store(spark, options.checkpoint or f"{options.output.rstrip('/')}/stages")
    format, text, id = _format(options.format, options.inputs), options.text_field, options.id_field
    store.begin({**settings.as_dict(), "inputs": options.inputs, "format": format, "text": text, "id": id})
    fields = _core.KeepOrder(settings.keep).fields()
    if format == "parquet":
        rows = files.parquet(spark, options.inputs)
        named = [name for name in rows.columns if not name.startswith("leitong_")]
        _check_columns(rows.select(named), [text, id], [field for field in fields if field != "source"])
    else:
        rows = files.json_lines(spark, options.inputs, text, id, fields)
        named, text, id = ["leitong_line"], "leitong_text", "leitong_id"
    rows = rows.withColumn("leitong_path", files.shown_path(rows["leitong_path"]))
    return run_numbered(rows, text, id, "leitong_path", named, settings, store), format


def _write(found: Any, format: str, output: str) -> None:
    kept, removed = found.kept, found.removed
    if format == "parquet":
        kept.write.parquet(f"{output}/kept")
    else:
        kept.selectExpr("cast(leitong_line as string) as value").write.text(f"{output}/kept")
        removed = removed.withColumns({name: removed[name].cast("string") for name in ("id", "kept")})
    removed.write.json(f"{output}/removed", ignoreNullFields=False)


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        need("pyspark", "leitong-spark")
        need("pyarrow", "leitong-spark")
        spark = _session(options.master)
        from .store import Store

        output = Store(spark, options.output)
        if output.has("kept"):
            raise Error(f"{options.output} holds the results of a finished run: give another directory")
        output.remove("kept")
        output.remove("removed")
        found, format = _deduplicate(options, spark)
        _write(found, format, output.directory)
        output.write_json("summary.json", found.summary)
    except (Error, ImportError) as error:
        print(f"leitong-spark: {error}", file=sys.stderr)
        return 2
    said = ("records", "kept", "removed", "rejected", "clusters", "candidates", "edges", "bounded")
    print(json.dumps({name: found.summary[name] for name in said}))
    return 0
