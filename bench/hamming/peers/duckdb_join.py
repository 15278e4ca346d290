#!/usr/bin/env python3
"""DuckDB: the four-block self-join as a union of four SQL joins, one thread: duckdb_join.py ROWS K. Exact for K up to 3. Prints one JSON object."""

import sys
import time

import duckdb
import numpy

import raw_words

BLOCK = ("SELECT a.id AS a, b.id AS b, bit_count(xor(a.v, b.v)) AS d FROM r AS a JOIN r AS b ON a.b{0} = b.b{0} AND a.id < b.id "
         "WHERE bit_count(xor(a.v, b.v)) <= {1}")


def main():
    values, k = raw_words.read(sys.argv[1]), int(sys.argv[2])
    if k > 3:
        sys.exit("four blocks are exact up to 3 bits")
    rows = {"id": numpy.arange(len(values), dtype=numpy.uint32), "v": values}  # read by name in the statement below
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    before, start = raw_words.resident(), time.perf_counter()
    blocks = ", ".join(f"((v >> {16 * i}) & 65535)::USMALLINT AS b{i}" for i in range(4))
    connection.execute(f"CREATE TABLE r AS SELECT id, v, {blocks} FROM rows")
    found = connection.execute(" UNION ".join(BLOCK.format(i, k) for i in range(4))).fetchnumpy()
    seconds, grown = time.perf_counter() - start, raw_words.resident() - before
    assert len(rows["id"]) == len(values)
    raw_words.report("DuckDB, four-block union", len(values), found["a"], found["b"], found["d"], seconds, grown=grown)


if __name__ == "__main__":
    main()
