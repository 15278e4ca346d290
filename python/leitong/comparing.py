"""Two texts: every measure, what differs, and why their fingerprints do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import Any

from . import _core
from .profiles import Profile, Rule, profile_text, rule_text

_STYLE = {"del": "background:#fdd;text-decoration:line-through;color:#700", "ins": "background:#dfd;text-decoration:none;color:#060"}


@dataclass(frozen=True)
class DiffRun:
    """A stretch of the alignment of two texts: `same` after normalisation, or what each has in this place."""

    same: bool
    a: str
    b: str


def _marked(runs: Iterable[DiffRun]) -> str:
    parts = []
    for run in runs:
        if run.same:
            parts.append(escape(run.a))
            continue
        for tag, text in (("del", run.a), ("ins", run.b)):
            if text:
                parts.append(f'<{tag} style="{_STYLE[tag]}">{escape(text)}</{tag}>')
    return "".join(parts)


@dataclass(frozen=True)
class Comparison:
    """Two texts compared. `docs/measures.md` says what each measure is good for.

    Attributes
    ----------
    near_duplicate : bool
        What the rule says of the two alone, without their collection.
    jaccard, containment : float
        Of the features: common share of all, and share of the smaller that the other holds.
    lcs : float
        Common tokens in the same order, 2·LCS / (n + m).
    distance : int or None
        Bits between the fingerprints `a` and `b` (hexadecimal digits or None).
    threshold : float
        The rule's least similarity for texts of this length.
    other_facts : bool
        They are no near-duplicates only because they state other facts.
    edit_distance, edit_distance_exact
        Insertions, deletions, substitutions of tokens; not exact: at least so many.
    token_jaccard, cosine, euclid, unit_euclid : float
        Of the counts of words.
    common_substring, common_substring_share
        Characters of the longest common run, and its share of the shorter text.
    character_edits, edit_similarity
        The edit distance in characters, and 1 less its share of the longer text.
    shared_sentences : int
        Of the three longest sentences of both.
    diff : tuple of DiffRun
        All of both texts.
    """

    near_duplicate: bool
    jaccard: float
    containment: float
    lcs: float
    distance: int | None
    threshold: float
    other_facts: bool
    a: str | None
    b: str | None
    edit_distance: int
    edit_distance_exact: bool
    token_jaccard: float
    cosine: float
    euclid: float
    unit_euclid: float
    common_substring: int
    common_substring_share: float
    character_edits: int
    edit_similarity: float
    shared_sentences: int
    diff: tuple[DiffRun, ...]

    def _repr_html_(self) -> str:
        verdict = "near-duplicates" if self.near_duplicate else "not near-duplicates"
        distance = "no fingerprint" if self.distance is None else f"{self.distance} bits"
        return (
            f"<div><b>{verdict}</b> · similarity {self.jaccard:.3f} (threshold {self.threshold:.2f}) · same order {self.lcs:.3f} · "
            f'{distance}<div style="white-space:pre-wrap;margin-top:.5em">{_marked(self.diff)}</div></div>'
        )


def comparison_of(values: dict[str, Any]) -> Comparison:
    """What _core gives, as a class."""
    return Comparison(**{**values, "diff": tuple(DiffRun(*run) for run in values["diff"])})


def compare(a: str, b: str, *, profile: str | Profile = "leitong-1", rule: str | Rule = "near-2") -> Comparison:
    """Compare two texts by every measure.

    Parameters
    ----------
    a, b : str
    profile : str or Profile
        Whose features are compared.
    rule : str or Rule
        What judges.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import leitong
    >>> c = leitong.compare("The ferry leaves the island at nine.", "The ferry leaves the island at ten.")
    >>> [(run.a, run.b) for run in c.diff if not run.same]
    [('nine', 'ten')]
    >>> c.near_duplicate, c.other_facts
    (False, True)
    """
    return comparison_of(_core.compare(a, b, profile_text(profile), rule_text(rule)))


@dataclass(frozen=True)
class MovedFeature:
    """A feature that weighs `a` in one text and `b` in the other.

    `pull`: of the differing bits, how many its move pulls the way they went, less how many it pulls the other way.
    """

    text: str
    part_of_speech: str
    hash: str
    a: float
    b: float
    pull: int


@dataclass(frozen=True)
class DifferingBit:
    """A bit in which two fingerprints differ: its counters in each text, and the features that moved it most."""

    bit: int
    a: float
    b: float
    features: tuple[MovedFeature, ...] = field(repr=False)
    left_out: int


@dataclass(frozen=True)
class Explanation:
    """Why two fingerprints differ, bit by bit and feature by feature.

    Attributes
    ----------
    a, b : str or None
        The fingerprints as hexadecimal digits.
    a_features, b_features, unmoved : int
        Different features that vote in each text; of equal weight in both.
    moved : tuple of MovedFeature
        The others, what moved most first.
    bits : tuple of DifferingBit
        Ascending.
    """

    a: str | None
    b: str | None
    a_features: int
    b_features: int
    unmoved: int
    moved: tuple[MovedFeature, ...]
    bits: tuple[DifferingBit, ...]

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(f.text)}</td><td>{f.a:g}</td><td>{f.b:g}</td><td>{f.pull:+d}</td></tr>" for f in self.moved[:20]
        )
        return (
            f"<div><b>{len(self.bits)} bits differ</b> · {self.unmoved} features alike, {len(self.moved)} moved"
            f"<table><tr><th>feature</th><th>in A</th><th>in B</th><th>pull</th></tr>{rows}</table></div>"
        )


def explanation_of(values: dict[str, Any]) -> Explanation:
    """What _core gives, as a class."""
    moved = tuple(MovedFeature(*feature) for feature in values["moved"])
    bits = tuple(DifferingBit(bit, a, b, tuple(moved[i] for i in some), left_out) for bit, a, b, some, left_out in values["bits"])
    return Explanation(**{**values, "moved": moved, "bits": bits})


def explain(a: str, b: str, *, profile: str | Profile = "leitong-1", most: int = 5) -> Explanation:
    """Why the fingerprints of two texts differ.

    Parameters
    ----------
    a, b : str
    profile : str or Profile
    most : int
        Features listed with each bit.

    Returns
    -------
    Explanation

    Examples
    --------
    >>> import leitong
    >>> e = leitong.explain("the ferry leaves at nine", "the ferry leaves at ten")
    >>> sorted(feature.text for feature in e.moved)
    ['at nine', 'at ten', 'nine', 'ten']
    """
    return explanation_of(_core.explain(a, b, profile_text(profile), most))


@dataclass(frozen=True)
class Word:
    """A word as a segmenter cuts it; not every segmenter gives a part of speech."""

    text: str
    part_of_speech: str | None


def segment(texts: Any, *, profile: str | Profile = "jieba") -> list[list[Word] | None]:
    """Texts to words, as a profile's segmenter cuts them.

    Parameters
    ----------
    texts : list of str or None
    profile : str or Profile
        One on words: "jieba" is jieba 0.42.1, token for token.

    Returns
    -------
    list of list of Word, None for a missing text

    Examples
    --------
    >>> import leitong
    >>> [word.text for word in leitong.segment(["我来到北京清华大学"])[0]]
    ['我', '来到', '北京', '清华大学']
    """
    from ._records import texts_source

    given = texts_source(texts)
    cut = _core.segment(given if isinstance(given, list) else list(texts), profile_text(profile))
    return [None if words is None else [Word(*word) for word in words] for words in cut]
