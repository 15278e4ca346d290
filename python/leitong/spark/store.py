"""Stages as directories of Parquet files: what is whole is read again, the rest is made anew."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
import time
from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from .._errors import UsageError


class Store:
    """The checkpoint directory of one job, on any file system of Spark."""

    def __init__(self, spark: SparkSession, directory: str | None) -> None:
        self.spark = spark
        self.seconds: dict[str, float] = {}  # of the stages that were made
        self.directory = (directory or _temporary(spark)).rstrip("/")
        java: Any = spark.sparkContext  # what stands behind it
        self._path = java._jvm.org.apache.hadoop.fs.Path
        self._files = self._path(self.directory).getFileSystem(java._jsc.hadoopConfiguration())

    def path(self, name: str) -> str:
        return f"{self.directory}/{name}"

    def _at(self, name: str) -> Any:
        return self._path(self.path(name))

    def has(self, name: str) -> bool:
        return bool(self._files.exists(self._at(f"{name}/_SUCCESS")))

    def remove(self, name: str) -> None:
        self._files.delete(self._at(name), True)

    def stage(self, name: str, make: Callable[[], DataFrame]) -> DataFrame:
        """The rows of a stage, made unless they are there whole."""
        if not self.has(name):
            began = time.monotonic()
            self._describe(name)
            rows = make()
            self._describe(name)  # another stage may have been made meanwhile
            rows.write.mode("overwrite").parquet(self.path(name))
            self.seconds[name] = round(time.monotonic() - began, 3)
        return self.spark.read.parquet(self.path(name))

    def _describe(self, name: str) -> None:
        """In Spark's pages and logs."""
        self.spark.sparkContext.setJobDescription(f"leitong {name}")

    def read_json(self, name: str) -> Any:
        """None: it is not there."""
        if not self._files.exists(self._at(name)):
            return None
        lines = self.spark.read.text(self.path(name), wholetext=True).collect()
        return json.loads(lines[0][0])

    def write_json(self, name: str, value: Any) -> None:
        stream = self._files.create(self._at(name), True)
        stream.write(bytearray(json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"))
        stream.close()

    def begin(self, settings: dict[str, Any]) -> None:
        """Holds what is there to the settings of this run."""
        found = self.read_json("settings.json")
        if found is None:
            self.write_json("settings.json", settings)
            return
        wanted = json.loads(json.dumps(settings))
        if different := sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name)):
            raise UsageError(
                f"{self.directory} was begun with other settings ({', '.join(different)}): give another checkpoint, or remove it"
            )


def _temporary(spark: SparkSession) -> str:
    if not str(spark.sparkContext.master).startswith("local"):
        raise UsageError("checkpoint: give a directory that the driver and all executors see; each stage is left there")
    directory = tempfile.mkdtemp(prefix="leitong-spark-")
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return f"file://{directory}"
