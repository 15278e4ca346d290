"""Connected components of a graph in data frames, by large-star and small-star (Kiveris and others, 2014).

Nothing of the graph comes to the driver: a round ends with one number, how many rows still keep the edges from being stars.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .store import Store


def _large_star(edges: DataFrame) -> DataFrame:
    """Joins each node's greater neighbours to the least of its neighbours and itself."""
    both = edges.select("u", "v").union(edges.select(F.col("v").alias("u"), F.col("u").alias("v")))
    least = both.groupBy("u").agg(F.min("v").alias("m")).select("u", F.least("u", "m").alias("m"))
    greater = both.filter("v > u").join(least, "u")
    return greater.select(F.col("v").alias("u"), F.col("m").alias("v")).distinct()


def _small_star(edges: DataFrame) -> DataFrame:
    """Joins each node and its smaller neighbours to the least of these. Edges are (u, v) with v < u."""
    least = edges.groupBy("u").agg(F.min("v").alias("m"))
    others = edges.join(least, "u").filter("v != m").select(F.col("v").alias("u"), F.col("m").alias("v"))
    return others.union(least.select("u", F.col("m").alias("v"))).distinct()


def _loose(edges: DataFrame) -> int:
    """Rows that keep the edges (u, v), v < u, from being stars around their least nodes: nodes with several centres, centres with one."""
    several = edges.groupBy("u").count().filter("count > 1").select("u")
    chained = edges.select(F.col("v").alias("u")).distinct().join(edges, "u", "left_semi").select("u")
    return several.union(chained).count()


def components(edges: DataFrame, store: Store, name: str = "components") -> DataFrame:
    """Of edges (a, b), a < b: rows (node, component), the component being its least node. Nodes without an edge are not there.

    Each round is left in the store until the next one is whole. Rounds grow with the logarithm of the longest path.
    """

    def rounds() -> DataFrame:
        now = store.stage(f"{name}-round-0", lambda: edges.select(F.col("b").alias("u"), F.col("a").alias("v")).distinct())
        number = 0
        while _loose(now):
            previous, number = now, number + 1
            now = store.stage(f"{name}-round-{number}", lambda: _small_star(_large_star(previous)))
        made.extend(f"{name}-round-{done}" for done in range(number + 1))
        members = now.select(F.col("u").alias("node"), F.col("v").alias("component"))
        return members.union(now.select(F.col("v").alias("node"), F.col("v").alias("component")).distinct())

    made: list[str] = []
    out = store.stage(name, rounds)
    for done in made:
        store.remove(done)
    return out
