"""What `df.leitong` does, of pandas and polars alike."""

from __future__ import annotations

from typing import Any

from .._errors import UsageError
from .._progress import ProgressLike
from ..dedup import Dedup
from ..fingerprints import fingerprint
from ..profiles import Profile
from ..results import Result


class FrameAccessor:
    """Near-duplicates among the rows of a frame."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def result(
        self, column: str = "text", *, id: str = "id", against: Any = None, progress: ProgressLike = None, **settings: Any
    ) -> Result:
        """Everything that a deduplication found: see `leitong.Result`. `settings` are those of `leitong.Dedup`."""
        if column not in self._frame.columns:
            raise UsageError(f"the frame has no column {column!r}, only {', '.join(map(str, self._frame.columns))}")
        return Dedup(**settings)(self._frame, text=column, id=id, against=against, progress=progress)

    def dedup(self, column: str = "text", *, id: str = "id", against: Any = None, progress: ProgressLike = None, **settings: Any) -> Any:
        """The rows that stay, as a frame; rows without a text do not."""
        return self.result(column, id=id, against=against, progress=progress, **settings).selected

    def fingerprint(self, column: str = "text", *, profile: str | Profile = "leitong-1", threads: int = 0) -> Any:
        """Fingerprints as a series of hexadecimal digits, null where a text has none."""
        return self._series(fingerprint(self._frame[column], profile=profile, threads=threads).hex())

    def _series(self, values: list[str | None]) -> Any:
        raise NotImplementedError
