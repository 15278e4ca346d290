"""Leitong finds near-duplicate texts in large collections, keeps one of each group, and says why.

>>> import leitong
>>> result = leitong.Dedup()(["The ferry leaves at nine.", "Bread and butter.", "The ferry leaves at nine!"])
>>> result.selected
['The ferry leaves at nine.', 'Bread and butter.']
>>> leitong.fingerprint(result.selected).hex()
['62b940da490774d8', 'c10d26ac575ca93c']
"""

from pathlib import Path as _Path

from . import _core, adapters
from ._errors import (
    Error,
    FormatError,
    Interrupted,
    LeitongWarning,
    LimitError,
    StoreIOError,
    UnsupportedError,
    UsageError,
)
from ._progress import Progress
from .calibration import Calibration, Estimate, PairToLabel, calibrate
from .client import Client
from .collection import Collection, Entry, Index, Match, Outcome, Stats, StoredCluster
from .comparing import Comparison, DifferingBit, DiffRun, Explanation, MovedFeature, Word, compare, explain, segment
from .dedup import Dedup, Plan, plan, restore
from .fingerprints import Fingerprints, fingerprint, self_join
from .pages import PageText, extract
from .passages import Overlap, overlap
from .profiles import Profile, Rule, profile, profiles, rule, rules
from .results import Cluster, DuplicateRecord, Edge, Fate, Result, RunExplanation, RunRecord, read_report

__version__: str = _core.version()
_core.also_find_data_in(str(_Path(__file__).parent / "share" / "leitong"))

__all__ = [
    "Calibration",
    "Client",
    "Cluster",
    "Collection",
    "Comparison",
    "Dedup",
    "DiffRun",
    "DifferingBit",
    "DuplicateRecord",
    "Edge",
    "Entry",
    "Error",
    "Estimate",
    "Explanation",
    "Fate",
    "Fingerprints",
    "FormatError",
    "Index",
    "Interrupted",
    "LeitongWarning",
    "LimitError",
    "Match",
    "MovedFeature",
    "Outcome",
    "Overlap",
    "PageText",
    "PairToLabel",
    "Plan",
    "Profile",
    "Progress",
    "Result",
    "Rule",
    "RunExplanation",
    "RunRecord",
    "Stats",
    "StoreIOError",
    "StoredCluster",
    "UnsupportedError",
    "UsageError",
    "Word",
    "adapters",
    "calibrate",
    "compare",
    "explain",
    "extract",
    "fingerprint",
    "overlap",
    "plan",
    "profile",
    "profiles",
    "read_report",
    "restore",
    "rule",
    "rules",
    "segment",
    "self_join",
]
