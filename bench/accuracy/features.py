"""Texts -> tokens -> features -> measures, written apart from the product so that it can judge it.

A token is one Han, Kana or Hangul character, or one word (UAX #29), after NFKC and case folding. Tn: n-grams over tokens; T12: T1 and T2 together;
O12: T12 with occurrences numbered, so that the set Jaccard over O12 is the multiset Jaccard over T12 ("wJ" here).
"""

import hashlib
import re
import unicodedata

import numpy as np

_HAN = "\u3005\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
# A word goes on over a full stop, colon or apostrophe between two letters ("example.com", "don't"), and over a full stop, comma, semicolon or apostrophe
# between two digits ("3.14"), as UAX #29 (Unicode 15.0) has it.
_LETTER, _DIGIT, _WORD = f"[^\\W\\d_{_HAN}]", r"\d", f"[^\\W{_HAN}]"
_JOINT = f"(?<={_LETTER})[.:'\u2018\u2019\u00b7](?={_LETTER})|(?<={_DIGIT})[.,;'\u2018\u2019](?={_DIGIT})"
TOKEN = re.compile(f"[{_HAN}]|{_WORD}+(?:(?:{_JOINT}){_WORD}+)*")
_MASK = (1 << 64) - 1


def tokens(text):
    """The tokens of a text, in order."""
    return TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())


def is_han(character):
    return re.match(f"[{_HAN}]", character) is not None


class Hasher:
    """Token -> 64-bit hash, remembered; the same on every machine and run."""

    def __init__(self):
        self._known = {}

    def ids(self, toks):
        known = self._known
        out = np.empty(len(toks), dtype=np.uint64)
        for i, tok in enumerate(toks):
            value = known.get(tok)
            if value is None:
                value = int.from_bytes(hashlib.blake2b(tok.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
                known[tok] = value
            out[i] = value
        return out


def mix(values):
    """A 64-bit finaliser over an array of uint64 (SplitMix64)."""
    with np.errstate(over="ignore"):
        z = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def ngrams(ids, n):
    """Hashes of the n-grams of a token sequence; a shorter text has none."""
    if len(ids) < n:
        return np.empty(0, dtype=np.uint64)
    with np.errstate(over="ignore"):
        total = np.full(len(ids) - n + 1, n, dtype=np.uint64)
        for i in range(n):
            total = mix(total * np.uint64(0x9E3779B97F4A7C15) + ids[i:len(ids) - n + 1 + i])
    return total


def numbered(features):
    """Set of hashes in which the i-th copy of a feature is a feature of its own (sorted)."""
    if len(features) == 0:
        return features
    ordered = np.sort(features)
    new = np.concatenate(([True], ordered[1:] != ordered[:-1]))
    first = np.maximum.accumulate(np.where(new, np.arange(len(ordered)), 0))
    copy = (np.arange(len(ordered)) - first).astype(np.uint64)
    with np.errstate(over="ignore"):
        return np.sort(mix(ordered + copy * np.uint64(0xD6E8FEB86659FD93)))


def t12(ids):
    return np.concatenate((ngrams(ids, 1), ngrams(ids, 2)))


def o12(ids):
    return numbered(t12(ids))


def jaccard(a, b):
    """Jaccard of two sorted arrays without repeats."""
    if len(a) == 0 or len(b) == 0:
        return 0.0
    common = len(np.intersect1d(a, b, assume_unique=True))
    return common / (len(a) + len(b) - common)


def lcs(a, b):
    """Length of the longest common subsequence of two lists: bit-parallel, one machine-independent big integer a row."""
    lo = 0
    end = min(len(a), len(b))
    while lo < end and a[lo] == b[lo]:
        lo += 1
    hi = 0
    while hi < end - lo and a[len(a) - 1 - hi] == b[len(b) - 1 - hi]:
        hi += 1
    a, b = a[lo:len(a) - hi], b[lo:len(b) - hi]
    if len(a) > len(b):
        a, b = b, a
    if not a:
        return lo + hi
    where = {}
    for i, tok in enumerate(a):
        where[tok] = where.get(tok, 0) | (1 << i)
    full = (1 << len(a)) - 1
    row = full
    for tok in b:
        match = where.get(tok)
        if match:
            common = row & match
            row = ((row + common) | (row - common)) & full
    return lo + hi + len(a) - row.bit_count()


def edit_similarity(a, b):
    """E = 2 LCS / (n + m) over two token lists; 0 for an empty text."""
    return 2 * lcs(a, b) / (len(a) + len(b)) if a and b else 0.0


def shared_counts(sets, at_least):
    """All pairs i < j of sorted sets with common/(|i|+|j|-common) >= at_least, exactly: (i, j, jaccard) arrays.

    An inverted index over the features that stand in two documents or more; one count of the postings a document.
    """
    sizes = np.array([len(s) for s in sets], dtype=np.int64)
    flat = np.concatenate(sets) if len(sets) else np.empty(0, dtype=np.uint64)
    docs = np.repeat(np.arange(len(sets), dtype=np.int32), sizes)
    order = np.argsort(flat, kind="stable")
    ordered = flat[order]
    posting_docs = docs[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1]))) if len(flat) else np.empty(0, dtype=np.int64)
    lengths = np.diff(np.append(starts, len(flat)))
    group = np.empty(len(flat), dtype=np.int64)
    group[order] = np.repeat(np.arange(len(starts)), lengths)
    ends = starts + lengths
    position = np.empty(len(flat), dtype=np.int64)
    position[order] = np.arange(len(flat))
    left, right, value = [], [], []
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    for i in range(len(sets)):
        here = slice(offsets[i], offsets[i + 1])
        begin, stop = position[here] + 1, ends[group[here]]  # later documents only
        count = stop - begin
        keep = count > 0
        begin, count = begin[keep], count[keep]
        if len(begin) == 0:
            continue
        jump = np.ones(int(count.sum()), dtype=np.int64)
        jump[0] = begin[0]
        jump[np.cumsum(count)[:-1]] = begin[1:] - (begin[:-1] + count[:-1]) + 1
        common = np.bincount(posting_docs[np.cumsum(jump)], minlength=len(sets))
        j = np.flatnonzero(common)
        score = common[j] / (sizes[i] + sizes[j] - common[j])
        good = score >= at_least
        left.append(np.full(int(good.sum()), i, dtype=np.int32))
        right.append(j[good].astype(np.int32))
        value.append(score[good])
    if not left:
        return np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0)
    return np.concatenate(left), np.concatenate(right), np.concatenate(value)
