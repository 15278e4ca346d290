#!/usr/bin/env python3
"""Dumps a table file (docs/file-format.md) as JSON lines: first the footer, then one object a row.

An independent reader: it was written from the specification and shares no code with Leitong. Fixed columns of 1, 2, 4 and 8 bytes are given as numbers,
others as hexadecimal digits, variable columns as text (or {"hex": ...} where they are not UTF-8). Checksums are verified if the module xxhash is installed.
"""
import json
import struct
import sys

try:
    import xxhash
except ImportError:
    xxhash = None

MAGIC, END = b"\x89LTB\r\n\x1a\n", b"LTBEND\r\n"


class Corrupt(Exception):
    pass


def need(condition, what):
    if not condition:
        raise Corrupt(what)


def check_hash(data, expected, what):
    if xxhash is not None:
        need(xxhash.xxh3_64_intdigest(data) == expected, f"checksum of {what} differs")


class Cursor:
    def __init__(self, data):
        self.data, self.at = data, 0

    def bytes(self, count):
        need(self.at + count <= len(self.data), "footer ends early")
        self.at += count
        return self.data[self.at - count : self.at]

    def u32(self):
        return struct.unpack("<I", self.bytes(4))[0]

    def u64(self):
        return struct.unpack("<Q", self.bytes(8))[0]

    def string(self):
        return self.bytes(self.u32()).decode()


def read_footer(data):
    need(len(data) >= 96, "file is too short")
    need(data[:8] == MAGIC, "not a table file")
    need(struct.unpack("<I", data[8:12])[0] == 1, "unsupported format version")
    need(not any(data[12:64]), "header is not clean")
    offset, length, checksum = struct.unpack("<QQQ", data[-32:-8])
    need(data[-8:] == END and offset + length + 32 == len(data), "trailer is wrong")
    footer = data[offset : offset + length]
    check_hash(footer, checksum, "the footer")
    cursor = Cursor(footer)
    table = {"kind": cursor.string(), "version": cursor.u32(), "rows_per_block": cursor.u32()}
    table["columns"] = [{"name": cursor.string(), "width": cursor.u32()} for _ in range(cursor.u32())]
    table["rows"] = cursor.u64()
    blocks = [(cursor.u32(), [(cursor.u64(), cursor.u64(), cursor.u64()) for _ in table["columns"]]) for _ in range(cursor.u64())]
    table["metadata"] = json.loads(cursor.bytes(cursor.u64()))
    need(cursor.at == length, "footer goes on after its metadata")
    need(sum(rows for rows, _ in blocks) == table["rows"], "rows do not add up")
    if xxhash is not None:
        table["identity"] = xxhash.xxh3_128_hexdigest(footer)
    return table, blocks, offset


def variable_values(chunk, rows):
    ends = struct.unpack(f"<{rows + 1}I", chunk[: 4 * (rows + 1)])
    body = chunk[4 * (rows + 1) :]
    need(ends[0] == 0 and ends[-1] == len(body) and list(ends) == sorted(ends), "ends are out of order")
    for begin, end in zip(ends, ends[1:]):
        try:
            yield body[begin:end].decode()
        except UnicodeDecodeError:
            yield {"hex": body[begin:end].hex()}


def fixed_values(chunk, rows, width):
    need(len(chunk) == rows * width, "chunk has the wrong length")
    for at in range(0, len(chunk), width):
        value = chunk[at : at + width]
        yield int.from_bytes(value, "little") if width in (1, 2, 4, 8) else value.hex()


def main(path):
    with open(path, "rb") as file:
        data = file.read()
    table, blocks, limit = read_footer(data)
    print(json.dumps(table, ensure_ascii=False))
    end = 64
    for rows, chunks in blocks:
        columns = []
        for column, (offset, length, checksum) in zip(table["columns"], chunks):
            need(offset == (end + 63) // 64 * 64 and offset + length <= limit, "chunk is not where it should be")
            end = offset + length
            chunk = data[offset:end]
            check_hash(chunk, checksum, f"column {column['name']}")
            columns.append(fixed_values(chunk, rows, column["width"]) if column["width"] else variable_values(chunk, rows))
        for row in zip(*columns):
            print(json.dumps(dict(zip((c["name"] for c in table["columns"]), row)), ensure_ascii=False))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: read_table.py FILE")
    try:
        main(sys.argv[1])
    except (Corrupt, OSError, ValueError, struct.error) as error:
        sys.exit(f"{sys.argv[1]}: {error}")
