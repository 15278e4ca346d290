"""`leitong.adapters` and Hugging Face `datasets`."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import numpy
import pytest

import leitong

datasets = pytest.importorskip("datasets", reason="SKIPPED: datasets is not installed")
pytestmark = pytest.mark.filterwarnings("ignore::leitong.LeitongWarning")  # one test has a record without a text


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


@pytest.mark.parametrize("processes", [None, 2])
def test_column_of_fingerprints(texts, processes):
    given = [*texts, None, "!"]
    ds = datasets.Dataset.from_dict({"text": given, "n": range(len(given))})
    mapped = ds.map(leitong.adapters.fingerprints("text"), batched=True, batch_size=10, num_proc=processes)
    assert mapped["fingerprint"][:] == leitong.fingerprint(given).hex()
    assert mapped["n"][:] == ds["n"][:]


def test_first_batch_without_a_fingerprint():
    ds = datasets.Dataset.from_dict({"text": ["!", "?", "The ferry leaves the island at nine."]})
    function = leitong.adapters.fingerprints("text")
    mapped = ds.map(function, batched=True, batch_size=1, features=function.features(ds))
    assert mapped["fingerprint"][:2] == [None, None] and mapped["fingerprint"][2] is not None


def test_other_profile_and_name(texts):
    ds = datasets.Dataset.from_dict({"body": texts})
    mapped = ds.map(leitong.adapters.fingerprints("body", output="fp", profile="leitong-1-128"), batched=True)
    assert mapped["fp"][:] == leitong.fingerprint(texts, profile="leitong-1-128").hex()


def test_same_key_of_the_cache_in_every_process():
    code = (
        "import leitong, pickle; from datasets.fingerprint import Hasher\n"
        "f = leitong.adapters.fingerprints('text'); print(Hasher.hash(f), pickle.dumps(f).hex())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-P", "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
    function = leitong.adapters.fingerprints("text")
    assert pickle.loads(pickle.dumps(function)) == function
    assert leitong.adapters.fingerprints("body") != function


def test_second_map_is_met_in_the_cache(texts, tmp_path):
    datasets.Dataset.from_dict({"text": texts}).save_to_disk(tmp_path / "ds")
    first, second = (datasets.load_from_disk(tmp_path / "ds").map(leitong.adapters.fingerprints("text"), batched=True) for _ in range(2))
    assert first.cache_files == second.cache_files and first.cache_files
    other = datasets.load_from_disk(tmp_path / "ds").map(leitong.adapters.fingerprints("text", profile="minhash1"), batched=True)
    assert other.cache_files != first.cache_files


def test_changed_profile_file_is_another_function(tmp_path):
    file = tmp_path / "own.toml"
    file.write_text(leitong.profile("leitong-1").toml)
    before = leitong.adapters.fingerprints("text", profile=str(file))
    file.write_text(leitong.profile("leitong-1-128").toml)
    assert leitong.adapters.fingerprints("text", profile=str(file)) != before
    with pytest.raises(leitong.UsageError, match="not what it was"):
        before({"text": ["one two three"]})


def test_dedup_is_dedup(sample):
    columns = {name: [record.get(name) for record in sample] for name in ("id", "text", "source", "date")}
    ds = datasets.Dataset.from_dict({**columns, "n": range(len(sample))})
    keep = "source:gov>news,length:max"
    expected = numpy.flatnonzero(leitong.Dedup(keep=keep)(sample).keep_mask).tolist()
    assert leitong.adapters.dedup(ds, keep=keep)["n"][:] == expected
    shuffled = ds.shuffle(seed=7)  # an indices mapping
    rows = leitong.Dedup()([sample[n] for n in shuffled["n"]]).keep_list
    assert leitong.adapters.dedup(shuffled)["n"][:] == [n for n, kept in zip(shuffled["n"], rows) if kept]


def test_dedup_against_another_split_and_without_texts():
    train = datasets.Dataset.from_dict({"body": ["The ferry leaves the island at nine.", None, "Bread and butter, and a little salt."]})
    test = datasets.Dataset.from_dict({"body": ["the ferry leaves the island at nine"]})
    with pytest.warns(leitong.LeitongWarning):
        assert leitong.adapters.dedup(train, "body", against=test)["body"][:] == ["Bread and butter, and a little salt."]


def test_what_is_refused():
    ds = datasets.Dataset.from_dict({"text": ["one"]})
    with pytest.raises(leitong.UsageError, match="no column 'body', only text"):
        leitong.adapters.dedup(ds, "body")
    for other in (datasets.DatasetDict(train=ds), ds.to_iterable_dataset(), ["one"]):
        with pytest.raises(leitong.UsageError, match="one split"):
            leitong.adapters.dedup(other)
    assert len(leitong.adapters.dedup(ds.select([]))) == 0
