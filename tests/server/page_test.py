"""The page of the server in a real browser: what a person does with it, with mouse and keyboard, on wide and narrow screens.

    page_test.py --program LEITONG --venv DIRECTORY [--screenshots DIRECTORY] [NAME...]

Playwright drives Debian's Chromium; axe looks for what people with other senses or hands would miss. Without Chromium, or without PyPI
to get Playwright, axe and pyarrow from: skipped, aloud (77).
"""

import argparse
import base64
import gzip
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

import environment

parser = argparse.ArgumentParser()
parser.add_argument("--program", required=True)
parser.add_argument("--venv", type=pathlib.Path, required=True)
parser.add_argument("--screenshots", type=pathlib.Path)
parser.add_argument("names", nargs="*")
arguments = parser.parse_args()
chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if chromium is None:
    print("skipped: there is no Chromium (Debian: chromium)")
    sys.exit(77)
environment.enter(arguments.venv, ("playwright==1.65.2", "axe-playwright-python==0.1.8", "pyarrow==26.0.1"), ("playwright", "axe_playwright_python", "pyarrow"))

import pyarrow  # noqa: E402
import pyarrow.parquet  # noqa: E402
from axe_playwright_python.sync_playwright import Axe  # noqa: E402
from playwright.sync_api import expect, sync_playwright  # noqa: E402

from running import Server, text, until  # noqa: E402

expect.set_options(timeout=60_000)
FERRY = "Night ferry to Harrow Island starts in June\nThe harbour office will run a night boat between Port Sandel and Harrow Island from the first " \
        "Friday of June. The boat leaves the east pier at 22:40 and arrives shortly after midnight. Until now the last crossing of the day was at " \
        "seven in the evening, which left concert visitors and hospital staff stranded. Tickets cost four crowns, bicycles travel free, and dogs " \
        "need a lead. The trial lasts until the end of September; if fewer than sixty people a night use it, the council wants to stop the service again."
METRO = "市轨道交通公司昨日宣布,地铁九号线将于今年十二月三十日开通试运营。新线全长三十一公里,设二十二座车站,从北部的石桥镇一直通到南部的海湾新区,全程约四十八分钟。其中大学城站和人民医院站可以换乘其他线路"
EVIL = "<img src=x onerror=\"window.hacked = 1\"><script>window.hacked = 2</script> </textarea> {{7*7}}"


class Visit:
    """A page of a server, in a browser of its own, that saw no error and went nowhere else."""

    def __init__(self, browser, server, path="/", language="en", **options):
        self.server = server
        self.context = browser.new_context(locale=language, permissions=["clipboard-read", "clipboard-write"], **options)
        self.page = self.context.new_page()
        self.wrong = []
        self.expected = []  # parts of errors that the test provokes
        self.page.on("console", lambda one: self.wrong.append(one.text) if one.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", lambda request: self.wrong.append(request.url) if not request.url.startswith(self.origin) else None)
        self.origin = f"http://127.0.0.1:{server.port}"
        self.page.goto(self.origin + path)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            wrong = [one for one in self.wrong if not any(part in one for part in self.expected)]
            assert not wrong, wrong
            assert self.page.evaluate("window.hacked") is None
        self.context.close()

    def find(self, what):
        self.page.get_by_label("Text", exact=True).fill(what)
        self.page.get_by_role("button", name="Find near-duplicates").click()
        expect(self.page.locator("#find-state")).not_to_have_text("Working …")

    def add(self, name, content):
        """Drops a file onto the page."""
        self.page.evaluate("""([name, bytes]) => {
            const data = new DataTransfer();
            data.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name));
            document.getElementById("drop").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
        }""", [name, base64.b64encode(content).decode()])

    def counts(self, of="counts"):
        return self.page.evaluate("""(id) => Object.fromEntries([...document.querySelectorAll("#" + id + " dt")].map(
            (one) => [one.textContent, Number(one.nextSibling.textContent.replace(/[^0-9]/g, ""))]))""", of)

    def require_accessible(self):
        found = Axe().run(self.page)
        assert found.violations_count == 0, found.generate_report()

    def require_fits(self):
        wide = self.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        assert wide[0] <= wide[1], f"the page is {wide[0]} wide on a screen of {wide[1]}"

    def shoot(self, name):
        if arguments.screenshots:
            arguments.screenshots.mkdir(parents=True, exist_ok=True)
            self.page.wait_for_timeout(300)
            self.page.screenshot(path=arguments.screenshots / f"{name}.png", full_page=True)


def lines_of(documents):
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in documents).encode()


def everything_open(visit, what=FERRY, explain=True):
    """The page with matches, an explanation and an open group."""
    page = visit.page
    page.locator("#text").fill(what)
    page.locator("#find button[type=submit]").click()
    expect(page.locator("#matches article")).not_to_have_count(0)
    if explain:
        page.locator("#matches .why").first.click()
        expect(page.locator("#matches .bits i")).to_have_count(64)
    page.locator("#groups summary").first.click()
    expect(page.locator("#groups article ins").first).to_be_visible()


def test_the_sample_is_shown_at_once(on):
    with on.server("--sample") as server, on.visit(server) as visit:
        page = visit.page
        expect(page.locator("#about")).to_contain_text("documents · leitong-1 · texts are kept")
        expect(page.locator("#groups > li")).to_have_count(10)
        first = page.locator("#groups details").first
        expect(first).to_contain_text("Night ferry to Harrow Island starts in June")
        first.locator("summary").click()
        expect(first.locator("article").first.get_by_text("kept")).to_be_visible()
        expect(first.locator("article")).to_have_count(4)
        expect(first.locator("article").nth(1).locator("ins, del").first).to_be_visible()
        page.get_by_role("button", name="On", exact=True).click()
        expect(page.locator("#page")).to_contain_text("2 /")
        page.get_by_role("button", name="Back", exact=True).click()
        expect(page.locator("#page")).to_contain_text("1 /")
        page.get_by_role("button", name="Take one of the collection").click()
        expect(page.locator("#matches article").first).to_contain_text("the same text")


def test_a_pasted_text_is_compared(on):
    with on.server("--sample") as server, on.visit(server) as visit:
        page = visit.page
        visit.find(FERRY)
        match = page.locator("#matches article").filter(has_text="en-001")
        expect(match).to_contain_text("similar")
        expect(match.locator("del").first).to_have_text("boat")
        expect(match.locator("ins").first).to_have_text("ferry")
        while match.locator(".text button").count():  # what both have is shortened until it is asked for
            match.locator(".text button").first.click()
        # What is not marked as only in one of them makes both of them.
        runs = match.locator(".text").evaluate("(p) => [...p.childNodes].map((one) => [one.nodeName, one.textContent])")
        assert "".join(run[1] for run in runs if run[0] != "INS") == FERRY, runs
        match.get_by_role("button", name="Why?").click()
        expect(match.locator(".bits i")).to_have_count(64)
        differing = int(match.locator(".facts").inner_text().split(" bits differ")[0].split()[-1])
        expect(match.locator(".bits i.on")).to_have_count(differing)
        expect(match.locator("tbody tr").first).to_be_visible()
        visit.find(METRO)
        expect(page.locator("#matches article").first.locator("del").first).to_be_visible()
        expect(page.locator("#matches article").first).to_contain_text("地铁九号线")
        visit.find("Nothing of this kind was ever said by anybody on this side of the river.")
        expect(page.locator("#find-state")).to_have_text("Nothing like it is there.")
        expect(page.locator("#matches article")).to_have_count(0)


def test_the_line_of_curl_does_the_same(on):
    with on.server("--sample") as server, on.visit(server) as visit:
        page = visit.page
        visit.find("It's \"quoted\" $HOME `x` \\ " + FERRY)
        line = page.locator("#find-curl code").inner_text()
        page.locator("#find-curl button").click()
        assert page.evaluate("navigator.clipboard.readText()") == line
        done = subprocess.run(["bash", "-c", line + " -sS"], capture_output=True, text=True, check=True)
        ids = [match["id"] for match in json.loads(done.stdout)["matches"]]
        expect(page.locator("#matches h3")).to_have_text(ids)
        assert ids
        for curl in ("#clusters-curl",):
            done = subprocess.run(["bash", "-c", page.locator(curl + " code").inner_text() + " -sS"], capture_output=True, text=True, check=True)
            assert json.loads(done.stdout)["clusters"], done


def test_files_are_dropped(on):
    documents = [{"id": f"d{i}", "text": text(i)} for i in range(6000)]
    documents[3000:3000] = [{"id": "twice", "text": text(7) + " more"}, {"text": "no id"}, {"id": "d1", "text": text(1)}]
    whole = {"read": 6003, "added": 6000, "refused as duplicates": 2, "bad records": 1}
    with on.server() as server, on.visit(server) as visit:
        page = visit.page
        expect(page.locator("#where-state")).to_have_text("There is no collection yet. Make one to begin.")
        page.get_by_label("Name").fill("mine")
        page.get_by_role("button", name="Make it").click()
        expect(page.locator("#about")).to_contain_text("0 documents")
        visit.add("documents.jsonl", lines_of(documents))
        seen = set()
        until(lambda: seen.add(visit.counts().get("read", 0)) or visit.page.locator("#stop").is_disabled() and visit.counts()["read"] == 6003, "not all is read")
        assert len(seen) > 2, f"the counts were not live: {seen}"
        counts = visit.counts()
        assert {name: counts[name] for name in whole} == whole, counts
        expect(page.locator("#about")).to_contain_text("6,000 documents")
        expect(page.locator("#events")).to_contain_text("twice resembles d7")
        expect(page.locator("#events")).to_contain_text("line 3,002: the id is missing")
        expect(page.locator("#events")).to_contain_text("d1 stands under its own id already")
        visit.add("again.jsonl.gz", gzip.compress(lines_of(documents[:50])))
        expect(page.locator("#add-state")).to_have_text("again.jsonl.gz")
        assert visit.counts()["refused as duplicates"] == 50, visit.counts()
        expect(page.locator("#add-curl code")).to_contain_text("--data-binary '@again.jsonl.gz'")
        visit.expected.append("422")
        visit.add("not.parquet", b"PAR1 and nothing more")
        expect(page.locator("#add-state.bad")).to_contain_text("Parquet file")


def test_parquet_is_dropped(on):
    with on.server() as server:
        c = server.collection("mine", texts=True)
        table = pyarrow.table({"other": list(range(5000)), "id": [f"p{i}" for i in range(5000)], "text": [text(i) if i != 70 else None for i in range(5000)]})
        path = on.directory / "documents.parquet"
        pyarrow.parquet.write_table(table, path, row_group_size=700)
        with on.visit(server) as visit:
            expect(visit.page.locator("#about")).to_contain_text("0 documents")
            visit.page.locator("#file").set_input_files(path)
            expect(visit.page.locator("#add-state")).to_have_text("documents.parquet")
            counts = visit.counts()
            assert counts["added"] == 4999 and counts["bad records"] == 1, counts
            expect(visit.page.locator("#events")).to_contain_text("line 71")
        assert server.json("GET", c + "/documents/p123")["text"] == text(123)
        numbers = pyarrow.table({"id": [1, 2], "text": ["one text", "another text"]})
        pyarrow.parquet.write_table(numbers, path)
        status, _, read = server.ask("POST", c + "/documents", path.read_bytes(), Content_Type="application/vnd.apache.parquet")
        assert status == 200 and [json.loads(line).get("id") for line in read.splitlines()] == ["1", "2", None], read
        pyarrow.parquet.write_table(pyarrow.table({"id": ["x"], "words": ["y"]}), path)
        status, _, read = server.ask("POST", c + "/documents", path.read_bytes(), Content_Type="application/vnd.apache.parquet")
        assert status == 422 and json.loads(read)["type"] == "/problems/parquet", read


def test_a_file_is_stopped(on):
    with on.server() as server:
        server.collection("mine", texts=True)
        with on.visit(server) as visit:
            expect(visit.page.locator("#about")).to_contain_text("0 documents")
            visit.add("long.jsonl", lines_of({"id": f"d{i}", "text": text(i)} for i in range(15_000)))
            until(lambda: visit.counts().get("added", 0) > 0, "nothing is added")
            visit.page.get_by_role("button", name="Stop").click()
            expect(visit.page.locator("#add-state")).to_have_text("Stopped. What was answered is in the collection.")
            assert 0 < visit.counts()["added"] < 15_000


def test_numbers_are_live(on):
    with on.server("--sample") as server, on.visit(server) as visit:
        until(lambda: "questions" in visit.counts("numbers"), "there are no numbers")
        before = visit.counts("numbers")["questions"]
        for _ in range(3):
            server.json("POST", "/v1/collections/sample/query", {"text": FERRY})
        until(lambda: visit.counts("numbers")["questions"] == before + 3, "the numbers stand still")


def test_groups_are_computed(on):
    with on.server() as server:
        c = server.collection("mine", texts=True)
        server.lines(c + "/documents", [{"id": "a", "text": text(1)}, {"id": "b", "text": text(1) + " more"}, {"id": EVIL, "text": text(1) + EVIL}])
        with on.visit(server) as visit:
            expect(visit.page.locator("#clusters-state")).to_have_text("They were not computed yet.")
            visit.page.get_by_role("button", name="Compute them").click()
            expect(visit.page.locator("#clusters-state")).to_have_text("1 groups, 3 documents")
            visit.page.locator("#groups summary").click()
            expect(visit.page.locator("#groups article")).to_have_count(3)
            expect(visit.page.locator("#groups article").filter(has_text=EVIL[:20])).not_to_have_count(0)
            visit.find(text(1) + EVIL)
            expect(visit.page.locator("#matches")).to_contain_text("<script>")


def test_with_the_keyboard_alone(on):
    with on.server("--sample") as server, on.visit(server) as visit:
        page = visit.page
        expect(page.locator("#groups > li")).to_have_count(10)

        def go_to(selector, most=60):
            for _ in range(most):
                if page.evaluate("(s) => document.activeElement === document.querySelector(s)", selector):
                    assert page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle !== 'none'"), f"{selector}: no focus is seen"
                    return
                page.keyboard.press("Tab")
            raise AssertionError(f"{selector} is not reached by Tab")
        go_to("#text")
        page.keyboard.insert_text(FERRY)
        page.keyboard.press("Control+Enter")
        expect(page.locator("#matches article")).not_to_have_count(0)
        go_to("#matches .why")
        page.keyboard.press("Enter")
        expect(page.locator("#matches .bits").first).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.locator("#matches .bits")).to_have_count(0)
        go_to("#groups summary")
        page.keyboard.press("Enter")
        expect(page.locator("#groups article").first).to_be_visible()
        page.keyboard.press("Control+Home")
        page.evaluate("document.activeElement.blur()")
        go_to("#language")
        page.keyboard.press("Space")
        expect(page.locator("#find-title")).to_have_text("有没有类似的文本？")


def test_keys(on):
    made = {}
    file = on.directory / "keys.txt"
    for name, scopes in (("reader", "read"), ("writer", "read,write,metrics")):
        said = subprocess.run([arguments.program, "serve", "--new-key", name, "--scopes", scopes], capture_output=True, text=True, check=True).stdout
        made[name] = said.split()[1]
        with file.open("a") as out:
            out.write(said.splitlines()[1].removeprefix("line").strip() + "\n")
    with on.server("--sample", "--keys", str(file)) as server, on.visit(server) as visit:
        visit.expected += ["401", "403"]
        expect(visit.page.locator("#where-state.bad")).to_contain_text("a key is needed")
        visit.page.get_by_label("Key").fill(made["reader"])
        visit.page.keyboard.press("Enter")
        expect(visit.page.locator("#groups > li")).to_have_count(10)
        visit.find(FERRY)
        expect(visit.page.locator("#matches article")).not_to_have_count(0)
        assert made["reader"] not in visit.page.content() and "Bearer KEY" in visit.page.locator("#find-curl code").inner_text()
        visit.add("one.jsonl", lines_of([{"id": "x", "text": "y"}]))
        expect(visit.page.locator("#add-state.bad")).to_contain_text("scope")


def test_everybody_can_use_it(on):
    with on.server("--sample") as server:
        for scheme in ("light", "dark"):
            with on.visit(server, color_scheme=scheme, viewport={"width": 1280, "height": 900}) as visit:
                expect(visit.page.locator("#groups > li")).to_have_count(10)
                visit.shoot(f"begin-{scheme}")
                visit.require_accessible()
                everything_open(visit)
                visit.shoot(f"wide-{scheme}")
                visit.require_accessible()
                back = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
                dark = sum(map(int, back.removeprefix("rgb(").rstrip(")").split(","))) < 200
                assert dark == (scheme == "dark"), back
            with on.visit(server, "/docs", color_scheme=scheme, viewport={"width": 1280, "height": 900}) as visit:
                expect(visit.page.locator("article")).not_to_have_count(0)
                visit.shoot(f"docs-{scheme}")
                visit.require_accessible()


def test_narrow_and_chinese(on):
    with on.server("--sample") as server:
        for language, what in (("en", FERRY), ("zh-CN", METRO)):
            with on.visit(server, language=language, viewport={"width": 375, "height": 800}) as visit:
                expect(visit.page.locator("#groups > li")).to_have_count(10)
                visit.require_fits()
                everything_open(visit, what)
                visit.add("x.jsonl", lines_of([{"id": "a" * 300, "text": "x" * 500}, {"id": "b" * 300, "text": FERRY}]))
                expect(visit.page.locator("#add-state")).to_have_text("x.jsonl")
                visit.require_fits()
                visit.require_accessible()
                visit.shoot(f"narrow-{language}")
                assert visit.page.evaluate("document.documentElement.lang") == language
        with on.visit(server, language="zh-CN", viewport={"width": 1280, "height": 900}) as visit:
            expect(visit.page.locator("#find-title")).to_have_text("有没有类似的文本？")
            everything_open(visit, METRO)
            # Every word of the page is said in Chinese, but for names.
            for one in visit.page.locator("[data-say]").all_inner_texts():
                assert one == "" or any("\u4e00" <= c <= "\u9fff" for c in one), one
            visit.shoot("wide-zh")
        for width in (320, 375, 768):
            with on.visit(server, "/docs", viewport={"width": width, "height": 800}) as visit:
                expect(visit.page.locator("article")).not_to_have_count(0)
                visit.require_fits()
                visit.shoot(f"docs-{width}")


class On:
    def __init__(self, browser, directory):
        self.browser, self.directory = browser, pathlib.Path(directory)

    def server(self, *flags):
        return Server(arguments.program, self.directory, *flags)

    def visit(self, server, *given, **options):
        return Visit(self.browser, server, *given, **options)


def main():
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_") and (not arguments.names or name in arguments.names)]
    assert tests, "there is no such test"
    failed = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, test in tests:
            begun = time.monotonic()
            with tempfile.TemporaryDirectory(prefix="leitong-page-") as directory:
                try:
                    test(On(browser, directory))
                    print(f"passed {name} {time.monotonic() - begun:.1f} s", flush=True)
                except Exception as error:  # the others are run all the same
                    traceback.print_exc()
                    failed += 1
                    print(f"FAILED {name}: {str(error)[:2000]}", flush=True)
        browser.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
