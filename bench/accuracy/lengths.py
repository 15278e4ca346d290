#!/usr/bin/env python3
"""Recall and false alarms of every method by length: texts of 20, 50, 140, 500 and 2,000 characters, and copies of them with one token or 5 or 10 % of the
tokens edited.

    lengths.py --leitong build/release/leitong [--corpora ../shared/corpora] [--cache DIR] [--texts N] [--date YYYY-MM-DD]

writes bench/results/accuracy-lengths-<date>.md and .json. Recall is that of the copies whose 2 LCS / (n + m) over tokens is at least .8; false alarms are pairs of
texts from different places, counted over all of them.
"""

import json
import random
from pathlib import Path
from types import SimpleNamespace

import evaluate
import features
import one_stage
import plant
import sentences

LENGTHS = (20, 50, 140, 500, 2000)
EDITS = ("one", 0.05, 0.10)
# name, flags of `leitong fingerprint`, k
ALONE = (
    ("SimHash-64 of tokens, raw tf, k = 3 (the articles)", ["--profile", "words-tf"], 3),
    ("SimHash-64 of jieba's words, tf, k = 3 (the articles)", ["--profile", "jieba"], 3),
    ("SimHash-64, k = 3", [], 3),
    ("SimHash-64, k = 10", [], 10),
    ("SimHash-256, k = 52", ["--bits", "256"], 52),
    ("1-bit MinHash-64, k = 10", ["--profile", "minhash1"], 10),
    ("1-bit MinHash-256, k = 48", ["--profile", "minhash1", "--bits", "256"], 48),
)


def edited(text, how, pool, rng):
    """The text with some tokens substituted, dropped or followed by another one."""
    places = [m.span() for m in features.TOKEN.finditer(text)]
    count = 1 if how == "one" else max(1, round(how * len(places)))
    out, last = [], 0
    chosen = set(rng.sample(range(len(places)), min(count, len(places))))
    for at, (begin, end) in enumerate(places):
        if at in chosen:
            kind, other = rng.randrange(3), rng.choice(pool)
            gap = "" if features.is_han(other[0]) else " "
            out.append(text[last:begin] + ("" if kind == 1 else other if kind == 0 else text[begin:end] + gap + other))
            last = end
    return "".join(out) + text[last:]


def passages(language, length, count, corpora, rng):
    """Stretches of exactly so many characters, one a document, beginning at a token."""
    out = []
    for name in plant.SOURCES[language]:
        for doc in plant.read(corpora / f"{name}.docs.jsonl.gz"):
            text = " ".join(doc["text"].split())
            if len(text) >= 2 * length + 200:
                begin = rng.randrange(100, len(text) - length - 50)
                while begin > 0 and text[begin - 1].isalnum() and not features.is_han(text[begin - 1]):
                    begin -= 1
                out.append(text[begin:begin + length])
    rng.shuffle(out)
    return out[:count]


def collection(language, length, args):
    rng = random.Random(f"{language} {length}")
    originals = passages(language, length, args.texts, args.corpora, rng)
    pool = [t for text in originals[:50] for t in features.tokens(text)]
    texts, family, wanted = list(originals), list(range(len(originals))), {how: [] for how in EDITS}
    for at, text in enumerate(originals):
        for how in EDITS:
            copy = edited(text, how, pool, rng)
            a, b = features.tokens(text), features.tokens(copy)
            if a and b and 2 * features.lcs(a, b) / (len(a) + len(b)) >= 0.8:
                wanted[how].append((at, len(texts)))
            texts.append(copy)
            family.append(at)
    docs = args.cache / f"length-{language}-{length}.jsonl"
    docs.write_text("".join(json.dumps({"id": str(i), "text": t}, ensure_ascii=False) + "\n" for i, t in enumerate(texts)), encoding="utf-8")
    return SimpleNamespace(name=docs.stem, docs=docs, texts=texts, family=family, wanted=wanted, originals=len(originals))


def measure(c, found):
    others = [p for p in found if c.family[p[0]] != c.family[p[1]]]
    compared = c.originals * (c.originals - 1) / 2 * (1 + len(EDITS)) ** 2
    return {**{str(how): sum(p in found for p in pairs) / max(1, len(pairs)) for how, pairs in c.wanted.items()},
            "false": len(others), "million": compared / 1e6}


def methods(c, args):
    for name, flags, k in ALONE:
        yield name, {p for p, d in one_stage.close_pairs(*one_stage.fingerprints(args.leitong, c, flags), k).items()}
    yield "longest 3 sentences, all equal (article 002)", sentences.pairs(c.texts, 3)
    yield "longest 3 sentences, at least 2 shared", sentences.pairs(c.texts, 2)
    yield "leitong dedup, the default profile", evaluate.run_leitong(args.leitong, c, args.cache / "runs", [])[0]


def main():
    parser = evaluate.arguments(__doc__)
    parser.add_argument("--texts", type=int, default=500)
    args = parser.parse_args()
    lines = [f"# Every method by length, {args.date}", "",
             f"Commit {evaluate.commit_of(evaluate.HERE)}. Made by `bench/accuracy/lengths.py`. Recall of copies with one token / 5 % / 10 % of the tokens edited (only those that are still "
             "near-duplicates by 2 LCS / (n + m) ≥ .8), and in brackets pairs of different origin called near-duplicates, a million pairs.", ""]
    results = {}
    for language in ("zh", "en"):
        rows = {}
        for length in LENGTHS:
            c = collection(language, length, args)
            for name, found in methods(c, args):
                rows.setdefault(name, {})[length] = measure(c, found)
        results[language] = rows
        lines += [f"## {'Chinese' if language == 'zh' else 'English'}, {args.texts} texts of each length", "",
                  "| method | " + " | ".join(f"{length:,} characters" for length in LENGTHS) + " |", "| --- |" + " --- |" * len(LENGTHS)]
        for name, row in rows.items():
            cells = [" / ".join(f"{row[n][str(how)]:.2f}" for how in EDITS) + f" ({row[n]['false'] / row[n]['million']:.3g})" for n in LENGTHS]
            lines.append(f"| {name} | " + " | ".join(cells) + " |")
        lines.append("")
    text = "\n".join(lines)
    evaluate.write_results(args, "accuracy-lengths", text, results)


if __name__ == "__main__":
    main()
