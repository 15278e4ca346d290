#!/usr/bin/env python3
"""Reads column files (docs/file-format.md, "Column files"), the index files among them: prints (id, fingerprint) of an index's rows as JSON lines.

An independent reader: it was written from the specification and shares no code with Leitong. The hash functions are those of their own C library.
"""
import ctypes
import functools
import json
import os
import struct
import sys

import read_table
from read_table import Corrupt, need

PAGE_SUMS = 2**64 - 1
INDEX, KEYS = b"\x89LHX\r\n\x1a\n", b"\x89LHK\r\n\x1a\n"


class Xxhash:
    """What the Python module xxhash offers, as far as it is needed here."""

    class Two(ctypes.Structure):
        _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]

    library = ctypes.CDLL("libxxhash.so.0")
    library.XXH3_64bits_withSeed.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
    library.XXH3_64bits_withSeed.restype = ctypes.c_uint64
    library.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    library.XXH3_128bits.restype = Two

    @classmethod
    def xxh3_64_intdigest(cls, data, seed=0):
        return cls.library.XXH3_64bits_withSeed(data, len(data), seed)

    @classmethod
    def xxh3_128_hexdigest(cls, data):
        two = cls.library.XXH3_128bits(data, len(data))
        return f"{two.high:016x}{two.low:016x}"


read_table.xxhash = Xxhash
hash64 = Xxhash.xxh3_64_intdigest


def numbers(data, letter="I"):
    return struct.unpack(f"<{len(data) // struct.calcsize(letter)}{letter}", data)


@functools.cache
def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def read_columns(path, magic, version=1):
    """The columns of a column file of this version by their ids; every checksum is verified."""
    name, data = os.path.basename(path), read_bytes(path)
    need(len(data) >= 128 and data[:64] == magic + struct.pack("<I", version) + bytes(52), f"{name}: is no such file")
    table, count, size, *zeros, checksum = numbers(data[-64:-8], "Q")
    end = table + 32 * count
    need(data[-8:] == b"columns." and size == len(data) == (end + 63) // 64 * 64 + 64 and not any(zeros), f"{name}: trailer is wrong")
    need(hash64(data[:64] + data[table:end] + data[-64:-16]) == checksum, f"{name}: checksum differs")
    columns, at = {}, 64
    for column in range(table, end, 32):
        number, offset, length, checksum = numbers(data[column : column + 32], "Q")
        need(offset == (at + 63) // 64 * 64 and offset + length <= table and number not in columns, f"{name}: columns are not where they should be")
        need(not any(data[at:offset]), f"{name}: a gap is not filled with zeros")
        at = offset + length
        columns[number] = data[offset:at]
        need(hash64(columns[number]) == checksum, f"{name}: checksum of column {number} differs")
    number, offset, *_ = numbers(data[end - 32 : end], "Q")
    need(number == PAGE_SUMS, f"{name}: the last column is not that of page sums")
    pages = [hash64(data[page : min(page + 4096, offset)]) for page in range(0, offset, 4096)]
    need(list(numbers(columns.pop(PAGE_SUMS), "Q")) == pages, f"{name}: page sums differ")
    need(table == (at + 63) // 64 * 64, f"{name}: the table is not where it should be")
    need(not any(data[at:table]) and not any(data[end:-64]), f"{name}: a gap is not filled with zeros")
    return columns


def index_rows(columns, words, k):
    """(id, fingerprint) for each row of an index of one part."""
    need(numbers(columns[0], "Q") == (words, k, 1) and not columns[2], "an index is of another shape")
    rows, erased = numbers(columns[1], "Q")
    kind, count, halves = numbers(columns[256][:24], "Q")
    need(rows == count and not erased and kind in (0, 1), "an index has other rows than it says")
    if kind == 0:
        return [(number, columns[257][8 * words * i : 8 * words * (i + 1)]) for i, number in enumerate(numbers(columns[258], "Q"))]
    need(words == 1 and halves == 1, "an index of halves of more than one word")
    return half_rows(columns, 256 + 16)


def half_rows(columns, base):
    head = columns[base]
    need(len(head) == 104, "an index of halves has a head of another length")
    count, group_bits, wide, wide_ids, ordered, _ = numbers(head[:24])
    first_id, order = numbers(head[24:32], "Q")[0], head[40:] if ordered else range(64)
    high, filters, directory = numbers(columns[base + 1]), numbers(columns[base + 3], "H"), numbers(columns[base + 7])
    if not wide:
        directory = [directory[i // 16] + step for i, step in enumerate(numbers(columns[base + 11], "H"))]
    need(len(directory) == (1 << (16 + group_bits)) + 1 and directory[-1] == count == len(filters), "an index's directory has a wrong length")
    stride = 3 if wide_ids else 2
    for group, (begin, end) in enumerate(zip(directory, directory[1:])):
        for row in range(begin, end):
            part = high[stride * row : stride * (row + 1)]
            key = group >> group_bits
            stored = part[0] << 32 | key << 16 | filters[row]
            if group_bits:
                parity = filters[row].bit_count() & 1
                need(group == (key * 2 + parity) << (group_bits - 1) | filters[row] >> (17 - group_bits), "an index's row is in another group")
            value = sum(1 << order[bit] for bit in range(64) if stored >> bit & 1)
            yield part[1] | part[2] << 32 if wide_ids else first_id + part[1], struct.pack("<Q", value)


def main(path):
    columns = read_columns(path, INDEX)
    words, k, _ = numbers(columns[0], "Q")
    for number, fingerprint in index_rows(columns, words, k):
        print(json.dumps({"id": number, "fingerprint": fingerprint[::-1].hex()}))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: read_columns.py INDEX-FILE")
    try:
        main(sys.argv[1])
    except (Corrupt, OSError, LookupError, ValueError, struct.error) as error:
        sys.exit(f"{sys.argv[1]}: {error}")
