"""Importing this gives every pandas DataFrame the accessor `leitong`.

>>> import pandas, leitong.adapters.pandas
>>> frame = pandas.DataFrame({"text": ["the ship sails at nine.", "bread", "The ship sails at nine!"]}, index=["a", "b", "c"])
>>> list(frame.leitong.dedup("text").index)
['a', 'b']
>>> frame.leitong.fingerprint("text").nunique()
2
"""

from __future__ import annotations

from typing import Any

from .._optional import need
from ._frames import FrameAccessor

_pandas = need("pandas", "leitong.adapters.pandas")


@_pandas.api.extensions.register_dataframe_accessor("leitong")  # type: ignore[untyped-decorator, unused-ignore]
class PandasAccessor(FrameAccessor):
    """`DataFrame.leitong`; a series of fingerprints has the index of the frame."""

    def _series(self, values: list[str | None]) -> Any:
        return _pandas.Series(values, index=self._frame.index, name="fingerprint", dtype="string")
