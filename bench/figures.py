#!/usr/bin/env python3
"""Tables of figures in pages, made from the results that they name.

    bench/figures.py [--check] [ROOT]

A table stands between two marks, and is written again from the file that the first one names:

    <!-- figures: dedup bench/results/dedup-2026-11-21.json -->
    | ...
    <!-- end of figures -->

With --check nothing is written: exit code 1 and the page's name where a table is not what its results give.
"""
import json
import pathlib
import re
import sys

PAGES = ("README.md", "README.zh-CN.md", "docs/speed.md")
MARKED = re.compile(r"(<!-- figures: (\w+) (\S+) -->\n)(.*?)(<!-- end of figures -->)", re.S)
NAMES = {  # tool -> its name in a page, by language
    "leitong": {"en": "Leitong", "zh": "Leitong"},
    "gaoya-minhash": {"en": "gaoya, MinHash", "zh": "gaoya,MinHash"},
    "rensa-rho": {"en": "rensa, sampled (finds {half} of the copies at ≥ .8)", "zh": "rensa,抽样(≥ .8 的副本找到 {half})"},
}
HEADS = {"en": "| one core | MB/s | Leitong is | peak memory |", "zh": "| 单核 | MB/s | Leitong 是它的 | 内存峰值 |"}
TIMES = {"en": "{:.1f} times as fast", "zh": "{:.1f} 倍"}


def fraction(value):
    return f"{value:.2f}".lstrip("0")


def dedup(results, language):
    tools = results["tools"]
    ours = tools["leitong"]["mb_per_s"]
    lines = [HEADS[language], "| --- | --- | --- | --- |"]
    for tool, names in NAMES.items():
        row = tools[tool]
        found, planted = row["recall"]["j5 >=0.8"]
        times = "–" if tool == "leitong" else TIMES[language].format(ours / row["mb_per_s"])
        lines.append(f"| {names[language].format(half=fraction(found / planted))} | {row['mb_per_s']:.1f} | {times} | {row['peak_mb']:,.0f} MB |")
    return "\n".join(lines) + "\n"


TABLES = {"dedup": dedup}


def written_again(root, page):
    text = (root / page).read_text(encoding="utf-8")
    language = "zh" if "zh-CN" in page else "en"

    def table(match):
        results = json.loads((root / match[3]).read_text(encoding="utf-8"))
        return match[1] + TABLES[match[2]](results, language) + match[5]

    return text, MARKED.sub(table, text)


def main():
    arguments = [word for word in sys.argv[1:] if word != "--check"]
    check = "--check" in sys.argv
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).resolve().parent.parent)
    wrong = 0
    for page in PAGES:
        text, again = written_again(root, page)
        if not MARKED.search(text):
            print(f"{page}: there is no marked table in it")
            wrong += 1
        elif again != text and check:
            print(f"{page}: a table is not what its results give; run bench/figures.py")
            wrong += 1
        elif again != text:
            (root / page).write_text(again, encoding="utf-8")
    if check and wrong == 0:
        print("the tables are what their results give")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
