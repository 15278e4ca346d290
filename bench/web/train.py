"""Trains the model of src/pages and writes its table, src/pages/model_table.cpp.

    python3 -m venv /tmp/web && /tmp/web/bin/pip install lightgbm numpy
    /tmp/web/bin/python bench/web/train.py --pages DIRECTORY --program build/.../bench_web --id pages-1 --report REPORT.json --table TABLE.cpp

DIRECTORY holds aeb.jsonl, wcxb_dev.jsonl, zh_news.jsonl, readability.jsonl (pages.py says what they are). The numbers of each block are
those that the C++ program prints.

Two stages of boosted trees. The first is trained on all pages; of its scores the C++ program makes the numbers of context, and on these
and the first numbers stand two second stages: `article` (articles; the sets in STRICT count more) and `page` (all kinds). A third, small,
one says of a page whether it is an article.

What is reported is cross-fit: the pages of a fold's domains are judged by trees that were trained on the other folds' domains, with the
cut that is best on those. (A first stage's scores of training pages are themselves out of fold, as is usual in stacking.) The table is
then trained on all pages, with the cut that is best over all folds.
"""

import argparse
import json
import multiprocessing
import os
from pathlib import Path

import lightgbm
import numpy as np
from pages import PageSet, f1_of, fold_of, judge

SETS = {"aeb": 2.0, "zh_news": 2.0, "readability": 0.3, "wcxb_dev": 1.0}  # and how much a page counts in training
FOLDS = 4
TREES = {"first": 80, "article": 90, "page": 90, "choice": 30}
STRICT = {"aeb": 2.0, "zh_news": 1.5}  # times so much for `article`
SCORE = 256  # a score is the logarithm of the odds in 1/256 ...
LEAF = 4096  # ... and a leaf's value in 1/4096
HOPELESS = -640  # as in src/pages/extract.cpp: blocks that the first stage scores lower have no second one
CUTS = np.arange(-416, 417, 32)
OPTIONS = {
    "objective": "binary", "learning_rate": 0.1, "num_leaves": 31, "max_depth": 7, "min_data_in_leaf": 50, "feature_fraction": 0.3,
    "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 5.0, "max_bin": 63, "num_threads": 1, "seed": 1, "verbosity": -1,
}
SMALL = OPTIONS | {"num_leaves": 8, "min_data_in_leaf": 15, "feature_fraction": 0.6, "learning_rate": 0.15}


def fit(rows, label, weight, trees, options):
    return lightgbm.train(options, lightgbm.Dataset(rows, label, weight=weight), trees)


class Data:
    """All sets, block by block."""

    def __init__(self, sets):
        self.sets = sets
        self.rows = np.concatenate([s.rows for s in sets])
        self.label = np.concatenate([s.label for s in sets]).astype(int)
        self.size = np.concatenate([s.size for s in sets])
        self.share = np.concatenate([s.share for s in sets])
        base = np.cumsum([0] + [len(s.ids) for s in sets])
        self.page = np.concatenate([s.page_of + b for s, b in zip(sets, base)])
        self.page_rows = np.concatenate([s.page_rows for s in sets])
        self.page_set = np.concatenate([np.full(len(s.ids), i) for i, s in enumerate(sets)])
        self.page_fold = np.array([fold_of(d, FOLDS) for s in sets for d in s.domains])
        self.page_type = np.array([t for s in sets for t in s.types])
        self.page_words = np.array([len(g) for s in sets for g in s.gold])
        self.fold = self.page_fold[self.page]
        self.article = (self.page_type == "article")[self.page]
        self.set = self.page_set[self.page]
        counts = np.array([SETS[s.name] for s in sets])
        self.weight = np.concatenate([s.weight for s in sets]) * counts[self.set]
        # Of the many blocks of a few words a quarter stands for all.
        draw = np.random.default_rng(1).random(len(self.size)) < 0.25
        self.drawn = (self.size >= 6) | draw
        self.weight[(self.size < 6) & draw] *= 4

    def split(self, values):
        at = np.cumsum([0] + [len(s.label) for s in self.sets])
        return [values[a:b] for a, b in zip(at, at[1:])]

    def weights_of(self, kind):
        if kind == "first":
            return self.weight
        if kind == "article":
            return self.weight * self.article * np.array([STRICT.get(s.name, 1.0) for s in self.sets])[self.set]
        return self.weight * np.where(self.article, 0.6, 1.0) * np.where(self.sets_named("readability"), 0.0, 1.0)

    def sets_named(self, name):
        return np.array([s.name == name for s in self.sets])[self.set]


def fit_kind(data, rows, kind, hopeful, without=None):
    """Trees of `kind` on all folds but one."""
    weight = data.weights_of(kind)
    used = hopeful & data.drawn & (weight > 0) & (data.fold != without)
    return fit(rows[used], data.label[used], weight[used], TREES[kind], OPTIONS)


def _cross_fit_one(job):
    kind, fold = job
    model = fit_kind(SHARED["data"], SHARED["rows"], kind, SHARED["hopeful"], fold)
    held = SHARED["data"].fold == fold
    scores = None if fold is None else model.predict(SHARED["rows"][held], raw_score=True)
    print("trained", kind, "for all" if fold is None else f"without fold {fold}", flush=True)
    return kind, fold, scores, model.model_to_string()


SHARED = {}


def train(data, rows, kinds, hopeful):
    """{kind: (out-of-fold scores, {fold, or None for everything: the model})}"""
    SHARED.update(data=data, rows=rows, hopeful=hopeful)
    jobs = [(kind, fold) for kind in kinds for fold in [*range(FOLDS), None]]
    out = {kind: (np.zeros(len(data.label)), {}) for kind in kinds}
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for kind, fold, scores, text in pool.imap_unordered(_cross_fit_one, jobs):
            out[kind][1][fold] = lightgbm.Booster(model_str=text)
            if fold is not None:
                out[kind][0][data.fold == fold] = scores
    return {kind: (np.floor(scores * SCORE).astype(int), models) for kind, (scores, models) in out.items()}


def choice(data):
    """Whether a page is an article: out-of-fold scores, the models as of train()."""
    models = {}
    label = (data.page_type == "article").astype(int)
    scores = np.zeros(len(label))
    for fold in range(FOLDS):
        held = data.page_fold == fold
        models[fold] = fit(data.page_rows[~held], label[~held], None, TREES["choice"], SMALL)
        scores[held] = models[fold].predict(data.page_rows[held], raw_score=True)
    models[None] = fit(data.page_rows, label, None, TREES["choice"], SMALL)
    return np.floor(scores * SCORE).astype(int), models


def page_f1(data, kept):
    """About the bag F1 of each page, from the labels' shares: to choose cuts by."""
    pages = len(data.page_words)
    size = np.bincount(data.page, data.size * kept, pages)
    good = np.bincount(data.page, data.size * kept * data.share, pages)
    return 2 * good / np.maximum(1, size + np.maximum(data.page_words, good))


def best_cut(f1_by_cut, weight):
    return int(CUTS[np.argmax((f1_by_cut * weight).sum(1))])


def cuts_of(data, scores, weight):
    """(the cut of each fold, chosen on the others; the cut of all)."""
    f1 = np.stack([page_f1(data, scores >= cut) for cut in CUTS])
    return [best_cut(f1, weight * (data.page_fold != fold)) for fold in range(FOLDS)], best_cut(f1, weight)


def keep(data, scores, cuts):
    return scores >= np.array(cuts)[data.fold]


def figures(data, kept):
    """Bag and 4-shingle F1 of each set, and of each type of page."""
    report = {}
    for s, k in zip(data.sets, data.split(kept)):
        each = np.array([judge(s.kept_words(p, k), s.gold[p]) for p in range(len(s.ids))])
        types = np.array(s.types)
        report[s.name] = {"pages": len(each)} | f1_of(each)
        if len(set(types)) > 1:
            report[s.name]["types"] = {t: {"pages": int((types == t).sum())} | f1_of(each[types == t]) for t in sorted(set(types))}
    return report


def tree_tables(model):
    """Of each tree its nodes (feature, threshold, left, right) and their values; a leaf is its own child."""
    trees = []
    for info in model.dump_model()["tree_info"]:
        nodes, values = [], []

        def add(node, level):
            at = len(nodes)
            nodes.append(None), values.append(0)
            if "leaf_value" in node:
                nodes[at] = (0, 0, at, at)
                values[at] = int(np.clip(round(node["leaf_value"] * LEAF), -32767, 32767))
                return at, level
            assert node["decision_type"] == "<="
            left, deep_left = add(node["left_child"], level + 1)
            right, deep_right = add(node["right_child"], level + 1)
            nodes[at] = (node["split_feature"], int(np.clip(np.floor(node["threshold"]), -32768, 32767)), left, right)
            return at, max(deep_left, deep_right)

        _, depth = add(info["tree_structure"], 0)
        assert len(nodes) <= 256
        trees.append((depth, nodes, values))
    return trees


def write_table(path, name, models, cuts):
    out = ["""// The model of web pages: trees and cuts. Made by bench/web/train.py; do not edit.
//
// Trained on WCXB's development pages (Web Content Extraction Benchmark; its annotations are CC BY 4.0, attribution to its authors), on
// article-extraction-benchmark (MIT, Zyte), on Chinese-Web-Content-Extraction-Dataset (MIT) and, with a low weight, on the test pages of
// Mozilla Readability (Apache 2.0). No text of these pages is in the table.
#include "pages/model_table.h"

namespace leitong::pages {

// clang-format off
namespace {
"""]
    for kind, model in models.items():
        trees = tree_tables(model)
        lines, values, tree_lines, at = [], [], [], 0
        for depth, nodes, leaf in trees:
            lines.append("    " + "".join("{%d,%d,%d,%d}," % (t, f, a, b) for f, t, a, b in nodes))
            values.append("    " + "".join("%d," % v for v in leaf))
            tree_lines.append("{%d,%d}," % (at, depth))
            at += len(nodes)
        out.append(f"constexpr TreeNode {kind}_nodes[] = {{\n" + "\n".join(lines) + "\n};\n")
        out.append(f"constexpr std::int16_t {kind}_values[] = {{\n" + "\n".join(values) + "\n};\n")
        out.append(f"constexpr TreePlace {kind}_trees[] = {{\n    " + "".join(tree_lines) + "\n};\n")
    out.append("}  // namespace\n")
    out.append(f'const ModelTable model{{\n    "{name}",')
    for kind in models:
        out.append(f"    {{{kind}_trees, {kind}_nodes, {kind}_values, {cuts.get(kind, 0)}}},")
    out.append("};\n// clang-format on\n\n}  // namespace leitong::pages\n")
    Path(path).write_text("\n".join(out), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for flag in ("pages", "program", "id", "report", "table"):
        parser.add_argument("--" + flag, required=True)
    parser.add_argument("--scores", help="directory that gets the cross-fit scores, and the table of each fold")
    args = parser.parse_args()
    data = Data([PageSet(name, os.path.join(args.pages, name + ".jsonl"), args.program) for name in SETS])
    first, first_models = train(data, data.rows, ["first"], np.full(len(data.label), True))["first"]
    print("first stage", json.dumps(figures(data, first >= 0)), flush=True)
    context = np.concatenate([s.context(part) for s, part in zip(data.sets, data.split(first))])
    seconds = train(data, np.concatenate([data.rows, context], axis=1), ["article", "page"], first >= HOPELESS)
    chosen, choice_models = choice(data)
    is_article = data.page_type == "article"
    report, cuts = {"first": figures(data, first >= 0)}, {}
    cuts_without = {}
    kept = {}
    base = np.array(list(SETS.values()))[data.page_set]
    strict = np.array([STRICT.get(s.name, 1.0) for s in data.sets])[data.page_set]
    for kind, weight in (("article", is_article * strict), ("page", np.where(is_article, 0.5, 1.0))):
        scores = np.where(first >= HOPELESS, seconds[kind][0], first)
        fold_cuts, cuts[kind] = cuts_of(data, scores, weight * base)
        cuts_without[kind] = fold_cuts
        kept[kind] = keep(data, scores, fold_cuts)
        report[kind] = figures(data, kept[kind]) | {"cuts": fold_cuts}
        if args.scores:
            np.save(os.path.join(args.scores, kind + ".npy"), scores)
    article_page = chosen >= 0  # whichever is likelier
    report["choice"] = {"right": round(float((article_page == is_article).mean()), 4)}
    report["main"] = figures(data, np.where(article_page[data.page], kept["article"], kept["page"]))
    Path(args.report).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=1))
    for fold in [None, *range(FOLDS)]:
        models = {"first": first_models[fold], "article": seconds["article"][1][fold], "page": seconds["page"][1][fold], "choice": choice_models[fold]}
        if fold is None:
            write_table(args.table, args.id, models, cuts)
        elif args.scores:
            write_table(os.path.join(args.scores, f"without_{fold}.cpp"), f"{args.id} without fold {fold}", models,
                        {kind: cuts_without[kind][fold] for kind in cuts_without})



if __name__ == "__main__":
    main()
