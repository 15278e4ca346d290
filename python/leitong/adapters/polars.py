"""Importing this gives every polars DataFrame the namespace `leitong`.

>>> import polars, leitong.adapters.polars
>>> frame = polars.DataFrame({"text": ["the ship sails at nine.", "bread", "The ship sails at nine!"], "n": [1, 2, 3]})
>>> frame.leitong.dedup("text")["n"].to_list()
[1, 2]
>>> frame.leitong.fingerprint("text").n_unique()
2
"""

from __future__ import annotations

from typing import Any

from .._optional import need
from ._frames import FrameAccessor

_polars = need("polars", "leitong.adapters.polars")


@_polars.api.register_dataframe_namespace("leitong")  # type: ignore[untyped-decorator, unused-ignore]
class PolarsAccessor(FrameAccessor):
    """`DataFrame.leitong`."""

    def _series(self, values: list[str | None]) -> Any:
        return _polars.Series("fingerprint", values, dtype=_polars.String)
