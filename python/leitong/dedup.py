"""Deduplication of records in memory and of files."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from . import _core
from ._errors import LeitongWarning, UsageError
from ._progress import ProgressLike, reporting
from ._records import as_input, keep_fields, path_text, records_of
from .profiles import Profile, Rule, profile_text, rule_text
from .results import Result, TemporaryRun

_OLD = "<old>"


def memory_bytes(memory: int | str | None) -> int:
    """Bytes of 4000000000 or "4G".

    Examples
    --------
    >>> memory_bytes("64M")
    67108864
    """
    if memory is None:
        return 0
    if isinstance(memory, int):
        return memory
    units = {"K": 10, "M": 20, "G": 30, "T": 40}
    number, unit = (memory[:-1], memory[-1].upper()) if memory[-1:].isalpha() else (memory, "")
    if not number.isdecimal() or (unit and unit not in units):
        raise UsageError(f'memory is a number of bytes, or such as "4G", not {memory!r}')
    return int(number) << units.get(unit, 0)


@dataclass(frozen=True)
class Plan:
    """What a job would take, from running it on a sample of its inputs.

    Attributes
    ----------
    records, input_bytes, candidates : int
    memory_bytes, disk_bytes : int
        At most, about.
    seconds : float
    sampled_records : int
    exact : bool
        The whole input was the sample.
    basis : list of str
        What the figures rest on.
    """

    records: int
    input_bytes: int
    sampled_records: int
    memory_bytes: int
    disk_bytes: int
    candidates: int
    seconds: float
    exact: bool
    basis: list[str]


@dataclass(frozen=True)
class Dedup:
    """Finds near-duplicates and keeps one of each group, as `leitong dedup` does.

    A `Dedup` holds settings and nothing else: it is called with records any number of times, and pickles as its arguments.

    Parameters
    ----------
    threshold : float, optional
        This similarity (multiset Jaccard of words and pairs of words) and nothing else makes two records near-duplicates, in the place
        of the rule.
    profile : str or Profile
        Of the sketches: a name, or a TOML file.
    rule : str, Path or Rule
        Which candidates are near-duplicates: a name, or a TOML file such as `calibrate` makes.
    keep : str
        Which record of a group stays: "source:gov>news,date:oldest,length:max".
    verify : {"text", "sketch", "none"}
        What confirms a candidate.
    k : int, optional
        Candidates are fingerprints within so many bits, instead of the profile's own method.
    recall : (float, float), optional
        What the candidates shall find: this share of the pairs of that similarity.
    threads : int
        0: as many as there are cores.
    memory : int or str, optional
        The budget: bytes, or such as "4G".

    Examples
    --------
    >>> import leitong
    >>> records = [{"id": 1, "text": "the ship sails at nine."}, {"id": 2, "text": "The ship sails at nine!"}]
    >>> leitong.Dedup()(records).selected
    [{'id': 1, 'text': 'the ship sails at nine.'}]
    """

    threshold: float | None = None
    profile: str | Profile = "leitong-1"
    rule: str | Path | Rule = "near-2"
    keep: str = "central,length:max,first"
    verify: str = "text"
    k: int | None = None
    recall: tuple[float, float] | None = None
    threads: int = 0
    memory: int | str | None = None

    def __init__(
        self,
        threshold: float | None = None,
        *,
        profile: str | Profile = "leitong-1",
        rule: str | Path | Rule = "near-2",
        keep: str = "central,length:max,first",
        verify: str = "text",
        k: int | None = None,
        recall: tuple[float, float] | None = None,
        threads: int = 0,
        memory: int | str | None = None,
    ) -> None:
        settings: dict[str, Any] = {"threshold": threshold, "profile": profile, "rule": rule, "keep": keep, "verify": verify}
        settings |= {"k": k, "recall": recall, "threads": threads, "memory": memory}
        for name, value in settings.items():
            object.__setattr__(self, name, value)

    def _options(
        self, text: str | Sequence[str], id: str, html_field: str | None = None, extract: str = "main", **more: Any
    ) -> dict[str, Any]:
        return {
            "threshold": self.threshold,
            "profile": profile_text(self.profile),
            "rule": rule_text(self.rule),
            "keep": self.keep,
            "verify": self.verify,
            "k": self.k,
            "recall": self.recall,
            "threads": self.threads,
            "memory": memory_bytes(self.memory),
            "text": _names(text),
            "id": id,
            "html_field": html_field,
            "extract": extract,
            **more,
        }

    def __call__(
        self,
        records: Any,
        *,
        text: str | Sequence[str] = "text",
        id: str = "id",
        html_field: str | None = None,
        extract: str = "main",
        against: Any = None,
        progress: ProgressLike = None,
    ) -> Result:
        """Deduplicate records in memory.

        Parameters
        ----------
        records : list of str or dict, frame, table or dataset
            Of pandas, polars, pyarrow, Hugging Face `datasets`, or anything with ``__arrow_c_stream__``.
        text : str or list of str
            The field of the text, also a dotted path; of several, the texts are joined by line ends.
        id : str
            The field of the id, if there is one.
        html_field : str, optional
            The field of a web page, instead of that of a text: its main content is the text. Of a list of pages, any name.
        extract : {"main", "article", "page", "all"}
            What is taken of a web page, as `extract` says.
        against : list, frame, path, optional
            Old records, of the same kinds, or files, the directory of a run, a collection: what resembles one of them is removed.
        progress : None, True or a function
            Nothing; a bar of tqdm on terminals and in notebooks; or what is called with a `Progress` some times a second.

        Returns
        -------
        Result

        Examples
        --------
        >>> import leitong
        >>> leitong.Dedup()(["old news about the ship", "bread"], against=["Old news about the ship."]).selected
        ['bread']
        """
        held = records_of(records)
        others = [id, *keep_fields(self.keep)]
        names = _names(text, html_field)
        paths, tables = as_input(records, names, others)
        options = self._options(text, id, html_field, extract, paths=paths)
        if against is not None:
            options["against"], old = as_input(against, names, others, _OLD)
            tables |= old
        run = TemporaryRun()
        options["output_dir"] = run.directory
        with reporting(progress) as report:
            _warn_of_bad(_core.dedup(options, tables, "none", report))
        return Result(Path(run.directory), held, tables, names, run, extract if html_field else None)

    def files(
        self,
        paths: Any,
        output_dir: str | Path,
        *,
        text: str | Sequence[str] = "text",
        id: str = "id",
        html_field: str | None = None,
        extract: str = "main",
        against: Any = None,
        resume: bool = False,
        overwrite: bool = False,
        annotate: bool = False,
        compression: str | None = None,
        layout: str = "one",
        format: str = "auto",
        encoding: str = "auto",
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        header: bool = True,
        strict: bool = False,
        progress: ProgressLike = None,
    ) -> Result:
        """Deduplicate files: the durable job, whose directory is that of `leitong dedup`, byte for byte.

        Parameters
        ----------
        paths : path or list of paths
            Files and directories; "-" is standard input.
        output_dir : path
            Receives kept.jsonl, removed.jsonl, clusters.jsonl, rejected.jsonl, summary.json, report.html, run.json and stages/.
        text, id, html_field, extract, against, progress
            As of a call; `against` is files, directories or collections. `extract` holds for HTML files, too.
        resume : bool
            Go on with a run that was stopped.
        overwrite : bool
            Of another run's directory.
        annotate, compression, layout, format, encoding, include, exclude, header, strict
            As the flags of these names of the command line.

        Returns
        -------
        Result

        Examples
        --------
        >>> import leitong, tempfile
        >>> result = leitong.Dedup().files("../examples/sample.jsonl", tempfile.mkdtemp() + "/out")
        >>> len(list(result.selected)), result.counts["clusters"]
        (37, 15)
        """
        options = self._options(text, id, html_field, extract, paths=_paths(paths), output_dir=path_text(output_dir))
        options |= {"resume": resume, "overwrite": overwrite}
        options |= {"annotate": annotate, "compression": compression, "layout": layout, "format": format, "encoding": encoding}
        options |= {"include": list(include), "exclude": list(exclude), "header": header, "strict": strict}
        if against is not None:
            options["against"] = _paths(against)
        with reporting(progress) as report:
            _warn_of_bad(_core.dedup(options, {}, "all", report))
        return Result(Path(output_dir))

    def plan(
        self,
        source: Any,
        *,
        text: str | Sequence[str] = "text",
        id: str = "id",
        html_field: str | None = None,
        extract: str = "main",
    ) -> Plan:
        """What a job would take; nothing is written. The arguments are those of a call.

        Examples
        --------
        >>> import leitong
        >>> leitong.Dedup().plan("../examples/sample.jsonl").records
        63
        """
        paths, tables = as_input(source, _names(text, html_field), [id, *keep_fields(self.keep)])
        return Plan(**_core.plan(self._options(text, id, html_field, extract, paths=paths), tables))

    def rethreshold(self, threshold: float) -> Dedup:
        """The same settings with another threshold."""
        return replace(self, threshold=threshold)


def plan(
    source: Any,
    *,
    text: str | Sequence[str] = "text",
    id: str = "id",
    html_field: str | None = None,
    extract: str = "main",
    **settings: Any,
) -> Plan:
    """What `Dedup(**settings)` would take for these files or records.

    Examples
    --------
    >>> import leitong
    >>> leitong.plan(["one two three", "One two three!"]).records
    2
    """
    return Dedup(**settings).plan(source, text=text, id=id, html_field=html_field, extract=extract)


def restore(output_dir: str | Path, cluster: int | None = None) -> list[bytes]:
    """The removed records of a finished run over files, as they were in the input; of one cluster only if it is given.

    Examples
    --------
    >>> import leitong, tempfile
    >>> out = tempfile.mkdtemp() + "/out"
    >>> _ = leitong.Dedup().files("../examples/sample.jsonl", out)
    >>> len(leitong.restore(out))
    26
    """
    return _core.restore(path_text(output_dir), cluster)


def _warn_of_bad(counts: dict[str, int]) -> None:
    if counts["rejected"]:
        warnings.warn(f"{counts['rejected']} of {counts['records']} records are bad: see Result.rejected", LeitongWarning, stacklevel=3)


def _names(text: str | Sequence[str], html_field: str | None = None) -> list[str]:
    """The fields that a text is made of."""
    if html_field:
        return [html_field]
    return [text] if isinstance(text, str) else list(text)


def _paths(paths: Any) -> list[str]:
    return [path_text(path) for path in (paths if isinstance(paths, (list, tuple)) else [paths])]
