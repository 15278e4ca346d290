"""A labelled set and what is true of its pairs, by the edit oracle and by its own labels.

Edit truth: E = 2 LCS / (n + m) over tokens; >= .8 is a near-duplicate, .65-.8 is ignored, below is not. It is exhaustive: the pairs with
E >= .8 have a multiset Jaccard over T12 of at least .43 (at worst every edit breaks one adjacency of its own), so that all pairs of
wJ >= .40 are found exactly and judged; a predicted pair below that is judged when it is predicted.
"""

import gzip
import hashlib
import json
from pathlib import Path

import numpy as np

import features

POOL = 0.40
POSITIVE, IGNORED_FROM = 0.80, 0.65


def _lines(path):
    opener = gzip.open if str(path).endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


class LabelledSet:
    """Documents by record number, their features, the labelled pairs, and the judged pool (kept in a cache directory)."""

    def __init__(self, name, docs, pairs, rule, cache):
        self.name, self.docs, self.rule = name, Path(docs), rule
        records = list(_lines(docs))
        self.ids = [str(r["id"]) for r in records]
        self.at = {name: i for i, name in enumerate(self.ids)}
        self.texts = [r["text"] for r in records]
        self.chars = sum(map(len, self.texts))
        self.tokens = [features.tokens(r["text"]) for r in records]
        hasher = features.Hasher()
        self.hashed = [hasher.ids(t) for t in self.tokens]
        self.o1 = [features.numbered(features.ngrams(h, 1)) for h in self.hashed]
        self.o12 = [features.o12(h) for h in self.hashed]
        self.labels = {}
        for p in _lines(pairs):
            self.labels[self._pair(self.at[p["a"]], self.at[p["b"]])] = p["label"]
        self._edit = {}
        self._load_pool(Path(cache))

    @staticmethod
    def _pair(i, j):
        return (i, j) if i < j else (j, i)

    def _load_pool(self, cache):
        self.digest = hashlib.sha256(self.docs.read_bytes() + Path(features.__file__).read_bytes()).hexdigest()[:16]
        kept = cache / f"{self.name}-{self.digest}.npz"
        if not kept.exists():
            i, j, score = features.shared_counts(self.o12, POOL)
            edit = np.array([self.edit(a, b) for a, b in zip(i.tolist(), j.tolist())])
            cache.mkdir(parents=True, exist_ok=True)
            np.savez(kept, i=i, j=j, score=score, edit=edit)
        pool = np.load(kept)
        pairs = list(zip(pool["i"].tolist(), pool["j"].tolist()))
        self.pool = dict(zip(pairs, pool["score"].tolist()))
        self._edit.update(zip(pairs, pool["edit"].tolist()))
        self.positives = {p for p, e in zip(pairs, pool["edit"].tolist()) if e >= POSITIVE}

    def edit(self, i, j):
        """E of two records, or its upper bound where that alone is below the ignored range."""
        pair = self._pair(i, j)
        known = self._edit.get(pair)
        if known is None:
            n, m = len(self.tokens[i]), len(self.tokens[j])
            if n == 0 or m == 0:
                return 0.0
            bound = 2 * min(n, m) / (n + m)
            if bound >= IGNORED_FROM:
                bound = 2 * len(np.intersect1d(self.o1[i], self.o1[j], assume_unique=True)) / (n + m)
            known = bound if bound < IGNORED_FROM else features.edit_similarity(self.hashed[i].tolist(), self.hashed[j].tolist())
            self._edit[pair] = known
        return known

    def by_edit(self, predicted):
        """(true positives, false positives, false negatives) of a set of pairs (i < j) by the edit oracle."""
        right = len(predicted & self.positives)
        wrong = sum(1 for p in predicted - self.positives if self.edit(*p) < IGNORED_FROM)
        return right, wrong, len(self.positives) - right

    def by_label(self, predicted):
        """The same by the set's own labels; what an unlabelled pair is, the rule says."""
        right = wrong = 0
        for pair in predicted:
            label = self.labels.get(pair)
            if label is None:
                label = self._unlabelled(pair)
            right += label == 1
            wrong += label == 0
        return right, wrong, sum(1 for v in self.labels.values() if v == 1) - right

    def _unlabelled(self, pair):
        if self.rule == "closed":
            return 0
        if self.rule == "family":  # revisions: "pep0005@3"
            a, b = (self.ids[i].split("@")[0] for i in pair)
            return -1 if a == b else 0
        return -1
