"""Dedup of records in memory, whatever holds them, is that of the command line."""

from __future__ import annotations

import json
import pickle
import subprocess

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import leitong
from conftest import SAMPLE, collections, records_of
from leitong.__main__ import PROGRAM


def run(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


def program(path, out, *flags):
    run("dedup", path, "-o", out, "--quiet", *flags)
    read = lambda name: [json.loads(line) for line in (out / f"{name}.jsonl").read_bytes().splitlines()]
    return {name: read(name) for name in ("kept", "removed", "clusters", "rejected")}


@pytest.mark.parametrize("path", collections(), ids=lambda path: path.name)
def test_as_the_command_line(path, tmp_path):
    records = records_of(path)
    said = program(path, tmp_path / "out")
    result = leitong.Dedup()(records)
    assert result.selected == said["kept"]
    assert [(d.row, d.kept_row) for d in result.filtered] == [(r["record"], r["kept_record"]) for r in said["removed"]]
    assert [d.similarity for d in result.filtered] == pytest.approx([r["similarity"] for r in said["removed"]], abs=1e-4)
    assert [d.distance for d in result.filtered] == [r["distance"] for r in said["removed"]]
    assert [list(c.rows) for c in result.clusters] == [c["records"] for c in said["clusters"]]
    assert [c.keep for c in result.clusters] == [c["keep_record"] for c in said["clusters"]]
    texts = [record["text"] for record in records]
    table = pa.Table.from_pylist(records)
    for same in (texts, table, table["text"], pl.from_arrow(table), pd.DataFrame(records), pd.Series(texts, dtype=object)):
        assert leitong.Dedup()(same).keep_list == result.keep_list, type(same)
    hexadecimal = [json.loads(line)["fp"] for line in run("fingerprint", path).splitlines()]
    for same in (texts, table["text"], pl.Series(texts), pd.Series(texts), pd.Series(texts, dtype=object)):
        assert leitong.fingerprint(same).hex() == hexadecimal


def test_all_that_holds_records(sample):
    expected = leitong.Dedup()(sample)
    kept = expected.selected
    kept_texts = [record["text"] for record in kept]
    assert 0 < len(kept) < len(sample)
    table = pa.Table.from_pylist(sample)
    for frame in (pd.DataFrame(sample), pd.DataFrame(sample).astype(object), pd.DataFrame(sample, index=range(100, 100 + len(sample)))):
        found = leitong.Dedup()(frame).selected
        assert isinstance(found, pd.DataFrame) and found["text"].tolist() == kept_texts
        assert found.index.tolist() == frame.index[expected.keep_mask].tolist()
    found = leitong.Dedup()(pl.DataFrame(sample)).selected
    assert isinstance(found, pl.DataFrame) and found["text"].to_list() == kept_texts
    assert leitong.Dedup()(pl.DataFrame(sample).lazy()).selected["text"].to_list() == kept_texts
    for same in (table, table.slice(0), pa.concat_tables([table.slice(0, 7), table.slice(7)])):
        found = leitong.Dedup()(same).selected
        assert isinstance(found, pa.Table) and found.to_pylist() == table.take(np.flatnonzero(expected.keep_mask)).to_pylist()
    assert leitong.Dedup()(table.slice(5)).keep_list == leitong.Dedup()(sample[5:]).keep_list
    assert leitong.Dedup()(pa.RecordBatch.from_pylist(sample)).keep_list == expected.keep_list
    for column in (table["text"], pd.Series([r["text"] for r in sample]), pl.Series([r["text"] for r in sample])):
        found = leitong.Dedup()(column)
        assert found.keep_list == expected.keep_list and type(found.selected) is type(column)
        assert leitong.Dedup()(column, text="body").keep_list == expected.keep_list
    assert leitong.Dedup()(np.array([r["text"] for r in sample])).keep_list == expected.keep_list


def test_dataset(sample):
    datasets = pytest.importorskip("datasets")
    expected = leitong.Dedup()(sample)
    dataset = datasets.Dataset.from_list(sample)
    found = leitong.Dedup()(dataset).selected
    assert isinstance(found, datasets.Dataset) and list(found["id"]) == [record.get("id") for record in expected.selected]
    shuffled = dataset.shuffle(seed=1)
    again = leitong.Dedup(keep="first")(shuffled)
    assert again.keep_list == leitong.Dedup(keep="first")([dict(r) for r in shuffled]).keep_list


def test_results(sample):
    result = leitong.Dedup()(sample)
    counts = result.counts
    assert counts["kept"] + counts["removed"] == len(sample) == len(result)
    assert result.keep_mask.dtype == bool and result.keep_mask.tolist() == result.keep_list
    assert result.duplicate_ratio == counts["removed"] / len(sample)
    assert 0 < result.exact_duplicate_ratio < result.duplicate_ratio
    assert result.exact_duplicate_ratio == sum(d.exact for d in result.filtered) / len(sample)
    first = result.filtered[0]
    assert first.record == sample[first.row] and first.kept == sample[first.kept_row] and result.keep_list[first.kept_row]
    cluster = result.clusters[0]
    assert cluster.records == [sample[row] for row in cluster.rows] and cluster.keep in cluster.rows
    table = result.to_arrow()
    assert table["keep"].to_pylist() == result.keep_list and table["kept_row"][first.row].as_py() == first.kept_row
    assert "records kept" in result._repr_html_() and "kept" in repr(result)
    with pytest.raises(TypeError, match="keep_mask"):
        pickle.dumps(result)


def test_report_and_explain(sample, tmp_path):
    result = leitong.Dedup()(sample)
    page = result.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<html" in page and sample[result.clusters[0].keep]["text"][:12] in page
    assert result.summary["kept"] == result.counts["kept"]
    pair = result.filtered[0]
    for a, b in [(pair.row, pair.kept_row), (sample[pair.row]["id"], sample[pair.kept_row]["id"])]:
        why = result.explain(a, b)
        assert why.a.cluster == why.b.cluster and why.accepted == pytest.approx(pair.similarity, abs=1e-4)
        assert why.comparison.jaccard == pytest.approx(pair.similarity, abs=1e-3) and why.chain
        assert "one cluster" in why._repr_html_()
    kept = [row for row, keep in enumerate(result.keep_list) if keep]
    assert result.explain(kept[0], kept[-1]).accepted is None
    with pytest.raises(leitong.UsageError):
        result.explain(0, 10_000)


def test_bad_records():
    result = leitong.Dedup()(["one two three", None, "One Two Three", b"\xff\xfe", ""])
    assert result.keep_list == [True, False, False, False, True]
    assert [row for row, _ in result.rejected] == [1, 3] and result.counts["rejected"] == 2
    assert result.selected == ["one two three", ""] and result.duplicate_ratio == 1 / 3
    dicts = leitong.Dedup()([{"text": "a b c"}, {"id": 4}, {"text": 7}])
    assert dicts.keep_list == [True, False, False]


@pytest.mark.parametrize("bad", ["text", {"text": "a"}, 7, [1, 2], ["a", {"text": "b"}]])
def test_no_records(bad):
    with pytest.raises(leitong.UsageError):
        leitong.Dedup()(bad)


def test_no_records_at_all():
    for empty in ([], pd.DataFrame({"text": []}, dtype=object), pl.DataFrame({"text": []}, schema={"text": pl.String})):
        result = leitong.Dedup()(empty)
        assert len(result) == 0 and len(result.selected) == 0 and result.duplicate_ratio == 0 and result.clusters == []


def test_fields():
    body = "The ferry to the island leaves at nine and comes back at five."
    records = [
        {"meta": {"body": body, "date": "2020"}, "n": 1},
        {"meta": {"body": body + "!", "date": "2024"}, "n": 3},
        {"meta": {"body": body.upper(), "date": "2022"}, "n": 2},
    ]
    for keep, row in [("meta.date:newest", 1), ("meta.date:oldest", 0), ("n:max", 1), ("n:2>1", 2), ("last", 2), ("first", 0)]:
        for held in (records, pa.Table.from_pylist(records), pl.DataFrame(records)):
            result = leitong.Dedup(keep=keep)(held, text="meta.body")
            assert result.keep_list == [i == row for i in range(3)], (keep, type(held))
    two = [{"title": "One title", "body": body}, {"title": "Another title", "body": body}]
    assert leitong.Dedup(0.99)(two, text=["title", "body"]).counts["kept"] == 2
    assert leitong.Dedup(0.99)(two, text="body").counts["kept"] == 1


def test_against(sample, tmp_path):
    texts = [record["text"] for record in sample]
    old, new = texts[::2], texts[1::2]
    (tmp_path / "old.jsonl").write_text("".join(json.dumps({"text": t}) + "\n" for t in old))
    (tmp_path / "new.jsonl").write_text("".join(json.dumps({"text": t}) + "\n" for t in new))
    said = program(tmp_path / "new.jsonl", tmp_path / "out", "--against", tmp_path / "old.jsonl")
    for against in (old, pa.array(old), tmp_path / "old.jsonl"):
        result = leitong.Dedup()(new, against=against)
        assert result.selected == [r["text"] for r in said["kept"]]
    assert result.counts["removed_for_old"] > 0
    assert any(d.kept is None for d in result.filtered)


def test_settings(sample):
    texts = [record["text"] for record in sample]
    assert leitong.Dedup(0.99)(texts).counts["removed"] < leitong.Dedup(0.3)(texts).counts["removed"]
    assert leitong.Dedup(k=3, verify="none")(texts).counts["removed"] > 0
    assert leitong.Dedup(verify="sketch", memory="64M", threads=2, recall=(0.95, 0.7))(texts).counts["removed"] > 0
    dedup = leitong.Dedup(0.7, keep="first")
    assert pickle.loads(pickle.dumps(dedup)) == dedup and dedup.rethreshold(0.8).threshold == 0.8 and dedup.rethreshold(0.8).keep == "first"
    for bad in ({"verify": "maybe"}, {"keep": "nicest"}, {"profile": "nothing"}, {"k": 40}, {"memory": "much"}):
        with pytest.raises(leitong.UsageError):
            leitong.Dedup(**bad)(texts)


@pytest.mark.parametrize("flags", [{}, {"compression": "gz"}, {"compression": "zst"}, {"annotate": True}, {"layout": "input"}])
def test_files_are_those_of_the_command_line(flags, tmp_path):
    words = {"compression": lambda v: ["--output-compression", v], "annotate": lambda _: ["--annotate"]}
    words["layout"] = lambda v: ["--output-layout", v]
    arguments = [word for name, value in flags.items() for word in words[name](value)]
    subprocess.run([PROGRAM, "dedup", SAMPLE, "-o", tmp_path / "program", "--quiet", *arguments], check=True)
    result = leitong.Dedup().files(SAMPLE, tmp_path / "package", **flags)
    files = sorted(p.relative_to(tmp_path / "program") for p in (tmp_path / "program").rglob("*") if p.is_file())
    for name in files:
        if name.name != "run.json" and not name.name.startswith("."):
            assert (tmp_path / "package" / name).read_bytes() == (tmp_path / "program" / name).read_bytes(), name
    again = leitong.read_report(tmp_path / "program")
    assert again.counts == result.counts and again.keep_list == result.keep_list
    assert [c.rows for c in again.clusters] == [c.rows for c in result.clusters]
    assert result.output_dir == tmp_path / "package" and len(result.filtered) == result.counts["removed"]
    if not flags:
        assert len(list(result.selected)) == result.counts["kept"]
        assert pickle.loads(pickle.dumps(result)).keep_list == result.keep_list
        assert len(leitong.restore(tmp_path / "package")) == result.counts["removed"]
        pair = result.filtered[0]
        assert result.explain(pair.row, pair.kept_row).chain and pair.record == "en-001"
        assert result.report(tmp_path / "r.html").read_bytes() == (tmp_path / "program" / "report.html").read_bytes()


def test_files_say_what_is_wrong(tmp_path):
    with pytest.raises(leitong.StoreIOError):
        leitong.Dedup().files(tmp_path / "nothing.jsonl", tmp_path / "out")
    leitong.Dedup().files(SAMPLE, tmp_path / "out")
    with pytest.raises(leitong.UsageError):
        leitong.Dedup().files(SAMPLE, tmp_path / "out")
    leitong.Dedup().files(SAMPLE, tmp_path / "out", overwrite=True)
    with pytest.raises(leitong.UsageError):
        leitong.read_report(tmp_path)


def test_plan_overlap_calibrate(sample, tmp_path):
    assert leitong.plan(SAMPLE).records == leitong.plan(sample).records == len(sample)
    texts = [record["text"] for record in sample]
    found = leitong.overlap(texts, [" ".join(t.split()[:30]) for t in texts if len(t.split()) > 30], tmp_path / "overlap", span=14)
    assert found.contained > 0 and len(list(found.matches())) == found.pairs
    drawn = leitong.calibrate(sample, tmp_path / "cal", least_similarity=0.3)
    assert drawn.pairs and drawn.pairs[0].a
    estimate = drawn.estimate({pair.number: "yes" for pair in drawn.pairs}, precision=0.5)
    assert estimate.findings and estimate.figures
    if estimate.rule:
        leitong.Dedup(rule=str(estimate.rule))(sample)
    with pytest.raises(leitong.UsageError):
        drawn.estimate({1: "perhaps"})


def test_rule_and_profile_by_path(texts, tmp_path):
    (tmp_path / "rule.toml").write_text(leitong.rule("near-2").toml)
    (tmp_path / "profile.toml").write_text(leitong.profile("leitong-1").toml)
    by_path = leitong.Dedup(rule=tmp_path / "rule.toml", profile=str(tmp_path / "profile.toml"))(texts)
    assert by_path.keep_list == leitong.Dedup()(texts).keep_list
