"""Profiles, which decide what is stored of a text, and rules, which judge two texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike, fsdecode

from . import _core


@dataclass(frozen=True)
class Profile:
    """Every choice that decides a fingerprint's bits.

    Attributes
    ----------
    name : str
    bits : int
        Of a fingerprint.
    id : str or None
        Fingerprints of profiles of one id may be compared. None: a dictionary that the profile needs is missing.
    toml : str
        The profile as a file has it.
    """

    name: str
    bits: int
    id: str | None
    toml: str = field(repr=False)


@dataclass(frozen=True)
class Rule:
    """Which candidates are near-duplicates: name, id, and the rule as a file has it."""

    name: str
    id: str
    toml: str = field(repr=False)


def profile(name_or_path: str) -> Profile:
    """A built-in profile, or one of a TOML file.

    Examples
    --------
    >>> import leitong
    >>> leitong.profile("leitong-1-128").bits
    128
    """
    return Profile(*_core.profile_info(name_or_path))


def profiles() -> list[Profile]:
    """The built-in profiles, the default first.

    Examples
    --------
    >>> import leitong
    >>> leitong.profiles()[0].name
    'leitong-1'
    """
    return [profile(name) for name in _core.profile_names()]


def rule(name_or_path: str) -> Rule:
    """A built-in rule, or one of a TOML file, such as `calibrate` makes."""
    return Rule(*_core.rule_info(name_or_path))


def rules() -> list[Rule]:
    """The built-in rules, the default first."""
    return [rule(name) for name in _core.rule_names()]


def profile_text(given: str | PathLike[str] | Profile) -> str:
    """What _core takes: a name, a path, or TOML."""
    return given.toml if isinstance(given, Profile) else fsdecode(given)


def rule_text(given: str | PathLike[str] | Rule) -> str:
    """The same of a rule."""
    return given.toml if isinstance(given, Rule) else fsdecode(given)
