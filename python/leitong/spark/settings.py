"""What decides the result of a job, checked once on the driver and carried to the executors."""

from __future__ import annotations

import socket
from dataclasses import asdict, dataclass
from typing import Any

from .. import __version__, _core
from .._errors import UnsupportedError, UsageError
from ..profiles import profile_text, rule_text

DEFAULT_KEEP = "central,length:max,first"


@dataclass(frozen=True)
class Settings:
    profile: str  # TOML, so that executors need no file
    profile_id: str
    profile_name: str
    bits: int
    rule: str  # TOML
    rule_id: str
    rule_name: str
    keep: str
    threshold: float | None
    recall: tuple[float, float] | None
    bands_at_once: int | None  # in one shuffle; None: by the number of rows
    version: str = __version__

    @property
    def words(self) -> int:
        """Columns of a fingerprint."""
        return (self.bits + 63) // 64

    @property
    def short_tokens(self) -> int:
        return int(_core.profile_sketch(self.profile)[1])

    def as_dict(self) -> dict[str, Any]:
        """What a checkpoint must agree on; how bands are shared out among shuffles changes nothing."""
        out = asdict(self)
        del out["bands_at_once"]
        return out

    def check_executor(self) -> None:
        """Called where texts are sketched first: another library there would give another result."""
        here = socket.gethostname()
        if _core.version() != self.version:
            raise UnsupportedError(f"{here} has leitong {_core.version()}, the driver {self.version}: install the same on all machines")
        if (found := _core.profile_info(self.profile)[2]) != self.profile_id:
            raise UnsupportedError(
                f"{here} makes of profile {self.profile_name} the id {found}, the driver {self.profile_id}: a dictionary differs"
            )


def make_settings(
    profile: Any = "leitong-1",
    rule: Any = "near-2",
    keep: str = DEFAULT_KEEP,
    threshold: float | None = None,
    recall: tuple[float, float] | None = None,
    bands_at_once: int | None = None,
) -> Settings:
    name, bits, profile_id, profile_toml = _core.profile_info(profile_text(profile))
    rule_name, rule_id, rule_toml = _core.rule_info(rule_text(rule))
    if profile_id is None:
        raise UsageError(f"profile {name} needs a dictionary that is not there: leitong data says where it is looked for")
    if not _core.profile_sketch(profile_toml)[0]:
        raise UsageError(f"profile {name} has no second sketch to nominate candidates by: on Spark take one that has")
    if threshold is not None and not 0 < threshold <= 1:
        raise UsageError(f"threshold: {threshold} is not above 0 and at most 1")
    if bands_at_once is not None and bands_at_once < 1:
        raise UsageError(f"bands_at_once: {bands_at_once} is not at least 1")
    if recall is not None:
        recall = (float(recall[0]), float(recall[1]))
        _core.band_plan(0, recall)
    _core.KeepOrder(keep)
    return Settings(profile_toml, profile_id, name, bits, rule_toml, rule_id, rule_name, keep, threshold, recall, bands_at_once)
