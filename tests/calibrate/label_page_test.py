"""The pages of `leitong calibrate` in a real browser: label pairs with keys, close the browser, go on, save, and give the labels to the program.

    label_page_test.py --program LEITONG [--screenshots DIR]

Exits with 77 (skipped) where there is no Chromium.
"""

import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

import browser

EVIL = ("</script><script>window.hacked = 1</script>", "</template><img src=x onerror='window.hacked = 2'>", "<b onmouseover=alert(1)>&amp;</b>",
        "\u202e\u0007\u0001\u001b[31m", "]]><!--", "{{7*7}} ${window.hacked=3}")
WORDS = "harbour notice ferry winter timetable passengers island morning evening ticket office weather storm council bridge road".split()
CHINESE = "关于进一步加强城市公园绿地管理工作的通知各有关单位现将有关事项说明如下请认真贯彻执行"


def collection(path):
    """Families of edited copies: pairs of all similarities, in English and Chinese, some with texts that would harm a careless page."""
    chance = random.Random(5)
    with path.open("w", encoding="utf-8") as out:
        number = 0
        for family in range(24):
            if family % 3 == 2:
                base = [c + str(family) if i % 9 == 0 else c for i, c in enumerate(CHINESE * 2)]
                glue = ""
            else:
                base = [chance.choice(WORDS) + chance.choice(["", "s", str(family)]) for _ in range(90)]
                glue = " "
            for edits in (0, 2, 5, 9, 14):
                words = list(base)
                for place in chance.sample(range(len(words)), edits):
                    words[place] = f"edit{family}{place}"
                text = glue.join(words) + " " + EVIL[family % len(EVIL)]
                out.write(json.dumps({"id": f"<i>{number}</i>", "text": text}, ensure_ascii=number % 2 == 0) + "\n")
                number += 1


def clopper_pearson(yes, labels):
    """By bisection of exact binomial tails: shares no code with the program."""
    def tail(p, least):
        return sum(math.comb(labels, i) * p ** i * (1 - p) ** (labels - i) for i in range(least, labels + 1))

    def solve(least, share):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if tail(middle, least) < share else (low, middle)
        return low
    return (solve(yes, 0.025) if yes else 0.0, solve(yes + 1, 0.975) if yes < labels else 1.0)


class Test:
    def __init__(self, program, work, screenshots):
        self.program, self.work, self.screenshots = program, work, screenshots
        self.directory = work / "cal"
        self.downloads = work / "downloads"
        self.downloads.mkdir()

    def leitong(self, *arguments, expected=0):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, check=False)
        assert done.returncode == expected, f"{arguments}: exit {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def start(self):
        return browser.Browser(self.work / "profile", self.downloads)

    def url(self, name):
        return (self.directory / name).as_uri()

    def shoot(self, page, name, whole=False):
        if self.screenshots:
            page.screenshot(self.screenshots / f"{name}.png", whole)

    def run(self):
        records = self.work / "records.jsonl"
        collection(records)
        self.leitong("calibrate", records, "-o", self.directory, "--per-band", 60, "--seed", 3, "--least-similarity", "0.3", "--quiet")
        self.sample = json.loads((self.directory / "sample.json").read_text())
        self.pairs = [json.loads(line) for line in (self.directory / "pairs.jsonl").open(encoding="utf-8")]
        assert len(self.pairs) > 40, len(self.pairs)
        # What a person would say: by the share of edited words, which the texts show.
        self.answers = {p["pair"]: "yes" if self.similarity(p["pair"]) > 0.72 else "no" for p in self.pairs}
        for unsure in list(self.answers)[5::17]:
            self.answers[unsure] = "unsure"
        self.check_blind()
        self.label_some()
        self.label_the_rest()
        self.load()
        self.check_numbers()
        self.check_narrow()

    def similarity(self, pair):
        return self.sample["pairs"][pair - 1]["similarity"]

    def check_blind(self):
        page = (self.directory / "label.html").read_text(encoding="utf-8")
        for pair in self.sample["pairs"]:
            for digits in (f"{pair['similarity']:.4f}", f"{pair['similarity']:.3f}"):
                assert pair["similarity"] == 1 or digits not in page, "the page tells the similarity"
        steps = [self.sample["cells"][p["cell"]]["step"] for p in self.sample["pairs"]]
        assert steps != sorted(steps) and steps != sorted(steps, reverse=True), "the order tells the similarity"

    def label_some(self):
        chromium = self.start()
        page = chromium.open(self.url("label.html"))
        page.resize(1200, 900)
        total = len(self.pairs)
        assert page.text("#count") == f"0 of {total} labelled", page.text("#count")
        self.check_texts(page)
        self.shoot(page, "label-1200-light")
        for pair in (1, 2, 3):
            page.press(self.answers[pair][0])
        assert page.text("#which") == f"Pair 4 of {total}", page.text("#which")
        assert page.text("#count") == f"3 of {total} labelled"
        page.press("ArrowLeft")  # back: change the third, and forth again
        assert page.evaluate(f"document.getElementById('{self.answers[3]}').getAttribute('aria-pressed')") == "true"
        page.press("u")
        assert page.text("#which") == f"Pair 4 of {total}", page.text("#which")
        page.press("Backspace")
        page.press(self.answers[3][0].upper())
        page.press("ArrowRight")  # leaves pair 4 open
        page.press(self.answers[5][0])
        assert page.text("#count") == f"4 of {total} labelled"
        page.press("x")  # means nothing
        assert page.text("#count") == f"4 of {total} labelled"
        page.reload()
        assert page.text("#count") == f"4 of {total} labelled", "a reload loses labels"
        assert page.text("#which") == f"Pair 6 of {total}", "a reload loses the place"
        assert not page.complaints(), page.complaints()
        asked = [url for url in page.requests() if not url.startswith(("file:", "data:", "about:"))]
        assert not asked, f"the page asks the network: {asked}"
        chromium.close()

    def check_texts(self, page):
        """Every pair shows its two texts, and nothing of them has become a part of the page."""
        shown = page.evaluate(
            "Array.from(document.querySelectorAll('template')).map(t => ['a', 'b'].map(s => Array.from(t.content.querySelectorAll('.cell.' + s))"
            ".map(e => e.textContent).join('')))")
        assert len(shown) == len(self.pairs)

        def letters(text):  # without what is shown otherwise: white space, marks of control characters
            return "".join(c for c in text if c.isalnum() or c in "<>&;'\"{}$[]").replace("U202E", "").replace("U0007", "").replace(
                "U0001", "").replace("U001B", "")
        for pair, (a, b) in zip(self.pairs, shown):
            for text, side in ((a, "a"), (b, "b")):
                assert letters(text) == letters(pair[side]["text"]), f"pair {pair['pair']} {side}:\n{text}\n{pair[side]['text']}"
        assert page.evaluate("window.hacked") is None
        assert page.evaluate("document.scripts.length") == 1
        allowed = {"DIV", "SPAN", "DEL", "INS", "BUTTON", "B", "BDI"}
        names = set(page.evaluate("Array.from(document.querySelectorAll('template')).flatMap(t => Array.from(t.content.querySelectorAll('*'))"
                                  ".map(e => e.tagName))"))
        assert names <= allowed, names - allowed

    def label_the_rest(self):
        chromium = self.start()
        page = chromium.open(self.url("label.html"))
        page.resize(1200, 900)
        total = len(self.pairs)
        assert page.text("#count") == f"4 of {total} labelled", "a browser that was closed loses labels"
        for _ in range(total):
            if page.evaluate("document.getElementById('question').hidden"):
                break
            pair = int(page.text("#which").split()[1])
            if pair % 2:
                page.press(self.answers[pair][0])
            else:
                page.click("#" + self.answers[pair])
        assert page.text("#count") == f"{total} of {total} labelled", page.text("#count")
        assert page.evaluate("getComputedStyle(document.getElementById('done')).display") != "none"
        self.shoot(page, "label-done")
        page.click("#save")
        name = chromium.wait_for("Browser.downloadWillBegin")["suggestedFilename"]
        while chromium.wait_for("Browser.downloadProgress")["state"] != "completed":
            pass
        assert name == "labels.json"
        self.labels = self.downloads / name
        saved = json.loads(self.labels.read_text())
        assert saved["sample"] == self.sample["sample"]
        assert {entry["pair"]: entry["label"] for entry in saved["labels"]} == self.answers
        assert page.evaluate("window.hacked") is None
        assert not page.complaints(), page.complaints()
        chromium.close()

    def load(self):
        chromium = self.start()
        page = chromium.open(self.url("label.html"))
        page.evaluate("localStorage.clear()")
        page.reload()
        total = len(self.pairs)
        assert page.text("#count") == f"0 of {total} labelled"
        other = self.work / "other.json"
        other.write_text(json.dumps({"sample": "another", "labels": [{"pair": 1, "label": "yes"}]}))
        page.choose_file("#load", other)
        self.wait(page, "!document.getElementById('notice').hidden")
        assert "another sample" in page.text("#notice") and page.text("#count") == f"0 of {total} labelled"
        lines = self.work / "labels.jsonl"
        lines.write_text("".join(json.dumps({"pair": p, "label": label}) + "\n" for p, label in self.answers.items() if p != 2))
        page.choose_file("#load", lines)
        self.wait(page, f"document.getElementById('count').textContent == '{total - 1} of {total} labelled'")
        assert page.text("#which") == f"Pair 2 of {total}"
        chromium.close()

    @staticmethod
    def wait(page, condition):
        page.evaluate(f"new Promise((done, fail) => {{ let n = 0; (function look() {{ if ({condition}) done(1); "
                      f"else if (++n > 2000) fail('never: {condition.replace(chr(39), '')}'); else setTimeout(look, 20); }})(); }})")

    def check_numbers(self):
        """The program's numbers against the same computed here, from sample.json and the labels."""
        self.leitong("calibrate", "--labels", self.labels, self.directory, "--precision", "0.6", "--quiet")
        result = json.loads((self.directory / "calibration.json").read_text())
        cells, pairs = self.sample["cells"], self.sample["pairs"]
        assert result["labelled"] == result["pairs"] == len(pairs)

        def estimate(part):
            chosen = [c for c in range(len(cells)) if part(cells[c])]
            labels = [self.answers[p["pair"]] for p in pairs if p["cell"] in chosen]
            population = sum(cells[c]["population"] for c in chosen)
            right = 0.0
            for c in chosen:
                own = [self.answers[p["pair"]] == "yes" for p in pairs if p["cell"] == c]
                right += cells[c]["population"] * sum(own) / len(own)
            return population, labels, right
        whole = 0
        for band in result["bands"]:
            step = 20 if band["from"] == band["to"] else int(band["from"] * 20 + 1e-6) // 2 * 2
            population, labels, right = estimate(lambda cell: cell["step"] // 2 == step // 2)
            assert (band["population"], band["yes"], band["no"], band["unsure"]) == (
                population, labels.count("yes"), labels.count("no"), labels.count("unsure")), band
            assert abs(band["precision"]["value"] - right / population) < 2e-6, band
            if len(labels) == population:  # every pair is labelled: each counts the same
                whole += 1
                low, high = clopper_pearson(labels.count("yes"), len(labels))
                assert abs(band["precision"]["low"] - low) < 2e-6 and abs(band["precision"]["high"] - high) < 2e-6, (band, low, high)
        assert whole > 0
        all_right = estimate(lambda cell: True)[2]
        for row in result["thresholds"]:
            population, labels, right = estimate(lambda cell: cell["taken"] and cell["step"] >= round(row["threshold"] * 20))
            if population == 0:
                continue
            assert row["population"] == population and row["yes"] == labels.count("yes"), row
            assert abs(row["precision"]["value"] - right / population) < 2e-6, row
            assert abs(row["recall"]["value"] - right / all_right) < 2e-6, row
            assert row["precision"]["low"] <= row["precision"]["value"] <= row["precision"]["high"]
        reached = [row["threshold"] for row in result["thresholds"] if row["precision"] and row["precision"]["low"] >= 0.6]
        assert result["recommended"] == min(reached), (result["recommended"], reached)
        rule = (self.directory / "rule.toml").read_text()
        assert f"thresholds = [{{similarity = {result['recommended']:g}}}]" in rule, rule
        out = self.work / "out"
        self.leitong("dedup", self.work / "records.jsonl", "--rule", self.directory / "rule.toml", "-o", out, "--quiet")
        taken = next(row["population"] for row in result["thresholds"] if row["threshold"] == result["recommended"])
        summary = json.loads((out / "summary.json").read_text())
        assert summary["edges"] == taken + result["equal_pairs"], (summary["edges"], taken, result["equal_pairs"])

    def check_narrow(self):
        """No page is wider than its window, neither here nor on a telephone; and pictures for whoever wants to look."""
        chromium = self.start()
        for name in ("label", "calibration"):
            page = chromium.open(self.url(f"{name}.html"))
            for width in (1200, 400):
                for dark in (False, True):
                    page.resize(width, 900, dark)
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    assert wide <= width, f"{name}.html is {wide} wide in a window of {width}"
                    self.shoot(page, f"{name}-{width}-{'dark' if dark else 'light'}", whole=name == "calibration")
            assert not page.complaints(), page.complaints()
            assert [url for url in page.requests() if not url.startswith(("file:", "data:", "about:"))] == []
        assert page.evaluate("document.querySelectorAll('svg .point').length") > 10
        chromium.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path)
    arguments = parser.parse_args()
    if browser.program() is None:
        print("SKIPPED: NO CHROMIUM: the pages of leitong calibrate are not tested in a browser (Debian: apt install chromium)", file=sys.stderr)
        return 77
    with tempfile.TemporaryDirectory(prefix="leitong-calibrate-", ignore_cleanup_errors=True) as name:
        Test(arguments.program.resolve(), pathlib.Path(name), arguments.screenshots).run()
    print("the pages work")
    return 0


if __name__ == "__main__":
    sys.exit(main())
