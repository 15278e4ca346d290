"""What a deduplication found: of records in memory, or of a run in a directory."""

from __future__ import annotations

import io
import json
import tempfile
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import FormatError, UsageError
from ._optional import need
from ._records import Records
from .comparing import Comparison, Explanation, comparison_of, explanation_of
from .pages import extract

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

_REJECTED, _REMOVED, _KEPT = range(3)


@dataclass(frozen=True)
class DuplicateRecord:
    """A record that is not kept.

    Attributes
    ----------
    record : object
        As it came; of a run in a directory, its id.
    row : int
        Its number in the input, from 0.
    kept, kept_row
        The record that stays in its place, likewise. Of one in the old collection, `kept` is None.
    similarity : float or None
        Of the two; None: one is stored without its text.
    distance : int or None
        Bits between their fingerprints.
    exact : bool
        The texts are the same after normalisation.
    """

    record: Any
    row: int
    kept: Any
    kept_row: int
    similarity: float | None
    distance: int | None
    exact: bool


@dataclass(frozen=True)
class Cluster:
    """Near-duplicates of each other, of which one is kept.

    Attributes
    ----------
    id : int
    rows : tuple of int
        Numbers in the input, ascending.
    keep : int
        The one that stays.
    records : object
        The records in that order, as they came: a list, or a frame of the same library. Of a run in a directory, their ids.
    """

    id: int
    rows: tuple[int, ...]
    keep: int
    records: Any = field(repr=False)

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class RunRecord:
    """A record as a run's outputs name it: its id (a JSON value, or None), number, source, and line there."""

    id: str | None
    row: int
    source: str
    line: int


@dataclass(frozen=True)
class Edge:
    """An accepted pair, and how it was nominated: "equal", "bands", "exact", "hamming"."""

    a: RunRecord
    b: RunRecord
    similarity: float
    route: str


@dataclass(frozen=True)
class Fate:
    """What a run did with a record."""

    record: RunRecord
    fingerprint: str | None
    cluster: int | None
    cluster_size: int
    kept: RunRecord
    is_kept: bool
    similarity: float
    distance: int | None
    text: str


@dataclass(frozen=True)
class RunExplanation:
    """Why two records are, or are not, in one cluster.

    Attributes
    ----------
    a, b : Fate
    nominated : str or None
        By which route the pair came to be compared; None: it did not.
    accepted : float or None
        With which similarity; None: it was refused, or never looked at.
    beyond_template : float or None
        Their similarity where what is common in the collection counts less, if the rule asked for it.
    chain : tuple of Edge
        The fewest accepted pairs that lead from one to the other, if they are in one cluster.
    comparison, explanation
        Of the texts; None if `no_texts` says why they could not be read again.
    """

    a: Fate
    b: Fate
    nominated: str | None
    accepted: float | None
    beyond_template: float | None
    chain: tuple[Edge, ...]
    no_texts: str
    comparison: Comparison | None
    explanation: Explanation | None

    def _repr_html_(self) -> str:
        said = "one cluster" if self.a.cluster is not None and self.a.cluster == self.b.cluster else "not in one cluster"
        how = f"nominated by {self.nominated}" if self.nominated else "never nominated"
        similarity = f", accepted with similarity {self.accepted:.3f}" if self.accepted is not None else ", not accepted"
        difference = self.comparison._repr_html_() if self.comparison else escape(self.no_texts)
        return f"<div><b>{said}</b> · {how}{similarity}{difference}</div>"


def _fate(values: dict[str, Any]) -> Fate:
    return Fate(**{**values, "record": RunRecord(*values["record"]), "kept": RunRecord(*values["kept"])})


def _explained(found: dict[str, Any]) -> RunExplanation:
    return RunExplanation(
        a=_fate(found["a"]),
        b=_fate(found["b"]),
        nominated=found["nominated"],
        accepted=found["accepted"],
        beyond_template=found["beyond_template"],
        chain=tuple(Edge(RunRecord(*x), RunRecord(*y), similarity, route) for x, y, similarity, route in found["chain"]),
        no_texts=found["no_texts"],
        comparison=comparison_of(found["comparison"]) if found["comparison"] else None,
        explanation=explanation_of(found["explanation"]) if found["explanation"] else None,
    )


class Result:
    """What stays, what does not, and why.

    Records are called by their rows: their numbers in the input, from 0, bad ones counted in. A record without a text (None, or none in
    its field) is bad: it is neither selected nor filtered, but in `rejected`.

    Examples
    --------
    >>> import leitong
    >>> result = leitong.Dedup()(["the ship sails at nine.", "bread and butter", "The ship sails at nine!"])
    >>> result.selected
    ['the ship sails at nine.', 'bread and butter']
    >>> result.filtered[0].record, result.filtered[0].kept_row
    ('The ship sails at nine!', 0)
    >>> result.keep_mask.tolist()
    [True, True, False]
    """

    def __init__(
        self,
        run: Path,
        records: Records | None = None,
        tables: dict[str, _core.Table] | None = None,
        text: list[str] | None = None,
        temporary: Any = None,
        extract: str | None = None,
    ) -> None:
        self._run, self._records, self._tables, self._text = run, records, tables or {}, text or []
        self._extract = extract  # what was taken of the records, which are web pages; None: they are texts
        self._temporary = temporary  # the directory goes when this does
        self._found = _core.run_results(str(run))

    def __len__(self) -> int:
        return len(self._fates)

    def __repr__(self) -> str:
        return f"<Result: {self.counts['kept']} of {len(self)} records kept, {self.counts['removed']} removed>"

    def __reduce__(self) -> Any:
        if self._temporary is not None:
            raise TypeError("a Result of records in memory cannot be pickled: it holds them as the job read them; keep keep_mask")
        return read_report, (str(self._run),)

    @property
    def output_dir(self) -> Path | None:
        """Where the run's files are; None of records in memory."""
        return None if self._temporary is not None else self._run

    @property
    def counts(self) -> dict[str, int]:
        """Of records: `records`, `kept`, `removed`, `rejected`, ...; of pairs: `candidates`, `edges`."""
        return dict(self._found["counts"])

    @property
    def _fates(self) -> bytes:
        return self._found["fates"]  # type: ignore[no-any-return]

    def _rows(self, fate: int) -> list[int]:
        return [row for row, this in enumerate(self._fates) if this == fate]

    def _take(self, rows: list[int]) -> Any:
        if self._records is not None:
            return self._records.take(rows)
        return [self._ids[row] for row in rows]

    def _one(self, row: int) -> Any:
        return self._records.record(row) if self._records is not None else self._ids.get(row)

    @cached_property
    def _ids(self) -> dict[int, Any]:
        ids: dict[int, Any] = {}
        for cluster in _lines(self._run, "clusters"):
            ids.update(zip(cluster["records"], cluster["members"]))
        for removed in _lines(self._run, "removed"):
            ids[removed["record"]] = removed["id"]
        return ids

    @property
    def selected(self) -> Any:
        """The records that stay, as they came and in their order: a list, or a frame of the same library.

        Of a run in a directory, an iterator over the records of `kept.jsonl`.
        """
        if self._records is None:
            return _lines(self._run, "kept")
        return self._records.take(self._rows(_KEPT))

    @cached_property
    def filtered(self) -> list[DuplicateRecord]:
        """The records that are removed, in their order, each with the one that stays in its place."""
        return [
            DuplicateRecord(
                record=self._one(row),
                row=row,
                kept=None if old else self._one(kept_row),
                kept_row=kept_row,
                similarity=None if similarity < 0 else similarity,
                distance=None if distance < 0 else distance,
                exact=exact,
            )
            for row, _, kept_row, old, exact, similarity, distance in self._found["members"]
            if self._fates[row] == _REMOVED
        ]

    @property
    def rejected(self) -> list[tuple[int, str]]:
        """Bad records: row, and what is wrong with it."""
        return [(bad["record"], bad["reason"]) for bad in _lines(self._run, "rejected")]

    @cached_property
    def clusters(self) -> list[Cluster]:
        """Groups of two records or more, in order of their first."""
        members: dict[int, list[int]] = {}
        keep: dict[int, int] = {}
        for row, cluster, kept_row, old, *_ in self._found["members"]:
            members.setdefault(cluster, []).append(row)
            keep[cluster] = -1 if old else kept_row
        return [Cluster(id=i, rows=tuple(rows), keep=keep[i], records=self._take(rows)) for i, rows in sorted(members.items())]

    @property
    def keep_mask(self) -> NDArray[numpy.bool_]:
        """Which records stay, as bools in input order. Needs numpy; `keep_list` does not."""
        numpy = need("numpy", "keep_mask")
        return numpy.frombuffer(self._fates, dtype=numpy.uint8) == _KEPT  # type: ignore[no-any-return]

    @property
    def keep_list(self) -> list[bool]:
        """The same as a list."""
        return [fate == _KEPT for fate in self._fates]

    @property
    def duplicate_ratio(self) -> float:
        """The share of the good records that are removed."""
        good = len(self) - self.counts["rejected"]
        return self.counts["removed"] / good if good else 0.0

    @property
    def exact_duplicate_ratio(self) -> float:
        """The share that are removed and have the same text as the record that stays, after normalisation."""
        good = len(self) - self.counts["rejected"]
        exact = sum(1 for row, _, _, _, equal, _, _ in self._found["members"] if equal and self._fates[row] == _REMOVED)
        return exact / good if good else 0.0

    def explain(self, a: int | str, b: int | str, *, most: int = 5) -> RunExplanation:
        """Why two records are, or are not, in one cluster.

        Parameters
        ----------
        a, b : int or str
            Rows; or ids as they stand in the input.
        most : int
            Features listed with each differing bit.

        Examples
        --------
        >>> import leitong
        >>> result = leitong.Dedup()(["the ship sails at nine", "The ship sails at nine!"])
        >>> result.explain(0, 1).accepted
        1.0
        """
        names = [f":{one}" if isinstance(one, int) else one for one in (a, b)]
        found = _core.explain_run(str(self._run), names[0], names[1], most)
        if self._records is not None:  # which the library does not hold any more
            self._add_texts(found, most)
        return _explained(found)

    def _text_of(self, row: int) -> str:
        """The text that was compared, of a record in memory."""
        text = self._records.text(row, self._text) if self._records is not None else ""
        return text if self._extract is None else extract(text, self._extract).text

    def _add_texts(self, found: dict[str, Any], most: int) -> None:
        """What `explain` tells of the texts themselves."""
        a, b = (self._text_of(found[one]["record"][1]) for one in "ab")
        found["a"]["text"], found["b"]["text"], found["no_texts"] = a, b, ""
        found["comparison"] = _core.compare(a, b, found["profile"], found["rule"])
        found["explanation"] = _core.explain(a, b, found["profile"], most)

    def report(self, path: str | Path) -> Path:
        """Write the report, one page that needs nothing else, and give its path.

        Examples
        --------
        >>> import leitong, pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> page = leitong.Dedup()(["one two three", "One two three!"]).report(folder / "out.html")
        >>> "<html" in page.read_text()
        True
        """
        path = Path(path)
        path.write_bytes((self._written / "report.html").read_bytes())
        return path

    @cached_property
    def _written(self) -> Path:
        """A directory with report, summary and lists."""
        if self._temporary is None:
            return self._run
        written = self._run / "written"
        _core.write_results(str(self._run), str(written), self._tables, 1000)
        return written

    @property
    def summary(self) -> dict[str, Any]:
        """What `summary.json` of a run holds: counts, settings in effect, warnings."""
        return json.loads((self._written / "summary.json").read_bytes())  # type: ignore[no-any-return]

    def to_arrow(self) -> Any:
        """A table with a row for each record. Needs pyarrow.

        Its columns: `keep` (bool), `cluster` (null: resembles none), `kept_row` (null: it stays, or what stays is of the old collection),
        `similarity`, `distance`, `exact`.
        """
        pa = need("pyarrow", "to_arrow")
        columns: dict[str, list[Any]] = {name: [None] * len(self) for name in ("cluster", "kept_row", "similarity", "distance", "exact")}
        for row, cluster, kept_row, old, exact, similarity, distance in self._found["members"]:
            columns["cluster"][row] = cluster
            if self._fates[row] == _REMOVED:
                columns["kept_row"][row] = None if old else kept_row
                columns["similarity"][row] = None if similarity < 0 else similarity
                columns["distance"][row] = None if distance < 0 else distance
                columns["exact"][row] = exact
        kinds = {"cluster": pa.uint32(), "kept_row": pa.uint64(), "similarity": pa.float64(), "distance": pa.uint16(), "exact": pa.bool_()}
        return pa.table({"keep": pa.array(self.keep_list, pa.bool_())} | {n: pa.array(v, kinds[n]) for n, v in columns.items()})

    def _repr_html_(self) -> str:
        counts = self.counts
        rows = []
        for cluster in sorted(self.clusters, key=len, reverse=True)[:10]:
            kept = self._one(cluster.keep) if cluster.keep >= 0 else None
            text = kept if isinstance(kept, str) else json.dumps(kept, ensure_ascii=False, default=str)
            rows.append(f"<tr><td>{len(cluster)}</td><td>{escape(text[:200])}</td></tr>")
        return (
            f"<div><b>{counts['kept']:,} of {counts['records']:,} records kept</b>, {counts['removed']:,} removed "
            f"({100 * self.duplicate_ratio:.1f} %) in {counts['clusters']:,} groups"
            f"<table><tr><th>size</th><th>kept of the largest groups</th></tr>{''.join(rows)}</table></div>"
        )


def _lines(run: Path, name: str) -> Iterator[Any]:
    """The records of a list of a run; a packed one is unpacked."""
    path = run / f"{name}.jsonl"
    for end in ("", ".gz", ".zst"):
        packed = path.with_name(path.name + end)
        if packed.exists():
            with _opened(packed) as lines:
                for line in lines:
                    yield json.loads(line)
            return
    if name == "kept":
        raise UsageError(f"{run} holds no kept.jsonl: its records stand in one file for each input, or annotated")


def _opened(path: Path) -> Any:
    if path.suffix == ".gz":
        import gzip

        return gzip.open(path, "rb")
    if path.suffix == ".zst":
        return io.BytesIO(need("pyarrow", path.name).input_stream(str(path), compression="zstd").read())
    return path.open("rb")


def read_report(output_dir: str | Path) -> Result:
    """The result of a finished run, of this package or of the command line.

    Parameters
    ----------
    output_dir : path
        As `leitong dedup --output-dir` or `Dedup.files` had it.

    Examples
    --------
    >>> import leitong, tempfile
    >>> out = tempfile.mkdtemp() + "/out"
    >>> _ = leitong.Dedup().files(["../examples/sample.jsonl"], output_dir=out)
    >>> leitong.read_report(out)
    <Result: 37 of 63 records kept, 26 removed>
    """
    run = Path(output_dir)
    if not (run / "stages").is_dir():
        raise UsageError(f"{run} holds no finished run: there is no {run / 'stages'}")
    return Result(run)


class TemporaryRun:
    """A directory for a run over records in memory, which goes with its result."""

    def __init__(self) -> None:
        folder = tempfile.mkdtemp(prefix="leitong-")
        self.directory = str(Path(folder) / "run")
        weakref.finalize(self, _core.remove_directory, folder)


__all__ = ["Cluster", "DuplicateRecord", "Edge", "Fate", "FormatError", "Result", "RunExplanation", "RunRecord", "read_report"]
