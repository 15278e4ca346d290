#!/usr/bin/env python3
"""Real texts -> a labelled set of near-duplicates: copies with edits at token level, judged by the edit oracle.

    plant.py en|zh CORPORA_DIR OUT_PREFIX [--originals N] [--seed S]

writes OUT_PREFIX.docs.jsonl {"id","text"} and OUT_PREFIX.pairs.jsonl {"a","b","label","edit","kind"}: edit is E = 2 LCS / (n + m) over tokens,
label 1 from .8, 0 below .65, -1 (ignored) between. The kind names what was done to the copy. Same arguments, same bytes.
"""

import argparse
import gzip
import json
import random
import re
import sys
from pathlib import Path

import features

SEED = 20261121
RATES = (0.01, 0.02, 0.03, 0.05, 0.08, 0.10, 0.13, 0.16, 0.20, 0.25, 0.30)
LENGTHS = ((60, 200), (200, 600), (600, 2000), (2000, 8000))  # tokens wanted, in turn


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def sections(text, least, most, rng):
    """One run of paragraphs of the text with about a wanted count of tokens, or nothing."""
    parts = [p for p in re.split(r"\n\s*\n|\n(?=第.{1,6}条)", text) if p.strip()]
    counts = [len(features.TOKEN.findall(p)) for p in parts]
    if sum(counts) < least:
        return None
    want = min(rng.randint(least, most), sum(counts))
    first = rng.randrange(len(parts))
    taken, total = [], 0
    for part, count in list(zip(parts, counts))[first:]:
        taken.append(part)
        total += count
        if total >= want:
            break
    return "\n\n".join(taken) if least <= total <= 2 * most else None


SOURCES = {"en": ("en_civproc", "en_peps"), "zh": ("zh_laws", "zh_lctt_closed")}


def originals(language, corpora, count, rng):
    """Sections of every length, from the language's sources in turn; one a document, so that revisions do not crowd the set."""
    out, seen = [], set()
    for at, name in enumerate(SOURCES[language]):
        docs = [doc["text"] for doc in read(corpora / f"{name}.docs.jsonl.gz")]
        rng.shuffle(docs)
        wanted = (at + 1) * count // len(SOURCES[language])
        turn = 0
        while len(out) < wanted and turn < 40 * len(docs):
            least, most = LENGTHS[(turn + turn // len(docs)) % len(LENGTHS)]
            text = sections(docs[turn % len(docs)], least, most, rng)
            turn += 1
            if text and text not in seen:
                seen.add(text)
                out.append(text)
    if len(out) < count:
        sys.exit(f"only {len(out)} sections found, {count} wanted")
    return out


def substitute(text, rate, pool, rng):
    """Each token is replaced, deleted, or followed by another with probability `rate` together."""
    out, last = [], 0
    for span in features.TOKEN.finditer(text):
        out.append(text[last:span.start()])
        last = span.end()
        if rng.random() >= rate:
            out.append(span.group())
            continue
        what = rng.random()
        if what < 0.6:
            out.append(rng.choice(pool))
        elif what < 0.8:
            joiner = "" if features.is_han(span.group()[0]) else " "
            out.append(span.group() + joiner + rng.choice(pool))
    out.append(text[last:])
    return "".join(out)


def move(text, rng):
    """One block of 5-15 % of the text moves to another place, at token borders."""
    borders = [s.start() for s in features.TOKEN.finditer(text)]
    size = max(1, int(len(borders) * rng.uniform(0.05, 0.15)))
    if len(borders) <= 2 * size:
        return text
    first = rng.randrange(len(borders) - size)
    lo, hi = borders[first], borders[first + size]
    block, rest = text[lo:hi], text[:lo] + text[hi:]
    borders = [s.start() for s in features.TOKEN.finditer(rest)]
    at = borders[rng.randrange(len(borders))]
    return rest[:at] + block + rest[at:]


def header(text, other, rng):
    """Five to forty tokens of another text stand before it, as a site's header does."""
    borders = [s.start() for s in features.TOKEN.finditer(other)]
    stop = min(len(borders) - 1, rng.randint(5, 40))
    return other[:borders[stop]].strip() + "\n\n" + text


def cut(text, rng):
    """The first 70-97 % of the tokens."""
    borders = [s.end() for s in features.TOKEN.finditer(text)]
    return text[:borders[max(0, int(len(borders) * rng.uniform(0.70, 0.97)) - 1)]]


def edited(text, texts, pool, rng):
    """A copy with edits, and what was done."""
    kinds = []
    rate = rng.choice(RATES)
    what = rng.random()
    if what < 0.75:
        text = substitute(text, rate, pool, rng)
        kinds.append(f"tokens-{rate:.2f}")
    if what > 0.55:
        extra = rng.choice(("header", "cut", "move"))
        text = {"header": lambda: header(text, rng.choice(texts), rng), "cut": lambda: cut(text, rng), "move": lambda: move(text, rng)}[extra]()
        kinds.append(extra)
    return text, "+".join(kinds)


def build(language, corpora, count, seed):
    rng = random.Random(f"{language}-{seed}")
    texts = originals(language, corpora, count, rng)
    pool = [tok for text in rng.sample(texts, min(300, len(texts))) for tok in features.TOKEN.findall(text)]
    docs, families = [], []
    for at, text in enumerate(texts):
        docs.append((f"o{at}", text))
        family = [(f"o{at}", text, "original")]
        for copy in range(rng.choice((0, 1, 1, 1, 2))):
            made, kind = edited(text, texts, pool, rng)
            docs.append((f"o{at}c{copy}", made))
            family.append((f"o{at}c{copy}", made, kind))
        families.append(family)
    rng.shuffle(docs)
    return docs, families


def judged(families):
    for family in families:
        toks = [features.tokens(text) for _, text, _ in family]
        for i in range(len(family)):
            for j in range(i + 1, len(family)):
                edit = features.edit_similarity(toks[i], toks[j])
                label = 1 if edit >= 0.8 else 0 if edit < 0.65 else -1
                kind = family[j][2] if i == 0 else f"{family[i][2]}|{family[j][2]}"
                yield {"a": family[i][0], "b": family[j][0], "label": label, "edit": round(edit, 4), "kind": kind}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(SOURCES))
    parser.add_argument("corpora", type=Path)
    parser.add_argument("prefix", type=Path)
    parser.add_argument("--originals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=SEED)
    args = parser.parse_args()
    docs, families = build(args.language, args.corpora, args.originals, args.seed)
    args.prefix.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{args.prefix}.docs.jsonl", "w", encoding="utf-8") as out:
        for name, text in docs:
            out.write(json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n")
    with open(f"{args.prefix}.pairs.jsonl", "w", encoding="utf-8") as out:
        for pair in judged(families):
            out.write(json.dumps(pair, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
