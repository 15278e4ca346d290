"""Leitong inside other tools. Nothing is imported before it is asked for; none of the tools is required.

`fingerprints` and `dedup` are for Hugging Face `datasets`, the classes for datatrove. ``import leitong.adapters.pandas`` and
``import leitong.adapters.polars`` give frames an accessor: ``df.leitong.dedup("text")``.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .datasets import FingerprintColumn, dedup, fingerprints
    from .datatrove import LeitongApply, LeitongCluster, LeitongFilter, LeitongJoin, LeitongSketch

_MODULES = {
    "FingerprintColumn": "datasets",
    "dedup": "datasets",
    "fingerprints": "datasets",
    "LeitongApply": "datatrove",
    "LeitongCluster": "datatrove",
    "LeitongFilter": "datatrove",
    "LeitongJoin": "datatrove",
    "LeitongSketch": "datatrove",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_import_module(f".{_MODULES[name]}", __name__), name)


def __dir__() -> list[str]:
    return [*__all__]


__all__ = [
    "FingerprintColumn",
    "LeitongApply",
    "LeitongCluster",
    "LeitongFilter",
    "LeitongJoin",
    "LeitongSketch",
    "dedup",
    "fingerprints",
]
