"""Columns between Arrow and the library: what runs inside mapInArrow, on the executors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

Batches = Iterable[pa.RecordBatch]


def capsule(column: Any) -> Any:
    """A column of strings or bytes as the library reads it, in place."""
    return pa.chunked_array([column]).__arrow_c_stream__()


def numbers(column: Any, type: str = "int64") -> Any:
    """A column without nulls as NumPy's array of that type."""
    return np.ascontiguousarray(column.to_numpy(zero_copy_only=False).astype(type, copy=False))


def fixed(data: bytes, type: Any) -> Any:
    """Bytes of a column of numbers as Arrow's array."""
    return pa.Array.from_buffers(type, len(data) * 8 // type.bit_width, [None, pa.py_buffer(data)])


def binary(data_and_offsets: tuple[bytes, bytes]) -> Any:
    """A column of byte strings."""
    data, offsets = data_and_offsets
    return pa.Array.from_buffers(pa.binary(), len(offsets) // 4 - 1, [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def keys_of_bytes(data: bytes, width: int) -> Any:
    """A column of byte strings that all have this width."""
    return pa.Array.from_buffers(pa.binary(width), len(data) // width, [None, pa.py_buffer(data)]).cast(pa.binary())


def batch(**columns: Any) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.array(c) if isinstance(c, np.ndarray) else c for c in columns.values()], list(columns))


def in_groups(make: Callable[[], Any], add: Callable[[Any, pa.RecordBatch], Any], give: Callable[[Any], pa.RecordBatch]) -> Any:
    """A function for mapInArrow over sorted rows: an object that is given batch after batch, and asked for the rest at the end."""

    def run(batches: Batches) -> Iterator[pa.RecordBatch]:
        groups = make()
        for one in batches:
            yield give(add(groups, one))
        yield give(groups.finish())

    return run
