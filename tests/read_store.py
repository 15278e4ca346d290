#!/usr/bin/env python3
"""Prints the rows of a store (docs/file-format.md, "Store") as JSON lines: id, sequence, flags, fingerprint (hexadecimal or null), metadata, text.

An independent reader: it was written from the specification and shares no code with Leitong. All checksums of manifest, tables and logs are
verified; with --check also order and counts, indexes, key files, and that these say what the tables say. The hash functions and zstd are those of
their own C libraries, so that no Python package is needed.
"""
import collections
import ctypes
import itertools
import json
import os
import re
import struct
import sys

import read_table
from read_columns import INDEX, KEYS, Corrupt, hash64, index_rows, need, numbers, read_bytes, read_columns

FEATURE_SEED, SLOTS, MOST_TEXT = 65536, 320, 512 << 20
FINGERPRINT, ERASED, UNVERIFIED = 1, 2, 4

zstd = ctypes.CDLL("libzstd.so.1")
zstd.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
zstd.ZSTD_decompress.restype = ctypes.c_size_t
zstd.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]


def unpacked_text(packed):
    if not packed:
        return b""
    if packed[0] == 0:
        return packed[1:]
    need(packed[0] == 1, "a text is in an unknown form")
    frame = packed[1:]
    size = zstd.ZSTD_getFrameContentSize(frame, ctypes.c_size_t(len(frame)))
    need(size <= MOST_TEXT, "a text does not state its size, or too great a one")
    text = ctypes.create_string_buffer(max(size, 1))
    need(zstd.ZSTD_decompress(text, size, frame, len(frame)) == size, "a text cannot be unpacked")
    return text.raw[:size]


class Row:
    seed = 0  # of the store

    def __init__(self, row_id, sequence, flags, fingerprint, sketch=b"", metadata=b"", text=b""):
        self.id, self.sequence, self.flags, self.fingerprint = row_id, sequence, flags, fingerprint
        self.sketch, self.metadata, self.text = sketch, metadata, text
        self.order = (hash64(row_id, Row.seed), row_id)

    def check(self, shape):
        need(len(self.id) == 8 if shape["numeric_ids"] else 1 <= len(self.id) <= 65535, "an id has the wrong length")
        need(self.flags & ~7 == 0 and (not self.flags & ERASED or self.flags == ERASED), "flags contradict each other")
        need(self.flags & FINGERPRINT or not any(self.fingerprint), "a fingerprint that is not there is not zero")
        need(self.flags != ERASED or not (self.sketch or self.metadata or self.text), "an erased row has more than its id")
        need(not self.flags & UNVERIFIED or not (self.sketch or self.text), "an unverified row has a sketch or text")
        slots, features = self.sketch_parts()
        need(len(slots) in (0, SLOTS) and list(features) == sorted(set(features)), "a sketch makes no sense")
        if self.sketch:
            need(self.sketch[24] in (0, 1), "a sketch has unknown flags")

    def sketch_parts(self):
        if not self.sketch:
            return b"", ()
        need(len(self.sketch) >= 25, "a sketch is too short")
        end = 25 + (SLOTS if self.sketch[24] & 1 else 0)
        need((len(self.sketch) - end) % 4 == 0, "a sketch has a wrong length")
        return self.sketch[25:end], numbers(self.sketch[end:])

    def keys(self, about):
        slots, features = self.sketch_parts()
        size = about["band_slots"]
        bands = range(about["bands"]) if slots else ()
        if not slots and not features and any(self.sketch[:16]):
            return {hash64(self.sketch[:16], FEATURE_SEED + 1) >> 32}
        of_bands = {hash64(slots[b * size : (b + 1) * size], b) >> 32 for b in bands}
        return of_bands | {hash64(struct.pack("<I", f), FEATURE_SEED) >> 35 << 3 | size_class(len(features)) for f in features}

    def json(self, shape):
        shown = int.from_bytes(self.id, "little") if shape["numeric_ids"] else self.id.decode(errors="surrogateescape")
        return {
            "id": shown,
            "sequence": self.sequence,
            "flags": self.flags,
            "fingerprint": self.fingerprint[::-1].hex() if self.flags & FINGERPRINT else None,
            "metadata": self.metadata.decode(errors="surrogateescape"),
            "text": unpacked_text(self.text).decode(errors="surrogateescape"),
        }


def size_class(features):
    """The number of the range of sizes, each a quarter longer than the one before, in its lowest three bits."""
    number, first, end = 0, 1, 2
    while end <= features:
        number, first, end = number + 1, end, max(end + 1, end * 5 // 4)
    return number % 8


def read_manifest(directory):
    read_bytes.cache_clear()
    data = read_bytes(f"{directory}/MANIFEST")
    need(18 <= len(data) <= 64 << 20, "MANIFEST: too short or too long")
    need(data[-18:] == b"\n%016x\n" % hash64(data[:-18]), "MANIFEST: checksum differs")
    manifest = json.loads(data[:-18])
    need(manifest["leitong"] == "store", "MANIFEST: not of a store")
    need(manifest["version"] == 1, "MANIFEST: unsupported version")
    need(re.fullmatch("[0-9a-f]{32}", manifest["store"]), "MANIFEST: the store's number is none")
    shape = manifest["shape"]
    need(re.fullmatch("[0-9a-f]{16}", shape["id_seed"]), "MANIFEST: the seed of ids is none")
    Row.seed = int(shape["id_seed"], 16)
    need(shape["words"] in (1, 2, 4) and shape["k"] <= 64 * shape["words"], "MANIFEST: impossible shape")
    need(all(log["length"] for log in manifest["logs"][:-1]), "MANIFEST: an open log is not the last")
    files = [part["number"] for part in manifest["runs"] + manifest["logs"]]
    need(len(set(files)) == len(files) and all(0 < number < manifest["next_file"] for number in files), "MANIFEST: impossible file numbers")
    return manifest


def run_columns(shape):
    columns = {"id": (8,)} if shape["numeric_ids"] else {"key": (8,), "id": (0,)}
    columns |= {"sequence": (4, 8), "flags": (1,), "simhash": (8 * shape["words"],)}
    wanted = (("sketch", "sketches"), ("metadata", "metadata"), ("text", "texts"))
    return columns | {name: (0,) for name, member in wanted if shape[member]}


def column_values(chunk, rows, width):
    if width:
        need(len(chunk) == rows * width, "chunk has the wrong length")
        return [chunk[at : at + width] for at in range(0, len(chunk), width)]
    ends, body = numbers(chunk[: 4 * (rows + 1)]), chunk[4 * (rows + 1) :]
    need(ends[0] == 0 and ends[-1] == len(body) and list(ends) == sorted(ends), "ends are out of order")
    return [body[begin:end] for begin, end in zip(ends, ends[1:])]


def read_run(directory, entry, shape):
    """The metadata of a run's table, its rows, and their column `key`."""
    data = read_bytes(f"{directory}/run-{entry['number']:06}.table")
    table, blocks, limit = read_table.read_footer(data)
    need(table["kind"] == "documents" and table["version"] == 1, "a run of another kind or version")
    need(table["identity"] == entry["identity"] and table["rows"] == entry["rows"], "not the run that the manifest names")
    wanted, there = run_columns(shape), {column["name"]: column["width"] for column in table["columns"]}
    need(set(wanted) - set(there) <= {"flags"} and all(there[name] in wanted.get(name, ()) for name in there), "a run has other columns than the store")
    values, end = {name: [] for name in wanted}, 64
    for rows, chunks in blocks:
        for column, (offset, length, checksum) in zip(table["columns"], chunks):
            need(offset == (end + 63) // 64 * 64 and offset + length <= limit, "chunk is not where it should be")
            end = offset + length
            need(hash64(data[offset:end]) == checksum, f"checksum of column {column['name']} differs")
            values[column["name"]] += column_values(data[offset:end], rows, column["width"])
    count = table["rows"]
    first, flags = table["metadata"]["first_sequence"], values["flags"] or [b"\1"] * count
    parts = [values.get(name) or [b""] * count for name in ("sketch", "metadata", "text")]
    rows = [
        Row(row_id, first + int.from_bytes(sequence, "little"), flag[0], words, *rest)
        for row_id, sequence, flag, words, *rest in zip(values["id"], values["sequence"], flags, values["simhash"], *parts)
    ]
    return table["metadata"], rows, values.get("key")


def log_records(data, manifest, entry):
    """The payloads of a log's records."""
    store, sealed = manifest["store"], entry["length"]
    need(len(data) >= max(64, sealed), "a log is too short")
    data = data[:sealed] if sealed else data
    named = struct.pack("<QQQ", int(store[:16], 16), int(store[16:], 16), entry["number"])
    need(data[:16] == b"\x89LTL\r\n\x1a\n" + struct.pack("<II", 1, 0) and not any(data[40:56]), "a log's header is wrong")
    need(data[16:40] == named and hash64(data[:56]) == numbers(data[56:64], "Q")[0], "a log's header is another's or damaged")
    key, at = hash64(named), 64

    def head(offset):
        size, back, check, checksum = struct.unpack("<IIQQ", data[offset : offset + 24])
        good = 1 <= size <= 1 << 30 and offset - 8 * back >= 64 and hash64(data[offset : offset + 8] + struct.pack("<Q", offset), key) == check
        return (size, offset - 8 * back, check, checksum) if good else None

    while at + 24 <= len(data) and (found := head(at)):
        size, _, check, checksum = found
        end = at + 24 + (size + 7) // 8 * 8
        payload = data[at + 24 : at + 24 + size]
        if end > len(data) or hash64(payload, check) != checksum or any(data[at + 24 + size : end]):
            break
        yield payload
        at = end
    need(not sealed or at == sealed, "a sealed log is damaged")
    for later in range(at + 8, len(data) - 23, 8):
        found = head(later)
        need(not found or found[1] <= at, "a log is damaged before what was durable")


def batch_rows(payload, shape):
    need(len(payload) >= 8, "a batch is too short")
    sequence, at = numbers(payload[:8], "Q")[0], 8

    def take(size):
        nonlocal at
        need(at + size <= len(payload), "a batch ends in the middle of a row")
        at += size
        return payload[at - size : at]

    def sized():
        length = 0
        for shift in range(0, 70, 7):
            byte = take(1)[0]
            length |= (byte & 127) << shift
            if byte < 128:
                return take(length)
        raise Corrupt("a length has too many bytes")

    while at < len(payload):
        flags = take(1)[0]
        row = Row(take(8) if shape["numeric_ids"] else sized(), sequence, flags, bytes(8 * shape["words"]))
        if not flags & ERASED:
            row.fingerprint = take(8 * shape["words"]) if flags & FINGERPRINT else row.fingerprint
            row.sketch, row.metadata, row.text = (sized() if shape[name] else b"" for name in ("sketches", "metadata", "texts"))
        sequence += 1
        yield row


def read_logs(directory, manifest):
    rows, sealed = [], 0
    for entry in manifest["logs"]:
        for payload in log_records(read_bytes(f"{directory}/log-{entry['number']:06}.log"), manifest, entry):
            rows += batch_rows(payload, manifest["shape"])
        sealed = len(rows) if entry["length"] else sealed
    need(all(row.sequence == rows[0].sequence + i for i, row in enumerate(rows)), "sequence numbers do not follow each other")
    need(not rows or rows[0].sequence + sealed == manifest["next_sequence"], "logs do not end where the manifest goes on")
    return rows


def check_run(directory, manifest, entry, metadata, rows, keys):
    name, shape = f"run-{entry['number']:06}", manifest["shape"]
    need(all(a.order < b.order for a, b in zip(rows, rows[1:])), f"{name}: rows are out of order")
    need(keys is None or all(row.order[0] == numbers(key, "Q")[0] for row, key in zip(rows, keys)), f"{name}: a key is not its id's")
    for row in rows:
        row.check(shape)
        need(metadata["first_sequence"] <= row.sequence <= metadata["last_sequence"] < manifest["next_sequence"], f"{name}: sequence number out of range")
    indexed = {i: row.fingerprint for i, row in enumerate(rows) if row.flags & FINGERPRINT}
    need(len(indexed) == metadata["indexed"] and sum(row.flags == ERASED for row in rows) == metadata["erased"], f"{name}: counts are wrong")
    if indexed:
        found = list(index_rows(read_columns(f"{directory}/{name}.index", INDEX), shape["words"], shape["k"]))
        need(len(found) == len(indexed) and dict(found) == indexed, f"{name}.index: is not the table's")
    if shape["keys"]:
        columns = read_columns(f"{directory}/{name}.keys", KEYS, 2)
        found = list(zip(numbers(columns[1]), numbers(columns[2])))
        wanted = sorted((key, i) for i, row in enumerate(rows) if not row.flags & ERASED for key in row.keys(manifest["about"]))
        need(numbers(columns[0], "Q") == (len(found),) and len(columns[1]) == len(columns[2]), f"{name}.keys: columns of wrong lengths")
        need(found == wanted, f"{name}.keys: is not the table's")
        bits = min(max((len(found) // 16).bit_length(), 1), 29)
        counts = collections.Counter(key >> 32 - bits for key, _ in found)
        buckets = itertools.accumulate((counts[b] for b in range(1 << bits)), initial=0)
        need(numbers(columns[3], "Q") == tuple(buckets), f"{name}.keys: buckets are wrong")


def read_store(directory, manifest, check):
    for entry in manifest["runs"]:  # at once, before a writer replaces them
        for end in ("table", "index", "keys"):
            path = f"{directory}/run-{entry['number']:06}.{end}"
            if os.path.exists(path):
                read_bytes(path)
            if end != "table":
                identity = read_bytes(path)[-16:-8][::-1].hex() if os.path.exists(path) else "0" * 16
                need(entry[end] == identity, f"{path}: not the file that the manifest names")
    parts = [read_run(directory, entry, manifest["shape"]) for entry in manifest["runs"]]
    logged = read_logs(directory, manifest)
    if check:
        for entry, (metadata, rows, keys) in zip(manifest["runs"], parts):
            check_run(directory, manifest, entry, metadata, rows, keys)
        for row in logged:
            row.check(manifest["shape"])
        every = [row.sequence for _, rows, _ in parts for row in rows] + [row.sequence for row in logged]
        need(len(set(every)) == len(every) and 0 not in every, "a sequence number was given twice")
    newest = {row.id: row for rows in [rows for _, rows, _ in parts] + [logged] for row in rows}
    return sorted((row for row in newest.values() if not row.flags & ERASED), key=lambda row: row.sequence)


def main(directory, check):
    for attempt in range(20):  # a writer may replace what a manifest names while it is being read
        manifest = read_manifest(directory)
        try:
            rows = read_store(directory, manifest, check)
            break
        except (Corrupt, OSError):
            if attempt == 19 or (attempt >= 2 and read_manifest(directory)["epoch"] == manifest["epoch"]):
                raise
    out = [json.dumps(row.json(manifest["shape"]), ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows]
    sys.stdout.buffer.write("".join(out).encode(errors="surrogateescape"))


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) != 1:
        sys.exit("usage: read_store.py [--check] DIRECTORY")
    try:
        main(arguments[0], "--check" in sys.argv)
    except (Corrupt, OSError, LookupError, TypeError, ValueError, struct.error) as error:
        sys.exit(f"{arguments[0]}: {error}")
