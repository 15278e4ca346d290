"""The groups of a labelled set in two halves: thresholds are chosen on one and reported on the other.

A group is what positives of the edit oracle and labelled pairs connect; a record without either is a group of its own. Which half a group is in follows from a
hash of its first record's id, so that it is the same on every machine. A pair counts for a half if both of its records are in it.
"""

import hashlib


def of(labelled):
    """Record number -> 0 (to choose by) or 1 (to report)."""
    parent = list(range(len(labelled.ids)))

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for i, j in list(labelled.positives) + list(labelled.labels):
        a, b = find(i), find(j)
        parent[max(a, b)] = min(a, b)
    return [hashlib.sha256(labelled.ids[find(i)].encode("utf-8", "surrogatepass")).digest()[0] & 1 for i in range(len(labelled.ids))]


def within(pairs, half, which):
    return {p for p in pairs if half[p[0]] == which and half[p[1]] == which}


def edit_scores(labelled, predicted, half, which):
    """(true positives, false positives, false negatives) by the edit oracle, of the pairs within one half."""
    predicted, positives = within(predicted, half, which), within(labelled.positives, half, which)
    right = len(predicted & positives)
    wrong = sum(1 for p in predicted - positives if labelled.edit(*p) < 0.65)
    return right, wrong, len(positives) - right
