#!/usr/bin/env python3
"""How right is `leitong dedup`? Precision, recall and F1 of pairs and clusters on every labelled set, beside fixed baselines.

    evaluate.py --leitong build/release/leitong [--corpora ../shared/corpora] [--cache DIR] [--date YYYY-MM-DD] [-- extra dedup flags]

writes bench/results/accuracy-<date>.md and .json. See README.md for what is true of a pair in each set.
"""

import argparse
import itertools
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import baselines
import edges
from oracle import LabelledSet

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from machine import commit_of, cpu_name  # noqa: E402

# name, truth of the set's own labels, rule for unlabelled pairs under that truth
SETS = (
    ("en_peps", "revision pairs of one document are near-duplicates, whatever their distance; other pairs of one document are ignored, "
                "pairs of different documents are not", "family"),
    ("en_spdx", "two renderings of one licence; open world: unlabelled pairs are ignored (so only recall says something)", "open"),
    ("zh_laws", "59 version pairs against 171 hard negatives; unlabelled pairs are ignored", "open"),
    ("zh_lctt_closed", "draft against proofread version; every unlabelled pair is not a near-duplicate", "closed"),
    ("zh_tang_closed", "one poem in two editions; every unlabelled pair is not a near-duplicate", "closed"),
    ("planted_en", "a copy and its original, or two copies, by E; unlabelled pairs are ignored", "open"),
    ("planted_zh", "a copy and its original, or two copies, by E; unlabelled pairs are ignored", "open"),
)


def scores(right, wrong, missed):
    precision = right / (right + wrong) if right + wrong else 1.0
    recall = right / (right + missed) if right + missed else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {"precision": round(precision, 5), "recall": round(recall, 5), "f1": round(f1, 5), "tp": right, "fp": wrong, "fn": missed}


def load_edges(run_dir):
    """Pairs (i < j) of record numbers that verification accepted, from a finished run's directory."""
    summary = json.loads((run_dir / "summary.json").read_text(encoding="utf-8"))
    rejected = summary.get("counts", summary).get("rejected", 0)
    if rejected:
        sys.exit(f"{run_dir}: {rejected} records were rejected, rows are not record numbers")
    return edges.read(run_dir)


def load_clusters(run_dir):
    """Groups of record numbers."""
    with open(run_dir / "clusters.jsonl", encoding="utf-8") as lines:
        return [json.loads(line)["records"] for line in lines]


def load_removed(run_dir):
    """(removed record, record kept in its place)."""
    with open(run_dir / "removed.jsonl", encoding="utf-8") as lines:
        return {tuple(sorted((r["record"], r["kept_record"]))) for r in map(json.loads, lines)}


def pairs_of(clusters):
    return {pair for cluster in clusters for pair in itertools.combinations(sorted(cluster), 2)}


def components(pairs):
    """Groups by plain transitive closure."""
    parent = {}

    def find(x):
        while parent.setdefault(x, x) != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for i, j in pairs:
        parent[find(i)] = find(j)
    groups = {}
    for x in list(parent):
        groups.setdefault(find(x), []).append(x)
    return list(groups.values())


def run_leitong(binary, labelled, work, extra):
    out = work / labelled.name
    shutil.rmtree(out, ignore_errors=True)
    command = [str(binary), "dedup", str(labelled.docs), "--output-dir", str(out), *extra]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}: {done.stderr}")
    return load_edges(out), load_clusters(out), time.monotonic() - began


def judge(labelled, pairs, clusters):
    grouped = pairs_of(clusters)
    return {
        "pairs_edit": scores(*labelled.by_edit(pairs)), "clusters_edit": scores(*labelled.by_edit(grouped)),
        "pairs_label": scores(*labelled.by_label(pairs)), "clusters_label": scores(*labelled.by_label(grouped)),
        "predicted": len(pairs), "largest_cluster": max((len(c) for c in clusters), default=0),
    }


def locate(name, corpora, cache):
    """Paths of a set's documents and pairs; planted sets are made when they are missing."""
    if not name.startswith("planted_"):
        return corpora / f"{name}.docs.jsonl.gz", corpora / f"{name}.pairs.jsonl.gz"
    prefix = cache / name
    subprocess.run([sys.executable, str(HERE / "plant.py"), name[-2:], str(corpora), str(prefix)], check=True)
    return Path(f"{prefix}.docs.jsonl"), Path(f"{prefix}.pairs.jsonl")


def evaluate(args):
    results, facts = {}, {}
    for name, truth, rule in SETS:
        if args.sets and name not in args.sets:
            continue
        began = time.monotonic()
        labelled = LabelledSet(name, *locate(name, args.corpora, args.cache), rule, args.cache)
        facts[name] = {"documents": len(labelled.ids), "characters": labelled.chars, "near_duplicates_by_edit": len(labelled.positives),
                       "labelled_1": sum(v == 1 for v in labelled.labels.values()), "labelled_0": sum(v == 0 for v in labelled.labels.values()),
                       "labels": truth}
        methods = {} if args.no_baselines else {n: (p, components(p)) for n, p in baselines.all_of(labelled, args.cache).items()}
        if args.leitong:
            pairs, clusters, seconds = run_leitong(args.leitong, labelled, args.cache / "runs", args.extra)
            facts[name]["leitong_seconds"] = round(seconds, 2)
            methods["leitong"] = (pairs, clusters)
            removed = load_removed(args.cache / "runs" / name)
            facts[name]["removed"] = {"records": len(removed), "edit": scores(*labelled.by_edit(removed)), "label": scores(*labelled.by_label(removed))}
        for method, (pairs, clusters) in methods.items():
            results.setdefault(method, {})[name] = judge(labelled, pairs, clusters)
        print(f"{name}: {time.monotonic() - began:.1f} s", file=sys.stderr)
    return results, facts


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def table(results, names, what, title):
    lines = [f"### {title}", "", "| method | " + " | ".join(names) + " | mean F1 | without zh_laws |", "| --- |" + " --- |" * (len(names) + 2)]
    for method, per_set in results.items():
        cells = []
        for name in names:
            s = per_set[name][what]
            cells.append(f"**{s['f1']:.4f}** ({s['precision']:.3f} / {s['recall']:.3f})")
        means = [mean(per_set[n][what]["f1"] for n in chosen) for chosen in (names, [n for n in names if n != "zh_laws"])]
        lines.append(f"| {method} | " + " | ".join(cells) + f" | **{means[0]:.4f}** | {means[1]:.4f} |")
    return lines + [""]


def report(results, facts, args, commit):
    names = list(facts)
    lines = [f"# Accuracy, {args.date}", "", f"Commit {commit}. F1 (precision / recall). Made by `bench/accuracy/evaluate.py"
             + (" -- " + " ".join(args.extra) if args.extra else "") + "`; one fixed setting for all sets.", "",
             "Edit truth: E = 2·LCS/(n+m) over tokens of every pair of the set; ≥ .8 near-duplicate, .65–.8 ignored, below not. Label truth: the last column.",
             "", "| set | documents | near-duplicate pairs by E | labelled 1 / 0 | truth of its own labels |", "| --- | --- | --- | --- | --- |"]
    for name, f in facts.items():
        lines.append(f"| {name} | {f['documents']:,} | {f['near_duplicates_by_edit']:,} | {f['labelled_1']:,} / {f['labelled_0']:,} | {f['labels']} |")
    lines.append("")
    if all("removed" in f for f in facts.values()):
        lines += ["### What leitong removed: is each removed record a near-duplicate of the one kept in its place?", "",
                  "| set | removed | right / wrong / undecided by edit truth | precision | right / wrong by the set's labels | precision |", "| --- |" + " --- |" * 5]
        for name, f in facts.items():
            r, e, l = f["removed"]["records"], f["removed"]["edit"], f["removed"]["label"]
            lines.append(f"| {name} | {r:,} | {e['tp']:,} / {e['fp']} / {r - e['tp'] - e['fp']} | **{e['precision']:.4f}** | {l['tp']:,} / {l['fp']} | {l['precision']:.4f} |")
        lines.append("")
    lines += table(results, names, "pairs_edit", "Pairs, edit truth")
    lines += table(results, names, "clusters_edit", "Clusters (two records of one cluster are a predicted pair), edit truth")
    lines += table(results, names, "pairs_label", "Pairs, the sets' own labels")
    lines += table(results, names, "clusters_label", "Clusters, the sets' own labels")
    lines.append("The baselines' clusters are their pairs' transitive closure; leitong's are its own. zh_laws by edit truth is extreme: "
                 "ordinances of different cities share most of their words in the same order.")
    return "\n".join(lines) + "\n"


def arguments(doc, need_program=True):
    """What every program here takes; it adds its own and parses."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--leitong", type=Path, required=need_program, help="the program")
    parser.add_argument("--corpora", type=Path, default=HERE.parents[2] / "shared" / "corpora")
    parser.add_argument("--cache", type=Path, default=Path("/tmp/leitong-accuracy"), help="planted sets, judged pairs, run directories")
    parser.add_argument("--results", type=Path, default=HERE.parent / "results")
    parser.add_argument("--date", default=time.strftime("%Y-%m-%d"))
    return parser


def write_results(args, name, text, data=None):
    """bench/results/NAME-<date>.md, and .json if there are data; the text also to standard output."""
    args.results.mkdir(parents=True, exist_ok=True)
    (args.results / f"{name}-{args.date}.md").write_text(text, encoding="utf-8")
    if data is not None:
        (args.results / f"{name}-{args.date}.json").write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(text)


def parse():
    parser = arguments(__doc__, need_program=False)
    parser.add_argument("--sets", nargs="*", help="only these")
    parser.add_argument("--no-baselines", action="store_true")
    parser.add_argument("extra", nargs="*", help="flags for leitong dedup, after --")
    return parser.parse_args()


def main():
    args = parse()
    commit = commit_of(HERE)
    results, facts = evaluate(args)
    write_results(args, "accuracy", report(results, facts, args, commit), {"date": args.date, "commit": commit, "sets": facts, "methods": results})


if __name__ == "__main__":
    main()
