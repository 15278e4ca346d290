#!/usr/bin/env python3
"""Pairs to be read: 400 pairs of stretches of real texts, Chinese and English, evenly over the similarities .5 to .95, in an order that hides the similarity; and
what two blind readings of them say of precision by band.

    reading.py draw --leitong build/release/leitong --out DIR [--corpora ../shared/corpora] [--cache DIR]     writes DIR/pairs.jsonl, which readers get, and DIR/key.jsonl
    reading.py draw ... --collection en=FILE zh=FILE --per-band N          of collections of one's own (JSON Lines with id and text), one pair of each family of similar texts
    reading.py judge --out DIR --labels READER1.jsonl READER2.jsonl                                        writes bench/results/accuracy-reading-<date>.md

A reader writes {"pair": N, "label": "yes" | "no" | "unsure"} a line. Yes: a reader of the collection would want only one of the two. The stretches are those of
independent.py: versions and renderings of one text, texts of one template or family (ordinances, licences, sections of codes), passages that one text took from another.
"""

import json
import random
import subprocess
from pathlib import Path

import edges
import evaluate
import features
import independent

BANDS = ((0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 0.95))
PER_BAND = 40
LONGEST = {"en": 900, "zh": 420}  # characters, so that a person can read it all


def family_of(pairs):
    """Text -> its family: what similar pairs lead to, one after the other."""
    family = {}
    for group in evaluate.components(pairs):
        for member in group:
            family[member] = group[0]
    return family


def collections(args):
    """(language, JSON Lines file, directory of its run by the default profile)"""
    for language, path in (c.split("=", 1) for c in args.collection or ()):
        run = args.cache / "runs" / f"reading-default-{language}"
        subprocess.run([str(args.leitong), "dedup", path, "--output-dir", str(run), "--overwrite", "--quiet"], check=True)
        yield language, Path(path), run
    if not args.collection:
        for language in independent.LANGUAGES:
            yield language, independent.collection(language, args)[0], args.cache / "runs" / f"independent-{language}"


def draw(args):
    rng, chosen = random.Random("reading"), []
    for language, docs, default_run in collections(args):
        texts = [json.loads(line) for line in open(docs, encoding="utf-8")]
        run = args.cache / "runs" / f"reading-{language}"
        subprocess.run([str(args.leitong), "dedup", str(docs), "--output-dir", str(run), "--overwrite", "--quiet", "--threshold", "0.5"], check=True)
        by_band = {band: [] for band in BANDS}
        similar = sorted(edges.read(run))
        rng.shuffle(similar)
        for a, b in similar:
            if max(len(texts[a]["text"]), len(texts[b]["text"])) > LONGEST[language]:
                continue
            similarity = features.jaccard(*(features.o12(HASHER.ids(features.tokens(texts[i]["text"]))) for i in (a, b)))
            for band in BANDS:
                if band[0] <= similarity < band[1]:
                    by_band[band].append((a, b, similarity))
        kept = set(edges.read(default_run))
        family = family_of(edges.read(run)) if args.collection else {}
        for band, pairs in by_band.items():
            # One pair a document (or family) and band, so that no family fills it.
            rng.shuffle(pairs)
            seen, taken = set(), []
            for a, b, similarity in pairs:
                names = {family.get(a, texts[a]["id"]), family.get(b, texts[b]["id"])}
                if len(taken) < args.per_band and not names & seen:
                    seen |= names
                    taken.append({"language": language, "similarity": round(similarity, 4), "accepted": (a, b) in kept, "a": texts[a], "b": texts[b]})
            chosen += taken
    rng.shuffle(chosen)
    args.out.mkdir(parents=True, exist_ok=True)
    with open(args.out / "pairs.jsonl", "w", encoding="utf-8") as pairs, open(args.out / "key.jsonl", "w", encoding="utf-8") as key:
        for number, pair in enumerate(chosen, 1):
            pairs.write(json.dumps({"pair": number, "a": pair["a"]["text"], "b": pair["b"]["text"]}, ensure_ascii=False) + "\n")
            key.write(json.dumps({"pair": number, **{k: pair[k] for k in ("language", "similarity", "accepted")}, "a": pair["a"]["id"], "b": pair["b"]["id"]}) + "\n")
    print(f"{len(chosen)} pairs in {args.out}")


def wilson(yes, of, z=1.96):
    if of == 0:
        return 0.0, 1.0
    p, n = yes / of, of
    middle, half = p + z * z / (2 * n), z * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def share(rows, readings):
    """Yes of both readers' yes and no, as a text."""
    labels = [reading[r["pair"]] for r in rows for reading in readings]
    yes, no = labels.count("yes"), labels.count("no")
    low, high = wilson(yes / len(readings), (yes + no) / len(readings))
    return f"{yes / max(1, yes + no):.2f} ({low:.2f}–{high:.2f}), {labels.count('unsure')} unsure" if rows else "–"


def judge(args):
    key = [json.loads(line) for line in open(args.out / "key.jsonl", encoding="utf-8")]
    readings = [{r["pair"]: r["label"] for r in map(json.loads, open(path, encoding="utf-8"))} for path in args.labels]
    both = [r for r in key if all(reading.get(r["pair"]) in ("yes", "no") for reading in readings)]
    same = sum(readings[0][r["pair"]] == readings[1][r["pair"]] for r in both)
    rates = [sum(reading[r["pair"]] == "yes" for r in both) / len(both) for reading in readings]
    chance = rates[0] * rates[1] + (1 - rates[0]) * (1 - rates[1])
    kappa = (same / len(both) - chance) / (1 - chance)
    lines = [f"# Two blind readings, {args.date}", "", f"{len(key)} pairs of real texts (`bench/accuracy/reading.py`); two readings of a language model, each without the similarity, the decision and the other's labels. "
             f"Both said yes or no of {len(both)}, and agreed on {same} of these ({same / len(both):.3f}; Cohen's kappa {kappa:.2f}).", "",
             "Share of pairs that the readings call near-duplicates, both readings pooled, with the 95 % interval of as many pairs:", "",
             "| language | similarity | all pairs | accepted by the default profile | refused |", "| --- | --- | --- | --- | --- |"]
    for language in ("zh", "en"):
        for low, high in BANDS:
            rows = [r for r in key if r["language"] == language and low <= r["similarity"] < high]
            taken, refused = [r for r in rows if r["accepted"]], [r for r in rows if not r["accepted"]]
            lines.append(f"| {language} | {low}–{high} | {len(rows)}: {share(rows, readings)} | {len(taken)}: {share(taken, readings)} | {len(refused)}: {share(refused, readings)} |")
    taken, refused = [r for r in key if r["accepted"]], [r for r in key if not r["accepted"]]
    lines.append(f"| both | .5–.95 | {len(key)}: {share(key, readings)} | {len(taken)}: {share(taken, readings)} | {len(refused)}: {share(refused, readings)} |")
    evaluate.write_results(args, args.name, "\n".join(lines) + "\n")
    with open(args.results / f"{args.name}-{args.date}.jsonl", "w", encoding="utf-8") as out:
        for r in key:
            out.write(json.dumps({**{k: v for k, v in r.items() if k != "rows"}, "labels": [reading.get(r["pair"]) for reading in readings]}) + "\n")


HASHER = features.Hasher()


def main():
    parser = evaluate.arguments(__doc__, need_program=False)
    parser.add_argument("what", choices=("draw", "judge"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--labels", type=Path, nargs=2)
    parser.add_argument("--collection", nargs="*", metavar="LANGUAGE=FILE", help="instead of the stretches")
    parser.add_argument("--per-band", type=int, default=PER_BAND)
    parser.add_argument("--name", default="accuracy-reading", help="of the results")
    args = parser.parse_args()
    draw(args) if args.what == "draw" else judge(args)


if __name__ == "__main__":
    main()
