"""A finished run's directory -> the pairs of records that verification accepted (reads stages/edges.ltt, docs/file-format.md)."""

import itertools
import struct

import numpy as np

EQUAL = 0  # kind of an edge between equal texts; such texts are joined to one of them only


def _string(data, at):
    (length,) = struct.unpack_from("<I", data, at)
    return data[at + 4:at + 4 + length].decode("utf-8"), at + 4 + length


def columns(path, wanted):
    """The rows of some fixed columns of a table file, as arrays of integers."""
    data = path.read_bytes()
    at, _, _, end = struct.unpack("<QQQ8s", data[-32:])
    if data[:8] != b"\x89LTB\r\n\x1a\n" or end != b"LTBEND\r\n":
        raise ValueError(f"{path} is not a whole table file")
    _, at = _string(data, at)
    _, _, count = struct.unpack_from("<III", data, at)
    at += 12
    names, widths = [], []
    for _ in range(count):
        name, at = _string(data, at)
        names.append(name)
        widths.append(struct.unpack_from("<I", data, at)[0])
        at += 4
    _, blocks = struct.unpack_from("<QQ", data, at)
    at += 16
    out = {name: [] for name in wanted}
    for _ in range(blocks):
        at += 4
        for name, width in zip(names, widths):
            offset, length, _ = struct.unpack_from("<QQQ", data, at)
            at += 24
            if name in out:
                chunk = data[offset:offset + length]
                out[name].append(np.frombuffer(chunk, dtype=f"<u{width}"))
    return [np.concatenate(out[name]).astype(np.int64) if out[name] else np.empty(0, dtype=np.int64) for name in wanted]


def read(run_dir):
    """Pairs (a < b) of rows; equal texts stand for each other. Rows are record numbers while no record was rejected."""
    a, b, kind = (column.tolist() for column in columns(run_dir / "stages" / "edges.ltt", ["a", "b", "kind"]))
    group = {}
    for x, y, k in zip(a, b, kind):
        if k == EQUAL:
            first, second = group.setdefault(x, [x]), group.setdefault(y, [y])
            if first is not second:
                first += second
                for member in second:
                    group[member] = first
    pairs = set()
    for x, y in zip(a, b):
        left, right = group.get(x, [x]), group.get(y, [y])
        if left is right:
            pairs.update(itertools.combinations(sorted(left), 2))
        else:
            pairs.update((min(p), max(p)) for p in itertools.product(left, right))
    return pairs
