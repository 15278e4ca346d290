#!/usr/bin/env python3
"""Pages of one site: does `leitong dedup` keep different articles under one menu apart, and still take reprints for reprints?

    pages.py --leitong build/release/leitong [--corpora ../shared/corpora] [--cache DIR] [--date YYYY-MM-DD]

writes bench/results/accuracy-pages-<date>.md. Pages are a menu that all share (words drawn one by one from other texts) and a stretch of an
article of their own (en_peps, and zh_lctt_closed without its Latin parts). Reprints are a hundred copies of one stretch, each with edits of
its own. The seed is fixed.
"""

import gzip
import json
import random
import re
import subprocess
import sys

import evaluate

REPRINTS = 100


def load(corpora, name):
    with gzip.open(corpora / f"{name}.docs.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def stretch(words, length, rng):
    begin = rng.randint(0, len(words) - length)
    return words[begin:begin + length]


def blocks(words, size):
    return [words[begin:begin + size] for begin in range(0, len(words) - size + 1, size)]


def pages(menu, articles, count, least, most, rng):
    """`menu` and `articles` are lists of pieces; the last quarter of the menu stands below the article."""
    below = len(menu) * 3 // 4
    for article in rng.sample(articles, count):
        yield menu[:below] + ["\n"] + stretch(article, rng.randint(least, most), rng) + ["\n"] + menu[below:]


def edited(words, rate, vocabulary, rng):
    out = []
    for word in words:
        roll = rng.random()
        if roll < rate / 3:
            continue
        out.append(rng.choice(vocabulary) if roll < 2 * rate / 3 else word)
        if 2 * rate / 3 <= roll < rate:
            out.append(rng.choice(vocabulary))
    return out


def reprints(articles, rng, rate=0.02, sentences=0, around=0):
    vocabulary = [word for article in articles[:50] for word in article]
    text = stretch(articles[0], 600, rng)
    others = articles[1:]
    for _ in range(REPRINTS):
        copy = edited(text, rate, vocabulary, rng)
        for _ in range(sentences):
            at = rng.randint(0, len(copy))
            copy[at:at] = stretch(rng.choice(others), rng.randint(8, 30), rng)
        if around:
            copy = stretch(rng.choice(others), around, rng) + copy + stretch(rng.choice(others), around, rng)
        yield copy


def sets(corpora):
    """Of each set: what it is, how many records should stay, its texts."""
    rng = random.Random("pages")
    english, seen = [], set()
    for words in (text.split() for text in load(corpora, "en_peps")):
        title = " ".join(words[2:8])
        if title not in seen:
            seen.add(title)
            english += blocks(words, 800)
    chinese = [re.sub(r"[^\u4e00-\u9fff，。；：！？、]+", "", text) for text in load(corpora, "zh_lctt_closed")[::2]]
    chinese = [block for text in chinese for block in blocks(list(text), 500)]
    rng.shuffle(english), rng.shuffle(chinese)
    menu = [rng.choice(rng.choice(english[:100])) for _ in range(600)]
    zh_menu = ["".join(stretch(rng.choice(chinese[:100]), 4, rng)) + " " for _ in range(180)]
    english, chinese = english[100:], chinese[100:]
    for count, least, most in ((87, 60, 499), (87, 150, 800), (87, 30, 150), (40, 60, 499), (25, 60, 200)):
        texts = [" ".join(page) for page in pages(menu, english, count, least, most, rng)]
        yield f"{count} English pages, menu of 600 words, {least} to {most} of their own", count, texts
    for count, least, most in ((87, 60, 499), (87, 40, 150), (40, 60, 499), (25, 60, 200)):
        texts = ["".join(page) for page in pages(zh_menu, chinese, count, least, most, rng)]
        yield f"{count} Chinese pages, menu of 720 characters, {least} to {most} of their own", count, texts
    for what, options in (("6 % of the words edited", {"rate": 0.06}), ("2 % edited, two sentences put in", {"sentences": 2}),
                          ("2 % edited, 10 words of a site's own before and behind", {"around": 10}),
                          ("2 % edited, 40 words before and behind", {"around": 40})):
        yield f"{REPRINTS} reprints of 600 words, {what}", 1, [" ".join(copy) for copy in reprints(english, rng, **options)]


def kept(leitong, rule, docs, run):
    subprocess.run([str(leitong), "dedup", str(docs), "--output-dir", str(run), "--overwrite", "--quiet", "--rule", rule], check=True)
    with open(run / "kept.jsonl", encoding="utf-8") as lines:
        return sum(1 for _ in lines)


def main():
    parser = evaluate.arguments(__doc__)
    parser.add_argument("--rules", nargs="+", default=["near-1", "near-2"])
    args = parser.parse_args()
    (args.cache / "runs").mkdir(parents=True, exist_ok=True)
    docs = args.cache / "pages.jsonl"
    lines = [f"# Pages of one site, {args.date}", "", f"Commit {evaluate.commit_of(evaluate.HERE)}. Made by `bench/accuracy/pages.py`. Records that are kept, of each collection on its own.", "",
             "| collection | should stay | " + " | ".join(args.rules) + " |", "| --- | --- |" + " --- |" * len(args.rules)]
    for what, right, texts in sets(args.corpora):
        with open(docs, "w", encoding="utf-8") as out:
            for number, text in enumerate(texts):
                out.write(json.dumps({"id": str(number), "text": text}, ensure_ascii=False) + "\n")
        found = [kept(args.leitong, rule, docs, args.cache / "runs" / f"pages-{number}") for number, rule in enumerate(args.rules)]
        lines.append(f"| {what} | {right} | " + " | ".join(map(str, found)) + " |")
        print(lines[-1], file=sys.stderr)
    evaluate.write_results(args, "accuracy-pages", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
