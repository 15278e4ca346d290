#!/usr/bin/env python3
"""FAISS IndexBinaryMultiHash with four tables of 16 bits: faiss_search.py ROWS QUERIES K MOST_QUERIES. Exact for K up to 3. Prints one JSON object."""

import sys
import time

import faiss
import numpy

import raw_words


def main():
    rows, queries, k = raw_words.read(sys.argv[1]), raw_words.read(sys.argv[2], int(sys.argv[4])), int(sys.argv[3])
    if k > 3:
        sys.exit("four tables of 16 bits are exact up to 3 bits")
    faiss.omp_set_num_threads(1)
    before, start = raw_words.resident(), time.perf_counter()
    index = faiss.IndexBinaryMultiHash(64, 4, 16)
    index.add(rows.view(numpy.uint8).reshape(-1, 8))
    build, grown = time.perf_counter() - start, raw_words.resident() - before
    start = time.perf_counter()
    ends, distances, ids = index.range_search(queries.view(numpy.uint8).reshape(-1, 8), k + 1)  # distances below the radius
    seconds = time.perf_counter() - start
    asked = numpy.repeat(numpy.arange(len(queries)), numpy.diff(ends.astype(numpy.int64)))
    raw_words.report("faiss MultiHash 4 × 16", len(rows), asked, ids, distances, seconds, len(queries), build, grown)


if __name__ == "__main__":
    main()
