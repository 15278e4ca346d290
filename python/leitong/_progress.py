"""Progress of jobs: nothing, a bar, or a function of yours."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Progress:
    """How far a job is.

    Attributes
    ----------
    stage : str
        "sketch", "against", "join", "verify", "cluster", "apply", ...
    done, total : int
        Bytes of input, or the stage's own units. A total of 0 is not known.
    records : int
        Records so far.
    """

    stage: str
    done: int
    total: int
    records: int


ProgressLike = Union[None, bool, Callable[[Progress], object]]
_Report = Callable[[str, int, int, int], None]


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"


@contextmanager
def reporting(progress: ProgressLike) -> Iterator[_Report | None]:
    """What the library calls with a stage, units done and in all, and records.

    `True` is a bar of tqdm on a terminal or in a notebook, and nothing where there is neither of them or no tqdm.
    """
    if callable(progress):
        function = progress
        yield lambda stage, done, total, records: void(function(Progress(stage, done, total, records)))
        return
    bar = _bar() if progress else None
    if bar is None:
        yield None
        return
    with bar:
        yield lambda stage, done, total, records: _show(bar, stage, done, total, records)


def void(_: object) -> None:
    """Whatever a caller's function returns means nothing."""


def _bar() -> Any:
    notebook = _in_notebook()
    if not notebook and not sys.stderr.isatty():
        return None
    try:
        tqdm = importlib.import_module("tqdm.notebook" if notebook else "tqdm")
    except ImportError:
        return None
    return tqdm.tqdm(unit_scale=True, leave=False)


def _show(bar: Any, stage: str, done: int, total: int, records: int) -> None:
    if bar.desc != f"{stage}: ":
        bar.set_description(stage, refresh=False)
        bar.reset(total or None)
    bar.n = done
    bar.set_postfix(records=records, refresh=False)
    bar.refresh()
