#!/usr/bin/env python3
"""False pairs among texts of independent origin: stretches of different corpora, which have nothing to do with each other, in one collection.

    independent.py --leitong build/release/leitong [--corpora ../shared/corpora] [--cache DIR] [--date YYYY-MM-DD]

Cuts every document into stretches of 20 to 400 tokens, runs `leitong dedup` on all stretches of a language, and counts the pairs that verification accepted
between two corpora, before any label is looked at. Writes bench/results/accuracy-independent-<date>.md with every such pair, for people to judge.
"""

import itertools
import json
import random
import subprocess
from pathlib import Path

import edges
import evaluate
import features
import plant

LANGUAGES = {"en": ("en_civproc", "en_peps", "en_spdx"), "zh": ("zh_laws", "zh_lctt_closed", "zh_tang_closed")}


def stretches(text, rng):
    """The text in pieces of some tokens, the last one too if it is long enough."""
    places = [m.start() for m in features.TOKEN.finditer(text)] + [len(text)]
    at = 0
    while at < len(places) - 20:
        end = min(at + rng.choice((20, 40, 60, 100, 200, 400)), len(places) - 1)
        yield text[places[at]:places[end]]
        at = end


def collection(language, args):
    rng = random.Random(language)
    docs, origin = args.cache / f"independent-{language}.jsonl", []
    with open(docs, "w", encoding="utf-8") as out:
        for name in LANGUAGES[language]:
            for doc in plant.read(args.corpora / f"{name}.docs.jsonl.gz"):
                for piece in stretches(doc["text"], rng):
                    out.write(json.dumps({"id": f"{name}:{doc['id']}", "text": piece}, ensure_ascii=False) + "\n")
                    origin.append(name)
    return docs, origin


def main():
    parser = evaluate.arguments(__doc__)
    args = parser.parse_args()
    lines, compared, total = [], 0, 0
    for language in LANGUAGES:
        docs, origin = collection(language, args)
        counts = [origin.count(name) for name in LANGUAGES[language]]
        pairs = sum(a * b for a, b in itertools.combinations(counts, 2))
        run = args.cache / "runs" / f"independent-{language}"
        subprocess.run([str(args.leitong), "dedup", str(docs), "--output-dir", str(run), "--overwrite", "--quiet"], check=True)
        false = [p for p in edges.read(run) if origin[p[0]] != origin[p[1]]]
        texts = [json.loads(line) for line in open(docs, encoding="utf-8")]
        lines.append(f"{language}: {', '.join(f'{n:,} stretches of {name}' for n, name in zip(counts, LANGUAGES[language]))}; {pairs:,} pairs of two corpora, "
                     f"**{len(false)}** of them accepted as near-duplicates.")
        for a, b in sorted(false):
            lines += ["", f"* {texts[a]['id']}: {texts[a]['text'][:300]!r}", f"  {texts[b]['id']}: {texts[b]['text'][:300]!r}"]
        lines.append("")
        compared, total = compared + pairs, total + len(false)
    text = "\n".join([f"# Pairs of independent origin, {args.date}", "", f"Commit {evaluate.commit_of(evaluate.HERE)}. Made by `bench/accuracy/independent.py`. {compared:,} pairs of stretches "
                      f"of 20 to 400 tokens from different corpora; accepted: **{total}**.", "", *lines]) + "\n"
    evaluate.write_results(args, "accuracy-independent", text)


if __name__ == "__main__":
    main()
