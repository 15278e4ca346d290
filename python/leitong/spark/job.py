"""A whole job: the stages in order, each left in the store, and its summary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from .. import _core, __version__
from .._errors import UsageError
from . import stages
from .components import components
from .settings import Settings, make_settings
from .store import Store


@dataclass(frozen=True)
class Deduplication:
    """What a job found.

    Attributes
    ----------
    kept : DataFrame
        The rows that stay, as they came.
    removed : DataFrame
        id, record (place in the order), cluster (the first record of the group), kept and kept_record (what stays in its place), distance
        of the fingerprints, similarity, and the reason, "near" or "equal"; as `removed.jsonl` has it.
    summary : dict
        Counts, under the names of `summary.json`, and the seconds of each stage that was made.
    """

    kept: DataFrame
    removed: DataFrame
    summary: dict[str, Any]


def find_duplicates(records: DataFrame, settings: Settings, store: Store) -> tuple[DataFrame, dict[str, Any]]:
    """The fates of all rows in groups (stages.fates with cluster), and the summary. `records` as stages.py wants them."""
    fields = _core.KeepOrder(settings.keep).fields()
    sketched = store.stage("sketches", lambda: stages.sketches(records, settings, fields))
    copies = store.stage("equal", lambda: stages.equal(sketched))
    by_bands, plan = _by_bands(sketched, copies, settings, store)
    by_features = store.stage("short-pairs", lambda: _by_features(sketched, copies, settings))
    paired = store.stage("pairs", lambda: stages.pairs(by_bands, by_features, sketched, settings))
    judged = store.stage("verified", lambda: _judged(records, sketched, copies, paired, settings, store))
    edge = store.stage("edges", lambda: stages.edges(paired, judged))
    fate = _groups(edge, copies, sketched, settings, store)
    summary = store.read_json("summary.json")
    if summary is None:
        summary = _summary(records, sketched, copies, by_bands, by_features, paired, judged, edge, fate, plan, settings)
        store.write_json("summary.json", summary)
    return fate, {**summary, "seconds": store.seconds}


def _by_bands(sketched: DataFrame, copies: DataFrame, settings: Settings, store: Store) -> tuple[DataFrame, tuple[int, int, int]]:
    """Some bands a shuffle, each of which is a stage of its own."""
    unique = stages.without_copies(sketched, copies)
    counted = store.read_json("bands.json")
    if counted is None:
        counted = {"rows": stages.band_rows(unique).count()}
        counted["at_once"] = stages.bands_of_a_shuffle(counted["rows"], _core.band_plan(counted["rows"], settings.recall)[0], settings)
        store.write_json("bands.json", counted)
    plan = _core.band_plan(counted["rows"], settings.recall)
    parts = []
    for first in range(0, plan[0], counted["at_once"]):
        last = min(first + counted["at_once"], plan[0])
        parts.append(f"band-pairs/{first:03}-{last:03}")
        store.stage(parts[-1], lambda first=first, last=last: stages.band_pairs(unique, plan, first, last))  # type: ignore[misc]
    return store.spark.read.parquet(*map(store.path, parts)), plan


def _by_features(sketched: DataFrame, copies: DataFrame, settings: Settings) -> DataFrame:
    short = stages.short_rows(stages.without_copies(sketched, copies), settings)
    return stages.short_pairs(short, stages.short_counters(short), settings)


def _judged(records: DataFrame, sketched: DataFrame, copies: DataFrame, paired: DataFrame, settings: Settings, store: Store) -> DataFrame:
    templates = b""
    judge = _core.Judge(settings.profile, settings.rule, settings.threshold, b"")
    if judge.uses_templates() and not paired.filter(F.col("outlook") == stages.NEEDS_TEXTS).isEmpty():
        counted = store.stage("counted", lambda: stages.counted_records(paired, copies, sketched))
        least = judge.template_records()
        templates = stages.template_bytes(store.stage("templates", lambda: stages.template_counts(records, counted, settings, least)))
    return stages.verified(records, paired, templates, settings)


def _groups(edge: DataFrame, copies: DataFrame, sketched: DataFrame, settings: Settings, store: Store) -> DataFrame:
    component = components(edge.select("a", "b"), store)
    member = store.stage("members", lambda: stages.members(edge, copies, sketched, settings))
    first = store.stage("best", lambda: stages.best(member))
    took = store.stage("taken", lambda: stages.taken(edge, component, first))
    fate = store.stage("fates", lambda: stages.fates(member, first, took, settings))
    return store.stage("groups", lambda: stages.grouped(fate))


def _summary(
    records: DataFrame,
    sketched: DataFrame,
    copies: DataFrame,
    by_bands: DataFrame,
    by_features: DataFrame,
    paired: DataFrame,
    judged: DataFrame,
    edge: DataFrame,
    fate: DataFrame,
    plan: tuple[int, int, int],
    settings: Settings,
) -> dict[str, Any]:
    of_texts = sketched.agg(F.count("*"), F.sum("text_bytes"), F.sum(1 - F.col("has_fingerprint"))).first() or (0, 0, 0)
    texts, text_bytes, featureless = (value or 0 for value in of_texts)
    total, equal_pairs = records.count(), copies.count()
    removed = fate.filter("row != kept")
    reasons = {row["rule"]: row["count"] for row in removed.groupBy("rule").count().collect()}
    gone = sum(reasons.values())
    return {
        "leitong": __version__,
        "records": total,
        "kept": texts - gone,
        "removed": gone,
        "rejected": total - texts,
        "clusters": fate.select("cluster").distinct().count(),
        "featureless": featureless,
        "text_bytes": text_bytes,
        "candidates": paired.count() + equal_pairs,
        "edges": edge.count() + equal_pairs,
        "other_facts": judged.filter("value = -2").count(),
        "bounded": stages.bounded_rows(by_bands, by_features),
        "removed_equal": removed.filter("reason = 'equal'").count(),
        "bands": plan[0],
        "slots": plan[1],
        "profile": settings.profile_name,
        "profile_id": settings.profile_id,
        "rule": settings.rule_name,
        "rule_id": settings.rule_id,
        "keep": settings.keep,
        "keep_reasons": dict(sorted(reasons.items())),
    }


def removed_rows(fate: DataFrame, ids: DataFrame) -> DataFrame:
    """As removed.jsonl has them. ids: (row, id)."""
    gone = fate.filter("row != kept").join(ids, "row")
    kept = ids.select(F.col("row").alias("kept"), F.col("id").alias("kept_id"))
    return gone.join(kept, "kept").select(
        "id",
        F.col("row").alias("record"),
        "cluster",
        F.col("kept_id").alias("kept"),
        F.col("kept").alias("kept_record"),
        "distance",
        "similarity",
        "reason",
    )


# Data frames.


def run_frame(
    df: DataFrame,
    text: str,
    id: str,
    *,
    order: str | None = None,
    source: str | None = None,
    checkpoint: str | None = None,
    **options: Any,
) -> Deduplication:
    settings = make_settings(**options)
    fields = _core.KeepOrder(settings.keep).fields()
    _check_columns(df, [text, id, *([order] if order else []), *([source] if source else [])], [f for f in fields if f != "source"])
    store = Store(df.sparkSession, checkpoint)
    store.begin({**settings.as_dict(), "text": text, "id": id, "order": order, "source": source})
    numbered, row = _numbered(df, id, order, store)
    return run_numbered(numbered.withColumn("leitong_row", row), text, id, source, df.columns, settings, store)


def run_numbered(
    numbered: DataFrame, text: str, id: str, source: str | None, columns: list[str], settings: Settings, store: Store
) -> Deduplication:
    """Records with their numbers in the column leitong_row; of those that stay, `columns`."""
    source_of = F.col(f"`{source}`") if source else F.lit(None)
    fields = [_field_of(numbered, field).alias(f"field{i}") for i, field in enumerate(_core.KeepOrder(settings.keep).fields())]
    row, texts = F.col("leitong_row").alias("row"), F.col(f"`{text}`").cast("binary").alias("text")
    records = numbered.select(row, texts, source_of.cast("string").alias("source"), *fields)
    fate, summary = find_duplicates(records, settings, store)
    gone = fate.filter("row != kept").select(F.col("row").alias("leitong_row"))
    kept = numbered.filter(f"`{text}` is not null").join(_small(gone), "leitong_row", "left_anti")
    ids = numbered.select(row, F.col(f"`{id}`").alias("id"))
    return Deduplication(kept.select(*(F.col(f"`{name}`") for name in columns)), removed_rows(fate, ids), summary)


def _small(rows: DataFrame) -> DataFrame:
    """Numbers that fit into each executor's memory go there, so that the other side stays where it is, in its own partitions."""
    return F.broadcast(rows) if rows.count() <= 5_000_000 else rows


def _check_columns(df: DataFrame, named: list[str], fields: list[str]) -> None:
    for name in [*named, *fields]:
        if name not in df.columns:
            what = f"keep uses the field {name!r}, which" if name in fields else f"{name!r}"
            raise UsageError(f"{what} is no column of the frame, which has {', '.join(df.columns)}")


def _field_of(df: DataFrame, field: str) -> Column:
    if field == "source" and field not in df.columns:
        return F.lit(None).cast("binary")
    return F.col(f"`{field}`").cast("string").cast("binary")


def _is_whole(df: DataFrame, name: str) -> bool:
    return df.select(f"`{name}`").schema[0].dataType.typeName() in ("byte", "short", "integer", "long")


def _numbered(df: DataFrame, id: str, order: str | None, store: Store) -> tuple[DataFrame, Column]:
    """The frame, and the expression of each record's number: what orders it, or the rank of its id."""
    if order and not _is_whole(df, order):
        raise UsageError(f"order: the column {order!r} holds no whole numbers")
    if name := order or (id if _is_whole(df, id) else None):
        number = F.col(f"`{name}`").cast("long")
        _check_numbers(df.select(number.alias("row")), name, store)
        return df, number
    ranks = store.stage("numbers", lambda: _ranks(df.select(F.col(f"`{id}`").cast("string").alias("leitong_id")), store))
    if not ranks.groupBy("leitong_id").count().filter("count > 1").isEmpty():
        raise UsageError(f"ids of the column {id!r} are not unique: give order=, a column of unique whole numbers")
    return df.join(ranks, F.col(f"`{id}`").cast("string") == ranks["leitong_id"]), F.col("leitong_rank")


def _check_numbers(rows: DataFrame, name: str, store: Store) -> None:
    if store.read_json("numbers.json"):
        return
    n, distinct, least = rows.agg(F.count("*"), F.countDistinct("row"), F.min("row")).first()  # type: ignore[misc]
    if n != distinct or (least is not None and least < 0) or rows.filter("row is null").count():
        raise UsageError(f"numbers of the column {name!r} must be unique, not null, and not negative: they are the order of the records")
    store.write_json("numbers.json", {"records": n})


def _ranks(ids: DataFrame, store: Store) -> DataFrame:
    """Places of ids in their order. Rows that lie sorted in numbered partitions are counted, then each gets its place."""
    place = F.monotonically_increasing_id()
    sorted_ = store.stage("sorted-ids", lambda: ids.orderBy("leitong_id").withColumn("place", place))
    part, at = F.shiftright("place", 33), F.col("place").bitwiseAND(F.lit(2**33 - 1))
    counts = sorted(sorted_.groupBy(part.alias("part")).count().collect())
    begins, total = [], 0
    for number, count in counts:
        begins.append((number, total))
        total += count
    starts = store.spark.createDataFrame(begins, "part long, begin long")
    placed = sorted_.select("leitong_id", part.alias("part"), at.alias("at")).join(F.broadcast(starts), "part")
    return placed.select("leitong_id", (F.col("begin") + F.col("at")).alias("leitong_rank"))
