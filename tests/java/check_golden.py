#!/usr/bin/env python3
"""Are the Java programs of this folder those of the articles? Runs them on the golden vectors and counts the rows that differ.

    check_golden.py GOLDEN_DIR [--show N]

Stages without a jar (IKAnalyzer) are named and left out. Exit status: 0 no mismatch, 1 mismatches, 77 Java or Maven are missing.
"""

import argparse
import gzip
import json
import sys
import tempfile
from pathlib import Path

import programs


def rows_of(golden, name):
    with gzip.open(golden / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def words(answer, name):
    return [word for word, *_ in answer[name]]


def fingerprints(row, answer, name):
    return all(answer[name][bits] == [row["fp"][bits]["bits"], row["fp"][bits]["dec"]] for bits in ("32", "64", "128") if bits in row["fp"])


def same_004(row, answer):
    return [t[0] for t in row["tokens"]] == words(answer, "hanlp") and fingerprints(row, answer, "hanlp_fp")


def same_000(row, answer):
    return [t[0] for t in row["tokens"]] == words(answer, "ik") and fingerprints(row, answer, "ik_fp")


def same_a(row, answer):
    short = row["fp_short"] and row["fp_short"]["bits"]
    return row["fp_full"]["bits"] == answer["length_fp"] and short == answer["length_short_fp"]


def same_b(row, answer):
    return (row["fp"]["bits"] == answer["tfidf_fp"] and row["vector"] == answer["tfidf_votes"]
            and [[t[0], t[3]] for t in row["tokens_in_hashmap_order"]] == answer["tfidf_words"])


def same_hanlp(row, answer):
    return row["tokens"] == answer["hanlp"]


def same_ik(row, answer):
    return row["tokens"] == [[w, begin, end, int(tag)] for w, tag, begin, end in answer["ik"]]


def same_fuzz(row, answer):
    return row["hanlp"] == answer["hanlp"]


def same_fuzz_ik(row, answer):
    return row["ik"] == [[w, begin, int(tag)] for w, tag, begin, _ in answer["ik"]]


STAGES = [("stage_hanlp_seg", same_hanlp, False), ("stage_seg_fuzz", same_fuzz, False), ("s004", same_004, False), ("s001a", same_a, False),
          ("s001b", same_b, False), ("stage_ik_seg", same_ik, True), ("stage_seg_fuzz", same_fuzz_ik, True), ("s000_ik", same_000, True)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("golden", type=Path)
    parser.add_argument("--show", type=int, default=3, help="mismatches to show of each file")
    args = parser.parse_args()
    try:
        java = programs.Programs()
    except programs.Missing as reason:
        print(f"SKIPPED: {reason}", file=sys.stderr)
        return 77
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        idf = Path(folder) / "idf.txt"
        idf.write_bytes(gzip.decompress((args.golden / "idfold.utf8.gz").read_bytes()))
        answers = {}
        for name, same, needs_ik in STAGES:
            if needs_ik and not java.ik:
                print(f"{name} (IKAnalyzer): left out, LEITONG_IK_JAR is not set")
                continue
            rows = rows_of(args.golden, name)
            texts = tuple(row["text"] for row in rows)
            if texts not in answers:
                lines = ["T " + programs.hexadecimal(text) for text in texts]
                answers[texts] = java.answers(lines, folder, idf, args.golden.resolve() / "stopword.dic", ik=bool(java.ik))
            wrong = [(row, answer) for row, answer in zip(rows, answers[texts], strict=True) if "error" in answer or not same(row, answer)]
            for row, answer in wrong[:args.show]:
                print(f"  {row['id']}: golden {json.dumps(row)[:600]}\n  Java {json.dumps(answer)[:600]}")
            print(f"{name} ({same.__name__[5:]}): {len(rows)} rows, {len(wrong)} mismatches")
            total += len(wrong)
    print(f"{total} mismatches")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
