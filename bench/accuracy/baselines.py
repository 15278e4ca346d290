"""Fixed baselines: a labelled set -> the set of pairs that a method without verification, and the exact measure, call near-duplicates."""

import hashlib
import json
from pathlib import Path

import numpy as np

import features
import sentences

_SEED = np.random.SeedSequence(128)


def minhash(sets, slots, threshold):
    """Pairs whose MinHash estimate reaches the threshold; every pair of the collection is compared (exactly as many equal slots)."""
    rng = np.random.default_rng(_SEED)
    factor = rng.integers(1, 1 << 63, size=slots, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    salt = rng.integers(1, 1 << 63, size=slots, dtype=np.uint64)
    signatures = []
    for features_of in sets:
        if len(features_of) == 0:
            signatures.append(np.empty(0, dtype=np.uint64))
            continue
        least = np.full(slots, np.iinfo(np.uint64).max, dtype=np.uint64)
        for at in range(0, len(features_of), 512):
            np.minimum(least, (features_of[at:at + 512, None] * factor + salt).min(axis=0), out=least)
        signatures.append(np.sort(features.mix(least ^ features.mix(np.arange(slots, dtype=np.uint64)))))
    # equal slots e of two full signatures: e / (2 * slots - e) is their Jaccard as sets
    i, j, _ = features.shared_counts(signatures, threshold / (2 - threshold) - 1e-12)
    return set(zip(i.tolist(), j.tolist()))


def simhash64(token_hashes):
    """SimHash of 64 bits, each token voting as often as it stands there (raw term frequency); None without tokens."""
    if len(token_hashes) == 0:
        return None
    unique, count = np.unique(token_hashes, return_counts=True)
    bits = np.unpackbits(unique.view(np.uint8).reshape(-1, 8), axis=1).astype(np.int64)
    votes = ((2 * bits - 1) * count[:, None]).sum(axis=0)
    return int.from_bytes(np.packbits(votes > 0).tobytes(), "big")


def simhash_pairs(hashed, k):
    """Pairs of SimHash-64 within k bits, exactly: k + 1 blocks, one of which must be equal."""
    prints = [simhash64(h) for h in hashed]
    edges = [64 * b // (k + 1) for b in range(k + 2)]
    found = set()
    for lo, hi in zip(edges, edges[1:]):
        block = {}
        for at, value in enumerate(prints):
            if value is not None:
                block.setdefault(value >> lo & ((1 << (hi - lo)) - 1), []).append(at)
        for members in block.values():
            for x, i in enumerate(members):
                for j in members[x + 1:]:
                    if (prints[i] ^ prints[j]).bit_count() <= k:
                        found.add((i, j))
    return found


def all_of(labelled, cache):
    """Name -> predicted pairs, for every baseline; remembered in the cache folder while texts and programs are the same."""
    kept = cache / f"{labelled.name}-{labelled.digest}-{hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]}.baselines.json"
    if kept.exists():
        return {name: {tuple(p) for p in pairs} for name, pairs in json.loads(kept.read_text()).items()}
    found = _measured(labelled)
    kept.write_text(json.dumps({name: sorted(pairs) for name, pairs in found.items()}))
    return found


def _measured(labelled):
    t2 = [np.unique(features.ngrams(h, 2)) for h in labelled.hashed]
    t12 = [np.unique(features.t12(h)) for h in labelled.hashed]
    return {
        "SimHash-64, tokens, raw tf, k = 3": simhash_pairs(labelled.hashed, 3),
        "MinHash-128, T2, est >= .56": minhash(t2, 128, 0.56),
        "MinHash-256, T12, est >= .59": minhash(t12, 256, 0.59),
        "MinHash-256, O12, est >= .59": minhash(labelled.o12, 256, 0.59),
        "longest 3 sentences, all equal (article 002)": sentences.pairs(labelled.texts, 3),
        "longest 3 sentences, at least 2 shared": sentences.pairs(labelled.texts, 2),
        "exact multiset Jaccard over T12 >= .60, all pairs": {p for p, s in labelled.pool.items() if s >= 0.60},
    }
