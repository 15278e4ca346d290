"""Collections that last: add every day, ask at any time, lose nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from . import _core
from ._errors import UsageError
from ._progress import ProgressLike, reporting
from ._records import is_missing, path_text, texts_source
from .dedup import memory_bytes
from .profiles import Profile, Rule, profile_text, rule_text


@dataclass(frozen=True)
class Match:
    """A stored document that is near.

    Attributes
    ----------
    id : str
    distance : int or None
        Bits between the fingerprints.
    similarity : float or None
        Of the texts if they are kept, else estimated; None: there is no means.
    verified : bool
        The texts were compared.
    fingerprint : str or None
        Of the stored document.
    """

    id: str
    distance: int | None
    similarity: float | None
    verified: bool
    fingerprint: str | None


@dataclass(frozen=True)
class Outcome:
    """What a document met that was to be added only if nothing like it was there.

    Attributes
    ----------
    result : str
        "new"; "duplicate" of `match`; "present": what it resembles is the document of its own id.
    replaced : bool
        It was added in the place of another document of the same id.
    match : Match or None
    """

    result: str
    replaced: bool
    match: Match | None


@dataclass(frozen=True)
class Entry:
    """A stored document, as far as it is kept."""

    id: str
    sequence: int
    fingerprint: str | None
    text: str | None
    metadata: Any


@dataclass(frozen=True)
class StoredCluster:
    """Near-duplicates among the documents: its number, their ids, and the one to keep."""

    id: int
    documents: tuple[str, ...]
    keep: str


@dataclass(frozen=True)
class Stats:
    """Documents, parts on disk (`runs`), rows in them and in memory, and bytes."""

    documents: int
    runs: int
    rows: int
    memory_rows: int
    bytes: int
    log_bytes: int


def _match(values: tuple[str, int | None, float | None, bool, str | None]) -> Match:
    return Match(*values)


def _entry(values: tuple[str, int, str | None, str | None, str | None]) -> Entry:
    return Entry(*values[:4], None if values[4] is None else json.loads(values[4]))


class Collection:
    """A collection of documents in a directory, or in memory.

    One process writes, any number read. A document is its id; adding an id again replaces it. Any thread may call anything. A collection
    does not pickle, and one that is open to write refuses to work in a process that was forked.

    Parameters
    ----------
    where : path
        Its directory.
    mode : {"r", "w"}
        To read, or to write as well.
    threads : int
        0: as many as there are cores.
    memory : int or str, optional
        For new documents and merging: bytes, or such as "4G".
    key : str
        Of a profile with a key.

    Examples
    --------
    >>> import leitong, tempfile
    >>> with leitong.Collection.create(tempfile.mkdtemp() + "/news", texts=True) as news:
    ...     news.add([{"id": "a", "text": "The ferry leaves the island at nine."}])
    ...     [outcome.result for outcome in news.add_unique({"b": "The ferry leaves the island at nine!", "c": "Bread."})]
    ...     [match.id for match in news.query("the ferry leaves the island at nine")]
    1
    ['duplicate', 'new']
    ['a']
    """

    def __init__(
        self,
        where: str | Path,
        mode: str = "r",
        *,
        threads: int = 0,
        memory: int | str | None = None,
        key: str = "",
        _handle: _core.Collection | None = None,
    ) -> None:
        if mode not in ("r", "w"):
            raise UsageError(f"mode is 'r' or 'w', not {mode!r}")
        self._where, self.mode = path_text(where), mode
        options = {"threads": threads, "memory": memory_bytes(memory), "key": key}
        self._core = _handle or _core.Collection(self._where, mode == "w", options)

    @classmethod
    def create(
        cls,
        where: str | Path,
        *,
        profile: str | Profile = "leitong-1",
        k: int = 3,
        ids: str = "text",
        texts: bool = False,
        metadata: bool = False,
        fingerprints_only: bool = False,
        **opened: Any,
    ) -> Collection:
        """Make a collection and open it to write.

        Parameters
        ----------
        where : path
            A directory that is not there.
        profile : str or Profile
        k : int
            Bits in which near fingerprints may differ.
        ids : {"text", "number"}
            What an id is.
        texts, metadata : bool
            Keep them: matches are verified by the texts.
        fingerprints_only : bool
            Keep nothing else.
        **opened
            `threads`, `memory`, `key`.
        """
        options = {"profile": profile_text(profile), "k": k, "ids": ids, "texts": texts, "metadata": metadata}
        _core.create_collection(path_text(where), {**options, "fingerprints_only": fingerprints_only})
        return cls(where, "w", **opened)

    @classmethod
    def in_memory(cls, *, profile: str | Profile = "leitong-1", k: int = 3) -> Collection:
        """A collection of fingerprints, of a profile of 64 bits, for as long as it is open.

        Examples
        --------
        >>> import leitong
        >>> with leitong.Collection.in_memory() as seen:
        ...     [outcome.result for outcome in seen.add_unique({"1": "to be or not to be", "2": "To be, or not to be"})]
        ['new', 'duplicate']
        """
        handle = _core.Collection.in_memory({"profile": profile_text(profile), "k": k})
        return cls("<memory>", "w", _handle=handle)

    def __enter__(self) -> Collection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Collection {self._where!r}, mode {self.mode!r}>"

    def __reduce__(self) -> Any:
        raise TypeError("a Collection cannot be pickled: open it again where it is needed")

    def __len__(self) -> int:
        return self.stats().documents

    def __iter__(self) -> Iterator[Entry]:
        """Every document, in the order in which they were added; those that are added meanwhile may come, too."""
        place: str | None = ""
        while place is not None:
            entries, place = self._core.scan(place, 1000)
            yield from map(_entry, entries)

    def __contains__(self, id: str) -> bool:
        return self.get(id) is not None

    @property
    def about(self) -> dict[str, Any]:
        """What it was made with: `profile`, `profile_id`, `k`, `texts`, `metadata`, `ids`."""
        return self._core.about()

    def close(self) -> None:
        """End well: everything is durable. Closing again does nothing."""
        self._core.close()

    def add(self, records: Any, *, text: str = "text", id: str = "id", metadata: str = "metadata", durable: bool = True) -> int:
        """Add or replace documents.

        Parameters
        ----------
        records : list of dict, dict of id and text, frame or table
        text, id, metadata : str
            Fields; metadata are kept only by a collection that was made so.
        durable : bool
            Wait until they survive a crash of the machine.

        Returns
        -------
        int
            How many there were.
        """
        return self._core.add(*self._documents(records, text, id, metadata), durable)

    def add_unique(
        self,
        records: Any,
        *,
        text: str = "text",
        id: str = "id",
        metadata: str = "metadata",
        durable: bool = True,
        k: int | None = None,
        verify: bool = True,
        allow_unverified: bool = False,
        rule: str | Rule = "near-2",
    ) -> list[Outcome]:
        """Add, in order, each document that matches nothing stored, those before it in this call included.

        Parameters
        ----------
        records, text, id, metadata, durable
            As of `add`.
        k, verify, allow_unverified, rule
            As of `query`; and whether a fingerprint that came without its text is enough to refuse a document.

        Returns
        -------
        list of Outcome
            One a record, in their order.
        """
        query = {"k": k, "verify": verify, "allow_unverified": allow_unverified, "rule": rule_text(rule)}
        found = self._core.add_unique(*self._documents(records, text, id, metadata), durable, query)
        return [
            Outcome("new" if added else "present" if present else "duplicate", replaced, None if match is None else _match(match))
            for added, replaced, present, match in found
        ]

    def query(
        self, text: Any, *, most: int | None = None, k: int | None = None, verify: bool = True, rule: str | Rule = "near-2"
    ) -> Any:
        """Near documents, the most similar first.

        Parameters
        ----------
        text : str, or list of str, or a column
            One question, or many.
        most : int, optional
            Only the best so many.
        k : int, optional
            All within so many bits and nothing else.
        verify : bool
            Leave out what the texts, where they are kept, refute.
        rule : str or Rule

        Returns
        -------
        list of Match, or a list of these for many questions
        """
        one = isinstance(text, str)
        query = {"k": k, "most": most, "verify": verify, "rule": rule_text(rule)}
        answers = [
            [_match(match) for match in matches] for matches, _ in self._core.query([text] if one else texts_source(text), query)
        ]
        return answers[0] if one else answers

    def near(self, id: str, *, most: int | None = None, k: int | None = None, rule: str | Rule = "near-2") -> list[Match]:
        """What is near a document of the collection, itself left out."""
        answer = self._core.query_id(id, {"k": k, "most": most, "rule": rule_text(rule)})
        if answer is None:
            raise UsageError(f"there is no document {id!r}")
        return [_match(match) for match in answer[0]]

    def get(self, id: str) -> Entry | None:
        """A document; None: it is not there."""
        found = self._core.get_all([id])[0]
        return None if found is None else _entry(found)

    def delete(self, ids: str | Iterable[str], *, durable: bool = True) -> int:
        """Take documents out, and give how many of them were there."""
        return self._core.erase([ids] if isinstance(ids, str) else list(ids), durable)

    def clusters(
        self, *, rule: str | Rule = "near-2", allow_unverified: bool = False, last: bool = False, progress: ProgressLike = None
    ) -> list[StoredCluster]:
        """The near-duplicates among the documents, as one `dedup` of all of them groups them. Needs a writer.

        Parameters
        ----------
        last : bool
            Those that were computed the last time; a reader can do that.
        """
        with reporting(progress) as report:
            found = self._core.clusters(rule_text(rule), allow_unverified, last, report)
        return [StoredCluster(number, tuple(documents), keep) for number, documents, keep in found]

    def stats(self) -> Stats:
        """Counts and sizes."""
        return Stats(**self._core.stats())

    def compact(self) -> None:
        """Make it the fastest to read, without replaced and deleted documents."""
        self._core.compact()

    def backup(self, directory: str | Path) -> None:
        """Copy it as it is now to a new directory; adding may go on."""
        self._core.backup(path_text(directory))

    def check(self) -> None:
        """Read everything; raises FormatError that names what is damaged."""
        self._core.check()

    def refresh(self) -> None:
        """Of a reader: go on to what the writer has added by now."""
        self._core.refresh()

    def sync(self) -> None:
        """Make durable what was added with `durable=False`."""
        self._core.sync()

    def _documents(self, records: Any, text: str, id: str, metadata: str) -> tuple[list[str], Any, list[str | None]]:
        """Ids, texts and metadata of records of any kind."""
        if isinstance(records, Mapping):
            return [str(one) for one in records], list(records.values()), []
        module = type(records).__module__.partition(".")[0]
        if module == "datasets":
            records = records.with_format("arrow")[:]
        if hasattr(records, "columns") or hasattr(records, "column_names"):
            given = records[id].to_pylist() if hasattr(records[id], "to_pylist") else records[id].to_list()
            ids = [None if is_missing(one) else str(one) for one in given]
            if None in ids:
                raise UsageError(f"row {ids.index(None)} has no id in the column {id!r}")
            return cast("list[str]", ids), texts_source(records[text]), []
        rows = list(records)
        for row, record in enumerate(rows):
            if not isinstance(record, Mapping) or record.get(id) is None:
                raise UsageError(f"records[{row}] has no id: give dicts with a field {id!r}, or one dict of ids and texts")
        kept = self.about["metadata"]
        values = [json.dumps(r[metadata], ensure_ascii=False) if r.get(metadata) is not None else None for r in rows] if kept else []
        return [str(record[id]) for record in rows], [record.get(text) for record in rows], values


Index = Collection
