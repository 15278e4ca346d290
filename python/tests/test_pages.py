"""Main content of web pages is that of the command line, and texts made of pages are deduplicated as texts."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import leitong
from leitong.__main__ import PROGRAM

BRIDGE = (
    "<p>The old bridge over the river is closed from Monday on, the council said, because its iron beams have rusted through in many "
    "places.</p><p>The repair takes two years and costs four million, of which the state pays the half. Until then a ferry goes every "
    "twenty minutes, from six in the morning to eleven at night, and takes bicycles for nothing.</p>"
)
SEEDS = (
    "<p>Readers of the town library can borrow seeds now, along with books, and are asked to bring some back when their plants have "
    "ripened.</p><p>The idea came from a pupil, who had seen it in another country. Beans, peas and tomatoes are easy, the librarian "
    "says, since they keep their kind; pumpkins are not, as bees mix them.</p>"
)
MENU = "<nav class=menu><ul><li><a href=/p>Politics</a></li><li><a href=/s>Sport</a></li><li><a href=/w>Weather</a></li></ul></nav>"


def paper(title, body):
    return (
        f'<html lang="en"><head><title>{title} – 船</title><link rel="canonical" href="https://paper.example/x">'
        f'<meta property="article:published_time" content="2026-03-01"></head><body>{MENU}<main><article><h1>{title}</h1>{body}'
        "</article></main><footer><p>Copyright The Paper. <a href=/i>Imprint</a></p></footer></body></html>"
    )


def gazette(title, body):
    return f"<title>{title} | Gazette</title><div class=navbar><a href=/>Start</a> <a href=/l>Local</a></div><div id=content>{body}</div><div>Terms of use</div>"


PAGES = [paper("The bridge", BRIDGE), gazette("The bridge", BRIDGE), paper("Seeds", SEEDS), MENU, "", "no markup at all"]


def of_program(command, records, tmp_path, *flags):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return subprocess.run([PROGRAM, command, path, "--html-field", "html", *flags], capture_output=True, check=True, text=True).stdout


@pytest.mark.parametrize("mode", ["main", "article", "page", "all"])
def test_as_the_command_line(mode, tmp_path):
    said = [json.loads(line) for line in of_program("extract", [{"html": page} for page in PAGES], tmp_path, "--extract", mode).splitlines()]
    found = leitong.extract(PAGES, mode)
    assert len(said) == len(found) == len(PAGES)
    for line, page in zip(said, found):
        assert (page.text, page.title, page.url, page.kind) == (line["text"], line["title"], line["url"], line["kind"])
        assert (page.date, page.language, page.model) == (line.get("date", ""), line.get("language", ""), line.get("model", ""))
        assert page.fell_back == ("fallback" in line) and page.source == line.get("fallback", page.source)
    assert [leitong.extract(page, mode) for page in PAGES] == found


def test_what_a_page_says():
    page = leitong.extract(PAGES[0])
    assert (page.title, page.url, page.date, page.language) == ("The bridge – 船", "https://paper.example/x", "2026-03-01", "en")
    assert "The old bridge over" in page.text and "Politics" not in page.text and "Imprint" not in page.text
    assert (page.kind, page.source, page.fell_back) == ("article", "chosen", False) and page.model
    menu = leitong.extract(MENU, "article")
    assert menu.fell_back and menu.source == "everything" and menu.text == "Politics\nSport\nWeather"


def test_all_that_holds_pages():
    pa, pd = pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
    expected = leitong.extract(PAGES)
    for same in (iter(PAGES), tuple(PAGES), [page.encode() for page in PAGES], pa.array(PAGES), pd.Series(PAGES)):
        assert leitong.extract(same) == expected
    assert leitong.extract(pa.table({"id": range(6), "html": PAGES}), column="html") == expected
    assert leitong.extract([None, PAGES[0]]) == [None, expected[0]] and leitong.extract([]) == []
    assert leitong.extract(PAGES * 20, threads=1) == leitong.extract(PAGES * 20, threads=5) == expected * 20


@pytest.mark.parametrize("bad", [3, {"html": "<p>"}, [3], [["<p>"]]])
def test_no_pages(bad):
    with pytest.raises(leitong.UsageError):
        leitong.extract(bad)


@pytest.mark.parametrize("pages", ["", []])
def test_no_mode(pages):
    with pytest.raises(leitong.UsageError, match="main, article, page and all"):
        leitong.extract(pages, "content")


def test_bad_utf8_and_lone_surrogates():
    assert leitong.extract(b"<p>a \xff b", "all").text == "a \ufffd b"
    assert leitong.extract("<p>a \ud800 b", "all").text == "a \ud800 b"


def records_of_pages():
    return [{"id": str(i), "html": page, "text": f"not this {i}"} for i, page in enumerate(PAGES[:3])]


@pytest.mark.parametrize("extract", ["main", "all"])
def test_dedup_of_pages(extract, tmp_path):
    records = records_of_pages()
    out = of_program("dedup", records, tmp_path, "--extract", extract, "-o", tmp_path / "out", "--quiet")
    kept = [json.loads(line)["id"] for line in (tmp_path / "out/kept.jsonl").read_text().splitlines()]
    assert out == "" and len(kept) == 2
    result = leitong.Dedup()(records, html_field="html", extract=extract)
    assert [record["id"] for record in result.selected] == kept
    assert leitong.Dedup()(PAGES[:3], html_field="html", extract=extract).keep_list == result.keep_list
    assert leitong.Dedup()(records[1:], against=records[:1], html_field="html", extract=extract).keep_list == [False, True]
    files = leitong.Dedup().files(tmp_path / "in.jsonl", tmp_path / "files", html_field="html", extract=extract)
    assert [record["id"] for record in files.selected] == kept and files.summary["pages"]["extract"] == extract
    assert (tmp_path / "files/removed.jsonl").read_bytes() == (tmp_path / "out/removed.jsonl").read_bytes()
    assert leitong.plan(records, html_field="html", extract=extract).records == 3


def test_explain_of_pages():
    result = leitong.Dedup()(records_of_pages(), html_field="html")
    found = result.explain(0, 1)
    assert found.a.text == leitong.extract(PAGES[0]).text and found.accepted == pytest.approx(found.comparison.jaccard, abs=1e-4)


def test_html_files(tmp_path):
    for i, page in enumerate(PAGES[:2]):
        (tmp_path / f"{i}.html").write_text(page)
    assert leitong.Dedup().files(tmp_path, tmp_path / "main").keep_list == [True, False]
    assert leitong.Dedup().files(tmp_path, tmp_path / "all", include=["*.html"], extract="all").summary["pages"]["extract"] == "all"


def test_pages_that_fell_back_are_a_warning():
    with pytest.warns(leitong.LeitongWarning, match="1 of 1 web pages had no main content"):
        leitong.Dedup()([MENU], html_field="html", extract="article")


def test_without_numpy():
    code = "import sys; sys.modules['numpy'] = None\nimport leitong\nassert leitong.extract(['<p>a b']) == [leitong.extract('<p>a b')]"
    subprocess.run([sys.executable, "-P", "-c", code], check=True)
