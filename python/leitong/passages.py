"""Passages that two collections have in common."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import _core
from ._progress import ProgressLike, reporting
from ._records import as_input, path_text
from .dedup import memory_bytes


@dataclass(frozen=True)
class Overlap:
    """What two collections have in common; its directory holds matches.jsonl, summary.json and report.html.

    Attributes
    ----------
    output_dir : Path
    contained, partial : int
        Texts of B of which one text of A holds at least the share that was asked for; or less.
    holding : int
        Texts of A that hold a passage of B.
    pairs : int
    a_records, b_records, too_short : int
    """

    output_dir: Path
    a_records: int
    b_records: int
    contained: int
    partial: int
    holding: int
    pairs: int
    too_short: int = field(default=0)

    def matches(self) -> Iterator[dict[str, Any]]:
        """The lines of matches.jsonl: each pair of texts, with its spans in characters."""
        with (self.output_dir / "matches.jsonl").open("rb") as lines:
            for line in lines:
                yield json.loads(line)


def overlap(
    a: Any,
    b: Any,
    output_dir: str | Path,
    *,
    span: int = 20,
    contained: float = 0.5,
    fold_traditional: bool = False,
    text: str = "text",
    id: str = "id",
    overwrite: bool = False,
    threads: int = 0,
    memory: int | str | None = None,
    progress: ProgressLike = None,
) -> Overlap:
    """Which texts of A hold passages of B, and where.

    Parameters
    ----------
    a, b : path, or records
        What is searched (a training set), and what is looked for (benchmarks): files, or records as `Dedup` takes them.
    output_dir : path
    span : int
        Tokens of a common run.
    contained : float
        The share of a text of B that one text of A must hold for it to be contained.

    Examples
    --------
    >>> import leitong, tempfile
    >>> quiz = "Which river flows through the old town before it reaches the sea at the lighthouse near the northern harbour wall today"
    >>> found = leitong.overlap([f"A page. {quiz}? It says more."], [quiz], tempfile.mkdtemp() + "/out")
    >>> found.contained, [match["contained"] for match in found.matches()]
    (1, [1])
    """
    a_paths, tables = as_input(a, [text], [id], "<a>")
    b_paths, b_tables = as_input(b, [text], [id], "<b>")
    fields = {"text": [text], "id": id}
    options = {"output_dir": path_text(output_dir), "span": span, "contained": contained, "fold_traditional": fold_traditional}
    options |= {"overwrite": overwrite, "threads": threads, "memory": memory_bytes(memory)}
    with reporting(progress) as report:
        counts = _core.overlap({"paths": a_paths, **fields}, {"paths": b_paths, **fields}, tables | b_tables, options, report)
    return Overlap(output_dir=Path(output_dir), **counts)
