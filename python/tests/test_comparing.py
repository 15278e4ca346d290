"""compare, explain and segment say what the command line says."""

from __future__ import annotations

import json
import subprocess

import pytest

import leitong
from leitong.__main__ import PROGRAM

A = "The ferry leaves the island at nine, and comes back <b>at five</b> in the afternoon."
B = "The ferry leaves the island at nine, and comes back <b>at six</b> in the evening."


def test_compare_as_the_command_line(tmp_path):
    (tmp_path / "a").write_text(A)
    (tmp_path / "b").write_text(B)
    out = subprocess.run([PROGRAM, "compare", "--json", tmp_path / "a", tmp_path / "b"], capture_output=True, text=True).stdout
    said, found = json.loads(out), leitong.compare(A, B)
    same = ["distance", "jaccard", "containment", "lcs", "edit_distance", "threshold", "cosine", "character_edits", "edit_similarity"]
    assert {name: said[name] for name in same} == pytest.approx({name: getattr(found, name) for name in same})
    assert "".join(run.a for run in found.diff) == A and "".join(run.b for run in found.diff) == B


def test_html_is_escaped():
    page = leitong.compare(A, B)._repr_html_()
    assert "&lt;b&gt;" in page and "<b>at" not in page and "<del" in page and "<ins" in page
    assert "nine" in leitong.explain("at nine", "at <i>ten")._repr_html_()


def test_explain(texts):
    for a, b in zip(texts, texts[1:]):
        found = leitong.explain(a, b)
        distance = leitong.compare(a, b).distance
        assert len(found.bits) == (distance or 0)
    assert leitong.explain("", "a b").bits == ()


def test_rule_and_profile():
    assert leitong.compare("one two three four", "one two three five", rule=leitong.rule("near-1")).threshold > 0
    assert leitong.profile(leitong.profiles()[1].name) == leitong.profiles()[1]
    own = leitong.Profile("mine", 64, None, leitong.profile("leitong-1").toml.replace("short-tokens = 50", "short-tokens = 40"))
    assert leitong.fingerprint(["a b"], profile=own).profile_id != leitong.fingerprint(["a b"]).profile_id
    with pytest.raises(ValueError, match="no profile"):
        leitong.profile("nothing")
    with pytest.raises(leitong.FormatError):
        leitong.compare("a", "b", rule="name = \n")


def test_segment():
    words = leitong.segment(["他来到了网易杭研大厦", None])
    assert [w.text for w in words[0]] == ["他", "来到", "了", "网易", "杭研", "大厦"] and words[1] is None
    assert {w.part_of_speech for w in words[0]} >= {"r", "v"}


def test_arguments():
    with pytest.raises(leitong.UsageError, match="b must be a str"):
        leitong.compare("a", 3)
