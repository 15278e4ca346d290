"""`leitong.adapters` and datatrove: the filter, and the four steps on several ranks, by datatrove's own executor, reader and writer."""

from __future__ import annotations

import gzip
import json
import pickle

import pytest

import leitong

pytest.importorskip("datatrove", reason="SKIPPED: datatrove is not installed")
from datatrove.data import Document  # noqa: E402
from datatrove.executor import LocalPipelineExecutor  # noqa: E402
from datatrove.pipeline.readers import JsonlReader  # noqa: E402
from datatrove.pipeline.writers import JsonlWriter  # noqa: E402

from leitong.adapters import LeitongApply, LeitongCluster, LeitongFilter, LeitongJoin, LeitongSketch  # noqa: E402

FERRY = ["The ferry leaves the island at nine.", "Bread and butter, and a little salt.", "The ferry leaves the island at nine!"]


@pytest.fixture
def shards(sample, tmp_path) -> list[list[dict]]:
    """The sample in three files of unequal size; each record has an id of its own."""
    records = [{**record, "id": f"{n:03}"} for n, record in enumerate(sample) if record["text"]]  # of no text, datatrove makes no document
    parts = [records[:20], records[20:21], records[21:]]
    (tmp_path / "in").mkdir()
    for number, part in enumerate(parts):
        (tmp_path / "in" / f"{number}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in part))
    return parts


def execute(tmp_path, name, *pipeline, tasks=1):
    LocalPipelineExecutor(pipeline=[*pipeline], tasks=tasks, logging_dir=str(tmp_path / "logs" / name)).run()


def written(folder) -> list[dict]:
    lines = []
    for path in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            lines += [json.loads(line) for line in file]
    return lines


def documents(texts) -> list[Document]:
    return [Document(text=text, id=str(n)) for n, text in enumerate(texts)]


def four_steps(folder, ranks, **join):
    """Without an executor; what stays, rank by rank."""
    for rank, some in enumerate(ranks):
        LeitongSketch(folder).run(iter(some), rank, len(ranks))
    LeitongJoin(folder, **join).run()
    LeitongCluster(folder).run()
    return [[doc.id for doc in LeitongApply(folder).run(iter(some), rank, len(ranks))] for rank, some in enumerate(ranks)]


@pytest.mark.parametrize("keep", ["central,length:max,first", "source:gov>news,date:oldest"])
def test_four_steps_are_one_dedup(shards, tmp_path, keep):
    read, folder = str(tmp_path / "in"), tmp_path / "dedup"
    sketch = LeitongSketch(folder, fields=["source", "date"])
    execute(tmp_path, "sketch", JsonlReader(read), sketch, tasks=4)  # one rank has no file
    execute(tmp_path, "join", LeitongJoin(folder), LeitongCluster(folder, keep=keep))
    dropped = JsonlWriter(str(tmp_path / "dropped"))
    execute(
        tmp_path, "apply", JsonlReader(read), LeitongApply(folder, exclusion_writer=dropped), JsonlWriter(str(tmp_path / "kept")), tasks=4
    )
    records = [record for part in shards for record in part]
    expected = leitong.Dedup(keep=keep)(records)
    assert [record["id"] for record in written(tmp_path / "kept")] == [record["id"] for record in expected.selected]
    out = written(tmp_path / "dropped")
    assert [record["id"] for record in out] == [one.record["id"] for one in expected.filtered]
    assert {record["metadata"]["filter_reason"] for record in out} == {"near-duplicate"}
    assert leitong.read_report(folder).counts["kept"] == expected.counts["kept"]


def test_rule_and_threshold_reach_the_join(tmp_path, sample):
    ranks = [documents([record["text"] for record in sample])]
    strict = four_steps(tmp_path / "strict", ranks, threshold=0.95)
    assert len(strict[0]) == leitong.Dedup(0.95)(sample).counts["kept"] > leitong.Dedup()(sample).counts["kept"]
    sketches = four_steps(tmp_path / "sketches", ranks, verify="sketch", k=3)
    assert len(sketches[0]) == leitong.Dedup(verify="sketch", k=3)(sample).counts["kept"]


def test_all_texts_of_python_come_through(tmp_path):
    texts = ["lone \ud800 surrogate of some words", "", "line\nend and \u2028 another and more", "x" * (17 << 20), "bread and butter"]
    writer = JsonlWriter(str(tmp_path / "dropped"), compression=None)
    folder = tmp_path / "dedup"
    assert four_steps(folder, [documents(texts)]) == [["0", "1", "2", "4"]]
    assert [doc.id for doc in LeitongApply(folder, exclusion_writer=writer).run(iter(documents(texts)))] == ["0", "1", "2", "4"]
    assert json.loads((tmp_path / "dropped" / "00000.jsonl").read_text())["metadata"]["filter_reason"] == "bad record"
    assert json.loads((folder / "rejected" / "00000.jsonl").read_text())["record"] == 3


def test_other_documents_than_were_sketched(tmp_path):
    folder = tmp_path / "dedup"
    assert four_steps(folder, [documents(FERRY)]) == [["0", "1"]]
    for others in (FERRY[:2], [*FERRY, "more"]):
        with pytest.raises(leitong.StoreIOError, match="not to be used"):
            list(LeitongApply(folder).run(iter(documents(others))))
    renamed = [Document(text=text, id=f"other {n}") for n, text in enumerate(FERRY)]
    with pytest.raises(leitong.StoreIOError, match="not those that were sketched"):
        list(LeitongApply(folder).run(iter(renamed)))
    with pytest.raises(leitong.UsageError, match="tasks must be the same"):
        list(LeitongApply(folder).run(iter(documents(FERRY)), 0, 2))


def test_steps_out_of_order(tmp_path):
    folder = tmp_path / "dedup"
    with pytest.raises(leitong.UsageError, match="rank 0 has left no sketch"):
        LeitongJoin(folder).run()
    LeitongSketch(folder).run(iter(documents(FERRY)), 0, 2)
    with pytest.raises(leitong.UsageError, match="rank 1 has left no sketch"):
        LeitongJoin(folder).run()
    with pytest.raises(leitong.UsageError, match="run LeitongJoin and LeitongCluster first"):
        list(LeitongApply(folder).run(iter(documents(FERRY)), 0, 2))
    LeitongSketch(folder).run(iter([]), 1, 3)
    with pytest.raises(leitong.UsageError, match="sketch all of them alike"):
        LeitongJoin(folder).run()
    for step in (LeitongJoin(folder), LeitongCluster(folder)):
        with pytest.raises(leitong.UsageError, match="runs on one rank"):
            step.run(None, 0, 2)
    with pytest.raises(leitong.UsageError, match="file system that all ranks see"):
        LeitongSketch("s3://bucket/dedup")


def test_failed_shard_leaves_no_sketch(tmp_path):
    def failing():
        yield from documents(FERRY)
        raise RuntimeError("the disk is gone")

    shard = LeitongSketch(tmp_path)
    with pytest.raises(RuntimeError, match="the disk is gone"):
        shard.run(failing())
    assert not [*(tmp_path / "sketches").glob("*.sketch"), *(tmp_path / "sketches").glob("*.json")]
    with pytest.raises(leitong.Error, match="leitong sketch ended with 2: .*no-such-profile"):
        LeitongSketch(tmp_path, profile="no-such-profile").run(iter(documents(FERRY * 50000)))
    shard.run(iter(documents(FERRY)))  # and goes again
    assert shard.stats["total"].total == 2 * len(FERRY)


def test_steps_pickle(tmp_path):
    for step in (
        LeitongSketch(tmp_path),
        LeitongJoin(tmp_path),
        LeitongCluster(tmp_path),
        LeitongApply(tmp_path),
        LeitongFilter(tmp_path / "i"),
    ):
        assert type(pickle.loads(pickle.dumps(step))) is type(step)


def test_filter_by_a_collection(shards, tmp_path):
    index = tmp_path / "index"
    with leitong.Collection.create(index, texts=True) as old:
        old.add([{"id": "old", "text": shards[0][0]["text"]}])
    for run in range(2):  # the second one, as after a crash, keeps the same
        chosen = LeitongFilter(index, exclusion_writer=JsonlWriter(str(tmp_path / f"dropped{run}")), batch_size=7)
        execute(tmp_path, f"filter{run}", JsonlReader(str(tmp_path / "in")), chosen, JsonlWriter(str(tmp_path / f"kept{run}")))
    with leitong.Collection.create(tmp_path / "expected", texts=True) as expected:
        expected.add([{"id": "old", "text": shards[0][0]["text"]}])
        outcomes = expected.add_unique([record for part in shards for record in part])
    kept, dropped = written(tmp_path / "kept0"), written(tmp_path / "dropped0")
    fates = [(record["id"], outcome) for record, outcome in zip((record for part in shards for record in part), outcomes)]
    assert [record["id"] for record in kept] == [id for id, outcome in fates if outcome.result == "new"]
    assert [(record["id"], record["metadata"]["duplicate_of"], record["metadata"]["filter_reason"]) for record in dropped] == [
        (id, outcome.match.id, "near-duplicate") for id, outcome in fates if outcome.result == "duplicate"
    ]
    assert dropped[0]["id"] == "000" and dropped[0]["metadata"]["duplicate_of"] == "old"
    assert written(tmp_path / "kept1") == kept


def test_filter_makes_its_collection_and_wants_one_rank(tmp_path):
    kept = LeitongFilter(tmp_path / "new").run(iter(documents(FERRY)))
    assert [doc.id for doc in kept] == ["0", "1"]
    with leitong.Collection(tmp_path / "new") as made:
        assert len(made) == 2 and made.about["texts"]
    with pytest.raises(leitong.UsageError, match="runs on one rank"):
        list(LeitongFilter(tmp_path / "new").run(iter([]), 0, 2))
    with pytest.raises(leitong.UsageError, match="inside run"):
        LeitongFilter(tmp_path / "new").filter(documents(FERRY)[0])
