"""Records and texts as callers hold them: lists, frames, tables, datasets. Each kind is read in place and given back as it came."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import _core
from ._errors import UsageError
from ._optional import need

_NAME = "<records>"


def _module_of(value: object) -> str:
    return type(value).__module__.partition(".")[0]


def _stream(value: Any) -> Any:
    """The value as a capsule arrow_array_stream."""
    if hasattr(value, "__arrow_c_stream__"):
        return value.__arrow_c_stream__()
    return need("pyarrow", "an array of Arrow").chunked_array([value]).__arrow_c_stream__()


def texts_source(texts: Any) -> Any:
    """What _core reads texts from: a list, or a capsule of Arrow."""
    if isinstance(texts, (str, bytes)):
        raise UsageError("this is one text: give a list of texts, [text]")
    if isinstance(texts, list):
        return texts
    module = _module_of(texts)
    if module == "datasets":
        texts = _dataset_table(texts)
    if module == "pandas" and not _is_arrow(texts):
        return [None if is_missing(value) else value for value in texts.tolist()]
    if hasattr(texts, "__arrow_c_stream__") or hasattr(texts, "__arrow_c_array__"):
        return _stream(texts)
    if hasattr(texts, "tolist"):
        texts = texts.tolist()
        return texts if isinstance(texts, list) else [texts]
    if isinstance(texts, Mapping) or not isinstance(texts, Iterable):
        raise UsageError(f"texts are a list or a column, not {type(texts).__name__}")
    return list(texts)


def _is_arrow(values: Any) -> bool:
    """Whether pandas holds this as Arrow: then there is a stream, and pyarrow to make it."""
    types = values.dtypes if hasattr(values, "columns") else [values.dtype]
    return hasattr(values, "__arrow_c_stream__") and all("pyarrow" in str(getattr(type_, "storage", type_)) for type_ in types)


def is_missing(value: object) -> bool:
    """None, NaN, pandas' NA."""
    return value is None or value != value or type(value).__name__ == "NAType"  # noqa: PLR0124 -- NaN


def _dataset_table(dataset: Any) -> Any:
    return dataset.with_format("arrow")[:]


def keep_fields(keep: str) -> list[str]:
    """The fields that rules of a keep policy go by."""
    fields = []
    for rule in keep.split(","):
        name, colon, rest = rule.strip().rpartition(":")
        if colon and rest.strip() not in ("max", "min", "newest", "oldest"):
            name = rule.strip().partition(":")[0]
        if colon and name.strip() != "length":
            fields.append(name.strip())
    return fields


def _value_at(record: Any, path: str) -> Any:
    if path in record:
        return record[path]
    for part in path.split("."):
        if isinstance(record, Mapping):
            record = record.get(part)
        elif isinstance(record, Sequence) and not isinstance(record, str) and part.isdecimal() and int(part) < len(record):
            record = record[int(part)]
        else:
            return None
    return record


def _column(values: list[Any], is_text: bool) -> tuple[list[str | bytes | None], bool]:
    """Values as _core takes them, and whether they are JSON. Of texts, what is none is missing; else only strings stand as they are."""
    if is_text:
        return [value if isinstance(value, (str, bytes)) else None for value in values], False
    if all(value is None or isinstance(value, (str, bytes)) for value in values):
        return values, False
    return [None if value is None or value != value else json.dumps(value, ensure_ascii=False, default=str) for value in values], True


class Records:
    """Records of any kind.

    `table` is what the library reads, `take` gives some of them as they came, `record` gives one.
    """

    def __init__(self, records: Any) -> None:
        self.records = records

    def __len__(self) -> int:
        return len(self.records)

    def table(self, text: list[str], others: list[str]) -> _core.Table:
        """A table of the fields of the text, and of these others as far as there are such."""
        return _core.table_of_stream(_stream(self.arrow()), text[0])

    def arrow(self) -> Any:
        return self.records

    def take(self, rows: list[int]) -> Any:
        raise NotImplementedError

    def record(self, row: int) -> Any:
        raise NotImplementedError

    def text(self, row: int, fields: list[str]) -> str:
        """The text of a record, as the library has read it."""
        record = self.record(row)
        values = [_value_at(record, field) for field in fields] if isinstance(record, Mapping) else [record]
        return "\n".join(v.decode("utf-8", "replace") if isinstance(v, bytes) else v for v in values if isinstance(v, (str, bytes)))


class _List(Records):
    def table(self, text: list[str], others: list[str]) -> _core.Table:
        if all(record is None or isinstance(record, (str, bytes)) for record in self.records):
            return _core.table_of_lists({text[0]: (self.records, False)})
        for row, record in enumerate(self.records):
            if not isinstance(record, Mapping):
                raise UsageError(f"records[{row}] is {type(record).__name__}: records are all str, or all dicts")
        columns = {field: _column([_value_at(record, field) for record in self.records], field in text) for field in [*others, *text]}
        return _core.table_of_lists(columns)

    def take(self, rows: list[int]) -> list[Any]:
        return [self.records[row] for row in rows]

    def record(self, row: int) -> Any:
        return self.records[row]


class _Arrow(Records):
    def take(self, rows: list[int]) -> Any:
        return self.records.take(rows)

    def record(self, row: int) -> Any:
        value = self.records[row] if hasattr(self.records, "type") else self.records.slice(row, 1).to_pylist()[0]
        return value.as_py() if hasattr(value, "as_py") else value


class _Polars(Records):
    def take(self, rows: list[int]) -> Any:
        return self.records[rows]

    def record(self, row: int) -> Any:
        return self.records[row] if hasattr(self.records, "dtype") else self.records.row(row, named=True)


class _Pandas(Records):
    def table(self, text: list[str], others: list[str]) -> _core.Table:
        frame = self.records if hasattr(self.records, "columns") else self.records.to_frame(text[0])
        frame = frame[[field for field in dict.fromkeys([*others, *text]) if field in frame.columns]]
        if len(frame.columns) > 0 and _is_arrow(frame):
            return _core.table_of_stream(frame.__arrow_c_stream__(), text[0])
        columns = {name: _column([None if is_missing(v) else v for v in frame[name].tolist()], name in text) for name in frame.columns}
        return _core.table_of_lists(columns)

    def take(self, rows: list[int]) -> Any:
        return self.records.iloc[rows]

    def record(self, row: int) -> Any:
        value = self.records.iloc[row]
        return value.to_dict() if hasattr(self.records, "columns") else value


class _Dataset(Records):
    def arrow(self) -> Any:
        return _dataset_table(self.records)

    def take(self, rows: list[int]) -> Any:
        return self.records.select(rows)

    def record(self, row: int) -> Any:
        return self.records[row]


def records_of(records: Any) -> Records:
    """Records of a caller, whatever holds them."""
    if isinstance(records, (str, bytes)):
        raise UsageError("this is one text: give a list of records; files are for Dedup.files")
    if isinstance(records, Mapping):
        raise UsageError("this is one record: give a list of records")
    module = _module_of(records)
    if module == "pandas":
        return _Pandas(records)
    if module == "polars":
        return _Polars(records.collect() if hasattr(records, "collect") else records)
    if module == "datasets" and hasattr(records, "select"):
        return _Dataset(records)
    if module == "pyarrow" and hasattr(records, "take"):
        return _Arrow(records)
    if hasattr(records, "__arrow_c_stream__"):
        return _Arrow(need("pyarrow", f"a table of {module}").table(records))
    if hasattr(records, "tolist"):
        return _List(records.tolist())
    if not isinstance(records, Iterable):
        raise UsageError(f"records are a list, a frame or a table, not {type(records).__name__}")
    return _List(records if isinstance(records, list) else list(records))


def as_input(source: Any, text: list[str], others: list[str], name: str = _NAME) -> tuple[list[str], dict[str, _core.Table]]:
    """Paths and tables of an argument that is either files or records in memory."""
    if isinstance(source, (str, bytes)) or hasattr(source, "__fspath__"):
        return [path_text(source)], {}
    if isinstance(source, (list, tuple)) and source and all(hasattr(one, "__fspath__") for one in source):
        return [path_text(one) for one in source], {}
    return [name], {name: records_of(source).table(text, others)}


def path_text(path: Any) -> str:
    """A path as the library takes it."""
    import os

    return os.fsdecode(path)
