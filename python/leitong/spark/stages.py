"""Each stage of a job as a function of data frames. `records` has the columns row (place in the order of the input), text (binary), source,
and the fields of the keep policy.

What may be computed apart is: a sketch by its text, a pair by its two texts, a component by its edges. What depends on the whole
collection is computed once and handed to all tasks: the number of texts, which decides the bands; how often the features of short texts
stand there; what belongs to templates.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .. import _core
from .columns import Batches, batch, binary, capsule, fixed, in_groups, keys_of_bytes, numbers
from .settings import Settings

NEEDS_TEXTS, EDGE, NO_CANDIDATE = 3, 2, 0  # outlooks of a pair
BITS = [f"bits{word}" for word in range(5)]
ROWS_OF_A_SHUFFLE = 2_000_000_000  # (key, row) of some bands: 32 GB


def fingerprint_columns(settings: Settings) -> list[str]:
    return [f"fingerprint{word}" for word in range(settings.words)]


# Texts to sketches.


def sketches(records: DataFrame, settings: Settings, fields: list[str]) -> DataFrame:
    """One row a text; records without a text have none."""
    longs = ["content0", "content1", *fingerprint_columns(settings), *BITS, "text_bytes"]
    ints = ["tokens", "features"]

    def run(batches: Batches) -> Iterator[pa.RecordBatch]:
        settings.check_executor()
        make = _core.Sketches(settings.profile)
        for one in batches:
            made = make(capsule(one.column("text")))
            columns = {"row": one.column("row"), "source": one.column("source")}
            columns.update({name: fixed(made[name], pa.int64()) for name in longs})
            columns.update({name: fixed(made[name], pa.int32()) for name in ints})
            columns["has_fingerprint"] = fixed(made["has_fingerprint"], pa.int8())
            columns.update({name: binary(made[name]) for name in ("slots", "short_features")})
            columns.update({_field(i): one.column(_field(i)) for i in range(len(fields))})
            yield batch(**columns)

    schema = ["row long", "source string", *(f"{name} long" for name in longs), *(f"{name} int" for name in ints)]
    schema += ["has_fingerprint byte", "slots binary", "short_features binary", *(f"{_field(i)} binary" for i in range(len(fields)))]
    return records.filter("text is not null").mapInArrow(run, ", ".join(schema))


def _field(i: int) -> str:
    """Columns of the keep policy's fields, whatever the fields are called."""
    return f"field{i}"


# Exact copies.


def equal(sketched: DataFrame) -> DataFrame:
    """(first, row): each text and the first one that is equal after normalisation, by 96 bits of their hashes."""
    texts = sketched.filter("content0 != 0 or content1 != 0")
    texts = texts.select("row", "content0", F.shiftrightunsigned("content1", 32).alias("more"))
    firsts = texts.groupBy("content0", "more").agg(F.min("row").alias("first"), F.count("*").alias("n")).filter("n > 1").drop("n")
    return texts.join(firsts, ["content0", "more"]).filter("row != first").select("first", "row")


def without_copies(sketched: DataFrame, copies: DataFrame) -> DataFrame:
    return sketched.join(copies.select("row"), "row", "left_anti")


# Candidates by bands.


def band_rows(unique: DataFrame) -> DataFrame:
    return unique.filter("length(slots) > 0")


def bands_of_a_shuffle(rows: int, bands: int, settings: Settings) -> int:
    return min(bands, settings.bands_at_once or max(1, ROWS_OF_A_SHUFFLE // max(rows, 1)))


def band_pairs(unique: DataFrame, plan: tuple[int, int, int], first: int, last: int) -> DataFrame:
    """(a, b), a < b, of rows that share a key in one of the bands [first, last), each once. A row of a group that met the bound stands
    there with itself. Sorted by key and row, a group is bounded by its places, as on one machine."""
    bands, slots, _ = plan

    def keys(batches: Batches) -> Iterator[pa.RecordBatch]:
        for one in batches:
            made = _core.band_keys(capsule(one.column("slots")), bands, slots, first, last)
            yield batch(key=fixed(made, pa.int64()), row=np.repeat(numbers(one.column("row")), last - first))

    groups = in_groups(
        _core.KeyGroups,
        lambda groups, one: groups.add(numbers(one.column("key")), numbers(one.column("row"))),
        lambda found: batch(a=fixed(found[0], pa.int64()), b=fixed(found[1], pa.int64())),
    )
    keyed = band_rows(unique).select("row", "slots").mapInArrow(keys, "key long, row long")
    return keyed.repartition("key").sortWithinPartitions("key", "row").mapInArrow(groups, "a long, b long").distinct()


# Candidates among short texts.


def short_rows(unique: DataFrame, settings: Settings) -> DataFrame:
    short = (F.col("tokens") < settings.short_tokens).cast("byte").alias("is_short")
    return unique.filter("length(short_features) > 0").select("row", short, F.length("short_features").alias("size"), "short_features")


def short_counters(short: DataFrame) -> bytes:
    """How often features stand in short texts, hashed to at most a million counters: the order in which prefixes are taken."""
    features = short.agg(F.sum(F.length("short_features"))).first()[0] or 0  # type: ignore[index]
    size = _core.short_counters(features // 4)

    def count(batches: Batches) -> Iterator[pa.RecordBatch]:
        counts = np.zeros(size, np.int64)
        for one in batches:
            counts += np.frombuffer(_core.count_short(capsule(one.column("short_features")), size), np.uint32)
        (found,) = counts.nonzero()
        yield batch(counter=found.astype(np.int64), n=counts[found])

    total = np.zeros(size, np.uint32)
    counted = short.select("short_features").mapInArrow(count, "counter long, n long").groupBy("counter").agg(F.sum("n").alias("n"))
    for counter, n in counted.collect():
        total[counter] = n
    return total.tobytes()


def short_pairs(short: DataFrame, counters: bytes, settings: Settings) -> DataFrame:
    """(a, b, similarity) of short texts that are as similar as the rule asks, exactly; bounded rows as in band_pairs."""
    threshold = _core.short_threshold(settings.profile, settings.rule, settings.threshold)

    def post(batches: Batches) -> Iterator[pa.RecordBatch]:
        for one in batches:
            sets = one.column("short_features")
            places, features, in_short = _core.short_postings(capsule(sets), counters, threshold)
            at = np.frombuffer(places, np.int64)
            marks = numbers(one.column("is_short"), "int8")[at] + 2 * np.frombuffer(in_short, np.int8)
            rows, sizes = numbers(one.column("row"))[at], numbers(one.column("size"), "int32")[at]
            yield batch(feature=fixed(features, pa.int64()), size=sizes, row=rows, marks=marks.astype(np.int8), set=sets.take(at))

    groups = in_groups(
        lambda: _core.ShortGroups(threshold),
        lambda groups, one: groups.add(
            numbers(one.column("feature")), numbers(one.column("row")), numbers(one.column("marks"), "int8"), capsule(one.column("set"))
        ),
        lambda found: batch(a=fixed(found[0], pa.int64()), b=fixed(found[1], pa.int64()), similarity=fixed(found[2], pa.float32())),
    )
    posted = short.mapInArrow(post, "feature long, size int, row long, marks byte, set binary")
    sorted_ = posted.repartition("feature").sortWithinPartitions("feature", "size", "row")
    return sorted_.mapInArrow(groups, "a long, b long, similarity float").distinct()


# Pairs.


def bounded_rows(by_bands: DataFrame, by_features: DataFrame) -> int:
    """Rows whose candidates met a bound."""
    return by_bands.filter("a = b").select("a").union(by_features.filter("a = b").select("a")).distinct().count()


def pairs(by_bands: DataFrame, by_features: DataFrame, sketched: DataFrame, settings: Settings) -> DataFrame:
    """Each candidate pair once, with what its sketches say of it: outlook and value; which of the two is a copy of the other."""
    nominated = by_bands.filter("a < b").select("a", "b", F.lit(True).alias("by_bands"), F.lit(-1.0).cast("float").alias("similarity"))
    nominated = nominated.union(by_features.filter("a < b").select("a", "b", F.lit(False), "similarity"))
    nominated = nominated.groupBy("a", "b").agg(F.max("by_bands").alias("by_bands"), F.max("similarity").alias("similarity"))
    known = sketched.select("row", "tokens", "features", F.shiftrightunsigned("content0", 32).alias("rank"), *BITS)
    for end in ("a", "b"):
        renamed = known.select(F.col("row").alias(end), *(F.col(c).alias(f"{c}_{end}") for c in known.columns if c != "row"))
        nominated = nominated.join(renamed, end)
    distance = sum((F.bit_count(F.col(f"{c}_a").bitwiseXOR(F.col(f"{c}_b"))) for c in BITS), F.lit(0))
    nominated = nominated.withColumn("distance", F.when(F.col("by_bands"), distance).otherwise(-1).cast("int"))

    def consider(batches: Batches) -> Iterator[pa.RecordBatch]:
        judge = _core.Judge(settings.profile, settings.rule, settings.threshold, b"")
        for one in batches:
            ints = [numbers(one.column(name), "int32") for name in ("tokens_a", "tokens_b", "features_a", "features_b")]
            said = judge.consider(numbers(one.column("distance"), "int32"), numbers(one.column("similarity"), "float32"), *ints)
            outlook, value, exact, copies = (
                fixed(data, type) for data, type in zip(said, (pa.int8(), pa.float32(), pa.int8(), pa.int8()), strict=True)
            )
            alike, rank_a, rank_b = numbers(copies) != 0, numbers(one.column("rank_a")), numbers(one.column("rank_b"))
            yield batch(
                a=one.column("a"),
                b=one.column("b"),
                outlook=outlook,
                value=value,
                exact=exact,
                copy_a=alike & (rank_b < rank_a),
                copy_b=alike & (rank_a < rank_b),
            )

    schema = "a long, b long, outlook byte, value float, exact byte, copy_a boolean, copy_b boolean"
    return nominated.drop(*(f"{c}_{end}" for c in BITS for end in "ab")).mapInArrow(consider, schema).filter(f"outlook != {NO_CANDIDATE}")


# Templates.


def counted_records(paired: DataFrame, copies: DataFrame, sketched: DataFrame) -> DataFrame:
    """(row, features, hash, without_copies, with_copies): records in pairs, and in which of the two counts each takes part."""
    no, yes = F.lit(False), F.lit(True)
    marks = paired.select(F.col("a").alias("row"), F.col("copy_a").alias("copy"), no.alias("equal"))
    marks = marks.union(paired.select("b", "copy_b", no)).union(copies.select("first", no, no)).union(copies.select("row", yes, yes))
    marks = marks.groupBy("row").agg(F.max("copy").alias("copy"), F.max("equal").alias("equal"))
    known = sketched.select("row", "features", F.col("content1").alias("hash"))
    return marks.join(known, "row").select(
        "row", "features", "hash", (~F.col("copy")).alias("without_copies"), (~F.col("equal")).alias("with_copies")
    )


def drawn(counted: DataFrame, count: str) -> DataFrame:
    """The rows of one count or, if they have too many features, a sample of them: those with the smallest hashes."""
    most = _core.template_features()
    rows = counted.filter(count)
    everything = rows.agg(F.sum("features")).first()[0] or 0  # type: ignore[index]
    if everything <= most:
        return rows.select("row")
    unsigned = F.col("hash").bitwiseXOR(F.lit(-(2**63)))
    if 2 * most < everything:
        rows = rows.filter(unsigned <= F.lit(int(2 * most / everything * 2.0**64) - 2**63))

    def take(batches: Batches) -> Iterator[pa.RecordBatch]:
        taken = 0
        for one in batches:
            chosen = []
            for row, features in zip(one.column("row").to_pylist(), one.column("features").to_pylist(), strict=True):
                if taken + features <= most:
                    taken += features
                    chosen.append(row)
            yield batch(row=pa.array(chosen, pa.int64()))

    # One task: what comes to it has about twice that many features, whatever the collection.
    return rows.repartition(1).sortWithinPartitions(unsigned, "row").mapInArrow(take, "row long")


def template_counts(records: DataFrame, counted: DataFrame, settings: Settings, template_records: int) -> DataFrame:
    """(key, without_copies, with_copies) of features that more than template_records counted records have."""
    without = drawn(counted, "without_copies").withColumn("without_copies", F.lit(1))
    chosen = without.join(drawn(counted, "with_copies").withColumn("with_copies", F.lit(1)), "row", "full_outer").na.fill(0)
    texts = with_text(records, chosen)

    def extract(batches: Batches) -> Iterator[pa.RecordBatch]:
        for one in batches:
            keys, places = _core.template_keys(settings.profile, capsule(one.column("text")))
            at = np.frombuffer(places, np.uint32)
            marks = {name: numbers(one.column(name))[at] for name in ("without_copies", "with_copies")}
            yield batch(key=np.frombuffer(keys, np.uint32).astype(np.int64), **marks)

    keys = texts.select("text", "without_copies", "with_copies").mapInArrow(extract, "key long, without_copies long, with_copies long")
    counts = keys.groupBy("key").agg(F.sum("without_copies").alias("without_copies"), F.sum("with_copies").alias("with_copies"))
    return counts.filter(F.greatest("without_copies", "with_copies") > template_records)


def template_bytes(counts: DataFrame) -> bytes:
    """The same for _core.Judge. At most four million features were counted twice, so that few are left."""
    found = collected(counts.select("key", "without_copies", "with_copies"))
    return np.stack([column.astype(np.uint32) for column in found], axis=1).tobytes()


def collected(rows: DataFrame) -> list[Any]:
    """Columns of whole numbers, few enough for the driver, as arrays."""
    if hasattr(rows, "toArrow"):
        return [column.to_numpy() for column in rows.toArrow().columns]
    found = rows.collect()  # before Spark 4
    return [np.array([row[i] for row in found], np.int64) for i in range(len(rows.columns))]


# Texts of some rows.

BROADCAST_ROWS = 2_000_000
FILTER_BITS = 1 << 29


def with_text(records: DataFrame, wanted: DataFrame) -> DataFrame:
    """wanted(row, ...) with the texts of its rows. Texts of other rows are not moved between machines."""
    texts = records.select("row", "text").filter("text is not null")
    rows = wanted.count()
    if rows <= BROADCAST_ROWS:
        return texts.join(F.broadcast(wanted), "row")
    return _only(texts, wanted, rows).join(wanted, "row")


def _only(texts: DataFrame, wanted: DataFrame, rows: int) -> DataFrame:
    """Most of the rows that nobody wants fall out where they are read: by one bit of the row's number."""
    bits = min(FILTER_BITS, 1 << (8 * rows).bit_length())
    place = F.pmod("row", F.lit(bits))
    words = wanted.select(F.shiftright(place, 5).alias("word"), F.expr(f"shiftleft(1L, cast(pmod(row, {bits}) as int) & 31)").alias("bit"))
    table = np.zeros(bits // 32, np.uint32)
    found, masks = collected(words.groupBy("word").agg(F.bit_or("bit").alias("bits")))
    table[found] = masks.astype(np.uint32)
    shared = table.tobytes()

    def run(batches: Batches) -> Iterator[pa.RecordBatch]:
        mine = np.frombuffer(shared, np.uint32)
        for one in batches:
            at = numbers(one.column("row")) % bits
            yield one.filter(pa.array((mine[at >> 5] >> (at & 31).astype(np.uint32)) & 1 != 0))

    return texts.mapInArrow(run, texts.schema)


# Verification.


def verified(records: DataFrame, paired: DataFrame, templates: bytes, settings: Settings) -> DataFrame:
    """(a, b, value) of all pairs that need their texts: similarity, or below 0 the reason why not.

    Each pair gets the text of its earlier record, and goes to where that of the later one is: a text that resembles a million others is
    asked about in a million places.
    """
    open_ = paired.filter(F.col("outlook") == NEEDS_TEXTS).select("a", "b")
    wanted = open_.select(F.col("a").alias("row"), F.col("b").alias("later"), F.col("a").alias("earlier"))
    wanted = wanted.union(open_.select("b", "b", F.lit(-1).cast("long")).distinct())
    asked = with_text(records, wanted).select("later", "earlier", "text")

    def run(batches: Batches) -> Iterator[pa.RecordBatch]:
        judge = _core.Judge(settings.profile, settings.rule, settings.threshold, templates)
        for one in batches:
            earlier, later = numbers(one.column("earlier")), numbers(one.column("later"))
            values = np.frombuffer(judge.judge(later, earlier, capsule(one.column("text"))), np.float32)
            pairs_only = earlier >= 0
            yield batch(a=earlier[pairs_only], b=later[pairs_only], value=values[pairs_only])

    return asked.repartition("later").sortWithinPartitions("later", "earlier").mapInArrow(run, "a long, b long, value float")


def edges(paired: DataFrame, judged: DataFrame) -> DataFrame:
    """(a, b, value) of near-duplicates, but for equal texts."""
    return paired.filter(F.col("outlook") == EDGE).select("a", "b", "value").union(judged.filter("value >= 0").select("a", "b", "value"))


# Groups.


def members(edge: DataFrame, copies: DataFrame, sketched: DataFrame, settings: Settings) -> DataFrame:
    """Rows that are in an edge or equal to another: (row, class, key, fingerprint). Of equal texts the first one names the class; the row
    with the least key stays before the others."""
    order = _core.KeepOrder(settings.keep)
    fields, width = [_field(i) for i in range(len(order.fields()))], 8 * len(order.rules())
    ends = edge.select(F.col("a").alias("row")).union(edge.select("b"))
    rows = ends.union(copies.select("first")).distinct().select("row", F.col("row").alias("class"))
    rows = rows.union(copies.select("row", "first"))
    degrees = ends.groupBy(F.col("row").alias("class")).agg(F.count("*").alias("neighbours"))
    known = sketched.select("row", "source", "text_bytes", "has_fingerprint", *fingerprint_columns(settings), *fields)
    rows = rows.join(degrees, "class", "left").na.fill(0, ["neighbours"]).join(known, "row").na.fill("", ["source"])
    keep = settings.keep
    kept_columns = ["row", "class", "text_bytes", "has_fingerprint", *fingerprint_columns(settings)]

    def keys(batches: Batches) -> Iterator[pa.RecordBatch]:
        order = _core.KeepOrder(keep)
        for one in batches:
            row, text_bytes, neighbours = (numbers(one.column(name)) for name in ("row", "text_bytes", "neighbours"))
            made = order.keys(row, text_bytes, neighbours, capsule(one.column("source")), [capsule(one.column(name)) for name in fields])
            yield batch(key=keys_of_bytes(made, width), **{name: one.column(name) for name in kept_columns})

    prints = ", ".join(f"{name} long" for name in fingerprint_columns(settings))
    return rows.mapInArrow(keys, f"key binary, row long, class long, text_bytes long, has_fingerprint byte, {prints}")


def best(member: DataFrame) -> DataFrame:
    """(class, key, row): of each class the row that stays before the others."""
    least = member.groupBy("class").agg(F.min(F.struct("key", "row")).alias("least"))
    return least.select("class", F.col("least.key").alias("key"), F.col("least.row").alias("row"))


def taken(edge: DataFrame, component: DataFrame, first: DataFrame) -> DataFrame:
    """(class, centre, similarity): classes that a star took, and the class in its centre."""
    a = first.select(F.col("class").alias("a"), F.col("key").alias("key_a"))
    b = first.select(F.col("class").alias("b"), F.col("key").alias("key_b"))
    inside = component.select(F.col("node").alias("a"), "component")
    ranked = edge.join(a, "a").join(b, "b").join(inside, "a")
    a_first = F.col("key_a") < F.col("key_b")
    ranked = ranked.select(
        "component",
        "value",
        F.when(a_first, F.col("a")).otherwise(F.col("b")).alias("better"),
        F.when(a_first, F.col("b")).otherwise(F.col("a")).alias("worse"),
        F.when(a_first, F.col("key_a")).otherwise(F.col("key_b")).alias("better_key"),
        F.when(a_first, F.col("key_b")).otherwise(F.col("key_a")).alias("worse_key"),
    )

    def run(batches: Batches) -> Iterator[pa.RecordBatch]:
        stars = _core.Stars()
        for one in batches:
            columns = [numbers(one.column(name)) for name in ("component", "better", "worse")]
            took = pa.array(np.frombuffer(stars.takes(*columns), np.uint8) != 0)
            found = one.filter(took)
            yield batch(**{"class": found.column("worse"), "centre": found.column("better"), "similarity": found.column("value")})

    ranked = ranked.repartition("component").sortWithinPartitions("component", "better_key", "worse_key")
    return ranked.mapInArrow(run, "class long, centre long, similarity float")


def fates(member: DataFrame, first: DataFrame, took: DataFrame, settings: Settings) -> DataFrame:
    """Every row of a group: (row, kept, centre, similarity, distance, reason, rule, text_bytes); of the one that stays, kept = row."""
    rows = member.join(took, "class", "left").withColumn("centre", F.coalesce("centre", "class"))
    rows = rows.join(first.select(F.col("class").alias("centre"), F.col("row").alias("kept")), "centre")
    prints = fingerprint_columns(settings)
    wanted = ["key", "has_fingerprint", *prints]
    centres = member.join(first.select("row"), "row", "left_semi")
    centres = centres.select(F.col("row").alias("kept"), *(F.col(name).alias(f"kept_{name}") for name in wanted))
    rows = rows.join(centres, "kept")
    distance = sum((F.bit_count(F.col(name).bitwiseXOR(F.col(f"kept_{name}"))) for name in prints), F.lit(0))
    rules = _core.KeepOrder(settings.keep).rules()
    rule = F.lit(rules[-1])
    for i in reversed(range(len(rules) - 1)):
        own, other = (F.col(name).substr(8 * i + 1, 8) for name in ("key", "kept_key"))
        rule = F.when(own != other, F.lit(rules[i])).otherwise(rule)
    near = F.col("similarity").isNotNull()
    return rows.select(
        "row",
        "kept",
        "centre",
        F.coalesce("similarity", F.lit(1.0)).cast("float").alias("similarity"),
        F.when((F.col("has_fingerprint") != 0) & (F.col("kept_has_fingerprint") != 0), distance).cast("int").alias("distance"),
        F.when(near, "near").otherwise("equal").alias("reason"),
        rule.alias("rule"),
        "text_bytes",
    )


def grouped(fate: DataFrame) -> DataFrame:
    """Those of groups of two rows and more, with `cluster`, the least row of the group, in the place of its centre."""
    clusters = fate.groupBy("centre").agg(F.min("row").alias("cluster"), F.count("*").alias("n")).filter("n > 1").drop("n")
    return fate.join(clusters, "centre").drop("centre")
