"""Deduplication on Apache Spark, with the same kept records as `leitong dedup` on one machine, for any partitioning.

    import leitong.spark
    kept = leitong.spark.dedup(df, text="text", id="id", checkpoint="hdfs:///jobs/news")

`run` gives the removed records and the summary as well. ``python -m leitong.spark`` is the program for files. Needs the package pyspark,
3.5 or 4, and on each executor this package and pyarrow. docs/spark.md says what the result depends on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._optional import need

if TYPE_CHECKING:
    from .job import Deduplication


def run(df: Any, text: str = "text", id: str = "id", **options: Any) -> Deduplication:
    """Deduplicate a data frame: what stays, what does not and why, and the summary. Options are those of `dedup`."""
    need("pyspark", "leitong.spark")
    need("pyarrow", "leitong.spark")
    from .job import run_frame

    return run_frame(df, text, id, **options)


def dedup(df: Any, text: str = "text", id: str = "id", **options: Any) -> Any:
    """The rows of a data frame that stay, as a data frame. Rows without a text do not.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        It is read several times and must give the same rows each time.
    text : str
        Its column with the texts, strings or binary UTF-8.
    id : str
        Its column with ids, which must be unique.
    order : str, optional
        A column with unique whole numbers, none negative: the order of the records, by which ties are broken. Without: `id` if that holds
        whole numbers, else the ids' order as byte strings.
    keep : str
        Which copy of a group stays, as `leitong.Dedup` takes it. Fields are columns of the frame.
    profile, rule : str, path, Profile or Rule
    threshold : float, optional
        This least similarity instead of what the rule asks.
    recall : (float, float), optional
        Find this share of the pairs of that similarity.
    source : str, optional
        The column that names each record's source, for rules of `keep` such as "source:gov>press".
    checkpoint : str, optional
        A directory that driver and executors see, on any file system of Spark: each stage is left there, and a later run with the same
        frame and options goes on after the last one that is whole. Without: a temporary directory, on a local master only.
    """
    return run(df, text, id, **options).kept


__all__ = ["dedup", "run"]
