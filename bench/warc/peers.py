"""Counts the archive records that warcio and FastWARC read of each file: all, and how they end.

    peers.py FILE...      needs warcio and fastwarc (pip install warcio fastwarc brotli)
"""

import pathlib
import sys


def by_warcio(path):
    from warcio.archiveiterator import ArchiveIterator

    count = 0
    try:
        with open(path, "rb") as file:
            for record in ArchiveIterator(file):
                record.content_stream().read()
                count += 1
    except Exception as error:  # what a peer raises is part of the answer
        return count, str(error).strip().split("\n")[0][:60]
    return count, ""


def by_fastwarc(path):
    from fastwarc.warc import ArchiveIterator

    count = 0
    try:
        for record in ArchiveIterator(open(path, "rb")):
            record.reader.read()
            count += 1
    except Exception as error:
        return count, str(error).strip().split("\n")[0][:60]
    return count, ""


def main():
    print(f"{'file':44} {'warcio':>7} {'FastWARC':>9}")
    for name in sys.argv[1:]:
        a, why_a = by_warcio(name)
        b, why_b = by_fastwarc(name)
        print(f"{pathlib.Path(name).name:44} {a:7} {b:9}  {'; '.join(w for w in (why_a, why_b) if w)}")


if __name__ == "__main__":
    main()
