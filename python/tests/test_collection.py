"""Collections in a directory and in memory."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import subprocess
import threading

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import leitong
from leitong.__main__ import PROGRAM


@pytest.fixture(scope="module")
def documents(sample):
    return list({record["id"]: record for record in sample if "id" in record}.values())


@pytest.fixture
def news(tmp_path, documents):
    with leitong.Collection.create(tmp_path / "news", texts=True) as collection:
        collection.add(documents)
        yield collection


def test_as_the_command_line(tmp_path, documents):
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps(r) + "\n" for r in documents))
    run = lambda *words: subprocess.run([PROGRAM, "collection", *map(str, words)], capture_output=True, text=True, check=True).stdout
    run("create", tmp_path / "theirs", "--texts")
    said = [json.loads(line) for line in run("add", tmp_path / "theirs", source, "--unique").splitlines()]
    with leitong.Collection.create(tmp_path / "ours", texts=True) as ours:
        found = ours.add_unique(documents)
        assert [o.result for o in found] == [a["result"] for a in said]
        assert [o.match and o.match.id for o in found] == [a.get("of") for a in said]
        answers = ours.query([r["text"] for r in documents[:20]])
    said = [json.loads(line) for line in run("query", tmp_path / "theirs", source).splitlines()]
    expected = {r["id"]: [m["id"] for m in said if m["query"] == r["id"]] for r in documents[:20]}
    assert {r["id"]: [m.id for m in matches] for r, matches in zip(documents, answers)} == expected


def test_life(news, documents, tmp_path):
    assert len(news) == len(documents) and news.stats().documents == len(documents)
    assert [entry.id for entry in news] == [record["id"] for record in documents]
    entry = news.get(documents[0]["id"])
    assert entry.text == documents[0]["text"] and entry.fingerprint == leitong.fingerprint([entry.text]).hex()[0]
    assert news.get("nothing") is None and documents[0]["id"] in news and "nothing" not in news
    best = news.query(documents[0]["text"], most=1)
    assert len(best) == 1 and best[0].verified and best[0].similarity == 1
    assert all(match.id != documents[0]["id"] for match in news.near(documents[0]["id"]))
    with pytest.raises(leitong.UsageError):
        news.near("nothing")
    groups = news.clusters()
    assert groups and all(cluster.keep in cluster.documents for cluster in groups)
    assert news.clusters(last=True) == groups
    assert news.delete([documents[0]["id"], "nothing"]) == 1 and news.delete(documents[1]["id"]) == 1
    news.compact()
    news.check()
    news.backup(tmp_path / "copy")
    with leitong.Index(tmp_path / "copy") as copy:
        assert len(copy) == len(documents) - 2
        with pytest.raises(leitong.Error):
            copy.add({"a": "b c d"})
    assert news.about["texts"] and news.about["profile"] == "leitong-1"


def test_many_documents(tmp_path):
    with leitong.Collection.create(tmp_path / "many", ids="number") as many:
        assert many.add({str(i): f"text number {i}" for i in range(2500)}, durable=False) == 2500
        many.sync()
        assert [entry.id for entry in many] == [str(i) for i in range(2500)]


def test_all_that_holds_documents(tmp_path, documents):
    holders = [list, pa.Table.from_pylist, pl.DataFrame, pd.DataFrame, lambda s: pd.DataFrame(s).astype(object)]
    for number, hold in enumerate([*holders, lambda s: {r["id"]: r["text"] for r in s}, iter]):
        with leitong.Collection.create(tmp_path / str(number), texts=True) as collection:
            assert collection.add(hold(documents)) == len(documents)
            assert [(e.id, e.text) for e in collection] == [(r["id"], r["text"]) for r in documents]


def test_metadata(tmp_path):
    with leitong.Collection.create(tmp_path / "c", metadata=True, texts=True) as collection:
        collection.add([{"id": "a", "text": "one two", "metadata": {"lang": "英文"}}, {"id": "b", "text": "three"}])
        assert collection.get("a").metadata == {"lang": "英文"} and collection.get("b").metadata is None


def test_in_memory():
    with leitong.Collection.in_memory() as seen:
        assert [o.result for o in seen.add_unique({"1": "to be or not to be", "2": "To be, or not to be!"})] == ["new", "duplicate"]
        assert [m.id for m in seen.query("to be or not to be")] == ["1"]


def test_errors(tmp_path, news):
    with pytest.raises(leitong.UsageError, match="no id"):
        news.add(["a text"])
    with pytest.raises(leitong.UsageError, match="row 1 has no id"):
        news.add(pl.DataFrame({"id": ["a", None], "text": ["b", "c"]}))
    with pytest.raises(leitong.UsageError, match="no text"):
        news.add([{"id": "a"}])
    with pytest.raises(leitong.Error):
        leitong.Collection(tmp_path / "nothing")
    with pytest.raises(leitong.UsageError):
        leitong.Collection(tmp_path / "news", "a")
    with pytest.raises(leitong.Error):  # a second writer
        leitong.Collection(tmp_path / "news", "w")
    with pytest.raises(TypeError):
        pickle.dumps(news)
    news.close()
    news.close()
    with pytest.raises(leitong.UsageError, match="closed"):
        news.query("a")


def test_readers_see_what_is_there(tmp_path, news, documents):
    with leitong.Collection(tmp_path / "news") as reader:
        news.add({"new": "a text that is new here"})
        reader.refresh()
        assert reader.get("new").text == "a text that is new here"


def test_after_fork(news, tmp_path):
    """A child does nothing with its parent's writer, and does not end it either."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        said = b"worked"
        try:
            news.add({"x": "from the child"})
        except leitong.UsageError:
            said = b"refused"
        except BaseException as error:
            said = repr(error).encode()
        try:
            with leitong.Collection(tmp_path / "news") as reader:
                said += b" %d" % (len(reader) > 0)
            del news
        finally:
            os.write(write, said)
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    assert os.read(read, 1000) == b"refused 1"
    os.close(read)
    assert news.add({"y": "from the parent"}) == 1 and "y" in news


def test_fork_pool():
    """Fingerprints in children of a process that has computed some."""
    leitong.fingerprint(["one two three"] * 1000)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert len({f.words for f in pool.map(leitong.fingerprint, [["one two three"]] * 8)}) == 1


def test_threads(news, texts):
    answers = {}
    threads = [threading.Thread(target=lambda i=i: answers.update({i: news.query(texts)})) for i in range(4)]
    for thread in threads:
        thread.start()
    news.add({"more": "something else entirely, that resembles nothing"})
    for thread in threads:
        thread.join()
    assert all(answers[i] == answers[0] for i in range(4))
