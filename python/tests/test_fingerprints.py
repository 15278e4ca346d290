"""Fingerprints of all that holds texts are those of the command line."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import leitong
from leitong.__main__ import PROGRAM


def of_program(records, tmp_path, *flags):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records), encoding="utf-8")
    out = subprocess.run([PROGRAM, "fingerprint", path, *flags], capture_output=True, check=True, text=True).stdout
    return [json.loads(line)["fp"] for line in out.splitlines()]


@pytest.mark.parametrize("profile", ["leitong-1", "leitong-1-128", "leitong-1-256", "characters-4", "jieba"])
def test_as_the_command_line(sample, texts, tmp_path, profile):
    assert leitong.fingerprint(texts, profile=profile).hex() == of_program(sample, tmp_path, "--profile", profile)


def sliced(array):
    """The same values behind others, as an array with an offset."""
    return pa.concat_arrays([array.slice(0, 3), array]).slice(3)


@pytest.mark.parametrize(
    "hold",
    [
        tuple,
        iter,
        lambda t: np.array(t, dtype=object),
        np.array,
        pd.Series,
        lambda t: pd.Series(t, dtype=object),
        lambda t: pd.Series(t, dtype="category"),
        pd.Index,
        pl.Series,
        lambda t: pl.Series(t, dtype=pl.Categorical),
        pa.array,
        lambda t: pa.array(t, pa.large_string()),
        lambda t: pa.array(t, pa.string_view()),
        lambda t: pa.array([x.encode() for x in t], pa.binary()),
        lambda t: pa.array(t).dictionary_encode(),
        lambda t: sliced(pa.array(t)),
        lambda t: sliced(pa.array(t, pa.string_view())),
        lambda t: pa.chunked_array([t[:5], [], t[5:]]),
        lambda t: pa.table({"x": t}),
        lambda t: [x.encode() for x in t],
    ],
)
def test_all_that_holds_texts(texts, hold):
    assert leitong.fingerprint(hold(texts)).words == leitong.fingerprint(texts).words


def test_missing_and_empty():
    holders = [list, pa.array, pl.Series, lambda t: pd.Series(t, dtype=object), pd.Series, lambda t: pa.array(t).dictionary_encode()]
    for hold in [*holders, lambda t: sliced(pa.array(t))]:
        found = leitong.fingerprint(hold([None, "", "one two three", "!"]))
        assert [x is not None for x in found.hex()] == [False, False, True, False]
        assert found.present.tolist() == [False, False, True, False]
    assert leitong.fingerprint(pd.Series([np.nan, "a b"], dtype=object)).hex()[0] is None
    assert len(leitong.fingerprint([])) == 0 and leitong.fingerprint([]).hex() == []
    assert leitong.fingerprint([]).to_arrow().to_pylist() == []


def test_struct_column():
    table = pa.table({"id": [1, 2], "text": ["one two", None]})
    assert leitong.fingerprint(table, column="text").hex() == leitong.fingerprint(["one two", None]).hex()
    assert leitong.fingerprint(table.slice(1), column="text").hex() == [None]
    with pytest.raises(leitong.UsageError, match="several columns"):
        leitong.fingerprint(table)
    with pytest.raises(leitong.UsageError, match="no column 'body', but id, text"):
        leitong.fingerprint(table, column="body")
    with pytest.raises(leitong.UsageError, match="holds no texts"):
        leitong.fingerprint(table, column="id")


@pytest.mark.parametrize("bad", ["one text", b"one text", 3, {"a": "b"}, [1], [["a"]]])
def test_no_texts(bad):
    with pytest.raises(leitong.UsageError):
        leitong.fingerprint(bad)


def test_lone_surrogates_and_bad_utf8():
    assert leitong.fingerprint(["a\ud800b c"]).hex()[0] is not None
    assert leitong.fingerprint([b"a \xff b"]).hex() == leitong.fingerprint(["a � b"]).hex()


def test_forms(texts):
    for profile, words in [("leitong-1", 1), ("leitong-1-256", 4)]:
        found = leitong.fingerprint([*texts, None], profile=profile)
        values = found.to_numpy()
        assert values.dtype == np.uint64 and values.shape == ((len(texts) + 1,) if words == 1 else (len(texts) + 1, words))
        digits = [None if n is None else f"{n:0{16 * words}x}" for n in map(found.number, range(len(found)))]
        assert digits == found.hex()
        arrow = found.to_arrow()
        arrow.validate(full=True)
        assert [x is not None for x in arrow.to_pylist()] == found.present.tolist()
        if words == 1:
            assert [None if x is None else f"{x:016x}" for x in arrow.to_pylist()] == found.hex()
        assert pickle.loads(pickle.dumps(found)) == found
        assert found.distance(0, 0) == 0 and found.distance(0, len(texts)) is None


def test_threads_change_nothing(texts):
    many = texts * 50
    assert leitong.fingerprint(many, threads=1) == leitong.fingerprint(many, threads=7)


def test_batches(texts):
    many = (texts * 200)[:9000]  # more than one batch of a list, and of an array
    assert leitong.fingerprint(pa.array(many)) == leitong.fingerprint(many)
    assert leitong.fingerprint(many).hex()[-1] == leitong.fingerprint(many[-1:]).hex()[0]


def test_self_join():
    rng = np.random.default_rng(5)
    for shape in [(300,), (300, 2)]:
        values = rng.integers(0, 2**63, shape, dtype=np.uint64)
        values[100:200] = values[:100]
        values.reshape(300, -1)[100:200, 0] ^= np.uint64(5)
        pairs = leitong.self_join(values, 3)
        bits = np.bitwise_count(values[:, None] ^ values[None, :])
        bits = bits if bits.ndim == 2 else bits.sum(axis=2)
        expected = {(i, j, int(bits[i, j])) for i in range(300) for j in range(i + 1, 300) if bits[i, j] <= 3}
        assert set(map(tuple, pairs.tolist())) == expected and len(pairs) == len(expected) >= 100
    with pytest.raises(leitong.UsageError):
        leitong.self_join(np.arange(3), 3)
    with pytest.raises(leitong.UsageError):
        leitong.self_join(np.arange(3, dtype=np.uint64), 60)


def test_without_numpy(texts):
    """The package does not import numpy, and says what needs it."""
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "import leitong\n"
        "f = leitong.fingerprint(['one two three', None])\n"
        "assert f.hex()[1] is None and f.mask == b'\\x01\\x00' and len(f.words) == 16\n"
        "assert leitong.Dedup()(['one two', 'One Two']).keep_list == [True, False]\n"
        "try: f.to_numpy()\n"
        "except ImportError as error: assert 'numpy' in str(error)\n"
        "else: raise AssertionError"
    )
    subprocess.run([sys.executable, "-P", "-c", code], check=True)
