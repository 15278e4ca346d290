#!/usr/bin/env python3
"""Files of pyarrow and DuckDB, read here and compared with what they say; files written here, read by both.

oracle_test.py --columns PROGRAM --venv DIRECTORY: installs pyarrow and DuckDB from PyPI into that virtual environment where they are
missing, and runs itself there. Without them: skipped, aloud (77). LEITONG_FULL=1 takes all combinations, else a selection.
"""

import argparse
import base64
import datetime
import decimal
import itertools
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

PACKAGES = ("pyarrow==26.0.1", "duckdb==2.0.0", "pytz")


def enter_environment(directory):
    """Goes on in the virtual environment, which is made if need be."""
    python = directory / "bin/python"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", directory], check=True, stdout=sys.stderr)
        probe = "import pyarrow.parquet, duckdb, pytz"
        if subprocess.run([python, "-c", probe], stderr=subprocess.DEVNULL).returncode != 0:
            subprocess.run(
                [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES], check=True, stdout=sys.stderr
            )
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"skipped: pyarrow and DuckDB cannot be installed from PyPI: {error}")
        sys.exit(77)
    os.execv(python, [str(python), "-B", *sys.argv, "--inside"])


parser = argparse.ArgumentParser()
parser.add_argument("--columns", required=True)
parser.add_argument("--venv", type=pathlib.Path, required=True)
parser.add_argument("--inside", action="store_true")
parser.add_argument("--only", default="")
arguments = parser.parse_args()
if not arguments.inside:
    enter_environment(arguments.venv)

import duckdb  # noqa: E402
import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

FULL = os.environ.get("LEITONG_FULL") == "1"
draw = random.Random(20)


def run(*words, data=None, fails=False):
    done = subprocess.run([arguments.columns, *map(str, words)], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if (done.returncode != 0) != fails:
        raise AssertionError(f"columns {words}: {done.returncode} {done.stderr.decode()}")
    return done.stderr.decode() if fails else done.stdout.decode()


class Digits(str):
    """A decimal number, of which each digit counts."""


# What the documentation says of each type's JSON.
def shown(value, kind):
    if value is None or pa.types.is_null(kind):
        return None
    if isinstance(kind, pa.DictionaryType):
        return shown(value, kind.value_type)
    if pa.types.is_floating(kind):
        return decimal.Decimal(repr(value)) if math.isfinite(value) else None
    if pa.types.is_decimal(kind):
        return Digits(format(value, "f"))
    if pa.types.is_date(kind):
        return value.isoformat()
    if pa.types.is_timestamp(kind) or pa.types.is_time(kind):
        return value  # made by the caller from the integers
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind) or pa.types.is_binary_view(kind):
        return base64.b64encode(value).decode()
    if pa.types.is_map(kind):
        pairs = [(shown(k, kind.key_type), shown(v, kind.item_type)) for k, v in value]
        return {k if isinstance(k, str) else json.dumps(k): v for k, v in pairs}
    if (
        pa.types.is_list(kind)
        or pa.types.is_large_list(kind)
        or pa.types.is_fixed_size_list(kind)
        or pa.types.is_list_view(kind)
        or pa.types.is_large_list_view(kind)
    ):
        return [shown(v, kind.value_type) for v in value]
    if pa.types.is_struct(kind):
        return {field.name: shown(value[field.name], field.type) for field in kind}
    return value


DIGITS = {"ms": 3, "us": 6, "ns": 9}


def of_ticks(ticks, unit, zone):
    """ISO 8601 of an integer of that unit since 1970."""
    per_second = 10 ** DIGITS[unit]
    seconds, rest = divmod(ticks, per_second)
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{rest:0{DIGITS[unit]}d}" + ("Z" if zone else "")


def expected(table):
    columns = {}
    for field in table.schema:
        column, kind = table.column(field.name), field.type
        if pa.types.is_timestamp(kind) or pa.types.is_time(kind):
            if kind.unit == "s":
                column = column.cast(pa.timestamp("ms"))
                kind = column.type
            integers = column.cast(pa.int64() if kind.bit_width == 64 else pa.int32()).to_pylist()
            zone = pa.types.is_timestamp(kind) and kind.tz
            texts = [None if t is None else of_ticks(t, kind.unit, zone) for t in integers]
            columns[field.name] = [t and t[11:] for t in texts] if pa.types.is_time(kind) else texts
        else:
            columns[field.name] = [shown(value, kind) for value in column.to_pylist()]
    names = table.schema.names
    return [dict(zip(names, row)) for row in zip(*columns.values())] if names else []


def loads(lines):
    # Each float as its digits, so that shortest round trips are compared and 32 bits are not widened.
    return [json.loads(line, parse_float=lambda digits: decimal.Decimal(digits)) for line in lines.splitlines()]


def same(found, wanted):
    if isinstance(wanted, dict):
        return isinstance(found, dict) and list(found) == list(wanted) and all(same(found[k], wanted[k]) for k in wanted)
    if isinstance(wanted, list):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(same, found, wanted))
    if isinstance(wanted, Digits):
        return isinstance(found, (int, decimal.Decimal)) and format(found, "" if isinstance(found, int) else "f") == wanted
    if isinstance(wanted, decimal.Decimal) and isinstance(found, (int, decimal.Decimal)):
        return float(found) == float(wanted) or pa.scalar(float(found), pa.float32()) == pa.scalar(float(wanted), pa.float32())
    return type(found) is type(wanted) and found == wanted


def compare(what, found, wanted):
    if len(found) != len(wanted):
        raise AssertionError(f"{what}: {len(found)} rows, not {len(wanted)}")
    for number, (a, b) in enumerate(zip(found, wanted)):
        if not same(a, b):
            raise AssertionError(f"{what}: row {number} is\n{a}\nnot\n{b}")


def maybe(values, nulls):
    return [None if draw.random() < nulls else value for value in values]


def text(length=40):
    return "".join(draw.choice('abc déf中文字"\\\n\t𝄞') for _ in range(draw.randrange(length)))


def numbers(bits, signed, rows):
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return [draw.choice([low, high, 0, 1, draw.randint(low, high), draw.randint(max(low, -100), 100)]) for _ in range(rows)]


def flat_columns(rows, nulls):
    """A column of each flat type: name → array."""
    ticks = [draw.randint(-(10**15), 4 * 10**15) for _ in range(rows)]
    columns = {
        f"{'' if signed else 'u'}int{bits}": pa.array(
            maybe(numbers(bits, signed, rows), nulls), getattr(pa, f"{'' if signed else 'u'}int{bits}")()
        )
        for bits in (8, 16, 32, 64)
        for signed in (True, False)
    }
    columns["boolean"] = pa.array(maybe([draw.random() < 0.3 for _ in range(rows)], nulls))
    columns["float16"] = pa.array(maybe([draw.choice([0.5, 65504.0, -2.0, 6e-8, 0.1]) for _ in range(rows)], nulls), pa.float16())
    columns["float32"] = pa.array(maybe([draw.uniform(-1e10, 1e10) for _ in range(rows)], nulls), pa.float32())
    columns["float64"] = pa.array(maybe([draw.choice([draw.gauss(0, 1), 1e300, -5e-324, math.nan, 3.0]) for _ in range(rows)], nulls))
    columns["text"] = pa.array(maybe([text() for _ in range(rows)], nulls))
    columns["large"] = pa.array(maybe([text(200) for _ in range(rows)], nulls), pa.large_string())
    columns["binary"] = pa.array(maybe([draw.randbytes(draw.randrange(9)) for _ in range(rows)], nulls), pa.binary())
    columns["fixed"] = pa.array(maybe([draw.randbytes(5) for _ in range(rows)], nulls), pa.binary(5))
    columns["few"] = pa.array(
        maybe([draw.choice(["red", "green", "", "blue"]) for _ in range(rows)], nulls), pa.string()
    ).dictionary_encode()
    columns["date"] = pa.array(maybe([draw.randint(-100000, 100000) for _ in range(rows)], nulls), pa.int32()).cast(pa.date32())
    for unit in ("ms", "us", "ns"):
        scale = {"ms": 1000, "us": 1, "ns": 1}[unit]
        columns[f"time_{unit}"] = pa.array(maybe([t // scale for t in ticks], nulls), pa.int64()).cast(pa.timestamp(unit))
        columns[f"utc_{unit}"] = pa.array(maybe([t // scale for t in ticks], nulls), pa.int64()).cast(pa.timestamp(unit, "UTC"))
    columns["clock"] = pa.array(maybe([draw.randrange(86_400_000) for _ in range(rows)], nulls), pa.int32()).cast(pa.time32("ms"))
    columns["fine_clock"] = pa.array(maybe([draw.randrange(86_400_000_000_000) for _ in range(rows)], nulls), pa.int64()).cast(
        pa.time64("ns")
    )
    for precision, scale in ((7, 2), (15, 0), (38, 10)):
        amounts = [
            decimal.Decimal(draw.randint(-(10**precision) + 1, 10**precision - 1)).scaleb(-scale, decimal.Context(prec=60))
            for _ in range(rows)
        ]
        columns[f"decimal{precision}"] = pa.array(maybe(amounts, nulls), pa.decimal128(precision, scale))
    columns["nothing"] = pa.nulls(rows)
    return columns


def nested_columns(rows, nulls):
    words = lambda: maybe([text(8) for _ in range(draw.choice([0, 0, 1, 2, 3, 40]))], nulls)  # noqa: E731
    point = lambda: {"x": draw.randrange(100), "label": None if draw.random() < nulls else text(5)}  # noqa: E731
    return {
        "tags": pa.array(maybe([words() for _ in range(rows)], nulls), pa.list_(pa.string())),
        "deep": pa.array(
            maybe([maybe([words() for _ in range(draw.randrange(4))], nulls) for _ in range(rows)], nulls),
            pa.list_(pa.list_(pa.string())),
        ),
        "point": pa.array(maybe([point() for _ in range(rows)], nulls), pa.struct([("x", pa.int32()), ("label", pa.string())])),
        "points": pa.array(
            maybe([maybe([point() for _ in range(draw.randrange(4))], nulls) for _ in range(rows)], nulls),
            pa.list_(pa.struct([("x", pa.int32()), ("label", pa.string())])),
        ),
        "attributes": pa.array(
            maybe(
                [[(f"k{i}", None if draw.random() < nulls else draw.random()) for i in range(draw.randrange(4))] for _ in range(rows)],
                nulls,
            ),
            pa.map_(pa.string(), pa.float64()),
        ),
        "by_number": pa.array(
            maybe([[(i * 7, words()) for i in range(draw.randrange(3))] for _ in range(rows)], nulls),
            pa.map_(pa.int32(), pa.list_(pa.string())),
        ),
        "triple": pa.array(maybe([[draw.random() for _ in range(3)] for _ in range(rows)], nulls), pa.list_(pa.float32(), 3)),
        "inner": pa.array(
            maybe(
                [{"meta": {"text": text(9), "flags": [draw.random() < 0.5 for _ in range(draw.randrange(12))]}} for _ in range(rows)],
                nulls,
            ),
            pa.struct([("meta", pa.struct([("text", pa.string()), ("flags", pa.list_(pa.bool_()))]))]),
        ),
    }


def required(table):
    """The same with columns that cannot be null."""
    fields = [field if pa.types.is_null(field.type) else field.with_nullable(False) for field in table.schema]
    return table.cast(pa.schema(fields)) if table.num_rows else table


ENCODINGS = {
    "PLAIN": None,
    "DELTA_BINARY_PACKED": ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "date", "time_us", "clock"),
    "DELTA_LENGTH_BYTE_ARRAY": ("text", "large", "binary"),
    "DELTA_BYTE_ARRAY": ("text", "large", "binary", "fixed", "decimal38"),
    "BYTE_STREAM_SPLIT": ("float16", "float32", "float64", "int32", "int64", "fixed", "decimal38"),
    "RLE": ("boolean",),
}
CODECS = ("NONE", "SNAPPY", "GZIP", "ZSTD", "LZ4")


def write_options():
    """Combinations of how pyarrow writes."""
    every = list(
        itertools.product(CODECS, ("1.0", "2.0"), (True, False), (3, 77, 100_000), (200, 2_000, 1 << 20), (True, False), (True, False))
    )
    chosen = every if FULL else draw.sample(every, 12)
    for codec, version, dictionary, group, page, index, checksum in chosen:
        yield dict(
            compression=codec,
            data_page_version=version,
            use_dictionary=dictionary,
            row_group_size=group,
            data_page_size=page,
            write_page_index=index,
            write_page_checksum=checksum,
        )


def check_reads(name, path, table):
    wanted = expected(table)
    compare(name, loads(run("json", path)), wanted)
    compare(f"{name} in small batches", loads(run("json", path, draw.choice([1, 2, 7]), draw.choice([1, 100, 1 << 20]))), wanted)
    if table.num_rows:
        rows = sorted(draw.sample(range(table.num_rows), min(12, table.num_rows)))
        rows.append(draw.randrange(table.num_rows))  # and back
        compare(f"{name}, rows {rows}", loads(run("rows", path, *rows)), [wanted[row] for row in rows])


def check_reading(directory):
    path = directory / "a.parquet"
    for number, options in enumerate(write_options()):
        rows = draw.choice([1, 50, 300])
        nulls = draw.choice([0, 0.1, 0.9, 1.0])
        table = pa.table({**flat_columns(rows, nulls), **nested_columns(rows, nulls)})
        pq.write_table(table, path, store_schema=False, **options)
        check_reads(f"case {number} {options}", path, pq.read_table(path))
    for encoding, names in ENCODINGS.items():
        for version in ("1.0", "2.0"):
            for nulls, rows in ((0, 500), (0.2, 500), (0.2, 3)):
                table = pa.table(flat_columns(rows, nulls))
                chosen = [name for name in table.column_names if names is None or name in names]
                table = table.select(chosen)
                if nulls == 0:
                    table = required(table)
                pq.write_table(
                    table,
                    path,
                    use_dictionary=False,
                    column_encoding={name: encoding for name in chosen if name != "boolean" or encoding != "PLAIN"},
                    data_page_version=version,
                    data_page_size=300,
                    write_page_index=nulls == 0,
                )
                check_reads(f"{encoding} {version} {nulls}", path, pq.read_table(path))
    for kind in (pa.list_(pa.string()), pa.map_(pa.string(), pa.int32())):
        pq.write_table(pa.table({"a": pa.array([], kind), "b": pa.array([], pa.string())}), path)
        compare("no rows", loads(run("json", path)), [])
    old = pa.table({"when": pa.array([0, 10**18, -(10**17)], pa.timestamp("ns"))})
    pq.write_table(old, path, use_deprecated_int96_timestamps=True)
    compare("int96", loads(run("json", path)), [{"when": of_ticks(t, "ns", False)} for t in (0, 10**18, -(10**17))])
    pq.write_table(pa.table({"t": [["a", None], [], None, ["b"]]}), path, use_compliant_nested_type=False)
    assert run("column", path, "t") == '["a"]\n[]\n[]\n["b"]\n'
    pq.write_table(pa.table({"m": [{"t": "x"}, None], "a.b": ["1", "2"], "n": [1, 2]}), path)
    assert run("column", path, "m.t") == '"x"\nnull\n' and run("column", path, "a.b") == '"1"\n"2"\n'
    assert "it is int64" in run("column", path, "n", fails=True) and "no such column" in run("column", path, "q", fails=True)
    pq.write_table(pa.table({"t": ["x" * 50] * 9}), path, compression="BROTLI")
    error = run("json", path, fails=True)
    assert "column t" in error and "brotli" in error and str(path) in error, error


def check_duckdb_files(directory):
    """DuckDB writes its own encodings and pages."""
    path = directory / "d.parquet"
    for codec, version in itertools.product(("snappy", "zstd", "gzip", "lz4_raw", "uncompressed"), ("V1", "V2")):
        query = (
            "SELECT i::BIGINT AS id, CASE WHEN i % 7 = 0 THEN NULL ELSE repeat('w' || (i % 50), (i % 9)::INT) END AS text, i % 3 = 0 AS b, "
            "(i * 1.5)::DOUBLE AS d, i::UTINYINT AS small, [i::VARCHAR, NULL, 'x'] AS list, {'a': i, 's': 'n' || i} AS point, "
            "(i / 100)::DECIMAL(9, 2) AS amount FROM range(200) t(i)"
        )
        duckdb.sql(f"COPY ({query}) TO '{path}' (FORMAT parquet, CODEC '{codec}', PARQUET_VERSION '{version}', ROW_GROUP_SIZE 90)")
        check_reads(f"DuckDB {codec} {version}", path, pq.read_table(path))


def check_copy(name, path, copy, every, group, codec):
    run("copy", path, copy, codec, group, every, "")
    source, result = pq.ParquetFile(path), pq.ParquetFile(copy)
    table = pq.read_table(path, page_checksum_verification=True)
    kept = table.take(pa.array(range(0, table.num_rows, every), pa.int64()))
    again = pq.read_table(copy, page_checksum_verification=True)
    if not again.schema.equals(table.schema, check_metadata=True):
        raise AssertionError(f"{name}: the schema is\n{again.schema}\nnot\n{table.schema}")
    assert repr(source.schema).split("\n", 1)[1] == repr(result.schema).split("\n", 1)[1], f"{name}: {source.schema} {result.schema}"
    assert source.metadata.metadata == result.metadata.metadata, name
    if repr(expected(again)) != repr(expected(kept)):
        raise AssertionError(f"{name}: the rows differ")
    size = group or max([source.metadata.row_group(i).num_rows for i in range(source.metadata.num_row_groups)] + [1])
    sizes = [result.metadata.row_group(i).num_rows for i in range(result.metadata.num_row_groups)]
    assert all(rows == size for rows in sizes[:-1]) and all(rows <= size for rows in sizes[-1:]), f"{name}: row groups of {sizes}"
    compare(f"{name}, read back", loads(run("json", copy)), loads(run("json", path))[::every])
    ours, theirs = (duckdb.sql(f"SELECT * FROM read_parquet('{file}')") for file in (copy, path))
    assert ours.types == theirs.types and ours.columns == theirs.columns, f"{name}: DuckDB's types"
    if repr(ours.fetchall()) != repr(theirs.fetchall()[::every]):
        raise AssertionError(f"{name}: DuckDB reads other rows")


def check_writing(directory):
    path, copy = directory / "w.parquet", directory / "copy.parquet"
    codecs = ("none", "snappy", "gzip", "zstd", "lz4")
    cases = list(itertools.product(codecs, (1, 3), (0, 50), (0, 0.2, 1.0), (40, 1000)))
    for codec, every, group, nulls, rows in cases if FULL else draw.sample(cases, 5):
        table = pa.table({**flat_columns(rows, nulls), **nested_columns(rows, nulls)})
        table = table.replace_schema_metadata({"huggingface": '{"info": {}}', "pandas": "{}"})
        pq.write_table(table, path, row_group_size=draw.choice([30, 10_000]))
        check_copy(f"copy {codec} {every} {group} {nulls} {rows}", path, copy, every, group, codec)
    long = pa.table(
        {"text": [text(3000) * 3 for _ in range(3000)], "n": list(range(3000)), "word": [f"word {i % 17}" for i in range(3000)]}
    )
    pq.write_table(long, path)
    check_copy("pages", path, copy, 1, 0, "zstd")
    pq.write_table(long.slice(0, 0), path)
    check_copy("no rows", path, copy, 1, 0, "zstd")


def check_annotated(directory):
    path, copy = directory / "n.parquet", directory / "noted.parquet"
    rows = 1000
    table = pa.table({**flat_columns(rows, 0.1), **nested_columns(rows, 0.1)})
    pq.write_table(table, path, row_group_size=300)
    run("copy", path, copy, "zstd", 0, 1, "noted")
    again = pq.read_table(copy)
    assert again.column_names == table.column_names + ["noted", "noted_row", "noted_even"]
    assert repr(expected(again.select(table.column_names))) == repr(expected(pq.read_table(path)))
    assert again.schema.field("noted_row").type == pa.uint64() and not again.schema.field("noted_even").nullable
    assert again.column("noted").to_pylist() == [None if i % 3 == 0 else f"row {i}" for i in range(rows)]
    assert again.column("noted_row").to_pylist() == list(range(rows))
    assert again.column("noted_even").to_pylist() == [i % 2 == 0 for i in range(rows)]
    found = duckdb.sql(f"SELECT count(*), sum(noted_row), count(noted), sum(noted_even::INT) FROM read_parquet('{copy}')").fetchall()[0]
    assert found == (rows, rows * (rows - 1) // 2, 666, rows // 2), found
    assert "already" in run("copy", path, copy, "zstd", 0, 1, "text", fails=True)


def arrow_columns(rows, nulls):
    """What only Arrow has."""
    words = [text(30) for _ in range(rows)]
    lists = lambda: maybe([maybe([text(6) for _ in range(draw.randrange(4))], nulls) for _ in range(rows)], nulls)  # noqa: E731
    seconds = [draw.randrange(-(10**9), 10**9) for _ in range(rows)]
    return {
        "view": pa.array(maybe(words, nulls), pa.string_view()),
        "bytes_view": pa.array(maybe([draw.randbytes(draw.randrange(30)) for _ in range(rows)], nulls), pa.binary_view()),
        "large_list": pa.array(lists(), pa.large_list(pa.large_string())),
        "list_of_views": pa.array(lists(), pa.list_(pa.string_view())),
        "list_view": pa.array(lists(), pa.list_view(pa.string())),
        "large_list_view": pa.array(lists(), pa.large_list_view(pa.string())),
        "seconds": pa.array(maybe(seconds, nulls), pa.int64()).cast(pa.timestamp("s")),
        "day": pa.array(maybe([s // 86400 * 86_400_000 for s in seconds], nulls), pa.int64()).cast(pa.date64()),
        "wide": pa.array(maybe([decimal.Decimal(s) / 100 for s in seconds], nulls), pa.decimal256(60, 2)),
        "small": pa.array(maybe([decimal.Decimal(s) / 100 for s in seconds], nulls), pa.decimal64(15, 2)),
        "coded": pa.array(maybe([draw.choice(["a", "b", None]) for _ in range(rows)], nulls), pa.string()).dictionary_encode(),
        "coded_lists": (
            pa.array(lists(), pa.list_(pa.dictionary(pa.int8(), pa.string()))) if rows < 40 else pa.array(lists(), pa.list_(pa.string()))
        ),
    }


def check_arrow(directory):
    path, copy = directory / "a.arrow", directory / "a.parquet"
    cases = list(itertools.product((None, "lz4", "zstd"), (0, 0.2, 1.0), (1, 30, 400), (7, 1000)))
    for codec, nulls, rows, size in cases if FULL else draw.sample(cases, 6):
        name = f"Arrow {codec} {nulls} {rows} {size}"
        table = pa.table({**flat_columns(rows, nulls), **nested_columns(rows, nulls), **arrow_columns(rows, nulls)})
        options = pa.ipc.IpcWriteOptions(compression=codec, emit_dictionary_deltas=True, unify_dictionaries=True)
        with pa.ipc.new_file(path, table.schema, options=options) as writer:
            writer.write_table(table, max_chunksize=size)
        check_reads(name, path, table)
        with pa.ipc.new_stream(directory / "s", table.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as writer:
            writer.write_table(table, max_chunksize=size)
        stream = (directory / "s").read_bytes()
        compare(f"{name} as a stream", loads(run("stream", data=stream)), expected(table))
        run("copy", path, copy, "zstd", 0, 1, "")
        compare(f"{name} as Parquet", loads(run("json", copy)), expected(table))
        again = pq.read_table(copy)
        assert again.num_rows == rows and duckdb.sql(f"SELECT count(*) FROM read_parquet('{copy}')").fetchall() == [(rows,)]
        assert again.column("text").to_pylist() == table.column("text").to_pylist()
        assert again.column("points").to_pylist() == table.column("points").to_pylist()
        for cut in draw.sample(range(len(stream) - 8), 5):
            subprocess.run(
                [arguments.columns, "stream"], input=stream[:cut], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60
            )
    changing = [pa.record_batch({"c": pa.array(words).dictionary_encode()}) for words in (["x", "y", "x"], ["z", None, "y"])]
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, changing[0].schema) as writer:
        for batch in changing:
            writer.write_batch(batch)
    assert [row["c"] for row in loads(run("stream", data=sink.getvalue().to_pybytes()))] == ["x", "y", "x", "z", None, "y"]
    union = pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["a", "b"])])
    runs = pa.RunEndEncodedArray.from_arrays([2], ["r"])
    refused = pa.table({"u": union, "r": runs, "text": ["after", "them"]})
    with pa.ipc.new_file(path, refused.schema) as writer:
        writer.write_table(refused)
    assert run("column", path, "text") == '"after"\n"them"\n'
    error = run("json", path, fails=True)
    assert "column u" in error and str(path) in error, error


def check_damage(directory):
    """Every byte of a small file, changed: an error with the file's name or the right rows, never a crash."""
    path = directory / "b.parquet"
    table = pa.table({"text": ["a", None, "ccc" * 9], "list": [["x"], [], None]})
    pq.write_table(table, path, compression="NONE", write_page_checksum=True, write_page_index=True)
    whole = path.read_bytes()
    for cut in range(0, len(whole), 1 if FULL else 37):
        path.write_bytes(whole[:cut])
        assert str(path) in run("json", path, fails=True)
    refused = 0
    for place in range(0, len(whole), 1 if FULL else 11):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        done = subprocess.run([arguments.columns, "json", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        assert done.returncode in (0, 1), f"byte {place}: {done.returncode}"
        refused += done.returncode
    assert refused > 0


CHECKS = [check_reading, check_duckdb_files, check_writing, check_annotated, check_arrow, check_damage]

with tempfile.TemporaryDirectory() as scratch:
    for check in CHECKS:
        if arguments.only and arguments.only not in check.__name__:
            continue
        begin = time.monotonic()
        check(pathlib.Path(scratch))
        print(f"{check.__name__}: passed, {time.monotonic() - begin:.1f} s", flush=True)
