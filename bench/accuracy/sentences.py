"""The way of article 002: hash the longest three sentences of a text; equal signatures mean copies. Written apart from the product."""

import itertools
import re

import features

_END = re.compile(r"[。！？…]+[”’」』）\"')\]]*|[.!?]+(?=[\s\"'”’)\]]|$)|\n\s*\n|\n(?=[\u3400-\u9fff])|(?<=[\u3400-\u9fff])\n")


def longest(text, most=3):
    """The token sequences of the longest sentences, each once."""
    found = {tuple(features.tokens(part)) for part in _END.split(text)}
    found.discard(())
    return frozenset(sorted(found, key=lambda s: (-len(s), s))[:most])


def pairs(texts, shared):
    """Pairs whose longest three sentences are the same (shared = 3: as a signature), or that share at least so many of them."""
    chosen = [longest(text) for text in texts]
    where = {}
    for at, sentences in enumerate(chosen):
        for sentence in ([sentences] if shared == 3 else sentences):
            if sentences:
                where.setdefault(sentence, []).append(at)
    counts = {}
    for members in where.values():
        for pair in itertools.combinations(members, 2):
            counts[pair] = counts.get(pair, 0) + 1
    return {pair for pair, count in counts.items() if count >= (1 if shared == 3 else shared)}
